internal import CLMDB
internal import Glibc

/// A transaction that copies records unchanged into the file of a copy, and maintains the digest.
///
/// Unlike `WriteTransaction` it creates no version of its own: the file gets its source's version.
/// To be used and ended on the thread that began it.
struct RecordWriter: ~Copyable {
  /// The state at the last commit.
  let old: StoreState
  let file: OpenFile
  private let transaction: OpaquePointer
  private var digest: StoreDigest
  private(set) var changedRecords = 0
  private var isEnded = false

  /// Begins the only write transaction of a file. Errors: `damaged`, and those of LMDB.
  init(_ file: OpenFile) throws(StorageError) {
    var begun: OpaquePointer?
    let code = mdb_txn_begin(file.handle, nil, 0, &begun)
    guard code == 0, let begun else { throw .explaining(code, "begin", path: file.path) }
    guard let state = StoreState(begun, file.databases, isChecked: true) else {
      mdb_txn_abort(begun)
      throw .damaged(path: file.path, reason: "its state record cannot be read")
    }
    self.file = file
    transaction = begun
    old = state
    digest = state.digest
  }

  deinit { if !isEnded { mdb_txn_abort(transaction) } }

  /// Returns the file's record under a key.
  func record(_ space: RecordSpace, _ key: [UInt8]) -> UnsafeRawBufferPointer? {
    key.withUnsafeBytes { key in
      var sought = MDB_val(key)
      var value = MDB_val()
      let code = mdb_get(transaction, file.databases[space], &sought, &value)
      return code == 0 ? UnsafeRawBufferPointer(value) : nil
    }
  }

  /// Writes a record with its trailer, or an index entry; `replaced` is the previous record of the key.
  mutating func put(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer,
    replacing replaced: UnsafeRawBufferPointer?
  ) throws(StorageError) {
    if let replaced { digest[space] &-= StoreDigest.share(ofRecord: replaced, space, key) }
    digest[space] &+= StoreDigest.share(ofRecord: record, space, key)
    var (key, value) = (MDB_val(key), MDB_val(record))
    try check(mdb_put(transaction, file.databases[space], &key, &value, 0))
  }

  /// Deletes a record, or one entry of those that a key has.
  mutating func remove(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer
  ) throws(StorageError) {
    digest[space] &-= StoreDigest.share(ofRecord: record, space, key)
    var (key, value) = (MDB_val(key), MDB_val(record))
    try check(mdb_del(transaction, file.databases[space], &key, &value))
  }

