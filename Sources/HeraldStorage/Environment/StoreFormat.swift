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
///
/// Records of the log have a version of their own: a program that does not know it treats them as
/// if they had been trimmed.
enum StoreFormat {
  static let version = 4
  static let oldest = 4
  static let key = "format"
  static let magic = [UInt8]("HERALD".utf8) + [0, 0]

  static var entry: [UInt8] {
    withUnsafeBytes(of: UInt32(version).littleEndian) { magic + $0 }
  }

  /// Returns whether a key of `meta` is the format's, whose record has no trailer.
  static func isKey(_ key: UnsafeRawBufferPointer) -> Bool { key.elementsEqual(Self.key.utf8) }

  /// Returns the version in a record, nil if the record is not ours.
  static func version(in entry: [UInt8]) -> Int? {
    guard entry.count == magic.count + 4, entry.starts(with: magic) else { return nil }
    return entry.withUnsafeBytes { Int($0.littleEndian(at: magic.count, as: UInt32.self)) }
  }
}
