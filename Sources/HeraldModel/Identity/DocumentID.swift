/// An identifier of 12 bytes as document databases make them (BSON's ObjectId; the type `objectid`
/// of the language), ordered as its text is:
///
///     seconds since 1970 (4)  random, one per maker (5)  counter (3)      most significant first
public struct DocumentID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt32

  /// The 12 bytes as two numbers, big-endian: for storage.
  public var bits: (high: UInt64, low: UInt32) { (high, low) }

  /// An identifier of its bits.
  public init(bits: (high: UInt64, low: UInt32)) { (high, low) = bits }

  /// Makes the identifier of these 12 bytes; nil if there are more or fewer.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 12 else { return nil }
    high = UInt64(bigEndianBytes: bytes[..<8])
    low = UInt32(bigEndianBytes: bytes[8...])
  }

  /// The 12 bytes.
  public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// The time of creation that the identifier carries: seconds since 1970-01-01 00:00:00 UTC.
  public var seconds: Int { Int(high >> 32) }

  /// Reads 24 hexadecimal digits, in either case; nil if the text is anything else.
  public init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 24, let high = UInt64(hexadecimal: digits[..<16]),
      let low = UInt32(hexadecimal: digits[16...])
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// The 24 digits in lower case.
  public var description: String { high.hexadecimal + low.hexadecimal }

  /// Whether the first identifier is before the other, by bytes.
  public static func < (a: DocumentID, b: DocumentID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension DocumentID {
  /// Returns a new identifier that shares at most its second with others. To make several, keep a
  /// `Maker`, whose identifiers ascend.
  public static func generate(
    seconds: Int, using generator: inout some RandomNumberGenerator
  ) -> DocumentID {
    var maker = Maker(using: &generator)
    return maker.next(seconds: seconds)
  }

  /// Makes identifiers that differ from each other and, but for a chance of 1 in 2^40, from those
  /// of other makers. They ascend unless the clock is set back or, within a second, the counter of
  /// 2^24 wraps around.
  public struct Maker: Sendable {
    private let random: UInt64
    private var counter: UInt32

    /// Begins a series of identifiers with random bits.
    public init(using generator: inout some RandomNumberGenerator) {
      random = generator.next() >> 24
      counter = UInt32(truncatingIfNeeded: generator.next() as UInt64) & 0x7F_FFFF
    }

    /// Returns the next identifier; it keeps the low 32 bits of `seconds` since 1970.
    public mutating func next(seconds: Int) -> DocumentID {
      counter = (counter + 1) & 0xFF_FFFF
      return DocumentID(
        bits: (
          high: UInt64(UInt32(truncatingIfNeeded: seconds)) << 32 | random >> 8,
          low: UInt32(truncatingIfNeeded: random & 0xFF) << 24 | counter
        ))
    }
  }
}
