import Herald
import Synchronization

/// What a statement holds that lasts: it waits for commits, of others or of what it imports, without using the processor.
/// Interruptions end the wait, too.
final class CommitWaiting {
  private let bell: Bell
  private let registration: CommitListener
  private let context: Context

  /// Begins to note commits. Errors: the statement, of the name `word`, runs in a block, or a transaction is open.
  init(_ context: Context, word: String) throws {
    try context.refuseInBlocks(word)
    let store = try context.store
    if store.isInWrite { throw HeraldError.writeInProgress }
    guard let bell = Bell() else { throw HeraldError.storage("no file descriptors are left") }
    self.bell = bell
    self.context = context
    context.shell.followBell.withLock { $0 = bell }
    registration = try store.onCommitElsewhere { bell.ring() }
  }

  deinit { context.shell.followBell.withLock { $0 = nil } }

  /// Waits for a commit, or for lines of an import, whose objects it adds; returns false when the time is over. Ctrl-C is the
  /// usual end, so it is not reported as an error.
  func awaitNext(
    until deadline: ContinuousClock.Instant? = nil, adding live: LiveImport? = nil
  ) throws -> Bool {
    let shell = context.shell
    if shell.interruption.isRequested {
      shell.clearInterruption()
      let failure = context.failure(.interrupted, at: context.span)
      shell.note(exitStatus: failure.exitStatus)
      throw failure.reported
    }
    let end = [deadline, live?.deadline].compactMap(\.self).min()
    switch bell.wait(
      until: end, output: shell.output.sink.readerDescriptor, input: live?.descriptor)
    {
    case .rung: return true
    case .readable:
      try live?.takeLines()
      return true
    case .timeUp:
      if let deadline, deadline <= .now { return false }
      try live?.takeLines()
      return true
    case .readerLeft:
      shell.output.sink.readerLeft()
      shell.wantsToQuit = shell.wantsToQuit || !shell.isRedirected
      return false
    }
  }
}
