import HeraldEngine

/// What one step of `changes` brings: what happened, and the thing that it happened to.
public struct ObservedChange<Observed: ThreadConfined, Change> {
  public let change: Change
  /// At the version that the change describes, in the session of the iteration.
  public let observed: Observed
}

extension ObservedChange where Change == CollectionChange {
  /// The rows at the version that the change describes.
  public var rows: Observed { observed }
}

/// The changes of a store, an object, a collection, results or a projection one after another; those
/// of rows begin with `initial`.
///
///     for await step in results.changes { show(step.rows, step.change) }
///
/// Each iteration has a session of its own, which advances only when the next change is asked for:
/// whatever happens while a step is worked on is one change. It ends when the task is cancelled, when
/// what is observed is deleted, and, after a last change that is an `error`, when the store was replaced,
/// lost or damaged. Of what was deleted before it began, and of what is frozen, there are no changes.
public struct ObservedChanges<Observed: ThreadConfined, Change>: AsyncSequence, Sendable {
  public typealias Element = ObservedChange<Observed, Change>
  public typealias Failure = Never
  typealias Register =
    @Sendable (Observed, @escaping (Observed, Change) -> Void) throws -> ObservationToken

  /// nil of what is frozen.
  private let reference: ThreadSafeReference<Observed>?
  private let register: Register

  init(_ observed: Observed, _ register: @escaping Register) {
    reference = observed.store.isFrozen ? nil : ThreadSafeReference(to: observed)
    self.register = register
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(state: reference.flatMap { try? Iteration($0, register) })
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: Iteration?

    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let state else { return nil }
      while true {
        guard !Task.isCancelled else { return nil }
        // What it fails with is the last thing that the observer is told.
        let isReadable = (try? state.advance()) != nil
        if let step = state.takeStep() { return step }
        var wakes = state.wakes
        guard isReadable, state.isLive, await wakes.next(isolation: actor) != nil else {
          return nil
        }
      }
    }
  }

  /// The session of an iteration and what it was told.
  fileprivate final class Iteration {
    let wakes: AsyncStream<Void>.Iterator
    private let store: Store
    private var token: ObservationToken?
    private let told = Inbox()

    final class Inbox { var steps: [Element] = [] }

    init(_ reference: ThreadSafeReference<Observed>, _ register: Register) throws {
      store = try reference.address.newSession(named: "changes")
      wakes = try store.commitsElsewhere().makeAsyncIterator()
      guard let observed = try reference.resolve(in: store) else { return }
      token = try register(observed) { [told] observed, change in
        told.steps.append(ObservedChange(change: change, observed: observed))
      }
      // The first step of rows is the state now.
      try store.session.deliverOwed()
    }

    var isLive: Bool { token?.isLive ?? false }

    /// Moves on where everything was taken.
    func advance() throws { if told.steps.isEmpty { try store.endTurn() } }

    func takeStep() -> Element? { told.steps.isEmpty ? nil : told.steps.removeFirst() }
  }
}
