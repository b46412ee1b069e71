internal import CLMDB
internal import Glibc

/// A transaction that writes whole records, of the journal or of another file, and maintains the digest.
///
/// Unlike `WriteTransaction` it creates no version of its own: the file gets the version of the state that it is committed with.
/// To be used and ended on the thread that began it.
package struct RecordWriter: ~Copyable {
  /// The state at the last commit.
  package let old: StoreState
  package let file: OpenFile
  private let transaction: OpaquePointer
  package private(set) var digest: StoreDigest
  package private(set) var changedRecords = 0
  private var isEnded = false

  /// Begins the only write transaction of a file. Errors: `damaged`, and those of LMDB.
  package init(_ file: OpenFile) throws(StorageError) {
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
  package func record(_ space: RecordSpace, _ key: [UInt8]) -> UnsafeRawBufferPointer? {
    key.withUnsafeBytes { key in
      var sought = MDB_val(key)
      var value = MDB_val()
      let code = mdb_get(transaction, file.databases[space], &sought, &value)
      return code == 0 ? UnsafeRawBufferPointer(value) : nil
    }
  }

  /// Writes a record with its trailer, or an index entry; `replaced` is the previous record of the key.
  package mutating func put(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer,
    replacing replaced: UnsafeRawBufferPointer?
  ) throws(StorageError) {
    if let replaced { digest[space] &-= StoreDigest.share(ofRecord: replaced, space, key) }
    digest[space] &+= StoreDigest.share(ofRecord: record, space, key)
    var (key, value) = (MDB_val(key), MDB_val(record))
    try check(mdb_put(transaction, file.databases[space], &key, &value, 0))
  }

  /// Deletes a record, or one entry of those that a key has.
  package mutating func remove(
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

  /// Commits with a state, which gets the digest and the number of the transaction, so far `ahead` of LMDB's; returns
  /// that number.
  package mutating func commit(
    as state: StoreState, ahead: UInt64 = 0
  ) throws(StorageError) -> Int {
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

  private mutating func check(_ code: Int32) throws(StorageError) {
    guard code == 0 else { throw .explaining(code, "write", path: file.path) }
    changedRecords += 1
  }
}

extension RecordTrailer {
  /// Returns a content with the trailer that a commit of `version` appends to it.
  package static func record(
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
  package static func share(
    ofRecord record: UnsafeRawBufferPointer, _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> UInt64 {
    if space.entrySize != nil { return share(space, key, record) }
    if space == .meta && StoreFormat.isKey(key) { return 0 }
    return record.count < RecordTrailer.size ? 0 : RecordTrailer(endOf: record).digest
  }
}
