import HeraldEngine

/// What one step of `changes` brings: what happened, and the rows after it.
public struct RowsChange<Rows: ThreadConfined> {
  public let change: CollectionChange
  /// The rows at the version that the change describes, in the session of the iteration.
  public let rows: Rows
}

/// The changes of a collection one after another, `initial` first.
///
///     for await step in results.changes { show(step.rows, step.change) }
///
/// Each iteration has a session of its own, which advances only when the next change is asked for:
/// whatever happens while a step is worked on is one change. It ends when the task is cancelled, when
/// the owner of the collection is deleted, and when the store cannot be read any more.
public struct RowsChanges<Rows: ThreadConfined>: AsyncSequence, Sendable {
  public typealias Element = RowsChange<Rows>
  public typealias Failure = Never
  typealias Register =
    @Sendable (Rows, @escaping (Rows, CollectionChange) -> Void) throws -> ObservationToken

  private let reference: ThreadSafeReference<Rows>
  private let register: Register

  init(_ rows: Rows, _ register: @escaping Register) {
    reference = ThreadSafeReference(to: rows)
    self.register = register
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(state: try? Iteration(reference, register))
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: Iteration?

    public mutating func next() async -> RowsChange<Rows>? { await next(isolation: #isolation) }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> RowsChange<Rows>? {
      guard let state else { return nil }
      while true {
        guard !Task.isCancelled, (try? state.advance()) != nil else { return nil }
        if let step = state.takeStep() { return step }
        var wakes = state.wakes
        guard state.isLive, await wakes.next(isolation: actor) != nil else { return nil }
      }
    }
  }

  /// The session of an iteration and what it was told.
  fileprivate final class Iteration {
    let wakes: AsyncStream<Void>.Iterator
    private let store: Store
    private var token: ObservationToken?
    private let told = Inbox()

    final class Inbox { var steps: [RowsChange<Rows>] = [] }

    init(_ reference: ThreadSafeReference<Rows>, _ register: Register) throws {
      store = try reference.address.newSession(named: "changes")
      wakes = try store.commitsElsewhere().makeAsyncIterator()
      guard let rows = try reference.resolve(in: store) else { return }
      token = try register(rows) { [told] rows, change in
        told.steps.append(RowsChange(change: change, rows: rows))
      }
      // The first step is the state now.
      try store.session.deliverOwed()
    }

    var isLive: Bool { token?.isLive ?? false }

    /// Moves on where everything was taken.
    func advance() throws { if told.steps.isEmpty { try store.endTurn() } }

    func takeStep() -> RowsChange<Rows>? {
      told.steps.isEmpty ? nil : told.steps.removeFirst()
    }
  }
}

extension Results {
  /// The changes of the rows, for `for await`. `keyPaths` and `depth` are those of `observe`.
  public func changes(keyPaths: [String]? = nil, depth: Int? = nil) -> RowsChanges<Results> {
    RowsChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  public var changes: RowsChanges<Results> { changes() }
}

extension LiveCollection {
  /// The changes of the elements, for `for await`. `keyPaths` and `depth` are those of `observe`.
  public func changes(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) -> RowsChanges<LiveCollection> {
    RowsChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  public var changes: RowsChanges<LiveCollection> { changes() }
}
