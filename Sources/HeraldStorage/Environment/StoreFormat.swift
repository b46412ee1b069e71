internal import CLMDB

/// The record that identifies a store of ours, and the version of its format.
///
///     format := "HERALD" 0:u16 version:u32le          under the key "format" of `meta`
///
/// A reader refuses a version above its own, and one below the oldest that it can read. A change of
/// any record's grammar increases the version.
///
///     1   blocks without a zone, decimals in indexes by their bits; before the first release
///     2   zones in the headers of blocks, decimals in indexes by their order
///     3   a trailer after every record, the transaction and the digest in the state
///     4   lists and maps nested in values of type any as objects of hidden classes
///     5   the last commit may be in the journal only
///     6   the last commits may be in the journal only; a file of format 4 or 5 gets this with its next commit
///
/// Records of the log have a version of their own: a program that does not know it treats them as
/// if they had been trimmed.
package enum StoreFormat {
  package static let version = 6
  package static let oldest = 4
  /// The first version whose readers apply the whole journal.
  static let withJournal = 6
  package static let key = "format"
  static let magic = [UInt8]("HERALD".utf8) + [0, 0]

  static var entry: [UInt8] {
    withUnsafeBytes(of: UInt32(version).littleEndian) { magic + $0 }
  }

  /// Returns the version that a transaction sees, nil if there is no record of ours.
  static func version(_ transaction: OpaquePointer, _ meta: MDB_dbi) -> Int? {
    var value = MDB_val()
    let code = [UInt8](key.utf8).withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_get(transaction, meta, &key, &value)
    }
    return code == 0 ? version(in: [UInt8](UnsafeRawBufferPointer(value))) : nil
  }

  /// Writes the record, and returns LMDB's code.
  static func put(_ transaction: OpaquePointer, _ meta: MDB_dbi) -> Int32 {
    [UInt8](key.utf8).withUnsafeBytes { key in
      entry.withUnsafeBytes { entry in
        var (key, entry) = (MDB_val(key), MDB_val(entry))
        return mdb_put(transaction, meta, &key, &entry, 0)
      }
    }
  }

  /// Returns whether a key of `meta` is the format's, whose record has no trailer.
  package static func isKey(_ key: UnsafeRawBufferPointer) -> Bool {
    key.elementsEqual(Self.key.utf8)
  }

  /// Returns the version in a record, nil if the record is not ours.
  package static func version(in entry: [UInt8]) -> Int? {
    guard entry.count == magic.count + 4, entry.starts(with: magic) else { return nil }
    return entry.withUnsafeBytes { Int($0.littleEndian(at: magic.count, as: UInt32.self)) }
  }
}
