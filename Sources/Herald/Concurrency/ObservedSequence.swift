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

  private let begin: @Sendable () throws -> ChangeIteration<Element>
  private let failed: @Sendable (any Error) -> Element

  /// - Parameter register: Observes the same in the iteration's session.
  init<Observed: Freezable>(
    of observed: Observed,
    _ register:
      @escaping @Sendable (Observed, _ note: @escaping (Element) -> Void) -> NotificationToken
  ) where Element: FailableChange {
    let finder = observed._core?.session.isFrozen == true ? nil : observed._finder
    begin = {
      guard let finder else {
        throw HeraldError.cannotObserve("what is frozen, or in no store,")
      }
      let core = StoreCore(try finder.address.newSession(named: "changes"), .everyone())
      return try ChangeIteration(core.dynamic) { inbox in
        guard let found = try core.resolve(finder) as? Observed else { return nil }
        let token = register(found) { inbox.add($0, isLast: $0.isLast) }
        try core.session.deliverPending()
        core.deliverFailedObservers()
        return { withExtendedLifetime(core) { token.isLive } }
      }
    }
    failed = { .error($0) }
  }

  /// Starts an iteration with a session of its own.
  public func makeAsyncIterator() -> Iterator {
    do {
      return Iterator(state: try begin(), failure: nil)
    } catch {
      return Iterator(state: nil, failure: failed(error))
    }
  }

  /// The iterator of `ObservedSequence`.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: ChangeIteration<Element>?
    /// The only element where there is no session.
    fileprivate var failure: Element?

    /// Waits for the next change; nil at the end.
    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// Waits for the next change on an actor; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let state else { return failure.take() }
      return await state.next(isolation: actor)
    }
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
