/// Where the values of one block of a column are in memory, and how they are stored: all that a read of
/// one of them needs.
///
/// Valid in one epoch of the session that noted it (`AddressEpoch`). Zeroed memory is an address of no epoch.
///
/// Public, though hidden from programs, because only what is public is inlined into other modules.
@_spi(Blocks) @frozen
public struct BlockAddress {
  /// The first value, or the first offset of strings; before it are 256 bits for nil, if any value is.
  @usableFromInline let values: UnsafeRawPointer?
  /// From the lowest bit: unused bits of a word that holds a value (6), the logarithm of a value's bytes
  /// (2), whether any value is nil (1), whether small strings have a known form (1), and from bit 16 on the
  /// epoch.
  @usableFromInline let form: UInt64

  @usableFromInline static var nilFlag: UInt64 { @inlinable @inline(__always) get { 1 << 8 } }
  @usableFromInline static var smallFlag: UInt64 { @inlinable @inline(__always) get { 1 << 9 } }
  /// The bits that the epoch has.
  public static let epochBits = 48

  /// - Parameters:
  ///   - values: At least eight bytes can be read from each value on, or from the end of the last string.
  ///   - width: The bytes of a value, or of an offset: 1, 2, 4 or 8.
  ///   - hasNils: Whether the 32 bytes before the values mark those that are nil.
  public init(values: UnsafeRawPointer, width: Int, hasNils: Bool, epoch: UInt64) {
    self.values = values
    form =
      epoch << 16 | (hasNils ? Self.nilFlag : 0) | (String.hasKnownSmallForm ? Self.smallFlag : 0)
      | UInt64(width.trailingZeroBitCount) << 6 | UInt64(64 - 8 * width)
  }

  @inlinable @inline(__always) public var epoch: UInt64 { form &>> 16 }

  @inlinable @inline(__always) func isNil(_ row: Int) -> Bool {
    if form & Self.nilFlag == 0 { return false }
    let byte = values.unsafelyUnwrapped.load(fromByteOffset: row >> 3 &- 32, as: UInt8.self)
    return (byte &>> UInt8(row & 7)) & 1 != 0
  }

  /// Returns the integer at a row from 0 to 255; nil if it is nil.
  @inlinable @inline(__always) public func integer(_ row: Int) -> Int? {
    if isNil(row) { return nil }
    let word = values.unsafelyUnwrapped.loadUnaligned(
      fromByteOffset: row &<< Int((form &>> 6) & 3), as: Int.self)
    let unused = Int(form & 63)
    return (word &<< unused) &>> unused
  }

  /// Returns the double at a row; nil if it is nil.
  @inlinable @inline(__always) public func double(_ row: Int) -> Double? {
    if isNil(row) { return nil }
    return values.unsafelyUnwrapped.loadUnaligned(fromByteOffset: row &* 8, as: Double.self)
  }

  /// Returns the float at a row; nil if it is nil.
  @inlinable @inline(__always) public func float(_ row: Int) -> Float? {
    if isNil(row) { return nil }
    return values.unsafelyUnwrapped.loadUnaligned(fromByteOffset: row &* 4, as: Float.self)
  }

  /// Returns the string at a row; nil if it is nil.
  @inlinable @inline(__always) public func string(_ row: Int) -> String? {
    if isNil(row) { return nil }
    let offsets = values.unsafelyUnwrapped
    let (start, end, size): (Int, Int, Int)
    if (form &>> 6) & 3 == 1 {
      start = Int(offsets.loadUnaligned(fromByteOffset: row &* 2, as: UInt16.self))
      end = Int(offsets.loadUnaligned(fromByteOffset: row &* 2 &+ 2, as: UInt16.self))
      size = Int(offsets.loadUnaligned(fromByteOffset: 512, as: UInt16.self))
    } else {
      start = Int(offsets.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self))
      end = Int(offsets.loadUnaligned(fromByteOffset: row &* 4 &+ 4, as: UInt32.self))
      size = Int(offsets.loadUnaligned(fromByteOffset: 1024, as: UInt32.self))
    }
    precondition(start <= end && end <= size, "a damaged block of bytes")
    let bytes = offsets + ((257 &<< Int((form &>> 6) & 3)) &+ start)
    let count = end &- start
    if count <= 15, form & Self.smallFlag != 0, let text = String(smallASCII: bytes, count: count) {
      return text
    }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Whether a row is in the mask that the values are: the presence of objects.
  @inlinable @inline(__always) public func hasBit(_ row: Int) -> Bool {
    let byte = values.unsafelyUnwrapped.load(fromByteOffset: row >> 3, as: UInt8.self)
    return (byte &>> UInt8(row & 7)) & 1 != 0
  }
}
