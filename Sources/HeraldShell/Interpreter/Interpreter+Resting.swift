import Herald

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
