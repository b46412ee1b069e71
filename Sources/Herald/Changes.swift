import HeraldEngine
import HeraldModel

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
///     for try await step in results.changes { show(step.rows, step.change) }
///
/// Each iteration has a session of its own, which advances only when the next change is asked for:
/// whatever happens while a step is worked on is one change. It ends when the task is cancelled, when
/// the store is closed and when what is observed is deleted, and throws when the changes can no longer be
/// followed: the store was replaced, lost or damaged. Of what was deleted before it began, and of what is
/// frozen, there are no changes.
public struct ObservedChanges<Observed: ThreadConfined, Change>: AsyncSequence, Sendable {
  public typealias Element = ObservedChange<Observed, Change>
  public typealias Failure = any Error
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
    guard let reference else { return Iterator(state: .ended) }
    do {
      return Iterator(state: .going(try Iteration(reference, register)))
    } catch {
      return Iterator(state: .failed(error))
    }
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum State {
      case going(Iteration)
      case failed(any Error)
      case ended
    }

    fileprivate var state: State

    public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      do {
        switch state {
        case .going(let iteration):
          if let step = try await iteration.nextStep(isolation: actor) { return step }
        case .failed(let error): throw error
        case .ended: break
        }
        state = .ended
      } catch {
        state = .ended
        if error as? HeraldError != .closed { throw error }
      }
      return nil
    }
  }

  /// The session of an iteration and what it was told.
  fileprivate final class Iteration {
    private let wakes: AsyncStream<Void>.Iterator
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

    private var isLive: Bool { token?.isLive ?? false }

    /// Nil where there will be none.
    func nextStep(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while !Task.isCancelled {
        try advance()
        if let step = takeStep() { return step }
        var wakes = wakes
        guard isLive, await wakes.next(isolation: actor) != nil else { return nil }
      }
      return nil
    }

    /// Moves on where everything was taken. What an observer is told of an error, this throws.
    private func advance() throws { if told.steps.isEmpty { try store.endTurn() } }

    private func takeStep() -> Element? { told.steps.isEmpty ? nil : told.steps.removeFirst() }
  }
}
