import Herald

// The variables of the block of an observer.

extension DynamicObjectChange {
  func variables(of object: Variable) -> [String: Variable] {
    switch self {
    case .deleted, .error: ["object": object, "properties": .changes([])]
    case .change(let properties):
      [
        "object": object,
        "properties": .changes(
          properties.map { property in
            property.hasValues
              ? ChangedProperty(name: property.name, old: property.old, new: property.new)
              : ChangedProperty(name: property.name)
          }),
      ]
    }
  }
}

extension DynamicCollectionChange {
  func variables(of rows: Variable) -> [String: Variable] {
    switch self {
    case .initial, .error:
      [
        "rows": rows, "deletions": .values([]), "insertions": .values([]),
        "modifications": .values([]), "modificationsNew": .values([]),
      ]
    case .update(let changes, let ownerDeleted):
      [
        "rows": ownerDeleted ? .values([]) : rows,
        "deletions": .values(changes.deletions.map(Value.int)),
        "insertions": .values(changes.insertions.map(Value.int)),
        "modifications": .values(changes.modifications.map(Value.int)),
        "modificationsNew": .values(changes.modificationsNew.map(Value.int)),
      ]
    case .mapUpdate(let changes, let ownerDeleted):
      [
        "rows": ownerDeleted ? .values([]) : rows,
        "deletions": .values(changes.deletions.map(Value.string)),
        "insertions": .values(changes.insertions.map(Value.string)),
        "modifications": .values(changes.modifications.map(Value.string)),
        "modificationsNew": .values(changes.modifications.map(Value.string)),
      ]
    }
  }
}

extension PropertyEvent {
  func variables(of object: Variable?) -> [String: Variable] {
    var variables = self.variables
    variables["object"] = object
    return variables
  }

  private var variables: [String: Variable] {
    switch self {
    case .changed(let name, let old, let new):
      ["properties": .values([.string(name)]), "old": .value(old), "new": .value(new)]
    case .rows(let name, _, let rows):
      ["properties": .values([.string(name)]), "rows": .values(rows.map(Value.int))]
    case .invalidated(let name): ["properties": .values([.string(name)])]
    case .error: [:]
    }
  }
}
