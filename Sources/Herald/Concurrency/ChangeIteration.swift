import HeraldEngine

/// The session of one iteration over changes, with those that its observer has received.
final class ChangeIteration<Element> {
  /// What the observer's block holds: the iteration would hold itself by its session.
  final class Inbox {
    fileprivate var changes: [Element] = []
    fileprivate var hasEnded = false

    /// Adds a change; after the last one, none.
    func add(_ change: Element, isLast: Bool = false) {
      if hasEnded { return }
      changes.append(change)
      hasEnded = isLast
    }
  }

  private let store: DynamicStore
  private let wakes: AsyncStream<Void>.Iterator
  private let inbox = Inbox()
  private let isObserved: () -> Bool

  /// - Parameters:
  ///   - store: A session of the iteration's own.
  ///   - observe: Registers the observer and calls it for the first time: `initial` reports the state at registration.
  ///     Returns whether it lives, as a function that holds it; nil where there is nothing to observe.
  init(_ store: DynamicStore, _ observe: (Inbox) throws -> (() -> Bool)?) throws {
    self.store = store
    wakes = try store.commitsElsewhere().makeAsyncIterator()
    isObserved = try observe(inbox) ?? { false }
  }

  /// Waits for the next change, and advances the session if every one was taken; nil at the end.
  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    while !Task.isCancelled {
      // The observer has received the error of a failed advance as its last change.
      let isReadable = !inbox.changes.isEmpty || (try? store.endTurn()) != nil
      if !inbox.changes.isEmpty { return inbox.changes.removeFirst() }
      var wakes = wakes
      guard isReadable, !inbox.hasEnded, isObserved(),
        await wakes.next(isolation: actor) != nil
      else { return nil }
    }
    return nil
  }
}
