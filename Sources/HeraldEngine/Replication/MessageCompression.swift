/// A compression of short messages, which repeat themselves and what every message has.
///
///     compressed := token*
///     token      := byte 0xxxxxxx, bytes                    1 to 128 bytes as they are
///                 | byte 1dddllll, byte, [count]            a copy: 3 + l bytes, the distance from 256 d + byte + 1
///
/// A copy whose `l` is 15 is longer by `count`, a varint. It may reach into itself, and into `common`, which precedes
/// every message.
enum MessageCompression {
  private static let shortest = 3
  private static let farthest = 2048
  /// The longest message that is compressed: for longer ones a copy would rarely be near enough to matter.
  private static let limit = 64 << 10

  /// What new records of the store begin with: blocks, presence, lists and maps.
  private static let common: [UInt8] = {
    let words: [[UInt8]] = [
      [0x03, 0x10, 0x01, 0x06, 0x00, 0x01, 0x01], [0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
      [0x02, 0x04, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
      [0x02, 0x0c, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x00, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x01, 0x10],
      [0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
      [0x02, 0x0c, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x00, 0x01, 0x20, 0x02],
      Array(repeating: 0, count: 32), [0x02, 0x0c, 0x01, 0x02, 0x00, 0x04, 0x04, 0x01, 0x01, 0x05],
      [0x02, 0x0c, 0x01, 0x01, 0x00, 0x04, 0x00, 0x01, 0x01, 0x01],
      [0x04, 0x6d, 0x61, 0x69, 0x6e], [0x01, 0x00, 0x00, 0x01, 0x03, 0x01, 0x01, 0x01],
    ]
    return Array(words.joined())
  }()

  /// Where in `common` the last occurrence of each three bytes is.
  private static let commonPositions: [Int32] = {
    var positions = [Int32](repeating: -1, count: 1 << tableBits)
    for index in 0..<common.count - 2 {
      positions[hash(common[index], common[index + 1], common[index + 2])] = Int32(index)
    }
    return positions
  }()

  private static let tableBits = 11

  @inline(__always)
  private static func hash(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Int {
    let bytes = UInt32(a) | UInt32(b) << 8 | UInt32(c) << 16
    return Int((bytes &* 0x9E37_79B1) >> UInt32(32 - tableBits))
  }

  /// Returns nil if the compressed form is not shorter.
  static func compressed(_ message: [UInt8]) -> [UInt8]? {
    guard message.count <= limit else { return nil }
    let text = common + message
    var positions = commonPositions
    var writer = ByteWriter()
    var (index, literals) = (common.count, common.count)
    while index + shortest <= text.count {
      let slot = hash(text[index], text[index + 1], text[index + 2])
      let found = Int(positions[slot])
      positions[slot] = Int32(index)
      let length = found < 0 || index - found > farthest ? 0 : commonLength(text, found, index)
      // A copy of three bytes is worth its two only where it ends no run of literals.
      guard length > shortest || length == shortest && index == literals else {
        index += 1
        continue
      }
      writeLiterals(text, literals..<index, &writer)
      writeCopy(index - found, length, &writer)
      for inner in index + 1..<index + length where inner + shortest <= text.count {
        positions[hash(text[inner], text[inner + 1], text[inner + 2])] = Int32(inner)
      }
      index += length
      literals = index
    }
    writeLiterals(text, literals..<text.count, &writer)
    return writer.bytes.count < message.count ? writer.bytes : nil
  }

  private static func commonLength(_ text: [UInt8], _ found: Int, _ index: Int) -> Int {
    var length = 0
    while index + length < text.count, text[found + length] == text[index + length] { length += 1 }
    return length
  }

  private static func writeLiterals(
    _ text: [UInt8], _ range: Range<Int>, _ writer: inout ByteWriter
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + 128, range.upperBound)
      writer.byte(UInt8(end - start - 1))
      writer.raw(Array(text[start..<end]))
      start = end
    }
  }

  private static func writeCopy(_ distance: Int, _ length: Int, _ writer: inout ByteWriter) {
    let rest = length - shortest
    writer.byte(0x80 | UInt8((distance - 1) >> 8) << 4 | UInt8(min(rest, 15)))
    writer.byte(UInt8((distance - 1) & 255))
    if rest >= 15 { writer.count(rest - 15) }
  }

  static func message(of compressed: ArraySlice<UInt8>) throws(DamagedBytes) -> [UInt8] {
    var text = common
    text.reserveCapacity(common.count + 4 * compressed.count)
    var reader = ByteReader(Array(compressed))
    while !reader.isAtEnd {
      let token = try reader.byte()
      if token < 0x80 {
        text += try reader.raw(Int(token) + 1)
        continue
      }
      let distance = Int(token >> 4 & 7) << 8 + Int(try reader.byte()) + 1
      var length = Int(token & 15) + shortest
      if length == 15 + shortest { length += try reader.count() }
      guard distance <= text.count, length > 0, text.count + length <= 2 * limit else {
        throw DamagedBytes()
      }
      let start = text.count - distance
      for index in start..<start + length { text.append(text[index]) }
    }
    return Array(text[common.count...])
  }
}
