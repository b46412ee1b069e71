import HeraldEngine

/// One element of `changes`: a change, and what changed.
package struct ObservedChange<Observed: DynamicThreadConfined, Change> {
  /// The change.
  package let change: Change
  /// The changed object, collection, results, projection or store, at the version that the change
  /// describes, in the session of the iteration.
  package let observed: Observed
}

extension ObservedChange where Change == DynamicCollectionChange {
  /// The rows at the version that the change describes.
  package var rows: Observed { observed }
}

/// An asynchronous sequence of the changes of a store, an object, a collection, results or a projection.
/// Changes of rows begin with `initial`.
///
///     for await step in results.changes { show(step.rows, step.change) }
///
/// Each iteration has its own session, which advances only when the next element is requested: all
/// commits in the meantime are one change. The iteration ends when the task is cancelled, when what is
/// observed is deleted, and, after a last change that is an `error`, when the store was replaced, lost or
/// damaged. It is empty for what is frozen or was deleted before it began.
package struct ObservedChanges<Observed: DynamicThreadConfined, Change>: AsyncSequence, Sendable {
  /// A change, and what changed.
  package typealias Element = ObservedChange<Observed, Change>
  /// The iteration does not throw; an error is the last change.
  package typealias Failure = Never
  typealias Register =
    @Sendable (Observed, @escaping (Observed, Change) -> Void) throws -> ObservationToken

  /// Nil for what is frozen.
  private let reference: DynamicThreadSafeReference<Observed>?
  private let register: Register

  init(_ observed: Observed, _ register: @escaping Register) {
    reference = observed.store.isFrozen ? nil : DynamicThreadSafeReference(to: observed)
    self.register = register
  }

  /// Starts an iteration with a session of its own.
  package func makeAsyncIterator() -> Iterator {
    Iterator(state: reference.flatMap { try? iteration($0) })
  }

  private func iteration(
    _ reference: DynamicThreadSafeReference<Observed>
  ) throws -> ChangeIteration<Element> {
    let store = try reference.address.newSession(named: "changes")
    return try ChangeIteration(store) { inbox in
      guard let observed = try reference.resolve(in: store) else { return nil }
      let token = try register(observed) { inbox.add(Element(change: $1, observed: $0)) }
      try store.session.deliverPending()
      return { token.isLive }
    }
  }

  /// The iterator of `ObservedChanges`.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: ChangeIteration<Element>?

    /// Waits for the next change; nil at the end.
    package mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// Waits for the next change on an actor; nil at the end.
    package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await state?.next(isolation: actor)
    }
  }
}
