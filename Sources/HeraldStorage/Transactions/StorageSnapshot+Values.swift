internal import CLMDB

extension StorageSnapshot {
  /// Longer values are kept in a record of their own, so that a change of another row does not
  /// write them again.
  static let largestInlineBytes = 1024
  /// LMDB's own limit is 4 GiB, but a value's length must also fit half a word.
  static let largestBytes = Int(Int32.max)

  /// Returns the draft of a block, created from its stored values.
  @inline(__always)
  func draft(
    _ changes: WriteBuffer, _ column: ColumnID, _ kind: ColumnKind, _ block: Int
  ) throws(StorageError) -> BlockDraft {
    if let draft = changes.draft(column, block) {
      precondition(draft.kind == kind, "a column written as the wrong kind")
      return draft
    }
    return try beginDraft(changes, column, kind, block)
  }

  @inline(never)
  private func beginDraft(
    _ changes: WriteBuffer, _ column: ColumnID, _ kind: ColumnKind, _ block: Int
  ) throws(StorageError) -> BlockDraft {
    precondition(block >= 0 && block < Int(UInt32.max) && column.propertyID > 0)
    try checkFailure()
    if changes.isOverLimit { try flushDrafts(changes) }
    let draft: BlockDraft
    switch source(column, block) {
    case .absent: draft = BlockDraft(kind, count: 256)
    case .flat(let flat):
      precondition(flat.kindByte == kind.rawValue, "a column written as the wrong kind")
      draft = BlockDraft(kind, flat)
    case .draft(let existing): draft = existing
    }
    try checkFailure()
    changes.add(draft, column, block)
    if changes.forgetPatch(column, block) { draft.words.noteChanged() }
    cache.forget(column.packed, block)
    return draft
  }

  /// Replaces one value in a copy of its block's stored form; returns false if that needs a draft.
  private func patch(
    _ changes: WriteBuffer, _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ word: Int
  ) throws(StorageError) -> Bool {
    try checkFailure()
    let block = number >> 8
    guard changes.patches.count < BlockPatch.limit, changes.patch(column, block) == nil,
      case .flat(let stored) = source(column, block)
    else { return false }
    precondition(stored.kindByte == kind.rawValue, "a column written as the wrong kind")
    let key = WriteBuffer.BlockKey(column: column, block: block)
    guard let patch = BlockPatch(stored, key, row: number & 255, word: word) else { return false }
    changes.add(patch)
    cache.forget(column.packed, block)
    return true
  }

  /// Sets a value of one word: an integer, or the bit pattern of a double or float.
  @inline(__always)
  func setWord(
    _ changes: WriteBuffer, _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ word: Int?
  ) throws(StorageError) {
    let slot = changes.slot(column, number >> 8)
    if let slot {
      precondition(slot.kind == kind, "a column written as the wrong kind")
      return slot.words.set(number & 255, word)
    }
    try setWordSlowly(changes, column, kind, number, word)
  }

  @inline(never)
  private func setWordSlowly(
    _ changes: WriteBuffer, _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ word: Int?
  ) throws(StorageError) {
    if let draft = changes.draft(column, number >> 8) {
      precondition(draft.kind == kind, "a column written as the wrong kind")
      return draft.words.set(number & 255, word)
    }
    if let word, try patch(changes, column, kind, number, word) { return }
    try beginDraft(changes, column, kind, number >> 8).words.set(number & 255, word)
  }

  func setBytes(
    _ changes: WriteBuffer, _ column: ColumnID, _ number: Int, _ bytes: UnsafeRawBufferPointer?
  ) throws(StorageError) {
    let row = number & 255
    let isLarge = (bytes?.count ?? 0) > Self.largestInlineBytes
    if !isLarge, let slot = changes.slot(column, number >> 8), !slot.words.isLarge(row) {
      precondition(slot.kind == .bytes, "a column written as the wrong kind")
      return slot.draft._withUnsafeGuaranteedRef { $0.setBytes(row, bytes) }
    }
    let draft = try draft(changes, column, .bytes, number >> 8)
    if isLarge || draft.isLarge(row) {
      let key = FixedKey.largeValue(column, number >> 8, row: row)
      if isLarge, let bytes {
        guard bytes.count <= Self.largestBytes else {
          throw explaining(MDB_BAD_VALSIZE, "write")
        }
        try put(.columns, key, bytes)
        return draft.setLarge(row)
      }
      try delete(.columns, key)
    }
    changes.draftBytes &+= bytes?.count ?? 0
    draft.setBytes(row, bytes)
  }

  func set(
    _ changes: WriteBuffer, _ column: ColumnID, _ kind: ColumnKind, _ number: Int,
    _ value: StoredValue
  ) throws(StorageError) {
    guard kind == .bytes else {
      if value.fits(kind), let word = value.word {
        return try setWord(changes, column, kind, number, word)
      }
      return try draft(changes, column, kind, number >> 8).set(number & 255, value)
    }
    guard case .bytes(let bytes) = value else {
      precondition(value == .null, "a value of a kind other than its column's")
      return try setBytes(changes, column, number, nil)
    }
    try bytes.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
      try setBytes(changes, column, number, bytes)
    }
  }

  /// Writes every draft and patch to its record; deletes the record if all values are nil.
  func flushDrafts(_ changes: WriteBuffer) throws(StorageError) {
    for entry in changes.orderedDrafts where entry.draft.words.isChanged {
      let draft = entry.draft
      let record = FixedKey.block(entry.key.column, entry.key.block)
      if draft.isAllNull {
        try delete(.columns, record)
      } else {
        try put(.columns, record, draft)
      }
    }
    changes.forgetDrafts()
    for patch in changes.patches {
      try put(.columns, .block(patch.key.column, patch.key.block), patch.bytes)
    }
    changes.forgetPatches()
  }

  func dropBlock(
    _ changes: WriteBuffer, _ column: ColumnID, _ block: Int
  ) throws(StorageError) {
    try checkFailure()
    changes.hasDeleted = true
    changes.forgetDraft(column, block)
    if changes.forgetPatch(column, block) { cache.forget(column.packed, block) }
    try delete(.columns, .block(column, block))
  }

  func dropClass(_ changes: WriteBuffer, _ classID: UInt32) throws(StorageError) {
    try checkFailure()
    changes.hasDeleted = true
    let pending = changes.pendingClass(classID) { storedClassRecord(classID) }
    precondition(pending.record.count == 0, "a class with objects cannot be dropped")
    pending.isDropped = true
  }

  /// Writes the class records and their presence.
  func flushClasses(_ changes: WriteBuffer) throws(StorageError) {
    for (classID, pending) in changes.classes.sorted(by: { $0.key < $1.key }) {
      for (block, mask) in pending.changedBlocks where mask != storedPresence(classID, block) {
        let key = FixedKey.block(ColumnID(classID: classID, propertyID: 0), block)
        if mask == .zero {
          try delete(.columns, key)
        } else {
          let bytes = withUnsafeBytes(of: mask) { [UInt8]($0) }
          try put(.columns, key, bytes)
        }
      }
      if pending.isDropped {
        try delete(.columns, .classRecord(classID))
      } else if pending.record != storedClassRecord(classID) {
        try put(.columns, .classRecord(classID), pending.record.entry)
      }
    }
  }
}
