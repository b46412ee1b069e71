/// The entry by which a store of ours is known, and the number of its format.
///
///     format := "HERALD" 0:u16 version:u32le          under the key "format" of `meta`
///
/// A reader refuses a version above its own; a change of any record's grammar raises the version.
enum StoreFormat {
  static let version = 1
  static let key = "format"
  private static let magic = [UInt8]("HERALD".utf8) + [0, 0]

  static var entry: [UInt8] {
    withUnsafeBytes(of: UInt32(version).littleEndian) { magic + $0 }
  }

  /// The version that an entry tells, nil when the entry is none of ours.
  static func version(in entry: [UInt8]) -> Int? {
    guard entry.count == magic.count + 4, entry.starts(with: magic) else { return nil }
    return entry.withUnsafeBytes { Int($0.littleEndian(at: magic.count, as: UInt32.self)) }
  }
}
