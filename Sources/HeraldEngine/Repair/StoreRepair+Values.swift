import HeraldModel
import HeraldQuery
import HeraldStorage

extension StoreRepair {
  /// What is left of one value.
  struct Cell {
    /// Nil where it was lost.
    var value: Value?
    /// Where it is an old one, the version that had it.
    var version: Int?
  }

  /// The value of an object in a block.
  func cell(
    _ column: Layout.Column, _ record: Salvage.Record<SalvagedBlock>, _ number: ObjectNumber
  ) -> Cell {
    guard case .found(let block, let version) = record else {
      if case .absent = record, column.isOptional { return Cell(value: .null) }
      return Cell()
    }
    let row = number % blockSize
    if block.isLarge(row) {
      guard case .found(let bytes, let own) = salvage.largeValue(column.id, number) else {
        return Cell()
      }
      return Cell(value: decoded(.bytes(bytes), column), version: version ?? own)
    }
    let stored = block.value(row)
    if stored == .null { return Cell(value: column.isOptional ? .null : nil, version: version) }
    return Cell(value: decoded(stored, column), version: version)
  }

  /// Nil for what is no value of the column.
  func decoded(_ stored: StoredValue, _ column: Layout.Column) -> Value? {
    let value = column.value(stored)
    return value.isNull && stored != .null ? nil : value
  }

  /// Gives the objects of a class what is left of their properties.
  func fill(_ classSchema: ClassSchema) throws(StorageError) {
    guard let form = layout.form(classSchema.id) else { return }
    for (block, mask) in (kept[classSchema.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let objects = BlockBits(mask).map { ObjectID(classSchema.id, block * blockSize + $0) }
      for (place, column) in form.columns.enumerated() where !column.isBacklinks {
        let property = form.property(place)
        switch property.type.shape {
        case .single where property.isPrimaryKey: break
        case .single: try fill(objects, property, column, block)
        case .list, .set:
          for object in objects { try fillList(of: object, property, column) }
        case .map:
          for object in objects { try fillMap(of: object, property, column) }
        case .backlinks: break
        }
      }
    }
  }

  private func fill(
    _ objects: [ObjectID], _ property: PropertySchema, _ column: Layout.Column, _ block: Int
  ) throws(StorageError) {
    let record = salvage.block(column.id, column.kind, block)
    if case .absent = record, column.isOptional, !column.isIndexed { return }
    for object in objects {
      let cell = cell(column, record, object.number)
      let write = try write(32 + (cell.value?.size ?? 0))
      guard let found = cell.value else {
        lose(object, property.name, Self.isUnreadable)
        if !column.isOptional {
          emptied[object.classID, default: [:]][property.id, default: 0] += 1
        }
        try write.begin(column, of: object, with: .null)
        continue
      }
      if let version = cell.version { lose(object, property.name, Self.isOld(version)) }
      let value = linked(found, column, object, property) ?? .null
      try write.begin(column, of: object, with: value)
    }
  }

  // MARK: Links

  /// A value without links to objects that were lost; nil where it is one.
  func linked(
    _ value: Value, _ column: Layout.Column, _ object: ObjectID, _ property: PropertySchema
  ) -> Value? {
    guard column.element.mayHoldLinks, !value.isNull else { return value }
    var lost = 0
    let rest = linked(value, column, &lost)
    if lost > 0 {
      let words = lost == 1 ? "the object" : "\(lost) objects"
      lose(object, property.name, "\(words) that it links to \(lost == 1 ? "was" : "were") lost")
    }
    return rest
  }

  private func linked(_ value: Value, _ column: Layout.Column, _ lost: inout Int) -> Value? {
    switch value {
    case .link(let target):
      guard isKept(target), !column.leadsToParts || takes(target) else {
        lost += 1
        return nil
      }
      return value
    case .list(let values):
      return .list(values.compactMap { linked($0, column, &lost) })
    case .map(let entries):
      var rest: MapEntries = [:]
      for (key, value) in entries { rest[key] = linked(value, column, &lost) ?? .null }
      return .map(rest)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      return value
    }
  }

  /// Whether an embedded object has no owner yet; it has one from now on.
  private func takes(_ part: ObjectID) -> Bool {
    salvage.isExact || owned.insert(part).inserted
  }
}

extension Value {
  /// About how many bytes it takes.
  var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    case .list(let values): values.reduce(16) { $0 + $1.size }
    case .map(let entries): entries.values.reduce(16) { $0 + $1.size + 16 }
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link: 16
    }
  }
}
