internal import CLMDB

// A write of a file begins without a transaction of LMDB's: it reads through that of its session's snapshot, and puts
// what it changes into a draft. If that stays small, it becomes the next overlay; else LMDB's transaction begins, with
// the draft in it.

extension StorageSnapshot {
  /// Whether the write may be one without a transaction of LMDB's.
  var mayHaveDraft: Bool {
    guard let pending else { return false }
    return lender != nil && isChecked && pending.held == nil && !pending.keepsVersion
  }

  /// Must come before each change of a record or an entry. From then on either there is a draft, or `transaction` is one
  /// that can be written.
  @inline(__always)
  func beginChange() throws(StorageError) {
    if lender != nil && draft == nil { try beginDraft() }
  }

  @inline(never)
  private func beginDraft() throws(StorageError) {
    guard mayHaveDraft else { return try beginOwn() }
    try checkFailure()
    draft = OverlayDraft()
    // Its blocks are not those of the lender.
    if cache === lender?.cache { cache = environment.takeCache() }
  }

  /// Begins a transaction of LMDB's, and puts what the write has changed into it. What earlier commits have changed is
  /// put into the pages first.
  func beginOwnInsteadOfDraft() throws(StorageError) {
    let draft = draft
    let hasGate = joined == nil && (draft?.base != nil || pending?.shared != nil)
    do throws(StorageError) {
      if joined != nil { try endJoining() }
      let (begun, file) = try environment.beginWithLock(hasGate: hasGate)
      self.file.files?.endUse()
      lender?.borrower = nil
      if cache === lender?.cache { cache = environment.takeCache() }
      // A caller may still read what these have.
      pending?.keep(lender, draft)
      lender = nil
      self.draft = nil
      adopt(begun, file, nil)
      // The state outlives the transaction.
      _ = state
      try checkFailure()
      pending?.dirtyPages = DirtyPages(of: begun, in: file, limit: environment.dirtyPageLimit)
      for item in draft?.items.all ?? [] where !item.isState {
        try written(file.put(item, begun))
      }
    } catch {
      note(error)
      throw error
    }
  }

  /// Reserves space for a record in the draft; returns nil, and begins a transaction of LMDB's, if there is no room.
  func reserve(
    in draft: OverlayDraft, _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ size: Int
  ) throws(StorageError) -> UnsafeMutableRawBufferPointer? {
    guard draft.hasRoom(for: size) else {
      try beginOwn()
      return nil
    }
    forgetDigest(of: key, space)
    let item = OverlayItem(space, key, size: size)
    put(item, in: draft)
    return item.target
  }

  private func put(_ item: OverlayItem, in draft: OverlayDraft) {
    draft.put(item)
    cache.forgetAll()
    pending?.hasWritten = true
  }

  /// Deletes a record, if there is one; returns false if there is no draft with room for that.
  func delete(
    in draft: OverlayDraft, _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    guard draft.hasRoom(for: key.count) else {
      try beginOwn()
      return false
    }
    guard record(space, key) != nil else { return true }
    forgetDigest(of: key, space)
    put(OverlayItem(deleted: key, space), in: draft)
    return true
  }

  /// Returns the draft if it has room for so many entries more; else begins a transaction of LMDB's.
  func draft(withRoomFor entries: Int) throws(StorageError) -> OverlayDraft? {
    try beginChange()
    guard let draft else { return nil }
    if draft.hasRoom(for: entries * 64, items: entries) { return draft }
    try beginOwn()
    return nil
  }

  /// Adds an entry, unless it is there, or removes one that is there; returns whether it has.
  @discardableResult
  func change(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool, in draft: OverlayDraft
  ) -> Bool {
    guard let pending, hasEntry(space, key, entry) != isAdded else { return false }
    let share = StoreDigest.share(space, key, entry)
    if isAdded { pending.digest[space] &+= share } else { pending.digest[space] &-= share }
    pending.capture?.noteEntry(space, key, entry, isAdded: isAdded)
    put(OverlayItem(space, key, entry, isAdded: isAdded), in: draft)
    return true
  }
}

extension OpenFile {
  /// Makes one change in LMDB's transaction; returns LMDB's code.
  func put(_ item: OverlayItem, _ transaction: OpaquePointer) -> Int32 {
    var (key, value) = (MDB_val(item.key), MDB_val(item.value))
    let database = databases[item.space]
    let code =
      switch item.change {
      case .written: mdb_put(transaction, database, &key, &value, 0)
      case .added: mdb_put(transaction, database, &key, &value, UInt32(MDB_NODUPDATA))
      case .deleted: mdb_del(transaction, database, &key, nil)
      case .removed: mdb_del(transaction, database, &key, &value)
      }
    return code == MDB_NOTFOUND && item.change == .deleted ? 0 : code
  }
}
