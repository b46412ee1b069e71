import HeraldEngine
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
    case .lost: noteLoss(object, property.name, Self.isUnreadable)
    case .found(let list, let version):
      let write = try write(list.runs.reduce(64) { $0 + size(of: $1.elements) })
      var stored: [StoredValue] = []
      for run in list.runs {
        for element in run.elements {
          guard let value = decoded(element, column) else { continue }
          let whole = whole(value, object, property)
          guard let linked = linked(whole, column, object, property) else { continue }
          let isNested = property.type.shape == .list
          stored.append(column.stored(isNested ? try write.stored(linked, in: column) : linked))
          try write.addLinks(in: linked, column, object)
        }
      }
      if let version { noteLoss(object, property.name, Self.isOld(version)) }
      let readable = list.runs.reduce(0) { $0 + $1.elements.count }
      noteLostElements(list.count - readable, list.count, object, property)
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
    else { return noteLoss(object, property.name, Self.isUnreadable) }
    if let version { noteLoss(object, property.name, Self.isOld(version)) }
    let write = try write((keys.runs + values.runs).reduce(64) { $0 + size(of: $1.elements) })
    var pairs: (keys: [StoredValue], values: [StoredValue]) = ([], [])
    for run in keys.runs {
      for (offset, key) in run.elements.enumerated() {
        guard let element = values.element(at: run.start + offset),
          let value = decoded(element, column)
        else { continue }
        let linked = linked(whole(value, object, property), column, object, property) ?? .null
        pairs.keys.append(key)
        pairs.values.append(column.stored(try write.stored(linked, in: column)))
        try write.addLinks(in: linked, column, object)
      }
    }
    noteLostElements(keys.count - pairs.keys.count, keys.count, object, property)
    if pairs.keys.isEmpty { return }
    try write.transaction.assign(keysID, .bytes, pairs.keys)
    try write.transaction.assign(valuesID, column.kind, pairs.values)
  }

  /// Returns what is left of a value, with whole nested lists and maps in place of references.
  func whole(_ value: Value, _ object: ObjectID, _ property: PropertySchema) -> Value {
    value.whole { collection in
      guard let column = layout.column(.elements, of: collection.classID) else { return ([], []) }
      let elements = left(column.list(of: collection.number), object, property)
      guard collection.classID == .nestedMaps else {
        return (elements.all.compactMap { decoded($0, column) }, [])
      }
      let keys = left(column.keys(of: collection.number), object, property)
      guard keys.version == elements.version, keys.list?.count == elements.list?.count else {
        noteLoss(object, property.name, Self.isUnreadable)
        return ([], [])
      }
      var (found, names): ([Value], [String]) = ([], [])
      for run in keys.list?.runs ?? [] {
        for (offset, key) in run.elements.enumerated() {
          guard case .bytes(let bytes) = key,
            let element = elements.list?.element(at: run.start + offset),
            let value = decoded(element, column)
          else { continue }
          found.append(value)
          names.append(String(decoding: bytes, as: UTF8.self))
        }
      }
      return (found, names)
    }
  }

  /// What is left of the elements or the keys of a nested collection.
  private struct Left {
    var list: SalvagedList?
    /// The version of old elements; nil for current ones.
    var version: Int?

    var all: [StoredValue] { list?.runs.flatMap(\.elements) ?? [] }
  }

  /// Reads the elements or the keys of a collection nested in a property, and reports what is lost.
  private func left(_ id: ListID, _ object: ObjectID, _ property: PropertySchema) -> Left {
    switch salvage.list(id, .bytes) {
    case .absent: return Left()
    case .lost:
      noteLoss(object, property.name, Self.isUnreadable)
      return Left()
    case .found(let list, let version):
      if let version { noteLoss(object, property.name, Self.isOld(version)) }
      let readable = list.runs.reduce(0) { $0 + $1.elements.count }
      noteLostElements(list.count - readable, list.count, object, property)
      return Left(list: list, version: version)
    }
  }

  private func noteLostElements(
    _ count: Int, _ total: Int, _ object: ObjectID, _ property: PropertySchema
  ) {
    if count > 0 { noteLoss(object, property.name, "\(count) of \(total) elements were lost") }
  }

  private func size(of elements: [StoredValue]) -> Int {
    elements.reduce(0) { total, element in
      if case .bytes(let bytes) = element { return total + 16 + bytes.count }
      return total + 16
    }
  }
}