  /// Removes the first record of a database; returns false if there is none.
  mutating func removeFirst(_ space: RecordSpace) throws(StorageError) -> Bool {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction, file.databases[space], &cursor))
    defer { mdb_cursor_close(cursor) }
    var (key, record) = (MDB_val(), MDB_val())
    let code = mdb_cursor_get(cursor, &key, &record, MDB_FIRST)
    if code == MDB_NOTFOUND { return false }
    try check(code)
    digest[space] &-= StoreDigest.share(
      ofRecord: UnsafeRawBufferPointer(record), space, UnsafeRawBufferPointer(key))
    try check(mdb_cursor_del(cursor, 0))
    return true
  }

  /// Marks the file as a backup at the version of `state` and commits; returns the number of the transaction.
  ///
  /// If `digest` is given, the records without the backup mark must match it. The state records a transaction
  /// `ahead` of LMDB's, for `restoreTransaction`.
  mutating func commit(
    as state: StoreState, digest expected: StoreDigest?, ahead: UInt64 = 0
  ) throws(StorageError) -> Int {
    try setMark(BackupMark(version: state.version), digest: expected)
    var state = state
    state.transaction = transaction.number + ahead
    state.digest = digest
    try put(state)
    isEnded = true
    let number = transaction.number
    try committed(file.commit(transaction), number)
    return Int(state.transaction)
  }

  /// Commits as the transaction that leads to a state, and is `damaged` if it does not.
  mutating func commit(
    as state: StoreState, fingerprint: UInt64
  ) throws(StorageError) {
    var state = state
    state.transaction = transaction.number
    state.digest = digest
    guard state.fingerprint == fingerprint else {
      throw .damaged(
        path: file.path, reason: "the commit in its journal does not lead to its own state")
    }
    try put(state)
    isEnded = true
    let number = transaction.number
    // The journal keeps the commit until this one is durable.
    try committed(mdb_txn_commit(transaction), number)
  }

  private func committed(_ code: Int32, _ number: UInt64) throws(StorageError) {
    guard code != 0 else { return }
    MetaPages.restore(file.descriptor, failed: number)
    throw .explaining(code, "commit", path: file.path)
  }

  private mutating func put(_ state: StoreState) throws(StorageError) {
    let (key, record) = ([UInt8](StoreState.key.utf8), state.record)
    try check(
      key.withUnsafeBytes { key in
        record.withUnsafeBytes { record in
          var (key, value) = (MDB_val(key), MDB_val(record))
          return mdb_put(transaction, file.databases.meta, &key, &value, 0)
        }
      })
  }

  private mutating func setMark(
    _ mark: BackupMark, digest expected: StoreDigest?
  ) throws(StorageError) {
    let (old, new) = (record(.meta, BackupMark.key), mark.record)
    var rest = digest
    BackupMark.key.withUnsafeBytes { key in
      if let old { rest[.meta] &-= StoreDigest.share(ofRecord: old, .meta, key) }
    }
    guard expected == nil || rest == expected else {
      throw .damaged(path: file.path, reason: "its records are not those that its commits wrote")
    }
    if let old, old.elementsEqual(new) { return }
    digest = rest
    var code: Int32 = 0
    BackupMark.key.withUnsafeBytes { key in
      new.withUnsafeBytes { record in
        digest[.meta] &+= StoreDigest.share(ofRecord: record, .meta, key)
        var (key, value) = (MDB_val(key), MDB_val(record))
        code = mdb_put(transaction, file.databases.meta, &key, &value, 0)
      }
    }
    try check(code)
  }

  private mutating func check(_ code: Int32) throws(StorageError) {
    guard code == 0 else { throw .explaining(code, "write", path: file.path) }
    changedRecords += 1
  }
}

/// The mark of a backup, with the version at which it was made or updated: writing to the file
/// creates later versions, which reveals the change.
///
///     backup := version:u64le                              as metadata under the name "backup"
struct BackupMark {
  static let key = StorageSnapshot.metadataKey("backup")

  let version: Int

  init(version: Int) { self.version = version }

  /// Returns nil if the content is malformed.
  init?(_ content: UnsafeRawBufferPointer) {
    guard content.count == 8 else { return nil }
    version = Int(truncatingIfNeeded: content.littleEndian(at: 0, as: UInt64.self))
  }

  /// The whole record, with its trailer.
  var record: [UInt8] {
    withUnsafeBytes(of: UInt64(version).littleEndian) { content in
      Self.key.withUnsafeBytes { RecordTrailer.record(.meta, $0, content, version: version) }
    }
  }
}

extension RecordTrailer {
  /// Returns a content with the trailer that a commit of `version` appends to it.
  static func record(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer,
    version: Int
  ) -> [UInt8] {
    let trailer = RecordTrailer(
      space, key, content, version: UInt32(truncatingIfNeeded: version))
    return [UInt8](content)
      + [UInt8](unsafeUninitializedCapacity: size) {
        trailer.store(at: UnsafeMutableRawPointer($0.baseAddress.unsafelyUnwrapped))
        $1 = size
      }
  }
}

extension StoreDigest {
  /// The share of a record with its trailer, or of an index entry; the format record has none.
  static func share(
    ofRecord record: UnsafeRawBufferPointer, _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> UInt64 {
    if space.entrySize != nil { return share(space, key, record) }
    if space == .meta && StoreFormat.isKey(key) { return 0 }
    return record.count < RecordTrailer.size ? 0 : RecordTrailer(endOf: record).digest
  }
}
