package import HeraldModel

/// A string, or data, of up to 15 bytes in two integers.
package struct ShortText: Hashable, Sendable {
  private static let largestCount = 15

  /// The first eight bytes.
  package let lower: Int
  /// The others, and their number in the highest byte.
  package let upper: Int

  package init(_ lower: Int, _ upper: Int) {
    self.lower = lower
    self.upper = upper
  }

  /// Returns nil for too many bytes.
  init?(_ bytes: some Collection<UInt8>) {
    let count = bytes.count
    guard count <= Self.largestCount else { return nil }
    var (lower, upper): (UInt, UInt) = (0, UInt(count) << 56)
    for (index, byte) in bytes.enumerated() {
      if index < 8 {
        lower |= UInt(byte) << UInt(index * 8)
      } else {
        upper |= UInt(byte) << UInt((index - 8) * 8)
      }
    }
    self.init(Int(bitPattern: lower), Int(bitPattern: upper))
  }

  var bytes: [UInt8] {
    let words = [UInt(bitPattern: lower), UInt(bitPattern: upper)]
    let count = Int(words[1] >> 56)
    return (0..<count).map { index in
      let word = words[index / 8]
      return UInt8(truncatingIfNeeded: word >> UInt(index % 8 * 8))
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The key of the string among the values of a column.
  var intervalKey: Int { FlatHash.of(bytes) }

  /// Whether a value is the string, or the data.
  package func isEqual(to value: Value) -> Bool {
    switch value {
    case .string(let text): ShortText(text.utf8) == self
    case .data(let bytes): ShortText(bytes) == self
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link, .list, .map:
      false
    }
  }
}
