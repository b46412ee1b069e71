internal import CLMDB

extension StorageSnapshot {
  /// Returns whether the object exists.
  package func isPresent(_ classID: UInt32, _ number: Int) -> Bool {
    guard number > 0 else { return false }
    let mask = presence(classID, block: number >> 8)
    return mask[number >> 6 & 3] >> UInt64(number & 63) & 1 != 0
  }

  /// Returns whether a column has a value for an object, which then exists.
  package func hasValue(_ column: ColumnID, _ number: Int) -> Bool {
    guard number > 0 else { return false }
    return switch source(column, number >> 8) {
    case .absent: false
    case .flat(let block): !block.isNull(number & 255)
    case .draft(let draft): !draft.isNull(number & 255)
    }
  }

  /// The numbers in use in a block, one bit each.
  package func presence(_ classID: UInt32, block: Int) -> SIMD4<UInt64> {
    guard let pending = pending?.classes[classID] else { return storedPresence(classID, block) }
    return pending.presence(block) { storedPresence(classID, block) }
  }

  /// The number of blocks, from 0, that cover every number the class ever issued.
  package func blockCount(_ classID: UInt32) -> Int { classRecord(classID).blockCount }

  /// The number that the next object gets.
  package func nextNumber(_ classID: UInt32) -> Int { classRecord(classID).next }

  package func objectCount(_ classID: UInt32) -> Int { classRecord(classID).count }

  func classRecord(_ classID: UInt32) -> ClassRecord {
    pending?.classes[classID]?.record ?? storedClassRecord(classID)
  }

  /// Returns the bytes of the stored record of a class; nil if there is none.
  func storedClass(_ classID: UInt32) -> UnsafeRawBufferPointer? {
    raw(ColumnID(classID: classID, propertyID: 0), Int(UInt32.max))
  }

  func storedClassRecord(_ classID: UInt32) -> ClassRecord {
    guard let bytes = storedClass(classID) else { return ClassRecord() }
    guard let record = ClassRecord(bytes) else {
      note(damaged("the record of class \(classID)"))
      return ClassRecord()
    }
    return record
  }

  func storedPresence(_ classID: UInt32, _ block: Int) -> SIMD4<UInt64> {
    presenceRecord(classID, block)?.loadUnaligned(as: SIMD4<UInt64>.self) ?? .zero
  }

  /// Returns the stored presence of a block, 32 bytes; nil if it has no objects.
  func presenceRecord(_ classID: UInt32, _ block: Int) -> UnsafeRawBufferPointer? {
    guard block >= 0, block < Int(UInt32.max),
      let bytes = raw(ColumnID(classID: classID, propertyID: 0), block)
    else { return nil }
    guard bytes.count == ClassRecord.presenceSize else {
      note(damaged("presence block \(block) of class \(classID)"))
      return nil
    }
    return bytes
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
  /// Whether a value of a block may be in a record of its own.
  fileprivate func hasLargeValues(_ column: ColumnID, _ block: Int) -> Bool {
    switch source(column, block) {
    case .absent: false
    case .flat(let flat): flat.flags & FlatBlock.hasLarge != 0
    case .draft(let draft): (0..<draft.count).contains(where: draft.isLarge)
    }
  }
}

extension SIMD4<UInt64> {
  fileprivate var bitCount: Int { Int(truncatingIfNeeded: nonzeroBitCount.wrappedSum()) }
}

extension WriteTransaction {
  private func pendingClass(_ classID: UInt32) -> PendingClass {
    classReference(classID).takeUnretainedValue()
  }

  /// Returns the same without retaining it.
  @inline(__always)
  private func classReference(_ classID: UInt32) -> Unmanaged<PendingClass> {
    changes.pendingClass(classID, snapshot.version) {
      snapshot.storedClassRecord(classID)
    }
  }

  /// Creates an object and returns its number, which is the class's next, from 1, and never reused.
  package func create(_ classID: UInt32) throws(StorageError) -> Int {
    try snapshot.checkFailure()
    changes.hasCreated = true
    return classReference(classID)._withUnsafeGuaranteedRef { pending in
      let number = pending.takeNumber { snapshot.environment.issuedNumbers.next(of: classID) }
      pending.setPresent(number, true) { snapshot.storedPresence(classID, $0) }
      return number
    }
  }

  /// Creates objects whose numbers follow one another. O(blocks).
  package func create(_ classID: UInt32, count: Int) throws(StorageError) -> Range<Int> {
    let first = try create(classID)
    let numbers = first..<first + count
    pendingClass(classID).take(numbers) { snapshot.storedPresence(classID, $0) }
    return numbers
  }

  /// Creates an object with a given number, above those that the class has issued: for a store that
  /// is built from another.
  package func create(_ classID: UInt32, number: Int) throws(StorageError) {
    try reserveNumbers(below: number, of: classID)
    let issued = try create(classID)
    precondition(issued == number, "object numbers must be ascending")
  }

  /// Ensures that the next object of a class gets this number, or a higher one.
  package func reserveNumbers(below number: Int, of classID: UInt32) throws(StorageError) {
    try snapshot.checkFailure()
    pendingClass(classID).skipNumbers(before: number)
  }

