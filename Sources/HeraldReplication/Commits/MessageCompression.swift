import HeraldEngine
import HeraldStorage

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

  /// The memory in which a message is restored; used by one thread.
  final class Buffer {
    fileprivate static let capacity = 2 * limit
    fileprivate let bytes: UnsafeMutableRawBufferPointer

    init() {
      bytes = .allocate(byteCount: Self.capacity, alignment: 1)
      bytes.copyBytes(from: common)
    }

    deinit { bytes.deallocate() }
  }

  /// Restores a message, which is valid until the next one is restored in the buffer.
  static func message(
    of compressed: UnsafeRawBufferPointer, in buffer: Buffer
  ) throws(DamagedBytes) -> UnsafeRawBufferPointer {
    guard let text = buffer.bytes.baseAddress, let source = compressed.baseAddress else {
      throw DamagedBytes()
    }
    var end = common.count
    var index = 0
    while index < compressed.count {
      let token = Int(compressed[index])
      index += 1
      guard token >= 0x80 else {
        let count = token + 1
        guard count <= compressed.count - index, count <= Buffer.capacity - end else {
          throw DamagedBytes()
        }
        (text + end).copyMemory(from: source + index, byteCount: count)
        index += count
        end += count
        continue
      }
      guard index < compressed.count else { throw DamagedBytes() }
      let distance = (token >> 4 & 7) << 8 + Int(compressed[index]) + 1
      index += 1
      var length = token & 15 + shortest
      if length == 15 + shortest {
        do throws(PackedReader.Malformed) {
          var reader = PackedReader(UnsafeRawBufferPointer(rebasing: compressed[index...]))
          length += try reader.count()
          index = compressed.count - reader.rest.count
        } catch {
          throw DamagedBytes()
        }
      }
      guard distance <= end, length <= Buffer.capacity - end else { throw DamagedBytes() }
      copy(length, to: text + end, from: text + end - distance)
      end += length
    }
    return UnsafeRawBufferPointer(start: text + common.count, count: end - common.count)
  }

  /// Copies bytes from before, which may be among those that are copied.
  @inline(__always)
  private static func copy(
    _ count: Int, to target: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}
