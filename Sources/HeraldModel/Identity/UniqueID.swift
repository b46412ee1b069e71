/// A universally unique identifier (RFC 9562, UUID): 16 bytes, ordered as its text is.
///
///     UniqueID("9F2C1A52-6A5B-4B0E-8C1D-0123456789AB")!
///     // prints 9f2c1a52-6a5b-4b0e-8c1d-0123456789ab
public struct UniqueID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// The 16 bytes as two numbers, big-endian: for storage.
  public var bits: (high: UInt64, low: UInt64) { (high, low) }

  /// An identifier of its bits.
  public init(bits: (high: UInt64, low: UInt64)) { (high, low) = bits }

  /// Makes the identifier of these 16 bytes; nil if there are more or fewer.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndianBytes: bytes[..<8])
    low = UInt64(bigEndianBytes: bytes[8...])
  }

  /// The 16 bytes.
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
    guard let id = Array(text.utf8).withUnsafeBufferPointer({ UniqueID(utf8: $0) }) else {
      return nil
    }
    self = id
  }

  /// Reads the UTF-8 of a text, as `init(_:)` does.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in 0..<36 {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == 0x2D else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46, 0x61...0x66: digit = (byte | 0x20) - 0x57
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    (self.high, self.low) = (high, low)
  }

  /// The text in lower case, with hyphens.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var index = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[index] = 0x2D
          index += 1
        }
        let word = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 15
        text[index] = value < 10 ? 0x30 + value : 0x57 + value
        index += 1
      }
      return index
    }
  }

  /// Whether the first identifier is before the other, by bytes.
  public static func < (a: UniqueID, b: UniqueID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
