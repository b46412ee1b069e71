import HeraldModel
import HeraldQuery
import HeraldStorage

extension StoreRepair {
  /// Restores what is left of an object's list or set.
  func fillList(
    of object: ObjectID, _ property: PropertySchema, _ column: Layout.Column
  ) throws(StorageError) {
    let id = column.list(of: object.number)
    switch salvage.list(id, column.kind) {
    case .absent: return
    case .lost: lose(object, property.name, Self.isUnreadable)
    case .found(let list, let version):
      let write = try write(list.runs.reduce(64) { $0 + size(of: $1.elements) })
      var stored: [StoredValue] = []
      for run in list.runs {
        for element in run.elements {
          guard let value = decoded(element, column) else { continue }
          guard let linked = linked(value, column, object, property) else { continue }
          stored.append(column.stored(linked))
          try write.addLinks(in: linked, column, object)
        }
      }
      if let version { lose(object, property.name, Self.isOld(version)) }
      let readable = list.runs.reduce(0) { $0 + $1.elements.count }
      loseElements(list.count - readable, list.count, object, property)
      if !stored.isEmpty { try write.transaction.assign(id, column.kind, stored) }
    }
  }

  /// Restores what is left of an object's map: the keys that can be read together with their values.
  func fillMap(
    of object: ObjectID, _ property: PropertySchema, _ column: Layout.Column
  ) throws(StorageError) {
    let (keysID, valuesID) = (column.keys(of: object.number), column.list(of: object.number))
    let (keys, values) = (salvage.list(keysID, .bytes), salvage.list(valuesID, column.kind))
    if case (.absent, .absent) = (keys, values) { return }
    // Keys and values of different commits do not match.
    guard case (.found(let keys, let version), .found(let values, let other)) = (keys, values),
      version == other, keys.count == values.count
    else { return lose(object, property.name, Self.isUnreadable) }
    if let version { lose(object, property.name, Self.isOld(version)) }
    let write = try write((keys.runs + values.runs).reduce(64) { $0 + size(of: $1.elements) })
    var pairs: (keys: [StoredValue], values: [StoredValue]) = ([], [])
    for run in keys.runs {
      for (offset, key) in run.elements.enumerated() {
        guard let element = values.element(at: run.start + offset),
          let value = decoded(element, column)
        else { continue }
        let linked = linked(value, column, object, property) ?? .null
        pairs.keys.append(key)
        pairs.values.append(column.stored(linked))
        try write.addLinks(in: linked, column, object)
      }
    }
    loseElements(keys.count - pairs.keys.count, keys.count, object, property)
    if pairs.keys.isEmpty { return }
    try write.transaction.assign(keysID, .bytes, pairs.keys)
    try write.transaction.assign(valuesID, column.kind, pairs.values)
  }

  private func loseElements(
    _ count: Int, _ total: Int, _ object: ObjectID, _ property: PropertySchema
  ) {
    if count > 0 { lose(object, property.name, "\(count) of \(total) elements were lost") }
  }

  private func size(of elements: [StoredValue]) -> Int {
    elements.reduce(0) { total, element in
      if case .bytes(let bytes) = element { return total + 16 + bytes.count }
      return total + 16
    }
  }
}
