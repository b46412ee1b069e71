internal import Synchronization

/// The outcome of a write, for handles of the objects that it adds.
///
/// Another process may reuse an object number that a rolled-back write of this process used. The outcome
/// distinguishes such an object from the handle's own.
package final class WriteOutcome: Sendable {
  private let state = Atomic(false)

  package var isRolledBack: Bool { state.load(ordering: .relaxed) }

  func rollBack() { state.store(true, ordering: .relaxed) }
}
