public import Dispatch
import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

/// An aggregate of the objects of a collection, to be observed: their number, a sum, an average.
///
///     token = orders.where { !$0.isPaid }.sum(\.amount).observe { old, new in show(new) }
///     for await change in orders.count.changes() { … }
///
/// A change of one object of a million costs what it changes, and reads no other object.
public struct LiveValue<Base: StoredCollection, Value> where Base.Element: ResultElement {
  let base: Base
  let operation: CollectionOperation
  /// The property that is aggregated; nil for the number of objects.
  let name: String?
  /// Makes the program's value of a store's; nil where it is out of the type's range.
  private let value: @Sendable (HeraldModel.Value) -> Value?

  init(
    _ base: Base, _ operation: CollectionOperation, _ name: String?,
    _ value: @escaping @Sendable (HeraldModel.Value) -> Value?
  ) {
    self.base = base
    self.operation = operation
    self.name = name
    self.value = value
  }
}

/// What an observer of a value receives.
public enum LiveValueChange<Value> {
  /// The first call: the value as it was when it was observed.
  case initial(Value)
  /// The value differs from that of the last delivery. When the object of a collection was deleted it is that of an empty
  /// one, and the observer is not called again.
  case changed(old: Value, new: Value)
  /// The value can no longer be followed, or never could, or is out of the range of its type. The observer is not called
  /// again, unless it is out of range.
  case error(any Error)
}

extension LiveValueChange: FailableChange {}

extension LiveValue: Freezable {
  public var _core: StoreCore? { base._core }

  public var _finder: ConfinedFinder? {
    guard let core = _core, let finder = base._finder else { return nil }
    return ConfinedFinder(core) { [operation, name, value] core in
      (try finder.find(core) as? Base).map { LiveValue($0, operation, name, value) }
    }
  }
}

extension LiveValue {
  /// Observes the value: `initial` at the next turn of the store's executor, or at the next `refresh`, then each delivery
  /// after which it differs. An error, such as a frozen collection, reaches the block.
  public func observe(_ block: @escaping (LiveValueChange<Value>) -> Void) -> NotificationToken {
    .observing(_core, block) {
      guard let core = _core else {
        throw HeraldError.cannotObserve("a collection of an unmanaged object")
      }
      return try core.token { try register(block) }
    }
  }

  /// Observes the value: the block receives nil and the value first, then the old and the new one after each delivery in
  /// which they differ. What goes wrong stops the program; the other form receives it.
  @_disfavoredOverload
  public func observe(
    _ block: @escaping (_ old: Value?, _ new: Value) -> Void
  ) -> NotificationToken {
    observe { $0.deliver { block($0, $1) } }
  }

  /// Observes a value that may be nil: the block receives nil and the value first.
  public func observe(
    _ block: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> NotificationToken where Value: ExpressibleByNilLiteral {
    observe { $0.deliver { block($0 ?? nil, $1) } }
  }

  /// Observes the value on an actor: the block is called there.
  public func observe<Owner: Actor>(
    on owner: Owner, _ block: @escaping @Sendable (isolated Owner, LiveValueChange<Value>) -> Void
  ) async -> NotificationToken {
    await ActorObserver.register(self, on: owner, block) { $0.observe($1) }
  }

  /// Observes the value on a queue: the block is called there.
  public func observe(
    on queue: DispatchQueue, _ block: @escaping @Sendable (LiveValueChange<Value>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(self, on: queue, block) { $0.observe($1) }
  }

  /// Returns the changes of the value, beginning with `initial`.
  public func changes() -> ObservedSequence<LiveValueChange<Value>> {
    ObservedSequence(of: self) { $0.observe($1) }
  }

  /// The aggregate as the only group of all objects.
  func groups() throws -> DynamicGroups {
    let objects = try base._base.results(nil, NoNames(), of: Base.Element._names())
    let path = try name.map { PathSyntax(PathSyntax.steps(try Base.Element._path(of: $0))) }
    return try objects.store.groups(
      of: objects, GroupSyntax(allRowsBy: operation, of: path), names: NoNames())
  }

  private func register(
    _ block: @escaping (LiveValueChange<Value>) -> Void
  ) throws -> ObservationToken {
    let groups = try groups()
    var id: TokenID?
    // At the last delivery, and the last one that was in the range of its type.
    var (last, known): (HeraldModel.Value?, Value?)
    func present(_ store: DynamicStore) -> HeraldModel.Value? {
      id.flatMap { store.session.groups(of: $0, at: 0..<1)?.first?.first }
    }
    let token = try groups.observe { [value] groups, change in
      func send(_ new: HeraldModel.Value) {
        last = new
        guard let found = value(new) else {
          return block(
            .error(HeraldError.cannotContinue("\(new) is out of the range of '\(Value.self)'")))
        }
        defer { known = found }
        block(known.map { .changed(old: $0, new: found) } ?? .initial(found))
      }
      switch change {
      case .error(let error): block(.error(error))
      case .update(_, ownerDeleted: true): send(operation.apply(to: [], of: .int))
      case .initial, .update, .mapUpdate:
        if let new = present(groups.store), new != last { send(new) }
      }
    }
    id = token.id
    // A commit of which the observer is not notified counts as a delivery.
    token.onSilenced { [weak store = groups.store, value] _ in
      guard let store, let new = present(store) else { return }
      last = new
      known = value(new) ?? known
    }
    return token
  }
}

extension LiveValueChange {
  /// Calls a block that takes no errors.
  fileprivate func deliver(_ block: (Value?, Value) -> Void) {
    switch self {
    case .initial(let value): block(nil, value)
    case .changed(let old, let new): block(old, new)
    case .error(let error): stopProgram("the value cannot be observed: \(error)")
    }
  }
}
