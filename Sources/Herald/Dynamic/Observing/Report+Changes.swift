import HeraldModel
import HeraldObservation

extension Report {
  var storeChange: StoreChange? {
    switch self {
    case .changed: .changed
    case .refreshRequired: .refreshRequired
    case .error(let error): .error(error)
    case .collection, .rows, .sections, .value, .change, .deleted, .property, .propertyRows,
      .invalidated:
      nil
    }
  }

  var collectionChange: DynamicCollectionChange? {
    switch self {
    case .collection(let change): change
    case .rows(let delivered): delivered.change
    case .sections(let changes, let ownerDeleted):
      .update(changes.rows, ownerDeleted: ownerDeleted)
    case .changed, .refreshRequired, .value, .change, .deleted, .property, .propertyRows,
      .invalidated,
      .error:
      nil
    }
  }

  var propertyEvent: PropertyEvent? {
    switch self {
    case .property(let name, let old, let new): .changed(name: name, old: old, new: new)
    case .propertyRows(let name, let kind, let rows): .rows(name: name, kind: kind, rows: rows)
    case .invalidated(let name): .invalidated(name: name)
    case .error(let error): .error(error)
    case .changed, .refreshRequired, .collection, .rows, .sections, .value, .change, .deleted: nil
    }
  }

  var objectChange: DynamicObjectChange? {
    switch self {
    case .change(let properties): .change(properties)
    case .deleted: .deleted
    case .error(let error): .error(error)
    case .changed, .refreshRequired, .collection, .rows, .sections, .value, .property,
      .propertyRows,
      .invalidated:
      nil
    }
  }
}
