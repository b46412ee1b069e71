import Herald

extension Interpreter {
  /// The error that names the session whose open transaction blocks a write.
  func naming<R>(_ session: ShellSession, _ body: () throws -> R) throws -> R {
    session.blocksRunning += 1
    defer { session.blocksRunning -= 1 }
    do {
      return try waitingForPrograms(session.store, body)
    } catch HeraldError.writerBusy {
      let other = sessions.first { $0 !== session && $0.store?.isInWrite == true }
      guard let other else { throw HeraldError.writerBusy }
      throw Diagnostic.writerBusy(session: other.name)
    }
  }

  /// Calls `body`, and retries, in a script for some seconds, while another program has a transaction open. Programs
  /// that commit again and again do not go first each time: this one queues.
  private func waitingForPrograms<R>(_ store: DynamicStore?, _ body: () throws -> R) throws -> R {
    let begin = Clock.uptime
    var isQueued = false
    var isAnnounced = false
    defer { if isQueued { store?.leaveWriterQueue() } }
    while true {
      do {
        return try body()
      } catch HeraldError.locked(let path) {
        if interruption.isRequested { throw Diagnostic.interrupted }
        // A person at a prompt can stop waiting; a script would wait for ever.
        guard announcesWaiting || Clock.uptime < begin + Self.patience else {
          throw Diagnostic.locked(path: path, by: store?.writerText)
        }
        store?.joinWriterQueue()
        isQueued = true
        if !isAnnounced, Clock.uptime > begin + Self.silence {
          isAnnounced = true
          announceWaiting(for: store?.writerText)
        }
        Clock.pause()
      }
    }
  }

  /// Whether somebody reads what a statement waits for.
  private var announcesWaiting: Bool { options.isInteractive && mode != .json }

  /// Prints at a prompt which process is writing.
  private func announceWaiting(for writer: String?) {
    guard announcesWaiting else { return }
    emit(
      .confirmation(
        "waiting for \(writer ?? "another program") to end its transaction; Ctrl-C stops"))
    output.flush()
  }

  /// Seconds.
  private static let patience = 5.0
  private static let silence = 0.3
}

extension DynamicStore {
  /// The other process that is writing, for people; nil if it is not known.
  fileprivate var writerText: String? {
    writingProcess.map { "process \($0.id)" + ($0.name.isEmpty ? "" : " (\($0.name))") }
  }
}

// While the shell waits for a line, for commits or for a slow reader of its output, its sessions hold no
// version of the store: otherwise the file would grow with every commit of others.

extension Interpreter {
  /// Makes every session release its version while no statement runs; `wake` should precede the next one.
  package func rest() { if runningStatements == 0 { restSessions() } }

  /// Does the same in a statement that only waits.
  func restSessions() {
    guard isStoreOpen else { return }
    for session in sessions { session.store?.rest() }
    hasRested = true
    settledVersion = nil
  }

  /// Advances the sessions, as at the end of a turn, and prints the events of their observers. To be called before what
  /// has come while the shell waited, so that a statement that is sent after another program's commit reads it, however
  /// short the wait was.
  package func wake() {
    guard runningStatements == 0 else { return }
    hasRested = false
    takeTurns(isBeforeStatement: true)
  }
}
