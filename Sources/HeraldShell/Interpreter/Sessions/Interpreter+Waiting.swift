import Herald

extension Interpreter {
  /// Names the session that has the write open which is in the way.
  func naming<R>(_ session: Session, _ body: () throws -> R) throws -> R {
    session.blocksRunning += 1
    defer { session.blocksRunning -= 1 }
    do {
      return try waitingForPrograms(body)
    } catch HeraldError.writerBusy {
      let other = sessions.first { $0 !== session && $0.store?.isInWrite == true }
      guard let other else { throw HeraldError.writerBusy }
      throw Complaint.writerBusy(session: other.name)
    }
  }

  /// Does `body`, again and again for some seconds while another program has the store's write open.
  private func waitingForPrograms<R>(_ body: () throws -> R) throws -> R {
    let end = Clock.uptime + Self.patience
    while true {
      do {
        return try body()
      } catch HeraldError.locked(let path) {
        if interruption.isRequested { throw Complaint.interrupted }
        guard Clock.uptime < end else { throw HeraldError.locked(path: path) }
        Clock.pause()
      }
    }
  }

  /// Seconds.
  private static let patience = 5.0
}

// While the shell waits, for a line, for news or for a slow reader of its output, its sessions hold no
// version of the store: the file would grow behind them with every commit of others.

extension Interpreter {
  /// Has every session release its version, where no statement runs; `wake` is to come before the next.
  package func rest() {
    if runningStatements == 0 { restSessions() }
  }

  /// The same in a statement that only waits.
  func restSessions() {
    guard isStoreOpen else { return }
    for session in sessions { session.store?.rest() }
    hasRested = true
    settledVersion = nil
  }

  /// Takes what happened while the sessions rested, as if a turn ended, and prints what observers are
  /// notified of.
  package func wake() {
    guard hasRested, runningStatements == 0 else { return }
    hasRested = false
    takeTurns(isBeforeStatement: true)
  }
}
