/// The 12 bytes of an object ID.
public struct RealmObjectID: Sendable, Hashable {
  /// The first 8 bytes, the first one highest.
  public let high: UInt64
  /// The last 4 bytes.
  public let low: UInt32

  /// The number of bytes.
  static let length = 12

  /// Makes the object ID with these parts.
  public init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Reads 12 bytes.
  init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// The bytes, in the order in which they are printed.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian) { Array($0) }
      + withUnsafeBytes(of: low.bigEndian) { Array($0) }
  }
}
