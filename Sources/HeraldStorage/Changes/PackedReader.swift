import HeraldModel

/// Reads what a `PackedWriter` wrote, in place; throws `Malformed` if the bytes do not have that form.
///
/// To be used, with what it returns, as long as the bytes are there. What each number takes is inlined into other targets,
/// too: catching up reads hundreds of thousands of commits a second.
package struct PackedReader {
  package struct Malformed: Error {
    package init() {}
  }

  @usableFromInline var next: UnsafeRawPointer
  @usableFromInline let end: UnsafeRawPointer

  package init(_ bytes: UnsafeRawBufferPointer) {
    next = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
    end = next + bytes.count
  }

  @inlinable
  package var isAtEnd: Bool { next == end }
  @inlinable var left: Int { end - next }

  /// The bytes that were not read yet.
  @inlinable
  package var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: next, count: left) }

  @inlinable
  @inline(__always)
  package mutating func byte() throws(Malformed) -> UInt8 {
    guard next < end else { throw Malformed() }
    defer { next += 1 }
    return next.load(as: UInt8.self)
  }

  @inlinable
  @inline(__always)
  package mutating func number() throws(Malformed) -> UInt64 {
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try longNumber(UInt64(first & 0x7f))
  }

  @usableFromInline mutating func longNumber(_ first: UInt64) throws(Malformed) -> UInt64 {
    var value = first
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      guard shift < 64 else { throw Malformed() }
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  /// A number that counts at least `size` bytes each of what is left.
  @inlinable
  package mutating func count(of size: Int = 0) throws(Malformed) -> Int {
    guard let count = Int(exactly: try number()), count <= 1 << 40 else { throw Malformed() }
    guard size == 0 || count <= left / size else { throw Malformed() }
    return count
  }

  @inlinable
  package mutating func signed() throws(Malformed) -> Int {
    let value = UInt(try number())
    return Int(bitPattern: value >> 1) ^ -Int(value & 1)
  }

  @inlinable
  package mutating func raw(_ count: Int) throws(Malformed) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= left else { throw Malformed() }
    defer { next += count }
    return UnsafeRawBufferPointer(start: next, count: count)
  }

  @inlinable
  package mutating func data() throws(Malformed) -> UnsafeRawBufferPointer { try raw(count(of: 1)) }

  @inlinable
  package mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(Malformed) -> Number {
    try raw(Number.bitWidth / 8).littleEndian(at: 0, as: type)
  }

  @inlinable
  package mutating func word() throws(Malformed) -> UInt32 {
    guard let word = UInt32(exactly: try number()) else { throw Malformed() }
    return word
  }

  /// The longest key, which is LMDB's limit.
  static let longestKey = 511

  package mutating func key(_ space: RecordSpace) throws(Malformed) -> [UInt8] {
    let count = try count()
    guard count <= Self.longestKey else { throw Malformed() }
    let words = space == .meta ? 0 : space == .index ? min(2, count / 4) : count / 4
    var key: [UInt8] = []
    key.reserveCapacity(count)
    for _ in 0..<words {
      withUnsafeBytes(of: try word().bigEndian) { key.append(contentsOf: $0) }
    }
    key.append(contentsOf: try raw(count - words * 4))
    return key
  }

  mutating func entry(_ space: RecordSpace) throws(Malformed) -> [UInt8] {
    var entry: [UInt8] = []
    withUnsafeBytes(of: try number().bigEndian) { entry.append(contentsOf: $0) }
    guard space == .links else { return entry }
    withUnsafeBytes(of: try word().bigEndian) { entry.append(contentsOf: $0) }
    return entry
  }

  package mutating func value() throws(Malformed) -> StoredValue { try value(of: byte()) }

  /// Reads the rest of a value whose first byte was read.
  package mutating func value(of form: UInt8) throws(Malformed) -> StoredValue {
    switch form {
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
    case 5: return .bytes([UInt8](try data()))
    case _: throw Malformed()
    }
  }
}
