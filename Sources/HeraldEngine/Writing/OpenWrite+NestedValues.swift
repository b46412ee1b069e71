import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// Changes nested in a value of type `any` are recorded as operations, for the observers of a list or a map
// in it; to all other observers the whole value changed.

extension OpenWrite {
  /// Runs `body`, which assigns a property or an element a value that differs from the previous one by
  /// `operations` only.
  func doing(
    _ operations: [NestedOperation], _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    inside = operations
    defer { inside = nil }
    try body()
  }

  /// Records that `new` is about to replace `old` in a single-valued property of type `any`.
  func noteAssignment(
    _ property: PropertyID, of object: ObjectID, from old: Value, to new: Value
  ) {
    let hasOperations = log[object.classID]?.insides[property]?[object.number] != nil
    if let inside {
      let wasAssigned = log[object.classID]?[property].values[object.number] != nil
      if !hasOperations && wasAssigned {
        note(NestedOperation([], .assign(old)), property, object)
      }
      for operation in inside { note(operation, property, object) }
    } else if hasOperations {
      note(NestedOperation([], .assign(new)), property, object)
    }
  }

  /// Records an operation on a collection of values of type `any` before it is done.
  func noteInside(
    _ property: PropertySchema, _ object: ObjectID, _ kind: NestedOperation.Kind
  ) {
    guard property.type.element == .any, !isCreated(object) else { return }
    for operation in inside ?? [NestedOperation([], kind)] {
      note(operation, property.id, object)
    }
  }

  /// Records operations nested in an element that leave it equal, such as moves of equal rows.
  func noteEqual(_ property: PropertySchema, _ object: ObjectID) {
    guard !isCreated(object) else { return }
    for operation in inside ?? [] { note(operation, property.id, object) }
  }

  private func note(
    _ operation: NestedOperation, _ property: PropertyID, _ object: ObjectID
  ) {
    log[object.classID, default: ClassChange()].insides[property, default: [:]][
      object.number, default: NestedChange()
    ].note(operation)
  }

  /// Replaces a nested list or map at a path of a property with `part`, the result of the operations `kinds`.
  func change(
    _ part: Value, at steps: [ValueStep], of property: PropertySchema, _ object: ObjectID,
    _ kinds: [NestedOperation.Kind]
  ) throws(StorageError) {
    try doing(kinds.map { NestedOperation(steps, $0) }) { () throws(StorageError) in
      switch (property.type.shape, steps.first) {
      case (.single, _):
        guard let column = reader.layout.column(property.id, of: object.classID) else { return }
        let whole = reader.value(column, object.number)
        try set(column, of: object, to: whole.replacingNested(at: steps[...], with: part))
      case (.list, .row(let row)?):
        let element = reader.listElement(property.id, of: object, at: row)
        let new = element.replacingNested(at: steps.dropFirst(), with: part)
        try replace(at: row, in: property, of: object, with: new)
      case (.map, .key(let key)?):
        guard let element = reader.mapValue(forKey: key, property.id, of: object) else { return }
        let new = element.replacingNested(at: steps.dropFirst(), with: part)
        try set(new, forKey: key, inMap: property, of: object)
      case (_, _): break
      }
    }
  }
}

extension Value {
  /// Returns the operations that remove the links to a deleted object from a list or a map; nil for other
  /// values. Those of a list begin with its last row, so that the indexes of earlier rows stay valid.
  func unlinking(
    _ object: ObjectID, at path: [ValueStep] = []
  ) -> [NestedOperation]? {
    switch self {
    case .list(let values):
      values.enumerated().reversed().flatMap { row, value in
        value == .link(object)
          ? [NestedOperation(path, .remove(at: row))]
          : value.unlinking(object, at: path + [.row(row)]) ?? []
      }
    case .map(let entries):
      entries.flatMap { key, value in
        value == .link(object)
          ? [NestedOperation(path, .setKey(key, .null))]
          : value.unlinking(object, at: path + [.key(key)]) ?? []
      }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      nil
    }
  }
}
