internal import CLMDB

/// Sixteen random bytes that a store gets when it is created, and that every copy of it shares.
///
///     id := 16 bytes                                    a record under the key "id" of `meta`
package struct StoreID: Hashable, Sendable {
  package static let key = "id"

  private let words: SIMD2<UInt64>

  init() {
    var random = SystemRandomNumberGenerator()
    words = [random.next(), random.next()]
  }

  /// Returns nil if the record is too short.
  init?(_ entry: UnsafeRawBufferPointer) {
    guard entry.count >= 16 else { return nil }
    words = [
      entry.littleEndian(at: 0, as: UInt64.self), entry.littleEndian(at: 8, as: UInt64.self),
    ]
  }

  /// Returns the id that a transaction sees, nil for a store without one.
  init?(_ transaction: OpaquePointer, _ meta: MDB_dbi) {
    var value = MDB_val()
    let code = [UInt8](Self.key.utf8).withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_get(transaction, meta, &key, &value)
    }
    guard code == 0 else { return nil }
    self.init(UnsafeRawBufferPointer(value))
  }

  /// The whole record, with its trailer.
  var record: [UInt8] {
    let content =
      withUnsafeBytes(of: words[0].littleEndian) { [UInt8]($0) }
      + withUnsafeBytes(of: words[1].littleEndian) { [UInt8]($0) }
    return [UInt8](Self.key.utf8).withUnsafeBytes { key in
      content.withUnsafeBytes { RecordTrailer.record(.meta, key, $0, version: 0) }
    }
  }
}
