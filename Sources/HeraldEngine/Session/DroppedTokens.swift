package import HeraldObservation
internal import Synchronization

/// The tokens that any thread has released, until their session invalidates them.
package final class DroppedTokens: Sendable {
  private let tokens = Mutex<[TokenID]>([])
  /// Whether there may be any released tokens: without a lock, since every turn reads it.
  private let mayHold = Atomic(false)

  package func note(_ token: TokenID) {
    tokens.withLock { $0.append(token) }
    mayHold.store(true, ordering: .releasing)
  }

  func take() -> [TokenID] {
    guard mayHold.load(ordering: .acquiring) else { return [] }
    mayHold.store(false, ordering: .relaxed)
    return tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
  }
}
