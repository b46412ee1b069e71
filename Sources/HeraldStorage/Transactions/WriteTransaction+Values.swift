internal import CLMDB

extension WriteTransaction {
  /// Longer values are kept in a record of their own, so that a change of another row does not
  /// write them again.
  static let largestInlineBytes = 1024
  /// LMDB's own limit is 4 GiB, but a value's length must also fit half a word.
  static let largestBytes = Int(Int32.max)

  /// Returns the draft of a block, created from its stored values.
  @inline(__always)
  func draft(
    _ column: ColumnID, _ kind: ColumnKind, _ block: Int
  ) throws(StorageError) -> BlockDraft {
    if let draft = changes.draft(column, block) {
      precondition(draft.kind == kind, "a column written as the wrong kind")
      return draft
    }
    return try beginDraft(column, kind, block)
  }

  @inline(never)
  private func beginDraft(
    _ column: ColumnID, _ kind: ColumnKind, _ block: Int
  ) throws(StorageError) -> BlockDraft {
    precondition(block >= 0 && block < Int(UInt32.max) && column.propertyID > 0)
    try snapshot.checkFailure()
    if changes.isOverLimit {
      try flushDrafts()
      try flushPresence()
    }
    let draft: BlockDraft
    var isNew = false
    switch snapshot.source(column, block) {
    case .absent:
      draft = BlockDraft(kind, count: 256)
      isNew = true
    case .flat(let flat):
      precondition(flat.kindByte == kind.rawValue, "a column written as the wrong kind")
      draft = BlockDraft(kind, flat)
    case .draft(let existing): draft = existing
    }
    try snapshot.checkFailure()
    changes.add(draft, column, block, isNew: isNew)
    if changes.forgetPatch(column, block) { draft.words.noteChanged() }
    snapshot.cache.forget(column.packed, block)
    return draft
  }

  /// Replaces one value in a copy of its block's stored form; returns false if that needs a draft, or if there is one.
  private func patch(
    _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ change: BlockPatch.Change
  ) throws(StorageError) -> Bool {
    try snapshot.checkFailure()
    let block = number >> 8
    guard changes.patches.count < BlockPatch.limit, changes.draft(column, block) == nil,
      changes.patch(column, block) == nil, case .flat(let stored) = snapshot.source(column, block)
    else { return false }
    precondition(stored.kindByte == kind.rawValue, "a column written as the wrong kind")
    let key = WriteBuffer.BlockKey(column: column, block: block)
    guard
      let patch = BlockPatch(
        stored, key, row: number & 255, change, isLasting: !changes.hasWritten)
    else { return false }
    changes.add(patch)
    snapshot.cache.forget(column.packed, block)
    return true
  }

  package func setInteger(
    _ column: ColumnID, _ number: Int, _ value: Int?
  ) throws(StorageError) {
    try setWord(column, .integers, number, value)
  }

  package func setDouble(
    _ column: ColumnID, _ number: Int, _ value: Double?
  ) throws(StorageError) {
    try setWord(column, .doubles, number, value.map { Int(bitPattern: UInt($0.bitPattern)) })
  }

  /// Sets a value of one word: an integer, or the bit pattern of a double or float.
  @inline(__always)
  private func setWord(
    _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ word: Int?
  ) throws(StorageError) {
    if let slot = changes.slot(column, number >> 8) {
      precondition(slot.kind == kind, "a column written as the wrong kind")
      return slot.words.set(number & 255, word)
    }
    if let word, try patch(column, kind, number, .word(word)) { return }
    try draft(column, kind, number >> 8).words.set(number & 255, word)
  }

  /// Sets values of one word each, of objects that were just created, whose numbers follow one another: `word` returns
  /// that of an index, nil for none.
  package func beginWords(
    _ column: ColumnID, _ kind: ColumnKind, from first: Int, _ count: Int, _ word: (Int) -> Int?
  ) throws(StorageError) {
    var index = 0
    while index < count {
      let words = try draft(column, kind, (first + index) >> 8).words
      let end = min(count, index + 256 - (first + index) & 255)
      while index < end {
        if let word = word(index) { words.set((first + index) & 255, word) }
        index += 1
      }
    }
  }

