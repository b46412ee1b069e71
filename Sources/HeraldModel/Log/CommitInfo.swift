/// What the log keeps about a commit besides its changes.
package struct CommitInfo: Sendable, Equatable {
  /// What a commit takes back.
  package enum Reversal: Sendable, Equatable {
    /// The changes of the commit of a version.
    case undo(Int)
    /// An undo, by its version.
    case redo(Int)

    /// The version whose changes are reverted.
    package var version: Int {
      switch self {
      case .undo(let version), .redo(let version): version
      }
    }
  }

  /// When the transaction was committed, by the system's clock.
  package var time: Timestamp
  package var message: String?
  /// The name of the session that committed.
  package var session: String
  /// The number of its process.
  package var process: Int
  package var reversal: Reversal?

  package init(
    time: Timestamp, message: String? = nil, session: String, process: Int,
    reversal: Reversal? = nil
  ) {
    self.time = time
    self.message = message
    self.session = session
    self.process = process
    self.reversal = reversal
  }
}
