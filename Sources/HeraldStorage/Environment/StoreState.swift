internal import CLMDB

/// The store's state, which every commit updates.
///
///     state := version:u64le logged bytes:u64le transaction:u64le digest:6 x u64le
///
/// It is stored under the key "state" of `meta`, with a trailer like every record (`RecordTrailer`).
package struct StoreState {
  package static let key = "state"
  static let size = 24 + StoreDigest.size

  package var version = 0
  /// The total size of the entries of the log, in bytes.
  package var loggedBytes = 0
  /// The number of the LMDB transaction that wrote this. Of the file's two meta pages, the one that
  /// leads here has the same number, unless it was damaged.
  package var transaction: UInt64 = 0
  /// Zero in memory.
  package var digest = StoreDigest()

  init() {}

  /// Returns nil if the content is malformed.
  init?(_ content: UnsafeRawBufferPointer) {
    guard content.count == Self.size else { return nil }
    version = Int(truncatingIfNeeded: content.littleEndian(at: 0, as: UInt64.self))
    loggedBytes = Int(truncatingIfNeeded: content.littleEndian(at: 8, as: UInt64.self))
    transaction = content.littleEndian(at: 16, as: UInt64.self)
    digest = StoreDigest(content, at: 24)
    guard version >= 0, loggedBytes >= 0 else { return nil }
  }

  func withContent<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let words = (
      (UInt64(version).littleEndian, UInt64(loggedBytes).littleEndian, transaction.littleEndian),
      digest.words
    )
    return try withUnsafeBytes(of: words) { bytes throws(Failure) in try body(bytes) }
  }

  /// The whole record, with its trailer.
  var record: [UInt8] {
    withContent { content in
      let key = [UInt8](Self.key.utf8)
      let trailer = key.withUnsafeBytes {
        RecordTrailer(.meta, $0, content, version: UInt32(truncatingIfNeeded: version))
      }
      return [UInt8](content)
        + [UInt8](unsafeUninitializedCapacity: RecordTrailer.size) {
          trailer.store(at: UnsafeMutableRawPointer($0.baseAddress.unsafelyUnwrapped))
          $1 = RecordTrailer.size
        }
    }
  }

  /// Returns the state of a whole record; nil if it is damaged.
  package init?(record: UnsafeRawBufferPointer) {
    guard record.count == Self.size + RecordTrailer.size else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: record.dropLast(RecordTrailer.size))
    let found = RecordTrailer(endOf: record)
    let key = [UInt8](Self.key.utf8)
    let expected = key.withUnsafeBytes {
      RecordTrailer(.meta, $0, content, version: found.version)
    }
    self.init(content)
    guard found.checksum == expected.checksum, found.version == UInt32(truncatingIfNeeded: version)
    else { return nil }
  }
}

extension StoreState {
  /// The state that a transaction sees, nil if there is none, or it is damaged.
  package init?(_ transaction: OpaquePointer, _ databases: Databases, isChecked: Bool) {
    var value = MDB_val()
    let code = FixedKey.state.withValue { mdb_get(transaction, databases.meta, &$0, &value) }
    guard code == 0 else { return nil }
    let record = UnsafeRawBufferPointer(value)
    if isChecked { self.init(record: record) } else { self.init(record.withoutTrailer) }
  }
}
