import HeraldModel

/// The key under which an index stores the numbers of the objects with one value.
///
///     index key := class:u32 property:u32 value, big-endian
///     value     := 0                                    nil
///                | 1 integer with its sign bit flipped:u64
///                | 2 order-preserving bits of a double:u64
///                | 3 order-preserving bits of a float:u32
///                | 4 seconds with their sign bit flipped:u64 nanoseconds likewise:u32
///                | 5 bytes                              if the key stays below 511 bytes
///                | 5 the first bytes, then their hash:u128          a key of exactly 511
///
/// Keys of one column are in the order of their values, except those of truncated bytes, which are
/// in the order of their first 486 bytes. -0 has the same key as 0, and every NaN the same key.
package enum IndexKey {
  /// The limit that LMDB is built with.
  package static let longest = 511
  private static let hashSize = 16
  /// The size of class, property and kind.
  static let prefixSize = 9

  /// The prefix of the keys of the values that begin with `prefix`; a few other keys may share it.
  static func encode(_ column: ColumnID, prefix: [UInt8]) -> [UInt8] {
    Array(encode(column, .bytes(prefix)).prefix(longest - hashSize))
  }

  /// The prefix of the keys of a column's values of one kind.
  static func encode(_ column: ColumnID, kind: ColumnKind) -> [UInt8] {
    let smallest: StoredValue =
      switch kind {
      case .integers: .integer(0)
      case .doubles: .double(0)
      case .floats: .float(0)
      case .dates: .date(Timestamp(seconds: 0))
      case .bytes: .bytes([])
      }
    return Array(encode(column, smallest).prefix(prefixSize))
  }

  /// Calls `body` with the key of a value; the key of an integer is built on the stack.
  static func withEncoded<Result, Failure: Error>(
    _ column: ColumnID, _ value: StoredValue,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .integer(let integer) = value else {
      return try encode(column, value).span.bytes.withUnsafeBytes(body)
    }
    return try withEncoded(column, ordered: ordered(integer), body)
  }

  /// Calls `body` with the key of an integer, given with its sign bit flipped.
  @inline(__always)
  package static func withEncoded<Result, Failure: Error>(
    _ column: ColumnID, ordered value: UInt64,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    return try withUnsafeMutableBytes(of: &words) { key throws(Failure) in
      key.storeBytes(of: column.packed.bigEndian, as: UInt64.self)
      key[8] = 1
      key.storeBytes(of: value.bigEndian, toByteOffset: 9, as: UInt64.self)
      return try body(UnsafeRawBufferPointer(rebasing: key[..<17]))
    }
  }

  /// Returns the integer of a key, its sign bit flipped; nil for a key of another kind or column.
  static func orderedInteger(_ key: UnsafeRawBufferPointer, of column: ColumnID) -> UInt64? {
    guard key.count == 17, key[8] == 1, key.bigEndian(at: 0, as: UInt64.self) == column.packed
    else { return nil }
    return key.bigEndian(at: 9, as: UInt64.self)
  }

  /// The integers, their sign bits flipped, of the keys between two that `IndexRange` returned.
  static func orderedIntegers(
    _ keys: (first: [UInt8], last: [UInt8])
  ) -> ClosedRange<UInt64>? {
    guard keys.first.count > 8, keys.last.count > 8, keys.first[8] <= 1, keys.last[8] >= 1
    else { return nil }
    func bound(_ key: [UInt8], otherwise: UInt64) -> UInt64 {
      guard key[8] == 1, key.count == 17 else { return otherwise }
      return key.withUnsafeBytes { $0.bigEndian(at: 9, as: UInt64.self) }
    }
    let first = bound(keys.first, otherwise: 0)
    let last = bound(keys.last, otherwise: .max)
    return first <= last ? first...last : nil
  }

  static func ordered(_ integer: Int) -> UInt64 {
    UInt64(bitPattern: Int64(integer)) ^ 1 << 63
  }

  static func encode(_ column: ColumnID, _ value: StoredValue) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(32)
    encode(column, value, into: &key)
    return key
  }

  /// Appends the key of a value.
  static func encode(_ column: ColumnID, _ value: StoredValue, into key: inout [UInt8]) {
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.bigEndian) { key.append(contentsOf: $0) }
    }
    append(column.classID)
    append(column.propertyID)
    switch value {
    case .null: key.append(0)
    case .integer(let integer):
      key.append(1)
      append(ordered(integer))
    case .double(let double):
      key.append(2)
      let bits = double.isNaN ? Double.nan.bitPattern : double == 0 ? 0 : double.bitPattern
      append(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    case .float(let float):
      key.append(3)
      let bits = float.isNaN ? Float.nan.bitPattern : float == 0 ? 0 : float.bitPattern
      append(bits >> 31 == 0 ? bits | 1 << 31 : ~bits)
    case .date(let date):
      key.append(4)
      append(UInt64(bitPattern: Int64(date.seconds)) ^ 1 << 63)
      append(UInt32(bitPattern: date.nanoseconds) ^ 1 << 31)
    case .bytes(let bytes):
      key.append(5)
      // The key of a whole value is always shorter than a truncated one, so the two never collide.
      if prefixSize + bytes.count < longest {
        key.append(contentsOf: bytes)
      } else {
        key.append(contentsOf: bytes.prefix(longest - prefixSize - hashSize))
        append(hash(bytes, 0xCBF2_9CE4_8422_2325))
        append(hash(bytes, 0x9AE1_6A3B_2F90_404F))
      }
    }
  }

  /// FNV-1a with a given offset basis: the same in every process and version, as a stored hash must be.
  private static func hash(_ bytes: [UInt8], _ start: UInt64) -> UInt64 {
    var hash = start
    for byte in bytes {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return hash
  }
}

extension IndexRange<StoredValue> {
  /// Returns the keys from `first` on, up to those with the prefix `last`; truncated bytes add a few others.
  func keys(_ column: ColumnID, _ kind: ColumnKind) -> (first: [UInt8], last: [UInt8]) {
    switch self {
    // Keys with this one as a prefix belong to other bytes: unsuitable for equality.
    case .equal(let value):
      let key = IndexKey.encode(column, value)
      return (key, key)
    case .prefix(let prefix):
      let key = IndexKey.encode(column, prefix: prefix)
      return (key, key)
    case .between(let lower, let upper):
      return (
        lower.map { Self.bound(column, $0) } ?? IndexKey.encode(column, kind: kind),
        upper.map { Self.bound(column, $0) } ?? IndexKey.encode(column, kind: kind)
      )
    }
  }

  private static func bound(_ column: ColumnID, _ value: StoredValue) -> [UInt8] {
    guard case .bytes(let bytes) = value else { return IndexKey.encode(column, value) }
    return IndexKey.encode(column, prefix: bytes)
  }
}
