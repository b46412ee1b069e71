import HeraldModel

/// Reads what a `PackedWriter` wrote; throws `Malformed` if the bytes do not have that form.
struct PackedReader {
  struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }
  private var left: Int { bytes.endIndex - position }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard position < bytes.endIndex else { throw Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() throws(Malformed) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 64 else { throw Malformed() }
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  /// A number that counts at least `size` bytes each of what is left.
  mutating func count(of size: Int = 0) throws(Malformed) -> Int {
    guard let count = Int(exactly: try number()), count <= 1 << 40 else { throw Malformed() }
    guard size == 0 || count <= left / size else { throw Malformed() }
    return count
  }

  mutating func signed() throws(Malformed) -> Int {
    let value = UInt(try number())
    return Int(bitPattern: value >> 1) ^ -Int(value & 1)
  }

  mutating func raw(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count >= 0, count <= left else { throw Malformed() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func data() throws(Malformed) -> ArraySlice<UInt8> { try raw(count(of: 1)) }

  mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(Malformed) -> Number {
    try raw(Number.bitWidth / 8).withUnsafeBytes { $0.littleEndian(at: 0, as: type) }
  }

  mutating func key(_ space: RecordSpace) throws(Malformed) -> [UInt8] {
    let count = try count()
    guard count <= 511 else { throw Malformed() }
    let words = space == .meta ? 0 : space == .index ? min(2, count / 4) : count / 4
    var key: [UInt8] = []
    key.reserveCapacity(count)
    for _ in 0..<words {
      guard let word = UInt32(exactly: try number()) else { throw Malformed() }
      withUnsafeBytes(of: word.bigEndian) { key.append(contentsOf: $0) }
    }
    key.append(contentsOf: try raw(count - words * 4))
    return key
  }

  mutating func entry(_ space: RecordSpace) throws(Malformed) -> [UInt8] {
    var entry: [UInt8] = []
    let number = try number()
    withUnsafeBytes(of: number.bigEndian) { entry.append(contentsOf: $0) }
    guard space == .links else { return entry }
    guard let links = UInt32(exactly: try self.number()) else { throw Malformed() }
    withUnsafeBytes(of: links.bigEndian) { entry.append(contentsOf: $0) }
    return entry
  }

  mutating func value() throws(Malformed) -> StoredValue {
    switch try byte() {
    case 0: return .null
    case 1: return .integer(try signed())
    case 2: return .double(Double(bitPattern: try fixed(UInt64.self)))
    case 3: return .float(Float(bitPattern: try fixed(UInt32.self)))
    case 4:
      let seconds = try signed()
      guard let nanoseconds = Int32(exactly: try number()), nanoseconds < 1_000_000_000 else {
        throw Malformed()
      }
      return .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    case 5: return .bytes(Array(try data()))
    case _: throw Malformed()
    }
  }
}
