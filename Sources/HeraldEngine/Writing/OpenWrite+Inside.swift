import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// What is done inside a value of any type is noted as operations, for whoever follows a list or a
// map there; to all others the value changed as a whole.

extension OpenWrite {
  /// Does `body`, which gives a property or an element a value that differs from the one before by
  /// `operations` alone.
  func doing(
    _ operations: [InsideOperation], _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    inside = operations
    defer { inside = nil }
    try body()
  }

  /// Notes that a single property of any type, which holds `old`, is about to be given `new`.
  func noteAssignment(
    _ property: PropertyID, of object: ObjectID, from old: Value, to new: Value
  ) {
    let known = log[object.classID]?.insides[property]?[object.number] != nil
    if let inside {
      let wasAssigned = log[object.classID]?.columns[property]?[object.number] != nil
      if !known && wasAssigned { note(InsideOperation([], .assign(old)), property, object) }
      for operation in inside { note(operation, property, object) }
    } else if known {
      note(InsideOperation([], .assign(new)), property, object)
    }
  }

  /// Notes what is about to be done to a collection of values of any type.
  func noteInside(
    _ property: PropertySchema, _ object: ObjectID, _ kind: InsideOperation.Kind
  ) {
    guard property.type.element == .any, !isCreated(object) else { return }
    for operation in inside ?? [InsideOperation([], kind)] {
      note(operation, property.id, object)
    }
  }

  /// Notes what is done inside an element and leaves it equal: equal rows were moved.
  func noteEqual(_ property: PropertySchema, _ object: ObjectID) {
    guard !isCreated(object) else { return }
    for operation in inside ?? [] { note(operation, property.id, object) }
  }

  private func note(
    _ operation: InsideOperation, _ property: PropertyID, _ object: ObjectID
  ) {
    log[object.classID, default: ClassChange()].insides[property, default: [:]][
      object.number, default: InsideChange()
    ].note(operation)
  }

  /// Changes a list or a map at the end of steps into a value; `old` is what stands there.
  func change(
    _ part: Value, at steps: [ValueStep], of property: PropertySchema, _ object: ObjectID,
    _ kinds: [InsideOperation.Kind]
  ) throws(StorageError) {
    try doing(kinds.map { InsideOperation(steps, $0) }) { () throws(StorageError) in
      switch (property.type.shape, steps.first) {
      case (.single, _):
        guard let column = reader.layout.column(property.id, of: object.classID) else { return }
        let whole = reader.value(column, object.number)
        try set(column, of: object, to: whole.replacingPart(at: steps[...], with: part))
      case (.list, .row(let row)?):
        let element = reader.listElement(property.id, of: object, at: row)
        let new = element.replacingPart(at: steps.dropFirst(), with: part)
        try replace(at: row, in: property, of: object, with: new)
      case (.map, .key(let key)?):
        guard let element = reader.mapValue(forKey: key, property.id, of: object) else { return }
        let new = element.replacingPart(at: steps.dropFirst(), with: part)
        try set(new, forKey: key, inMap: property, of: object)
      case (_, _): break
      }
    }
  }
}

extension Value {
  /// What the deletion of an object does to the links to it inside a list or a map; nil for what is
  /// neither. Of a list the last row comes first, so that the rows before it are where they were.
  func unlinking(
    _ object: ObjectID, at path: [ValueStep] = []
  ) -> [InsideOperation]? {
    switch self {
    case .list(let values):
      values.enumerated().reversed().flatMap { row, value in
        value == .link(object)
          ? [InsideOperation(path, .remove(at: row))]
          : value.unlinking(object, at: path + [.row(row)]) ?? []
      }
    case .map(let entries):
      entries.flatMap { key, value in
        value == .link(object)
          ? [InsideOperation(path, .setKey(key, .null))]
          : value.unlinking(object, at: path + [.key(key)]) ?? []
      }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      nil
    }
  }
}
