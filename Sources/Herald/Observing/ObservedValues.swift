import HeraldEngine
import HeraldModel
import HeraldObservation

/// Sorted, distinct or matching values of a collection as their observer saw them last.
final class ObservedValues {
  private let property: (slot: Int, number: ObjectNumber, table: ObjectTable)
  private let stages: [ValueStage]
  private weak var core: StoreCore?
  private var seen: [Value]

  init(_ property: ManagedProperty, _ stages: [ValueStage]) {
    self.property = (property.slot, property.number, property.binding.table)
    self.stages = stages
    core = property.core
    seen = stages.values(property.elements, property.core)
  }

  /// Observes the collection, and passes on what the changes are of the values. Errors: those of observing it.
  func register(
    _ live: LiveCollection, _ keyPaths: [String]?, _ block: @escaping (CollectionDelivery) -> Void
  ) throws -> ObservationToken {
    let token = try live.observe(keyPaths: keyPaths) { [self] _, change in
      if let delivery = receive(change) { block(delivery) }
    }
    token.onSilenced { [self] _ in
      if let present { seen = stages.values(present.elements, present.core) }
    }
    return token
  }

  private var present: ManagedProperty? {
    guard let core, let binding = try? core.binding(like: property.table) else { return nil }
    return ManagedProperty(binding, property.slot, property.number)
  }

  private func receive(_ change: DynamicCollectionChange) -> CollectionDelivery? {
    guard let present else { return nil }
    var base = CollectionBase(.property(present))
    base.valueStages = stages
    let old = seen
    seen = stages.values(present.elements, present.core)
    switch change {
    case .update(_, let ownerDeleted), .mapUpdate(_, let ownerDeleted):
      let changes = ChangeSet(from: old, to: seen)
      return changes.isEmpty && !ownerDeleted ? nil : .update(base, DeliveredChanges(changes))
    case .initial, .error: return CollectionDelivery(change, base)
    }
  }
}

extension ChangeSet {
  /// The values that are lost and those that are new.
  fileprivate init(from old: [Value], to new: [Value]) {
    self.init()
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): deletions.append(offset)
      case .insert(let offset, _, _): insertions.append(offset)
      }
    }
    deletions.sort()
    insertions.sort()
  }
}
