import HeraldStorage

// A commit can be replayed on another copy of the same store, which then has the same records, byte for byte,
// except for its log and its settings.
//
//     changes := digest:u32le entries records
//     entries := count, (byte (1 added | 2 reverse link: index entry), key, entry)*    in order
//     records := (byte database, key, change | objects)*       until the end; objects: see ObjectsChange
//
// The rest is as in `ContentChange`. The digest is folded from the sums of all columns, lists, links and indexes after
// the commit, so that a copy that differs is found at once.

extension WriteTransaction {
  /// Writes all buffered changes to their records, and returns what they have changed since the version at which the
  /// write began. O(changed records).
  func changesOfVersion() throws(StorageError) -> [UInt8] {
    try flush()
    guard let capture = captured else { return [] }
    var writer = PackedWriter()
    writer.fixed(digestOfContent)
    writer.count(capture.entryCount)
    writer.raw(capture.entries.bytes)
    let records = capture.records.keys.sorted {
      $0.space == $1.space
        ? $0.key.lexicographicallyPrecedes($1.key) : $0.space.rawValue < $1.space.rawValue
    }
    capture.contents.withUnsafeBytes { contents in
      let done = writeObjects(
        of: records,
        { key in
          let record = WriteCapture.Record(
            space: .columns, key: key.fixed.withBytes { [UInt8]($0) })
          if let old = capture.content(of: record, in: contents) { return old }
          return snapshot.get(.columns, key.fixed)
        }, &writer)
      for record in records {
        if !done.isEmpty, done.contains(record) { continue }
        let old = capture.content(of: record, in: contents) ?? nil
        let new = snapshot.get(record.space, record.key)
        guard let change = ContentChange(record.space, record.key, from: old, to: new) else {
          continue
        }
        writer.byte(UInt8(record.space.rawValue))
        record.key.withUnsafeBytes { writer.key($0, record.space) }
        change.encode(&writer)
      }
    }
    try snapshot.checkFailure()
    return writer.bytes
  }

  /// Writes the changes of objects that were added or deleted, and returns the records for which they stand.
  private func writeObjects(
    of records: [WriteCapture.Record], _ old: (PackedBlockKey) -> UnsafeRawBufferPointer?,
    _ writer: inout PackedWriter
  ) -> Set<WriteCapture.Record> {
    var done: Set<WriteCapture.Record> = []
    var index = 0
    func new(_ key: PackedBlockKey) -> UnsafeRawBufferPointer? { snapshot.get(.columns, key.fixed) }
    while index < records.count {
      defer { index += 1 }
      guard let key = records[index].blockKey, key.isPresence, key.block != .max,
        var change = ObjectsChange(key, old, new)
      else { continue }
      done.insert(records[index])
      let classRecord = PackedBlockKey(column: key.column, block: .max)
      for record in records[(index + 1)...] {
        guard record.space == .columns else { break }
        // A long value has a record of its own.
        guard let key = record.blockKey else { continue }
        if key.column >> 32 != classRecord.column >> 32 { break }
        if key == classRecord || change.take(key, old, new) { done.insert(record) }
      }
      change.encode(&writer)
    }
    return done
  }

  /// Makes the changes that `changesOfVersion` of a transaction of another copy returned, which began at the same
  /// version. Blocks are held in memory, since the next commits of a long sequence often change them again, until
  /// `endReplay`, which compares the result with the other copy's. `held`: passed to `hold` before. Errors: `damaged`.
  func replay(_ bytes: UnsafeRawBufferPointer, _ held: HeldRecords) throws(StorageError) {
    do {
      var reader = PackedReader(bytes)
      held.digest = try reader.fixed(UInt32.self)
      for _ in 0..<(try reader.count(of: 3)) {
        let change = try EntryChange(&reader)
        try changeEntry(change.space, change.key, change.entry, isAdded: change.isAdded)
      }
      try snapshot.checkFailure()
      let version = snapshot.newestReadable
      while !reader.isAtEnd {
        let first = try reader.byte()
        if let form = ObjectsChange.Form(rawValue: first) {
          try changeObjects(form, &reader, held, version: version)
          continue
        }
        guard let space = RecordSpace(rawValue: UInt32(first)), space.entrySize == nil,
          space != .log
        else { throw PackedReader.Malformed() }
        if space == .columns, let key = try reader.blockKey() {
          try change(key, &reader, held, version: version)
        } else {
          let key = try reader.key(space)
          try apply(try ContentChange(&reader), to: space, key)
        }
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

  /// Makes the change of a block that a reader has next.
  private func change(
    _ key: PackedBlockKey, _ reader: inout PackedReader, _ held: HeldRecords, version: Int
  ) throws {
    guard let form = ContentChange.Form(rawValue: try reader.byte()) else {
      throw PackedReader.Malformed()
    }
    if case .deleted = form { return try remove(key, held) }
    let record = try heldRecord(key, held)
    do {
      try held.change(record, form, &reader, version: version)
    } catch {
      throw key.fixed.withBytes { misfit(.columns, $0) }
    }
    if held.isFull { try put(held) }
  }

  /// Writes what the replayed commits have changed. Errors: `damaged` if the result differs from that of the copy in
  /// which the last of them was made.
  func endReplay(_ held: HeldRecords) throws(StorageError) {
    try put(held)
    guard snapshot.isChecked else { return }
    guard held.digest == digestOfContent else {
      let error = snapshot.damaged("it differs from the copy in which the commit was made")
      snapshot.note(error)
      throw error
    }
  }

  /// Writes the held records, which only reads by their keys find until then.
  func put(_ held: HeldRecords) throws(StorageError) {
    if held.isEmpty { return }
    for record in held.inOrder {
      let key = record.key.fixed
      if let draft = record.unencodedDraft {
        try snapshot.put(.columns, key, draft, version: record.version)
      } else if let content = record.content {
        try snapshot.put(.columns, key, content, version: record.version)
      }
    }
    held.removeAll()
  }

  /// Makes a change of a record that is no block.
  private func apply(
    _ change: ContentChange, to space: RecordSpace, _ key: [UInt8]
  ) throws(StorageError) {
    try key.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
      if case .deleted = change { return try snapshot.delete(space, bytes) }
      guard let content = change.content(from: snapshot.get(space, bytes)) else {
        throw misfit(space, bytes)
      }
      try snapshot.put(space, key, content)
    }
  }

  private func misfit(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> StorageError {
    snapshot.damaged("a commit of another copy does not fit \(RecordName(space, key))")
  }

  /// That of `StorageSnapshot`, after the changes.
  private var digestOfContent: UInt32 { snapshot.isChecked ? digest.ofContent : 0 }
}

extension StorageSnapshot {
  /// Folds the sums of what every copy of the store has alike; 0 in memory.
  var digestOfContent: UInt32 { isChecked ? state.digest.ofContent : 0 }
}

extension StoreDigest {
  fileprivate var ofContent: UInt32 {
    var folded: UInt64 = 0
    for space in [RecordSpace.columns, .lists, .links, .index] {
      folded = (folded ^ self[space]) &* 0x9E37_79B9_7F4A_7C15
      folded ^= folded >> 29
    }
    return UInt32(truncatingIfNeeded: folded >> 32)
  }
}

extension WriteCapture.Record {
  fileprivate var blockKey: PackedBlockKey? {
    space == .columns ? key.withUnsafeBytes { PackedBlockKey($0) } : nil
  }
}
