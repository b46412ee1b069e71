internal import CLMDB
internal import Glibc
import HeraldStorage

/// A parallel walk over all records of a store and of a copy, which writes the differences to the copy.
///
/// Both are read in the order of their keys, each from a snapshot, so that no write moves a record
/// that is being read. The backup mark and the state are the copy's own.
struct RecordComparison: ~Copyable {
  private let source: StorageSnapshot
  /// The copy before the first change.
  private let old: OpaquePointer
  private let total: Int
  private var done = 0

  /// The number of records compared between two calls of `progress`.
  private static let stride = 1024
  /// The records of `meta` that are the copy's own.
  private let own: [[UInt8]]

  init(
    _ source: StorageSnapshot, copy: OpenFile, keeping kept: [[UInt8]] = []
  ) throws(StorageError) {
    var total = 0
    for space in RecordSpace.allCases {
      var statistics = MDB_stat()
      let code = mdb_stat(source.transaction, source.databases[space], &statistics)
      guard code == 0 else { throw source.explaining(code, "read") }
      total += Int(statistics.ms_entries)
    }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(copy.handle, nil, UInt32(MDB_RDONLY), &begun)
    guard code == 0, let begun else { throw .explaining(code, "begin", path: copy.path) }
    self.source = source
    own = [[UInt8](StoreState.key.utf8), BackupMark.key] + kept
    self.total = max(1, total)
    old = begun
  }

  deinit { mdb_txn_abort(old) }

  /// Replaces the copy's records with the store's. Errors: `damaged` if a record of the store to be
  /// written is damaged; `interrupted` if `progress` returns false.
  mutating func run(
    _ writer: inout RecordWriter, _ progress: CopyProgress
  ) throws(StorageError) {
    for space in RecordSpace.allCases {
      var wanted = try RecordCursor(
        source.transaction, source.databases[space], space, path: source.environment.file.path)
      var found = try RecordCursor(
        old, writer.file.databases[space], space, path: writer.file.path)
      while let order = wanted.order(before: found) {
        if order > 0 {
          try found.record.map { record throws(StorageError) in
            try remove(record, space, &writer)
          }
        } else if let record = wanted.record {
          try put(record, space, order == 0 ? found.record?.value : nil, &writer)
        }
        if order <= 0 { try wanted.advance() }
        if order >= 0 { try found.advance() }
        done += 1
        if done % Self.stride == 0, !progress(min(done, total - 1), total) { throw .interrupted }
      }
    }
    try putMemtable(&writer)
    guard progress(total, total) else { throw .interrupted }
  }

  /// Writes the entries of indexes that a store in memory has in no tree.
  private func putMemtable(_ writer: inout RecordWriter) throws(StorageError) {
    for index in source.memtable?.indexes ?? [] {
      for entry in index.entries {
        let number = withUnsafeBytes(of: entry.number.bigEndian) { [UInt8]($0) }
        let key = IndexKey.withEncoded(index.column, ordered: entry.value) { [UInt8]($0) }
        try key.span.bytes.withUnsafeBytes { key throws(StorageError) in
          try number.span.bytes.withUnsafeBytes { number throws(StorageError) in
            try writer.put(.index, key, number, replacing: nil)
          }
        }
      }
    }
  }

  private func isOwn(_ key: UnsafeRawBufferPointer, _ space: RecordSpace) -> Bool {
    space == .meta && own.contains { key.elementsEqual($0) }
  }

  private func remove(
    _ record: RecordCursor.Record, _ space: RecordSpace, _ writer: inout RecordWriter
  ) throws(StorageError) {
    if !isOwn(record.key, space) { try writer.remove(space, record.key, record.value) }
  }

  /// Writes a record of the store, unless the copy's is equal.
  private func put(
    _ record: RecordCursor.Record, _ space: RecordSpace, _ replaced: UnsafeRawBufferPointer?,
    _ writer: inout RecordWriter
  ) throws(StorageError) {
    let key = record.key
    if isOwn(key, space) { return }
    let isPlain = space.entrySize != nil || space == .meta && StoreFormat.isKey(key)
    if source.isChecked || isPlain {
      if let replaced, replaced.isEqual(to: record.value) { return }
      guard isPlain || record.value.isIntact(space, key) else {
        throw source.damaged(RecordName(space, key).description)
      }
      try writer.put(space, key, record.value, replacing: replaced)
    } else {
      // Records in memory have no checksums: they are computed here.
      let content = record.value.content(inMemory: space)
      if let replaced, replaced.withoutTrailer.isEqual(to: content) { return }
      let sealed = RecordTrailer.record(space, key, content, version: source.state.version)
      try sealed.span.bytes.withUnsafeBytes { sealed throws(StorageError) in
        try writer.put(space, key, sealed, replacing: replaced)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let base = baseAddress, let otherBase = other.baseAddress else {
      return count == other.count
    }
    return memcmp(base, otherBase, count) == 0
  }
}
