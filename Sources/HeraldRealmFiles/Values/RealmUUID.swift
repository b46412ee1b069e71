/// The 16 bytes of a UUID.
public struct RealmUUID: Sendable, Hashable {
  /// The first 8 bytes, the first one highest.
  public let high: UInt64
  /// The last 8 bytes.
  public let low: UInt64

  /// The number of bytes.
  static let length = 16

  /// Makes the UUID with these halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 16 bytes.
  init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The bytes, in the order in which they are printed.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }
}
