internal import CLMDB

// A commit can be replayed on another copy of the same store, which then has the same records, byte for byte,
// except for its log and its settings.

extension WriteTransaction {
  /// Notes from now on what changes, for `changesOfVersion`; to be called before anything is changed.
  package func capture() { changes.capture = WriteCapture() }

  /// Writes all buffered changes to their records, and returns what they have changed since the version at which the
  /// write began. O(changed records).
  package func changesOfVersion() throws(StorageError) -> [UInt8] {
    try flush()
    guard let capture = changes.capture else { return [] }
    var writer = PackedWriter()
    writer.fixed(digestOfContent)
    writer.count(capture.entryCount)
    writer.raw(capture.entries.bytes)
    let records = capture.records.keys.sorted {
      $0.space == $1.space
        ? $0.key.lexicographicallyPrecedes($1.key) : $0.space.rawValue < $1.space.rawValue
    }
    for record in records {
      guard let change = change(of: record, from: capture.records[record] ?? nil) else { continue }
      writer.byte(UInt8(record.space.rawValue))
      record.key.withUnsafeBytes { writer.key($0, record.space) }
      change.encode(&writer)
    }
    try snapshot.checkFailure()
    return writer.bytes
  }

  /// Returns the change of a record since its content was `old`, nil if it is the same.
  private func change(of record: WriteCapture.Record, from old: [UInt8]?) -> ContentChange? {
    let new = snapshot.get(record.space, record.key)
    guard let old else { return ContentChange(record.space, record.key, from: nil, to: new) }
    return old.withUnsafeBytes { ContentChange(record.space, record.key, from: $0, to: new) }
  }

  /// Makes the changes that `changesOfVersion` of a transaction of another copy returned, which began at the same
  /// version. Blocks are held in memory, since the next commits of a long sequence often change them again, until
  /// `endReplay`, which compares the result with the other copy's. Errors: `damaged`.
  package func replay(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
    do {
      var reader = PackedReader(bytes)
      let held = changes.held ?? HeldRecords()
      changes.held = held
      held.digest = try reader.fixed(UInt32.self)
      for _ in 0..<(try reader.count(of: 3)) {
        let change = try EntryChange(&reader)
        try changeEntry(change.space, change.key, change.entry, isAdded: change.isAdded)
      }
      while !reader.isAtEnd {
        guard let space = RecordSpace(rawValue: UInt32(try reader.byte())),
          space.entrySize == nil, space != .log
        else { throw PackedReader.Malformed() }
        let key = try reader.key(space)
        try apply(try ContentChange(&reader), to: space, key)
      }
    } catch let error as StorageError {
      snapshot.note(error)
      throw error
    } catch {
      let error = snapshot.damaged("a commit of another copy cannot be read")
      snapshot.note(error)
      throw error
    }
  }

  /// Writes what the replayed commits have changed. Errors: `damaged` if the result differs from that of the copy in
  /// which the last of them was made.
  package func endReplay() throws(StorageError) {
    try putHeldRecords()
    guard let held = changes.held, snapshot.isChecked else { return }
    guard held.digest == digestOfContent else {
      let error = snapshot.damaged("it differs from the copy in which the commit was made")
      snapshot.note(error)
      throw error
    }
  }

  /// Writes the held records, which only reads by their keys find until then.
  package func putHeldRecords() throws(StorageError) {
    guard let held = changes.held, !held.isEmpty else { return }
    for (key, version) in held.versions {
      guard let content = held.content(key) else { continue }
      // Reading the record now must find the old one, for the digest.
      let bytes = [UInt8](content)
      held.remove(key)
      try snapshot.put(.columns, key, bytes, version: version)
    }
    held.removeAll()
  }

  /// Ends one version of several that one transaction commits together: what follows belongs to the next.
  package func endVersion() throws(StorageError) {
    try snapshot.checkFailure()
    try flush()
    snapshot.advance(to: try nextState())
    changes.logEntry = nil
    changes.digest = StoreDigest()
  }

  private func apply(
    _ change: ContentChange, to space: RecordSpace, _ key: [UInt8]
  ) throws(StorageError) {
    if case .deleted = change {
      if space == .columns, changes.held?.content(key) != nil {
        changes.held?.remove(key)
        snapshot.cache.forgetAll()
      }
      return try key.span.bytes.withUnsafeBytes { key throws(StorageError) in
        try snapshot.delete(space, key)
      }
    }
    if space == .columns, key.count == HeldRecords.keySize, let held = changes.held {
      try snapshot.checkFailure()
      if held.patch(key, change, version: snapshot.newestReadable) { return }
      guard let content = change.content(from: snapshot.get(space, key)) else {
        throw misfit(space, key)
      }
      held.hold(key, content, version: snapshot.newestReadable)
      snapshot.cache.forgetAll()
      changes.hasWritten = true
      if held.isFull { try putHeldRecords() }
      return
    }
    guard let content = change.content(from: snapshot.get(space, key)) else {
      throw misfit(space, key)
    }
    try snapshot.put(space, key, content)
  }

  private func misfit(_ space: RecordSpace, _ key: [UInt8]) -> StorageError {
    snapshot.damaged("a commit of another copy does not fit \(RecordName(space, key))")
  }

  private func changeEntry(
    _ space: RecordSpace, _ key: [UInt8], _ entry: [UInt8], isAdded: Bool
  ) throws(StorageError) {
    try snapshot.makeRoom()
    let code = key.withUnsafeBytes { keyBytes in
      entry.withUnsafeBytes { entryBytes in
        var (key, entry) = (MDB_val(keyBytes), MDB_val(entryBytes))
        let share = snapshot.share(space, key, entry)
        let code =
          isAdded
          ? mdb_put(
            snapshot.transaction, snapshot.databases[space], &key, &entry, UInt32(MDB_NODUPDATA))
          : mdb_del(snapshot.transaction, snapshot.databases[space], &key, &entry)
        if code == 0 {
          changes.journal.noteEntry(space, keyBytes, entryBytes, isAdded: isAdded)
        }
        if code == 0, isAdded { changes.digest[space] &+= share }
        if code == 0, !isAdded { changes.digest[space] &-= share }
        return code
      }
    }
    try snapshot.written(code == MDB_NOTFOUND || code == MDB_KEYEXIST ? 0 : code)
  }

  /// Folds the sums of what every copy of the store has alike; 0 in memory.
  private var digestOfContent: UInt32 {
    var digest = snapshot.state.digest
    digest &+= changes.digest
    var folded: UInt64 = 0
    for space in [RecordSpace.columns, .lists, .links, .index] {
      folded = (folded ^ digest[space]) &* 0x9E37_79B9_7F4A_7C15
      folded ^= folded >> 29
    }
    return snapshot.isChecked ? UInt32(truncatingIfNeeded: folded >> 32) : 0
  }
}

extension RecordName {
  fileprivate init(_ space: RecordSpace, _ key: [UInt8]) {
    self = key.withUnsafeBytes { RecordName(space, $0) }
  }
}
