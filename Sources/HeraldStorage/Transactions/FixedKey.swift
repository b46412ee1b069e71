package import CLMDB
internal import Glibc

/// A record's key of at most 24 bytes, stored without allocating.
///
/// Every number is big-endian, so that LMDB's comparison of bytes is the order of the numbers.
///
///     column block   class:u32 property:u32 block:u32
///     large value    class:u32 property:u32 block:u32 row:u8
///     class record   class:u32 0:u32 0xFFFFFFFF
///     list root      class:u32 property:u32 owner:u64
///     list run       class:u32 property:u32 owner:u64 run:u32
///     reverse link   target class:u32 number:u64 origin class:u32 property:u32
///     log entry      version:u64
///     state          "state"
package struct FixedKey: Equatable {
  private var words: (UInt64, UInt64, UInt64)
  let count: Int

  private init(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0, count: Int) {
    words = (first.bigEndian, second.bigEndian, third.bigEndian)
    self.count = count
  }

  /// The largest number of bytes.
  static let largest = 24

  /// Returns nil if there are too many bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.largest else { return nil }
    self.init(beginning: bytes)
  }

  /// The first bytes of a key.
  init(beginning bytes: UnsafeRawBufferPointer) {
    words = (0, 0, 0)
    count = min(bytes.count, Self.largest)
    withUnsafeMutableBytes(of: &words) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.largest)))
    }
  }

  @inline(__always)
  package static func == (left: FixedKey, right: FixedKey) -> Bool {
    left.words == right.words && left.count == right.count
  }

  package static func block(_ column: ColumnID, _ block: Int) -> FixedKey {
    FixedKey(column.packed, UInt64(UInt32(block)) << 32, count: 12)
  }

  package static func largeValue(_ column: ColumnID, _ block: Int, row: Int) -> FixedKey {
    FixedKey(column.packed, UInt64(UInt32(block)) << 32 | UInt64(UInt8(row)) << 24, count: 13)
  }

  package static func classRecord(_ classID: UInt32) -> FixedKey {
    FixedKey(UInt64(classID) << 32, UInt64(UInt32.max) << 32, count: 12)
  }

  package static func listRoot(_ list: ListID) -> FixedKey {
    FixedKey(list.column.packed, UInt64(list.owner), count: 16)
  }

  package static func listRun(_ list: ListID, _ run: UInt32) -> FixedKey {
    FixedKey(list.column.packed, UInt64(list.owner), UInt64(run) << 32, count: 20)
  }

  static func links(to targetClass: UInt32, _ number: Int, through column: ColumnID) -> FixedKey {
    let target = UInt64(number)
    return FixedKey(
      UInt64(targetClass) << 32 | target >> 32, target << 32 | UInt64(column.classID),
      UInt64(column.propertyID) << 32, count: 20)
  }

  /// `StoreState.key`.
  static let state = FixedKey(0x7374_6174_6500_0000, count: 5)

  static func version(_ version: Int) -> FixedKey { FixedKey(UInt64(version), count: 8) }

  /// Returns whether a record's key equals this one.
  @inline(__always)
  func equals(_ other: MDB_val) -> Bool {
    guard other.mv_size == count, let bytes = other.mv_data else { return false }
    return withUnsafeBytes(of: words) { words in
      words.baseAddress.map { memcmp($0, bytes, count) == 0 } ?? false
    }
  }

  /// A hash of the key.
  @inline(__always)
  var mixed: UInt64 {
    words.0 &* 0x9E37_79B9_7F4A_7C15 ^ words.1 &* 0xC2B2_AE3D_27D4_EB4F
      ^ words.2 &* 0x1656_67B1_9E37_79F9
  }

  /// Calls `body` with the bytes of the key.
  @inline(__always)
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: words) { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  /// Calls `body` with the key as an argument for LMDB.
  @inline(__always)
  func withValue<Result>(_ body: (inout MDB_val) -> Result) -> Result {
    var words = words
    return withUnsafeMutableBytes(of: &words) { bytes in
      var value = MDB_val(mv_size: count, mv_data: bytes.baseAddress)
      return body(&value)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The big-endian number at `offset`, as keys hold it.
  @inlinable
  package func bigEndian<Number: FixedWidthInteger>(
    at offset: Int, as type: Number.Type
  ) -> Number {
    Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The little-endian number at `offset`, as values hold it.
  @inlinable
  package func littleEndian<Number: FixedWidthInteger>(
    at offset: Int, as type: Number.Type
  ) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  package init(_ value: MDB_val) {
    self.init(start: value.mv_data, count: value.mv_size)
  }
}

extension MDB_val {
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}
