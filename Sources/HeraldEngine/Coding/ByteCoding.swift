import Glibc
import HeraldModel

// The encoding of everything that the engine keeps as one blob (schema, commit records):
//
//   integer   = zigzag varint: 7 bits a byte, lowest first, the high bit set on all but the last
//   count     = varint, unsigned
//   string    = count, UTF-8 bytes
//   value     = tag byte, content:
//               0 nil | 1 false | 2 true | 3 integer | 4 float (4 bytes) | 5 double (8 bytes)
//               | 6 string | 7 data (count, bytes) | 8 date (integer seconds, integer nanoseconds)
//               | 9 link (count class, count number) | 10 decimal (16 bytes) | 11 uuid (data)
//               | 12 object id (data) | 13 list (count, value*) | 14 map (count, (string, value)*)
//   Fixed-width numbers are little-endian.

extension [UInt8] {
  /// As `==`, which compares byte by byte.
  func isEqual(to other: [UInt8]) -> Bool {
    count == other.count
      && withUnsafeBytes { mine in
        other.withUnsafeBytes {
          mine.isEmpty || memcmp(mine.baseAddress!, $0.baseAddress!, count) == 0
        }
      }
  }
}

/// Appends values to a blob.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  /// Bytes as they are, without their number.
  mutating func raw(_ more: [UInt8]) { bytes += more }

  mutating func count(_ value: Int) {
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func integer(_ value: Int) {
    count(Int(bitPattern: UInt(bitPattern: value << 1) ^ UInt(bitPattern: value >> 63)))
  }

  mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func data(_ data: [UInt8]) {
    count(data.count)
    bytes.append(contentsOf: data)
  }

  mutating func string(_ string: String) {
    count(string.utf8.count)
    bytes.append(contentsOf: string.utf8)
  }

  mutating func object(_ object: ObjectID) {
    count(Int(object.classID.rawValue))
    count(object.number)
  }

  mutating func value(_ value: Value) {
    switch value {
    case .null: byte(0)
    case .bool(let value): byte(value ? 2 : 1)
    case .int(let value):
      byte(3)
      integer(value)
    case .float(let value):
      byte(4)
      fixed(value.bitPattern)
    case .double(let value):
      byte(5)
      fixed(value.bitPattern)
    case .string(let value):
      byte(6)
      string(value)
    case .data(let value):
      byte(7)
      data(value)
    case .date(let value):
      byte(8)
      integer(value.seconds)
      integer(Int(value.nanoseconds))
    case .link(let value):
      byte(9)
      object(value)
    case .decimal(let value):
      byte(10)
      fixed(value.bits.0)
      fixed(value.bits.1)
    case .uuid(let value):
      byte(11)
      data(value.bytes)
    case .objectID(let value):
      byte(12)
      data(value.bytes)
    case .list(let values):
      byte(13)
      count(values.count)
      for element in values { self.value(element) }
    case .map(let entries):
      byte(14)
      count(entries.count)
      // In order of key, so that equal maps have equal bytes.
      for (key, element) in entries.inKeyOrder {
        string(key)
        self.value(element)
      }
    }
  }

  static func encoded(_ value: Value) -> [UInt8] {
    var writer = ByteWriter()
    writer.value(value)
    return writer.bytes
  }
}

/// A blob that ends early or says something that no writer says.
struct DamagedBytes: Error {}

/// How deep lists and maps may lie in one another: what is checked of a value before it is kept, and
/// of bytes when they are read.
let nestingLimit = 100

extension Value {
  /// Whether lists and maps lie deeper in one another than that.
  func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .list(let values): limit == 0 || values.contains { $0.isDeeper(than: limit - 1) }
    case .map(let entries): limit == 0 || entries.values.contains { $0.isDeeper(than: limit - 1) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      false
    }
  }
}

/// Reads what a `ByteWriter` wrote; throws where the blob is not of that form.
struct ByteReader {
  private let bytes: [UInt8]
  private var place = 0
  /// Lists and maps inside one another that are being read.
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() throws(DamagedBytes) -> UInt8 {
    guard place < bytes.count else { throw DamagedBytes() }
    defer { place += 1 }
    return bytes[place]
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

  /// A count of things that take at least a byte each: bounded by what is left.
  mutating func length() throws(DamagedBytes) -> Int {
    let length = try count()
    guard length >= 0, length <= bytes.count - place else { throw DamagedBytes() }
    return length
  }

  mutating func integer() throws(DamagedBytes) -> Int {
    let value = UInt(bitPattern: try count())
    return Int(bitPattern: value >> 1) ^ -Int(value & 1)
  }

  mutating func fixed<T: FixedWidthInteger>(_ type: T.Type) throws(DamagedBytes) -> T {
    let size = T.bitWidth / 8
    guard bytes.count - place >= size else { throw DamagedBytes() }
    defer { place += size }
    return bytes[place..<place + size].withUnsafeBytes {
      T(littleEndian: $0.loadUnaligned(as: T.self))
    }
  }

  mutating func data() throws(DamagedBytes) -> [UInt8] {
    let length = try length()
    defer { place += length }
    return Array(bytes[place..<place + length])
  }

  mutating func string() throws(DamagedBytes) -> String {
    let length = try length()
    defer { place += length }
    return String(decoding: bytes[place..<place + length], as: UTF8.self)
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
