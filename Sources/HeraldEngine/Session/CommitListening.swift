/// Keeps a session's wish to be woken by others' commits: it ends when nothing holds this.
package final class CommitListening: Sendable {
  private let hub: StoreHub
  private let number: Int

  init(_ hub: StoreHub, _ number: Int) {
    self.hub = hub
    self.number = number
  }

  deinit { hub.ignore(number) }
}
