internal import CLMDB

extension StorageSnapshot {
  /// Returns the whole record that a commit in the journal alone has written; nil if there is none.
  @inline(__always)
  func journaledRecord(_ space: RecordSpace, _ key: FixedKey) -> UnsafeRawBufferPointer? {
    if journaled == nil && draft == nil { return nil }
    return foundJournaled(space, key)
  }

  @inline(__always)
  func journaledRecord(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    if journaled == nil && draft == nil { return nil }
    return FixedKey(key).flatMap { foundJournaled(space, $0) }
  }

  @inline(never)
  private func foundJournaled(
    _ space: RecordSpace, _ key: FixedKey
  ) -> UnsafeRawBufferPointer? {
    (draft?.records.find(space, key) ?? journaled?.find(space, key))?.record
  }

  /// Continues `forEachRecord` with the entries of the log that are in the journal alone.
  func forEachJournaledLogEntry(
    from first: FixedKey?,
    _ body: (_ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    guard let journaled else { return }
    let start = first?.withBytes { $0.bigEndian(at: 0, as: UInt64.self) } ?? 0
    for entry in journaled.logEntries {
      let goesOn = try entry.key.withBytes { key in
        if key.bigEndian(at: 0, as: UInt64.self) < start { return true }
        return try body(key, entry.record.withoutTrailer)
      }
      guard goesOn else { return }
    }
  }

  /// Moves a read transaction to the newest version, if that is the given one, and its commits since are in the journal
  /// alone; returns whether that is so. The caller has the writer lock.
  package func advanceInJournal(to version: Int) -> Bool {
    guard isReadable, pending == nil, !isShared, borrower == nil, joined == nil,
      file === environment.file, let newest = environment.store.journaled.current,
      newest.base == transaction.number, newest.state.version == version
    else { return false }
    advance(to: newest)
    return true
  }
}

// MARK: A write that may be committed in the journal alone

extension StorageSnapshot {
  /// Begins a transaction of LMDB's, for changes that a commit in the journal alone cannot have. What the commits in the
  /// journal alone have changed is put into the pages first.
  func beginOwnInsteadOfJournal() throws(StorageError) {
    let draft = draft
    do throws(StorageError) {
      let (begun, file) = try environment.beginWithLock(hasGate: draft != nil)
      self.file.files?.endUse()
      lender?.borrower = nil
      lender = nil
      self.draft = nil
      cache.forgetAll()
      cache = environment.takeCache()
      adopt(begun, file, nil)
      // The state outlives the transaction.
      _ = state
      try checkFailure()
      pending?.dirtyPages = DirtyPages(
        of: begun, in: file, limit: environment.dirtyPageLimit)
      for record in draft?.records.all ?? [] where !record.isState {
        try written(file.put(record, begun))
      }
    } catch {
      note(error)
      throw error
    }
  }

  /// Reserves space for a record of the commit; returns nil, and begins a transaction of LMDB's, if the store has
  /// none with this key, or if there are many.
  func reserve(
    in draft: JournaledDraft, _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ size: Int
  ) throws(StorageError) -> UnsafeMutableRawBufferPointer? {
    guard let fixed = FixedKey(key), draft.records.all.count < JournaledDraft.limit,
      size <= JournaledDraft.largestRecord, record(space, key) != nil
    else {
      try beginOwn()
      return nil
    }
    forgetDigest(of: key, space)
    return add(JournaledRecord(space, fixed, size: size), to: draft)
  }

  /// Reserves space for an entry of the log, and copies its content there.
  func reserve(
    in draft: JournaledDraft, _ key: FixedKey, _ content: [UInt8]
  ) -> UnsafeMutableRawBufferPointer {
    pending?.journal.noteLogEntry(
      key, content, version: UInt32(truncatingIfNeeded: newestReadable))
    let target = add(JournaledRecord(.log, key, size: content.count), to: draft)
    target.copyBytes(from: content)
    return target
  }

  private func add(
    _ record: JournaledRecord, to draft: JournaledDraft
  ) -> UnsafeMutableRawBufferPointer {
    draft.records.add(record)
    cache.forgetAll()
    pending?.hasWritten = true
    pending?.hasPut = true
    return record.content
  }
}

extension JournaledDraft {
  /// The journal has no room for the changes of more records.
  fileprivate static let limit = 32
  /// A longer record is not worth a copy.
  fileprivate static let largestRecord = 1 << 15
}

extension JournaledRecord {
  /// Whether it is the store's state, which depends on the transaction that writes it.
  fileprivate var isState: Bool { space == .meta && key == .state }
}
