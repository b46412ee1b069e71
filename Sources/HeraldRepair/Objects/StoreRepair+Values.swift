import HeraldEngine
import HeraldModel
import HeraldQuery
import HeraldStorage

extension StoreRepair {
  /// What is left of one value.
  struct Cell {
    /// Nil if it was lost.
    var value: Value?
    /// The version of an old value; nil for a current one.
    var version: Int?
  }

  /// Returns the value of an object in a block.
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

  /// Returns the value of a stored form; nil if it is not valid for the column.
  func decoded(_ stored: StoredValue, _ column: Layout.Column) -> Value? {
    let value = column.value(stored)
    return value.isNull && stored != .null ? nil : value
  }

  /// Restores what is left of the properties of a class's objects.
  func fill(_ classSchema: ClassSchema) throws(StorageError) {
    guard let form = layout.form(classSchema.id) else { return }
    for (block, mask) in (kept[classSchema.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let objects = BlockBits(mask).map { ObjectID(classSchema.id, block * blockSize + $0) }
      for (index, column) in form.columns.enumerated() where !column.isBacklinks {
        let property = form.property(index)
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
      let left = cell.value.map { whole($0, object, property) }
      let write = try write(32 + (left?.size ?? 0))
      guard let found = left else {
        noteLoss(object, property.name, Self.isUnreadable)
        if !column.isOptional {
          emptied[object.classID, default: [:]][property.id, default: 0] += 1
        }
        try write.begin(column, of: object, with: .null)
        continue
      }
      if let version = cell.version { noteLoss(object, property.name, Self.isOld(version)) }
      let value = linked(found, column, object, property) ?? .null
      try write.begin(column, of: object, with: value)
    }
  }

  // MARK: Links

  /// Returns a value without its links to lost objects; nil if it is such a link.
  func linked(
    _ value: Value, _ column: Layout.Column, _ object: ObjectID, _ property: PropertySchema
  ) -> Value? {
    guard column.element.mayHoldLinks, !value.isNull else { return value }
    var lost = 0
    let rest = linked(value, column, &lost)
    if lost > 0 {
      let words = lost == 1 ? "the object" : "\(lost) objects"
      noteLoss(
        object, property.name, "\(words) that it links to \(lost == 1 ? "was" : "were") lost")
    }
    return rest
  }

  private func linked(_ value: Value, _ column: Layout.Column, _ lost: inout Int) -> Value? {
    switch value {
    case .link(let target):
      guard isKept(target), !column.mayHoldEmbedded || takes(target) else {
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

  /// Claims an embedded object; returns false if it already has an owner.
  private func takes(_ part: ObjectID) -> Bool {
    salvage.isExact || owned.insert(part).inserted
  }
}

extension Value {
  /// The approximate size in bytes.
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