  /// Sets the bytes of a string or of data, at most 2 GiB less one.
  package func setBytes(
    _ column: ColumnID, _ number: Int, _ bytes: UnsafeRawBufferPointer?
  ) throws(StorageError) {
    let row = number & 255
    let isLarge = (bytes?.count ?? 0) > Self.largestInlineBytes
    if !isLarge, let slot = changes.slot(column, number >> 8), !slot.words.isLarge(row) {
      precondition(slot.kind == .bytes, "a column written as the wrong kind")
      changes.draftBytes &+= bytes?.count ?? 0
      return slot.draft._withUnsafeGuaranteedRef { $0.setBytes(row, bytes) }
    }
    if !isLarge, let bytes, try patch(column, .bytes, number, .bytes(bytes)) { return }
    let draft = try draft(column, .bytes, number >> 8)
    if isLarge || draft.isLarge(row) {
      let key = FixedKey.largeValue(column, number >> 8, row: row)
      if isLarge, let bytes {
        guard bytes.count <= Self.largestBytes else {
          throw snapshot.explaining(MDB_BAD_VALSIZE, "write")
        }
        try snapshot.put(.columns, key, bytes)
        return draft.setLarge(row)
      }
      try snapshot.delete(.columns, key)
    }
    changes.draftBytes &+= bytes?.count ?? 0
    draft.setBytes(row, bytes)
  }

  /// Sets the bytes of a string of an object that was just created.
  package func beginBytes(
    _ column: ColumnID, _ number: Int, _ bytes: UnsafeRawBufferPointer
  ) throws(StorageError) {
    guard bytes.count <= Self.largestInlineBytes, let slot = changes.slot(column, number >> 8)
    else { return try setBytes(column, number, bytes) }
    precondition(slot.kind == .bytes, "a column written as the wrong kind")
    changes.draftBytes &+= bytes.count
    slot.draft._withUnsafeGuaranteedRef { $0.beginBytes(number & 255, bytes) }
  }

  /// The same of strings in place: `text` returns that of an index, nil for none.
  package func beginTexts(
    _ column: ColumnID, from first: Int, _ count: Int, _ text: (Int) -> UnsafeRawBufferPointer?
  ) throws(StorageError) {
    var index = 0
    while index < count {
      let draft = try draft(column, .bytes, (first + index) >> 8)
      let end = min(count, index + 256 - (first + index) & 255)
      var size = 0
      while index < end {
        if let bytes = text(index) {
          if bytes.count > Self.largestInlineBytes {
            try setBytes(column, first + index, bytes)
          } else {
            draft.beginBytes((first + index) & 255, bytes)
            size &+= bytes.count
          }
        }
        index += 1
      }
      changes.draftBytes &+= size
    }
  }

  /// Sets the bytes of strings of objects that were just created, whose numbers follow one another.
  package func beginStrings(
    _ column: ColumnID, from first: Int, _ strings: [String]
  ) throws(StorageError) {
    var index = 0
    while index < strings.count {
      let draft = try draft(column, .bytes, (first + index) >> 8)
      let end = min(strings.count, index + 256 - (first + index) & 255)
      var size = 0
      while index < end {
        let row = (first + index) & 255
        let count = strings[index].utf8.count
        if count > Self.largestInlineBytes {
          try strings[index].utf8.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
            try setBytes(column, first + index, bytes)
          }
        } else {
          strings[index].utf8.span.bytes.withUnsafeBytes { draft.beginBytes(row, $0) }
          size &+= count
        }
        index += 1
      }
      changes.draftBytes &+= size
    }
  }

  package func set(
    _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ value: StoredValue
  ) throws(StorageError) {
    guard kind == .bytes else {
      if value.fits(kind), let word = value.word {
        return try setWord(column, kind, number, word)
      }
      if case .date(let date) = value, try patch(column, kind, number, .date(date)) { return }
      return try draft(column, kind, number >> 8).set(number & 255, value)
    }
    guard case .bytes(let bytes) = value else {
      precondition(value == .null, "a value of a kind other than its column's")
      return try setBytes(column, number, nil)
    }
    try bytes.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
      try setBytes(column, number, bytes)
    }
  }

  /// Writes every draft and patch to its record; deletes the record if all values are nil.
  func flushDrafts() throws(StorageError) {
    for entry in changes.orderedDrafts where entry.draft.words.isChanged {
      let draft = entry.draft
      let record = FixedKey.block(entry.key.column, entry.key.block)
      if draft.isAllNull {
        try snapshot.delete(.columns, record)
      } else {
        try snapshot.put(.columns, record, draft)
      }
    }
    changes.forgetDrafts()
    for patch in changes.patches {
      try snapshot.put(.columns, .block(patch.key.column, patch.key.block), patch)
    }
    changes.forgetPatches()
  }

  /// Deletes the rest of a block whose values are all nil, so that it may hold another kind.
  package func dropBlock(
    _ column: ColumnID, _ block: Int
  ) throws(StorageError) {
    try snapshot.checkFailure()
    changes.hasDeleted = true
    changes.forgetDraft(column, block)
    if changes.forgetPatch(column, block) { snapshot.cache.forget(column.packed, block) }
    try snapshot.delete(.columns, .block(column, block))
  }
}
