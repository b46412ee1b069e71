/// A subscription of a session to the commits of others: it ends when this object is released.
package final class CommitSubscription: Sendable {
  private let hub: StoreHub
  private let number: Int

  init(_ hub: StoreHub, _ number: Int) {
    self.hub = hub
    self.number = number
  }

  deinit { hub.ignore(number) }
}
