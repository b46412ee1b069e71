import HeraldModel

// The encoding of everything that the engine keeps as one blob (schema, commit records):
//
//   integer   = zigzag varint: 7 bits a byte, lowest first, the high bit set on all but the last
//   count     = varint, unsigned
//   string    = count, UTF-8 bytes
//   value     = tag byte, content:
//               0 nil | 1 false | 2 true | 3 integer | 4 float (4 bytes) | 5 double (8 bytes)
//               | 6 string | 7 data (count, bytes) | 8 date (integer seconds, integer nanoseconds)
//               | 9 link (count class, count number)
//   Fixed-width numbers are little-endian.

/// Appends values to a blob.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

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
    }
  }
}

/// A blob that ends early or says something that no writer says.
struct DamagedBytes: Error {}

/// Reads what a `ByteWriter` wrote; throws where the blob is not of that form.
struct ByteReader {
  private let bytes: [UInt8]
  private var place = 0

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
    switch try byte() {
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
    case _: throw DamagedBytes()
    }
  }
}
