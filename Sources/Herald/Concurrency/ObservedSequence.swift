import HeraldEngine
import HeraldModel

/// An asynchronous sequence of the changes of a collection, an object or a map, from `initial` on for collections.
///
///     for await change in store.objects(Dog.self).changes() { show(change) }
///
/// Each iteration has a session of its own, which advances only when the next element is requested: all commits in the
/// meantime are one change. It ends when the task is cancelled, when what is observed was deleted, and after an
/// `error`: the only element for what is frozen or in no store.
public struct ObservedSequence<Element>: AsyncSequence, Sendable {
  /// The iteration does not throw; an error is the last change.
  public typealias Failure = Never

  private let finder: ConfinedFinder?
  private let register:
    @Sendable (_ found: Any, _ note: @escaping (Element) -> Void) -> NotificationToken?
  private let failed: @Sendable (any Error) -> Element

  /// - Parameter register: Observes the same in the iteration's session.
  init<Observed: Freezable>(
    of observed: Observed,
    _ register:
      @escaping @Sendable (Observed, _ note: @escaping (Element) -> Void) -> NotificationToken
  ) where Element: FailableChange {
    finder = observed._core?.session.isFrozen == true ? nil : observed._finder
    self.register = { found, note in (found as? Observed).map { register($0, note) } }
    failed = { .error($0) }
  }

  /// Starts an iteration with a session of its own.
  public func makeAsyncIterator() -> Iterator {
    guard let finder else {
      let error = HeraldError.cannotObserve("what is frozen, or in no store,")
      return Iterator(state: nil, failure: failed(error))
    }
    do {
      return Iterator(state: try Iteration(finder, register), failure: nil)
    } catch {
      return Iterator(state: nil, failure: failed(error))
    }
  }

  /// The iterator of `ObservedSequence`.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: Iteration?
    /// The only element where there is no session.
    fileprivate var failure: Element?

    /// Waits for the next change; nil at the end.
    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// Waits for the next change on an actor; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let state else { return failure.take() }
      while true {
        guard !Task.isCancelled else { return nil }
        // The observer has received the error of a failed advance as its last change.
        let isReadable = state.advance()
        if let change = state.takeChange() { return change }
        var wakes = state.wakes
        guard isReadable, state.isLive, await wakes.next(isolation: actor) != nil else {
          return nil
        }
      }
    }
  }

  /// The session of an iteration, with the changes that it has received.
  fileprivate final class Iteration {
    let wakes: AsyncStream<Void>.Iterator
    private let core: StoreCore
    private var token: NotificationToken?
    private let inbox = Inbox()

    final class Inbox {
      var changes: [Element] = []
      var hasEnded = false
    }

    init(
      _ finder: ConfinedFinder,
      _ register: (_ found: Any, _ note: @escaping (Element) -> Void) -> NotificationToken?
    ) throws {
      core = StoreCore(try finder.address.newSession(named: "changes"), .everyone())
      wakes = try core.dynamic.commitsElsewhere().makeAsyncIterator()
      guard let found = try core.resolve(finder) else { return }
      token = register(found) { [inbox] change in
        if inbox.hasEnded { return }
        inbox.changes.append(change)
        inbox.hasEnded = (change as? any EndingChange)?.isLast ?? false
      }
      // `initial` reports the state at registration.
      try core.session.deliverPending()
      core.deliverFailedObservers()
    }

    var isLive: Bool { !inbox.hasEnded && token?.isLive ?? false }

    /// Advances the session if every change was taken; returns whether it can be read.
    func advance() -> Bool {
      guard inbox.changes.isEmpty else { return true }
      return (try? core.dynamic.endTurn()) != nil
    }

    func takeChange() -> Element? { inbox.changes.isEmpty ? nil : inbox.changes.removeFirst() }
  }
}

extension StoredCollection {
  /// Returns the changes of the collection. `keyPaths` and what goes wrong as in `observe`.
  public func changes(keyPaths: [String]? = nil) -> ObservedSequence<CollectionChange<Self>> {
    ObservedSequence(of: self) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Returns the changes of the collection; `keyPaths` are properties of its elements. A path to something other than a property
  /// stops the program.
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) -> ObservedSequence<CollectionChange<Self>> where Element: ObjectBase {
    changes(keyPaths: keyPaths.map { requiredName(of: $0) })
  }
}

extension Map {
  /// Returns the changes of the map. `keyPaths` and what goes wrong as in `observe`.
  public func changes(keyPaths: [String]? = nil) -> ObservedSequence<MapChange<Key, Value>> {
    ObservedSequence(of: self) { $0.observe(keyPaths: keyPaths, $1) }
  }
}

/// A change after which there may be no other though the observer lives.
protocol EndingChange {
  var isLast: Bool { get }
}
