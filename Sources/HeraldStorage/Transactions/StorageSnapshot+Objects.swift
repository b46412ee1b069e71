internal import CLMDB

extension StorageSnapshot {
  package func isPresent(_ classID: UInt32, _ number: Int) -> Bool {
    guard number > 0 else { return false }
    let mask = presence(classID, block: number >> 8)
    return mask[number >> 6 & 3] >> UInt64(number & 63) & 1 != 0
  }

  package func presence(_ classID: UInt32, block: Int) -> SIMD4<UInt64> {
    guard let pending = pending?.classes[classID] else { return storedPresence(classID, block) }
    return pending.presence(block) { storedPresence(classID, block) }
  }

  package func blockCount(_ classID: UInt32) -> Int { classRecord(classID).blockCount }

  package func objectCount(_ classID: UInt32) -> Int { classRecord(classID).count }

  func classRecord(_ classID: UInt32) -> ClassRecord {
    pending?.classes[classID]?.record ?? storedClassRecord(classID)
  }

  func storedClassRecord(_ classID: UInt32) -> ClassRecord {
    let column = ColumnID(classID: classID, propertyID: 0)
    guard let bytes = raw(column, Int(UInt32.max)) else { return ClassRecord() }
    guard let record = ClassRecord(bytes) else {
      note(damaged("the record of class \(classID)"))
      return ClassRecord()
    }
    return record
  }

  func storedPresence(_ classID: UInt32, _ block: Int) -> SIMD4<UInt64> {
    guard block >= 0, block < Int(UInt32.max),
      let bytes = raw(ColumnID(classID: classID, propertyID: 0), block)
    else { return .zero }
    guard bytes.count == ClassRecord.presenceSize else {
      note(damaged("presence block \(block) of class \(classID)"))
      return .zero
    }
    return bytes.loadUnaligned(as: SIMD4<UInt64>.self)
  }

  /// Returns a record of a presence column, through the cache.
  private func raw(_ column: ColumnID, _ block: Int) -> UnsafeRawBufferPointer? {
    if let entry = cache.find(column.packed, block) {
      guard let base = entry.pointee.base else { return nil }
      return UnsafeRawBufferPointer(start: base, count: entry.pointee.length)
    }
    let bytes = self.block(column, block)
    if !hasFailed { cache.remember(column.packed, block, bytes) }
    return bytes
  }
}

extension StorageSnapshot {
  private func pendingClass(_ changes: WriteBuffer, _ classID: UInt32) -> PendingClass {
    changes.pendingClass(classID) { storedClassRecord(classID) }
  }

  func create(_ changes: WriteBuffer, _ classID: UInt32) throws(StorageError) -> Int {
    try checkFailure()
    changes.hasCreated = true
    let pending = pendingClass(changes, classID)
    let number = pending.takeNumber { environment.issuedNumbers.next(of: classID) }
    pending.setPresent(number, true) { storedPresence(classID, $0) }
    return number
  }

  func reserveNumbers(below number: Int, of classID: UInt32) throws(StorageError) {
    try checkFailure()
    guard let pending else { return }
    pendingClass(pending, classID).skipNumbers(before: number)
  }

  func delete(
    _ changes: WriteBuffer, _ classID: UInt32, _ number: Int
  ) throws(StorageError) {
    try checkFailure()
    guard isPresent(classID, number) else { return }
    changes.hasDeleted = true
    for propertyID in columns(changes, of: classID) {
      let column = ColumnID(classID: classID, propertyID: propertyID)
      try clear(changes, column, number)
    }
    let pending = pendingClass(changes, classID)
    pending.record.count -= 1
    pending.setPresent(number, false) { storedPresence(classID, $0) }
  }

  /// Sets one value to nil, whatever its kind.
  private func clear(
    _ changes: WriteBuffer, _ column: ColumnID, _ number: Int
  ) throws(StorageError) {
    let row = number & 255
    let kind: ColumnKind
    switch source(column, number >> 8) {
    case .absent: return
    case .flat(let block):
      guard let known = block.kind, !block.isNull(row) else { return }
      kind = known
    case .draft(let draft):
      guard !draft.isNull(row) else { return }
      kind = draft.kind
    }
    try set(changes, column, kind, number, .null)
  }

  /// The properties of a class that have a column, searched for once per transaction.
  private func columns(_ changes: WriteBuffer, of classID: UInt32) -> Set<UInt32> {
    if let known = changes.columnsOfClass[classID] { return known }
    var columns = Set(
      changes.drafts.lazy.map(\.key.column).filter { $0.classID == classID }
        .map(\.propertyID))
    var next: UInt32? = 1
    while let sought = next {
      next = nil
      let column = ColumnID(classID: classID, propertyID: sought)
      forEachRecord(.columns, from: .block(column, 0)) { key, _ in
        guard key.bigEndian(at: 0, as: UInt32.self) == classID else { return false }
        let found = key.bigEndian(at: 4, as: UInt32.self)
        columns.insert(found)
        next = found == .max ? nil : found + 1
        return false
      }
    }
    changes.columnsOfClass[classID] = columns
    return columns
  }
}
