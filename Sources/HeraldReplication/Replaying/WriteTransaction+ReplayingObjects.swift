import HeraldStorage

extension WriteTransaction {
  /// Makes the change of objects that a reader has after its form. Errors: `Malformed` if it does not fit.
  func changeObjects(
    _ form: ObjectsChange.Form, _ reader: inout PackedReader, _ held: HeldRecords, version: Int
  ) throws {
    guard let classID = UInt32(exactly: try reader.number()) else { throw PackedReader.Malformed() }
    let (first, count) = (try reader.count(), try reader.count())
    guard first > 0, 1...256 ~= count, first >> 8 == (first + count - 1) >> 8,
      first < Int(UInt32.max)
    else { throw PackedReader.Malformed() }
    let numbers = first..<first + count
    let column = UInt64(classID) << 32
    try changePresence(form, column, numbers, held, version: version)
    for _ in 0..<(try reader.count(of: 1)) {
      guard let property = UInt32(exactly: try reader.number()), property > 0 else {
        throw PackedReader.Malformed()
      }
      let key = PackedBlockKey(column: column | UInt64(property), block: UInt32(first >> 8))
      let record = try heldRecord(key, held)
      switch form {
      case .added: try held.setRows(record, numbers, &reader, version: version)
      case .deleted:
        if try !held.clearRows(record, numbers, version: version) { try remove(key, held) }
      }
    }
    if held.isFull { try put(held) }
  }

  private func changePresence(
    _ form: ObjectsChange.Form, _ column: UInt64, _ numbers: Range<Int>, _ held: HeldRecords,
    version: Int
  ) throws {
    let presenceKey = PackedBlockKey(column: column, block: UInt32(numbers.lowerBound >> 8))
    let presence = try heldRecord(presenceKey, held)
    let classKey = PackedBlockKey(column: column, block: .max)
    let record = try heldRecord(classKey, held)
    guard
      let mask = ObjectsChange.mask(presence.content).flatMap({
        ObjectsChange.changed($0, form, numbers)
      }),
      let old = record.content.map({ ClassRecord($0) }) ?? ClassRecord()
    else { throw PackedReader.Malformed() }
    if mask == .zero {
      try remove(presenceKey, held)
    } else {
      withUnsafeBytes(of: mask) { held.replace(presence, by: $0, version: version) }
    }
    ObjectsChange.changed(old, form, numbers).withEntry {
      held.replace(record, by: $0, version: version)
    }
  }

  /// Returns a held record, which is that of the store at first.
  func heldRecord(_ key: PackedBlockKey, _ held: HeldRecords) throws(StorageError) -> HeldRecord {
    if let known = held.record(key) { return known }
    let content = snapshot.get(.columns, key.fixed)
    try snapshot.checkFailure()
    return held.add(key, content)
  }

  /// Deletes a record.
  func remove(_ key: PackedBlockKey, _ held: HeldRecords) throws(StorageError) {
    if held.remove(key) { prepareReading() }
    try snapshot.delete(.columns, key.fixed)
  }
}
