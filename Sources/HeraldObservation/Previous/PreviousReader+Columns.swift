package import HeraldModel
package import HeraldQuery

// Blocks and indexes of `base`, with the objects that the record changed taken out and read one by one.

extension PreviousReader {
  package func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    guard let changed = changed(property, of: classID, block: block) else {
      return selectPlainly(test, property, of: classID, block, within: candidates)
    }
    let rest = candidates & changed
    let found = base.select(
      test, property: property, of: classID, block: block, within: candidates & ~changed)
    return rest.isEmpty
      ? found : found | selectPlainly(test, property, of: classID, block, within: rest)
  }

  package func column(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> ColumnValues {
    changed(property, of: classID, block: block)?.isEmpty ?? false
      ? base.column(property, of: classID, block: block)
      : plainColumn(property, of: classID, block)
  }

  package func storedBlock(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> StoredBlock? {
    changed(property, of: classID, block: block)?.isEmpty ?? false
      ? base.storedBlock(property, of: classID, block: block) : nil
  }

  package func isDecided(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int
  ) -> Bool {
    changed(property, of: classID, block: block)?.isEmpty ?? false
      && base.isDecided(test, property: property, of: classID, block: block)
  }

  package func withNumbers(
    _ property: PropertyID, of classID: ClassID, block: Int, _ body: (StoredBlock) -> Void
  ) {
    if changed(property, of: classID, block: block)?.isEmpty ?? false {
      return base.withNumbers(property, of: classID, block: block, body)
    }
    plainColumn(property, of: classID, block).withNumbers(body)
  }

  package func indexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>
  ) -> [ObjectNumber]? {
    guard !isLost(property, of: classID),
      let found = base.indexed(property, of: classID, in: range)
    else { return nil }
    guard let change = record.classes[classID] else { return found }
    let changed = Set(changedNumbers(property, of: classID))
    return found.filter { !changed.contains($0) && !change.created.contains($0) }
      + changed.filter { range.contains(value(property, of: ObjectID(classID, $0))) }
  }

  package func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> [ObjectNumber]? {
    // The changed objects are in no order.
    guard !isLost(property, of: classID), record.classes[classID] == nil else { return nil }
    return base.firstIndexed(property, of: classID, in: range, limit: limit)
  }

  package func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> Int? {
    guard !isLost(property, of: classID) else { return nil }
    guard let change = record.classes[classID] else {
      return base.indexedCount(property, of: classID, in: range, limit: limit)
    }
    let changes = change.created.count + change.deleted.count + change[property].values.count
    let (most, overflow) = limit.addingReportingOverflow(changes)
    guard
      let count = base.indexedCount(
        property, of: classID, in: range, limit: overflow ? limit : most)
    else { return nil }
    // So many that more than `limit` of them are unchanged.
    if !overflow, count > most { return count - changes }
    return indexed(property, of: classID, in: range)?.count
  }
}

extension PreviousReader {
  /// Returns the object with a primary key. O(log n + changes), and O(n) if the key was converted since.
  package func object(
    with key: Value, in property: PropertySchema, of classID: ClassID
  ) -> ObjectNumber? {
    let candidates =
      indexed(property.id, of: classID, in: .equal(key)) ?? numbers(of: classID)
    return candidates.first { number in
      let object = ObjectID(classID, number)
      return exists(object) && value(property.id, of: object) == key
    }
  }
}

extension IndexRange<Value> {
  /// Whether an index would list a value in the range.
  fileprivate func contains(_ found: Value) -> Bool {
    let value = found.ofIndex
    return switch map(\.ofIndex) {
    case .equal(let bound): Value.order(value, bound) == 0
    case .between(let lower, let upper):
      !value.isNull && lower.map { Value.order($0, value) <= 0 } ?? true
        && upper.map { Value.order(value, $0) <= 0 } ?? true
    case .prefix(let prefix):
      if case .data(let bytes) = value { bytes.starts(with: prefix) } else { false }
    }
  }
}

extension Value {
  /// The form in which bounds of ranges and indexes have the value.
  fileprivate var ofIndex: Value {
    switch self {
    case .string(let text): .data(Array(text.utf8))
    case .bool(let isTrue): .int(isTrue ? 1 : 0)
    case .link(let target): .int(target.number)
    case .null, .int, .float, .double, .data, .date, .decimal, .uuid, .objectID, .list, .map: self
    }
  }
}

extension NumberRanges {
  /// The numbers of a block. O(log ranges).
  func mask(ofBlock block: Int) -> BlockMask {
    var mask = BlockMask.zero
    let first = block * blockSize
    forEach(in: first...first + blockSize - 1) { mask.insert($0 - first) }
    return mask
  }
}
