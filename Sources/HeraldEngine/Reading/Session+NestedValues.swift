package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Changes a list or a map nested in a value of type `any`, or in an element of a collection of such
  /// values, at the path `steps`, after it has validated everything. O(n): the value is stored as a whole.
  package func change(
    _ property: PropertySchema, of object: ObjectID, inside steps: [ValueStep],
    _ operation: CollectionEdit
  ) throws {
    let write = try openWrite()
    let classSchema = try checkedClass(of: object)
    guard let property = classSchema.property(property.id) else {
      throw HeraldError.droppedFromSchema(
        "property '\(property.name)' of class '\(classSchema.name)'")
    }
    let nested = reader.part(of: property.id, object, property.type.shape, at: steps)
    for value in operation.values {
      _ = try fit(value, property, classSchema)
    }
    let content = PropertyContent(elementsOf: nested ?? .null)
    guard let nested, operation.fits(content.shape) else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    let new = try operation.applied(to: content).asValue
    let kind = operation.hasEffect(from: nested, to: new) ? operation.nestedKind : nil
    if kind == nil && !operation.isAssignment { return }
    guard !new.isDeeper(than: nestingLimit - steps.count) else {
      throw HeraldError.nestedTooDeeply(
        property: property.name, className: classSchema.name, limit: nestingLimit)
    }
    try stored { () throws(StorageError) in
      try write.change(new, at: steps, of: property, object, kind.map { [$0] } ?? [])
    }
    try endStatement()
  }
}

extension CollectionEdit {
  /// The operation as the log of nested operations has it.
  fileprivate var nestedKind: NestedOperation.Kind? {
    switch self {
    case .insert(let values, let index): .insert(at: index, count: values.count)
    case .remove(let index): .remove(at: index)
    case .replace(let index, let value): .replace(at: index, with: value)
    case .move(let from, let to): .move(from: from, to: to)
    case .removeAll: .clear
    case .setKey(let key, let value): .setKey(key, value)
    case .removeKey(let key): .removeKey(key)
    case .insertValue, .removeValue: nil
    }
  }

  /// Whether it changed a value, or moved a row, perhaps among equal ones.
  fileprivate func hasEffect(from old: Value, to new: Value) -> Bool {
    if case .move(let from, let to) = self { from != to } else { old != new }
  }

  /// Whether it is an assignment, which notifies observers even if the value is equal (observation 8.1).
  fileprivate var isAssignment: Bool {
    switch self {
    case .replace, .setKey: true
    case .insert, .remove, .move, .removeAll, .insertValue, .removeValue, .removeKey: false
    }
  }

  /// The values that it inserts or assigns.
  fileprivate var values: [Value] {
    switch self {
    case .insert(let values, at: _): values
    case .replace(at: _, let value), .insertValue(let value), .setKey(_, let value): [value]
    case .remove, .move, .removeAll, .removeValue, .removeKey: []
    }
  }
}
