import Glibc
import HeraldModel

/// Reads what a `ByteWriter` wrote; throws `DamagedBytes` if the blob does not have that form.
struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of nested lists and maps that are being read.
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// The bytes that were not read yet.
  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func byte() throws(DamagedBytes) -> UInt8 {
    guard position < bytes.count else { throw DamagedBytes() }
    defer { position += 1 }
    return bytes[position]
  }

  /// Returns the next `count` bytes.
  mutating func raw(_ count: Int) throws(DamagedBytes) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else { throw DamagedBytes() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func count() throws(DamagedBytes) -> Int {
    var value: UInt = 0
    var shift: UInt = 0
    while true {
      let next = try byte()
      guard shift < 64 else { throw DamagedBytes() }
      value |= UInt(next & 0x7f) << shift
      if next < 0x80 { return Int(bitPattern: value) }
      shift += 7
    }
  }

  /// Reads a count of items that take at least a byte each, at most the number of bytes left.
  mutating func length() throws(DamagedBytes) -> Int {
    let length = try count()
    guard length >= 0, length <= bytes.count - position else { throw DamagedBytes() }
    return length
  }

  mutating func integer() throws(DamagedBytes) -> Int {
    let value = UInt(bitPattern: try count())
    return Int(bitPattern: value >> 1) ^ -Int(value & 1)
  }

  mutating func fixed<T: FixedWidthInteger>(_ type: T.Type) throws(DamagedBytes) -> T {
    let size = T.bitWidth / 8
    guard bytes.count - position >= size else { throw DamagedBytes() }
    defer { position += size }
    return bytes[position..<position + size].withUnsafeBytes {
      T(littleEndian: $0.loadUnaligned(as: T.self))
    }
  }

  mutating func data() throws(DamagedBytes) -> [UInt8] {
    let length = try length()
    defer { position += length }
    return Array(bytes[position..<position + length])
  }

  mutating func string() throws(DamagedBytes) -> String {
    let length = try length()
    defer { position += length }
    return String(decoding: bytes[position..<position + length], as: UTF8.self)
  }

  mutating func object() throws(DamagedBytes) -> ObjectID {
    let classID = try count()
    guard let classNumber = UInt32(exactly: classID) else { throw DamagedBytes() }
    return ObjectID(ClassID(classNumber), try count())
  }

  mutating func value() throws(DamagedBytes) -> Value {
    let tag = try byte()
    switch tag {
    case 0: return .null
    case 1: return .bool(false)
    case 2: return .bool(true)
    case 3: return .int(try integer())
    case 4: return .float(Float(bitPattern: try fixed(UInt32.self)))
    case 5: return .double(Double(bitPattern: try fixed(UInt64.self)))
    case 6: return .string(try string())
    case 7: return .data(try data())
    case 8:
      let seconds = try integer()
      guard let nanoseconds = Int32(exactly: try integer()) else { throw DamagedBytes() }
      return .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    case 9: return .link(try object())
    case 10: return .decimal(Decimal128(bits: (try fixed(UInt64.self), try fixed(UInt64.self))))
    case 11:
      guard let value = UniqueID(bytes: try data()) else { throw DamagedBytes() }
      return .uuid(value)
    case 12:
      guard let value = DocumentID(bytes: try data()) else { throw DamagedBytes() }
      return .objectID(value)
    case 13, 14: return try compound(tag)
    case _: throw DamagedBytes()
    }
  }

  private mutating func compound(_ tag: UInt8) throws(DamagedBytes) -> Value {
    guard depth < nestingLimit else { throw DamagedBytes() }
    depth += 1
    defer { depth -= 1 }
    switch tag {
    case 13:
      var values: [Value] = []
      for _ in 0..<(try length()) { values.append(try value()) }
      return .list(values)
    case _:
      var entries: MapEntries = [:]
      for _ in 0..<(try length()) {
        let key = try string()
        entries[key] = try value()
      }
      return .map(entries)
    }
  }
}