  /// Creates an object again that the transaction has deleted, under its number.
  package func restore(_ classID: UInt32, _ number: Int) throws(StorageError) {
    try snapshot.checkFailure()
    changes.hasCreated = true
    let pending = pendingClass(classID)
    pending.record.count += 1
    pending.setPresent(number, true) { snapshot.storedPresence(classID, $0) }
  }

  /// Deletes an object and sets its values to nil. The caller removes its lists, the links to and
  /// from it and its index entries first.
  package func delete(_ classID: UInt32, _ number: Int) throws(StorageError) {
    try snapshot.checkFailure()
    guard snapshot.isPresent(classID, number) else { return }
    changes.hasDeleted = true
    for propertyID in columns(of: classID) {
      try clear(ColumnID(classID: classID, propertyID: propertyID), number)
    }
    let pending = pendingClass(classID)
    pending.record.count -= 1
    pending.setPresent(number, false) { snapshot.storedPresence(classID, $0) }
  }

  /// Deletes objects that exist, ascending, as `delete` does. O(columns) for a block of which all are deleted.
  package func delete(_ classID: UInt32, _ numbers: ArraySlice<Int>) throws(StorageError) {
    var rest = numbers
    while let first = rest.first {
      let block = first >> 8
      let ofBlock = rest.prefix { $0 >> 8 == block }
      rest = rest[ofBlock.endIndex...]
      if ofBlock.count == snapshot.presence(classID, block: block).bitCount,
        try dropValues(of: classID, block)
      {
        let pending = pendingClass(classID)
        pending.record.count -= ofBlock.count
        pending.setAbsent(block) { snapshot.storedPresence(classID, $0) }
      } else {
        for number in ofBlock { try delete(classID, number) }
      }
    }
  }

  /// Deletes the values of a block; returns false, and changes nothing, if some are in records of their own.
  private func dropValues(of classID: UInt32, _ block: Int) throws(StorageError) -> Bool {
    try snapshot.checkFailure()
    let columns = columns(of: classID).map { ColumnID(classID: classID, propertyID: $0) }
    for column in columns where snapshot.hasLargeValues(column, block) { return false }
    for column in columns {
      if case .absent = snapshot.source(column, block) { continue }
      try dropBlock(column, block)
    }
    return true
  }

  /// Sets one value to nil, whatever its kind.
  private func clear(_ column: ColumnID, _ number: Int) throws(StorageError) {
    let row = number & 255
    let kind: ColumnKind
    switch snapshot.source(column, number >> 8) {
    case .absent: return
    case .flat(let block):
      guard let known = block.kind, !block.isNull(row) else { return }
      kind = known
    case .draft(let draft):
      guard !draft.isNull(row) else { return }
      kind = draft.kind
    }
    try set(column, kind, number, .null)
  }

  /// The properties of a class that have a column, searched for once per transaction.
  private func columns(of classID: UInt32) -> Set<UInt32> {
    if let known = changes.columnsOfClass[classID] { return known }
    var columns = Set(
      changes.drafts.lazy.map(\.key.column).filter { $0.classID == classID }
        .map(\.propertyID))
    var next: UInt32? = 1
    while let sought = next {
      next = nil
      let column = ColumnID(classID: classID, propertyID: sought)
      snapshot.forEachRecord(.columns, from: .block(column, 0)) { key, _ in
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

  /// Deletes the rest of a class without objects; its numbers may then be reused.
  package func dropClass(_ classID: UInt32) throws(StorageError) {
    try snapshot.checkFailure()
    changes.hasDeleted = true
    let pending = pendingClass(classID)
    precondition(pending.record.count == 0, "a class with objects cannot be dropped")
    pending.isDropped = true
  }

  /// Writes the presence of classes of which many blocks have changed, to limit the transaction's memory.
  func flushPresence() throws(StorageError) {
    for (classID, pending) in changes.classes where pending.hasManyBlocks {
      try flushPresence(classID, pending)
      pending.forgetBlocks()
    }
  }

  private func flushPresence(_ classID: UInt32, _ pending: PendingClass) throws(StorageError) {
    for (block, mask, stored) in pending.usedBlocks
    where mask != stored ?? snapshot.storedPresence(classID, block) {
      let key = FixedKey.block(ColumnID(classID: classID, propertyID: 0), block)
      if mask == .zero {
        try snapshot.delete(.columns, key)
      } else {
        try withUnsafeBytes(of: mask) { bytes throws(StorageError) in
          try snapshot.put(.columns, key, bytes)
        }
      }
    }
    pending.notePresenceStored()
  }

  /// Writes the class records and their presence.
  func flushClasses() throws(StorageError) {
    if changes.classes.isEmpty { return }
    if changes.classes.count == 1, let (classID, pending) = changes.classes.first {
      return try flush(classID, pending)
    }
    for (classID, pending) in changes.classes.sorted(by: { $0.key < $1.key }) {
      try flush(classID, pending)
    }
  }

  private func flush(_ classID: UInt32, _ pending: PendingClass) throws(StorageError) {
    try flushPresence(classID, pending)
    if pending.isDropped {
      try snapshot.delete(.columns, .classRecord(classID))
    } else if pending.record != pending.storedRecord {
      try pending.record.withEntry { entry throws(StorageError) in
        try snapshot.put(.columns, .classRecord(classID), entry)
      }
      pending.noteRecordStored()
    }
  }
}
