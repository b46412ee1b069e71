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
  /// Returns whether the bytes are equal. One `memcmp`: `==` compares byte by byte.
  func isEqual(to other: [UInt8]) -> Bool {
    count == other.count
      && withUnsafeBytes { mine in
        other.withUnsafeBytes {
          mine.isEmpty || memcmp(mine.baseAddress!, $0.baseAddress!, count) == 0
        }
      }
  }
}

/// Appends values to a blob. What is short is collected first, so that a number costs a few instructions.
package struct ByteWriter: ~Copyable {
  private static let stagedLimit = 512
  /// The longest number, in bytes.
  private static let longestNumber = 10

  private var written: [UInt8] = []
  /// What follows `written`.
  private let stage = UnsafeMutablePointer<UInt8>.allocate(capacity: stagedLimit)
  private var staged = 0

  package init() {}

  deinit { stage.deallocate() }

  /// All bytes so far.
  package var bytes: [UInt8] {
    mutating get {
      flush()
      return written
    }
  }

  private mutating func flush() {
    if staged == 0 { return }
    let bytes = UnsafeBufferPointer(start: stage, count: staged)
    if written.isEmpty { written = Array(bytes) } else { written.append(contentsOf: bytes) }
    staged = 0
  }

  @inline(__always)
  private mutating func makeRoom(for count: Int) {
    if staged + count > Self.stagedLimit { flush() }
  }

  private mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
    makeRoom(for: more.count)
    guard more.count <= Self.stagedLimit else { return written.append(contentsOf: more) }
    guard let first = more.baseAddress else { return }
    (stage + staged).update(from: first, count: more.count)
    staged += more.count
  }

  package mutating func byte(_ byte: UInt8) {
    makeRoom(for: 1)
    stage[staged] = byte
    staged += 1
  }

  /// Appends bytes without their count.
  package mutating func raw(_ more: [UInt8]) { more.withUnsafeBufferPointer { append($0) } }

  package mutating func count(_ value: Int) {
    makeRoom(for: Self.longestNumber)
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      stage[staged] = UInt8(rest & 0x7f) | 0x80
      staged += 1
      rest >>= 7
    }
    stage[staged] = UInt8(rest)
    staged += 1
  }

  mutating func integer(_ value: Int) {
    count(Int(bitPattern: UInt(bitPattern: value << 1) ^ UInt(bitPattern: value >> 63)))
  }

  mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  mutating func data(_ data: [UInt8]) {
    count(data.count)
    raw(data)
  }

  mutating func string(_ string: String) {
    var string = string
    count(string.utf8.count)
    string.withUTF8 { append($0) }
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
      // Sorted by key, so that equal maps have equal bytes.
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

extension Value {
  /// Returns whether lists and maps are nested deeper than `limit`.
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
