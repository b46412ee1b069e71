import Herald
import Synchronization

/// A program that an observer runs, with the statement that began it.
struct ObservingProgram {
  let program: EventProgram
  let record: TokenTable.Entry
  let source: Source
  let span: SourceSpan
}

extension Interpreter {
  /// Ends the waits of this thread, so that a failure of a program is reported.
  var wakeForPrograms: @Sendable () -> Void {
    { [weak self] in
      self?.options.onCommitElsewhere?()
      self?.followBell.withLock { $0?.ring() }
    }
  }

  /// Reports what has failed, and lets the files of observers without events have the present version.
  func reportPrograms() {
    if programs.isEmpty { return }
    for running in programs {
      for failure in running.program.takeFailures() {
        report(
          ShellError(
            .program(failure, token: running.record.name), running.source, running.span))
      }
      if running.record.isLive, let version = running.record.session.store?.version {
        running.program.advance(to: version)
      }
    }
    programs.removeAll { !$0.record.isLive && $0.program.hasEnded }
  }

  /// Waits until the programs of observers have run for all events; an interruption lets those that wait be forgotten.
  package func awaitPrograms() {
    if programs.isEmpty { return }
    let isInterrupted = firstFailure?.diagnostic == .interrupted
    output.flush()
    for running in programs {
      if isInterrupted { running.program.drop() }
      if running.record.isLive, let version = running.record.session.store?.version {
        running.program.advance(to: version, isAtEnd: true)
      }
    }
    restSessions()
    for running in programs {
      running.program.finish { [interruption] in interruption.isRequested }
    }
    reportPrograms()
    if interruption.isRequested {
      for running in programs { running.program.drop() }
      note(exitStatus: Diagnostic.interrupted.exitStatus)
      clearInterruption()
    }
    programs = []
  }
}
