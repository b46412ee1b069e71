internal import CLMDB

/// The application of the journal's records to a file, as a commit of LMDB's that does not use the journal.
struct JournalReplay: ~Copyable {
  private var writer: RecordWriter
  private let path: String

  init(_ file: OpenFile) throws(StorageError) {
    writer = try RecordWriter(file)
    path = file.path
  }

  /// Commits the changes of records that follow one another. Errors: `damaged` if they do not lead to the state that
  /// the last commit had.
  consuming func apply(_ records: [JournalRecord]) throws(StorageError) {
    guard let first = records.first, let last = records.last,
      writer.old.transaction == first.base, writer.old.fingerprint == first.from
    else { throw misfit }
    var state = StoreState()
    for record in records { try take(record, &state) }
    try writer.commit(as: state, fingerprint: last.to)
  }

  private mutating func take(
    _ record: JournalRecord, _ state: inout StoreState
  ) throws(StorageError) {
    let body = UnsafeMutableRawBufferPointer.allocate(byteCount: record.body.count, alignment: 8)
    defer { body.deallocate() }
    body.copyBytes(from: record.body)
    do {
      var reader = PackedReader(UnsafeRawBufferPointer(body))
      state.version = try reader.count()
      state.loggedBytes = try reader.count()
      for _ in 0..<(try reader.count()) {
        guard try writer.removeFirst(.log) else { throw PackedReader.Malformed() }
      }
      for _ in 0..<(try reader.count(of: 3)) { try changeEntry(&reader) }
      while !reader.isAtEnd { try changeRecord(&reader) }
    } catch let error as StorageError {
      // LMDB's own: for instance, there is no such entry.
      if case .failed = error { throw misfit }
      throw error
    } catch {
      throw misfit
    }
  }

  private var misfit: StorageError {
    .damaged(path: path, reason: "the commit in its journal does not fit the one before")
  }

  private mutating func changeEntry(_ reader: inout PackedReader) throws {
    let change = try EntryChange(&reader)
    try change.key.withUnsafeBytes { key in
      try change.entry.withUnsafeBytes { entry in
        if change.isAdded {
          try writer.put(change.space, key, entry, replacing: nil)
        } else {
          try writer.remove(change.space, key, entry)
        }
      }
    }
  }

  private mutating func changeRecord(_ reader: inout PackedReader) throws {
    guard let space = RecordSpace(rawValue: UInt32(try reader.byte())), space.entrySize == nil
    else { throw PackedReader.Malformed() }
    let key = try reader.key(space)
    let change = try ContentChange(&reader)
    let old = writer.record(space, key)
    guard old?.count ?? RecordTrailer.size >= RecordTrailer.size else {
      throw PackedReader.Malformed()
    }
    try key.withUnsafeBytes { key in
      if case .deleted = change {
        guard let old else { throw PackedReader.Malformed() }
        return try writer.remove(space, key, old)
      }
      guard let content = change.content(from: old?.withoutTrailer),
        let version = UInt32(exactly: try reader.number())
      else { throw PackedReader.Malformed() }
      let record = content.withUnsafeBytes {
        RecordTrailer.record(space, key, $0, version: Int(version))
      }
      try record.withUnsafeBytes { try writer.put(space, key, $0, replacing: old) }
    }
  }
}
