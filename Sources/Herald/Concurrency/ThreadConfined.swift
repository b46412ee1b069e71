import HeraldEngine
import HeraldModel
import HeraldQuery

/// What belongs to one store, and so to its thread, queue or actor: an object, a collection, results or a projection.
/// `ThreadSafeReference` passes it to another store; `frozen` is an immutable value that every thread can read.
public protocol ThreadConfined: SendableMetatype {
  /// A function that finds the same in another session of the store, and returns nil where it does not exist; nil for
  /// what is in no store.
  var _finder: ConfinedFinder? { get }
}

extension ObjectBase: ThreadConfined {}

extension ObservableObjectBase {
  public var _finder: ConfinedFinder? {
    guard let binding = _binding, !isInvalidated else { return nil }
    return ConfinedFinder(binding.core) {
      [table = binding.table, number = _number, classID = binding.classID] core in
      let binding = try core.binding(like: table)
      guard binding.classID == classID, binding.exists(number) else { return nil }
      return binding.instance(number)
    }
  }
}

extension ManagedProperty {
  /// Finds the same property in another session.
  var finder: @Sendable (StoreCore) throws -> ManagedProperty? {
    { [table = binding.table, slot, number] core in
      let binding = try core.binding(like: table)
      return binding.exists(number) ? ManagedProperty(binding, slot, number) : nil
    }
  }
}

extension StoredCollection {
  public var _finder: ConfinedFinder? {
    guard let core = _base.core, !isInvalidated else { return nil }
    switch _base.kind {
    case .local: return nil
    case .property(let property):
      let find = property.finder
      let (projection, valueStages) = (_base.projection, _base.valueStages)
      return ConfinedFinder(core) { core in
        try find(core).flatMap { property in
          var base = CollectionBase(.property(property))
          base.projection = projection
          base.valueStages = valueStages
          return Self._delivered(base, nil)
        }
      }
    case .query(let query):
      let dynamic: DynamicResults
      do {
        dynamic = try query.dynamic
      } catch let error as SchemaError where error.isMissingClass {
        return ConfinedFinder(core) { core in
          Self._delivered(CollectionBase(.query(ResultsQuery(core) { throw error })), nil)
        }
      } catch {
        return nil
      }
      let find = dynamic.finder
      return ConfinedFinder(core) { core in
        try find(core.dynamic).flatMap {
          Self._delivered(CollectionBase(.query(ResultsQuery(core, $0))), nil)
        }
      }
    }
  }
}

extension Map: ThreadConfined {
  public var _finder: ConfinedFinder? {
    guard let property, !isInvalidated else { return nil }
    let find = property.finder
    return ConfinedFinder(property.core) { try find($0).map { Map($0) } }
  }
}
