internal import Synchronization

/// What becomes of a write, for handles of the objects that it adds.
///
/// Another process may give a number again that a rolled-back write of this process gave out. A
/// handle that knows its write's fate is not taken in by that.
package final class WriteFate: Sendable {
  private let state = Atomic(false)

  package var isRolledBack: Bool { state.load(ordering: .relaxed) }

  func rollBack() { state.store(true, ordering: .relaxed) }
}
