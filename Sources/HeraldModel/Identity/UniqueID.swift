/// A universally unique identifier (RFC 9562, UUID): 16 bytes, ordered as its text is.
///
///     UniqueID("9F2C1A52-6A5B-4B0E-8C1D-0123456789AB")!
///     // prints 9f2c1a52-6a5b-4b0e-8c1d-0123456789ab
public struct UniqueID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// The 16 bytes as two numbers, big-endian: for storage.
  public var bits: (high: UInt64, low: UInt64) { (high, low) }

  public init(bits: (high: UInt64, low: UInt64)) { (high, low) = bits }

  /// Makes the identifier of these 16 bytes; nil if there are more or fewer.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndianBytes: bytes[..<8])
    low = UInt64(bigEndianBytes: bytes[8...])
  }

  public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// A new identifier of version 4: 122 random bits.
  public init(random generator: inout some RandomNumberGenerator) {
    high = generator.next() & ~0xF000 | 0x4000
    low = generator.next() & ~(0b11 << 62) | 0b10 << 62
  }

  /// A new identifier of version 4, by the system's generator.
  public static func random() -> UniqueID {
    var generator = SystemRandomNumberGenerator()
    return UniqueID(random: &generator)
  }

  /// Reads 32 hexadecimal digits, in either case, in groups of 8, 4, 4, 4 and 12 with hyphens
  /// between; nil if the text is anything else.
  public init?(_ text: some StringProtocol) {
    let text = Array(text.utf8)
    guard text.count == 36, Self.hyphens.allSatisfy({ text[$0] == 0x2D }) else { return nil }
    let digits = text.filter { $0 != 0x2D }
    guard digits.count == 32, let high = UInt64(hexadecimal: digits[..<16]),
      let low = UInt64(hexadecimal: digits[16...])
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// The text in lower case, with hyphens.
  public var description: String {
    var text = Array((high.hexadecimal + low.hexadecimal).utf8)
    for index in Self.hyphens { text.insert(0x2D, at: index) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The indices of the hyphens in the text.
  private static let hyphens = [8, 13, 18, 23]

  public static func < (a: UniqueID, b: UniqueID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
