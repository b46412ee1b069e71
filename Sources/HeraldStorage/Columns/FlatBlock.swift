package import HeraldModel

/// Many values of one kind in their stored form, read in place.
///
/// Format 2, every number little-endian:
///
///     block    := format:u8 kind:u8 width:u8 second:u8 flags:u8 0:u8 count:u16
///                 smallest:u64 largest:u64 [nils] [large] values        see BlockZone
///     nils     := one bit a value, set for nil, in whole u64 words      (flags & 1)
///     large    := one bit a value, set when it is in a record of its own (flags & 2, bytes only)
///     values   := count signed integers of `width` bytes: 0 (all are zero), 1, 2, 4, 8   integers
///               | count IEEE numbers of `width` bytes: 0 (all are +0), 8                 doubles
///               | count IEEE numbers of `width` bytes: 0 (all are +0), 4                 floats
///               | count seconds of `width` bytes, count nanoseconds of `second` bytes    dates
///               | count + 1 offsets of `width` bytes: 2, 4; then the bytes               bytes
///
/// A nil value is zero, or an empty byte string. A column's block has 256 values, a list's block up
/// to 512. Blocks are stored at any address: every load is an unaligned one.
package struct FlatBlock {
  package let base: UnsafeRawPointer
  package let length: Int

  static let format: UInt8 = 2
  package static let headerSize = 24
  package static let hasNils: UInt8 = 1
  package static let hasLarge: UInt8 = 2

  package init(_ bytes: UnsafeRawBufferPointer) {
    base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
    length = bytes.count
  }

  @inline(__always) init(base: UnsafeRawPointer, length: Int) {
    self.base = base
    self.length = length
  }

  @inline(__always) var kindByte: UInt8 { base.load(fromByteOffset: 1, as: UInt8.self) }
  @inline(__always) var width: Int { Int(base.load(fromByteOffset: 2, as: UInt8.self)) }
  @inline(__always) var secondWidth: Int { Int(base.load(fromByteOffset: 3, as: UInt8.self)) }
  @inline(__always) package var flags: UInt8 { base.load(fromByteOffset: 4, as: UInt8.self) }
  @inline(__always) package var count: Int {
    Int(base.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
  }

  /// The bytes of one bitmap over `count` values.
  @inline(__always) static func bitmapSize(_ count: Int) -> Int { (count &+ 63) / 64 &* 8 }

  @inline(__always) package func isNull(_ row: Int) -> Bool {
    guard flags & Self.hasNils != 0 else { return false }
    return bit(row, at: Self.headerSize)
  }

  /// Returns whether the value is kept in a record of its own.
  @inline(__always) package func isLarge(_ row: Int) -> Bool {
    let flags = flags
    guard flags & Self.hasLarge != 0 else { return false }
    let nils = flags & Self.hasNils != 0 ? Self.bitmapSize(count) : 0
    return bit(row, at: Self.headerSize &+ nils)
  }

  /// The address of the first value.
  @inline(__always) var values: UnsafeRawPointer {
    let flags = flags
    var offset = Self.headerSize
    if flags & (Self.hasNils | Self.hasLarge) != 0 {
      let size = Self.bitmapSize(count)
      if flags & Self.hasNils != 0 { offset &+= size }
      if flags & Self.hasLarge != 0 { offset &+= size }
    }
    return base + offset
  }

  /// The stored nil bitmap, nil if no value is nil.
  var nilBytes: UnsafeRawPointer? {
    flags & Self.hasNils == 0 ? nil : base + Self.headerSize
  }

  /// The nil bits of a column's block.
  package var nils: SIMD4<UInt64> {
    guard flags & Self.hasNils != 0 else { return .zero }
    return base.loadUnaligned(fromByteOffset: Self.headerSize, as: SIMD4<UInt64>.self)
  }

  @inline(__always) private func bit(_ row: Int, at offset: Int) -> Bool {
    let byte = base.load(fromByteOffset: offset &+ row >> 3, as: UInt8.self)
    return byte >> (row & 7) & 1 != 0
  }
}

extension FlatBlock {
  /// Returns the signed integer at `row` of numbers that are `width` bytes wide.
  @inline(__always)
  static func integer(_ values: UnsafeRawPointer, _ width: Int, _ row: Int) -> Int {
    switch width {
    case 1: Int(values.load(fromByteOffset: row, as: Int8.self))
    case 2: Int(values.loadUnaligned(fromByteOffset: row &* 2, as: Int16.self))
    case 4: Int(values.loadUnaligned(fromByteOffset: row &* 4, as: Int32.self))
    case 8: values.loadUnaligned(fromByteOffset: row &* 8, as: Int.self)
    default: 0
    }
  }

  /// Returns the value whether it is nil or not: a nil one is zero.
  @inline(__always) package func integer(_ row: Int) -> Int { Self.integer(values, width, row) }

  @inline(__always) package func double(_ row: Int) -> Double {
    width == 0 ? 0 : values.loadUnaligned(fromByteOffset: row &* 8, as: Double.self)
  }

  @inline(__always) package func float(_ row: Int) -> Float {
    width == 0 ? 0 : values.loadUnaligned(fromByteOffset: row &* 4, as: Float.self)
  }

  /// The address of the first nanoseconds of dates.
  @inline(__always) var nanoseconds: UnsafeRawPointer { values + count &* width }

  @inline(__always) package func date(_ row: Int) -> Timestamp {
    let values = values
    let width = width
    let seconds = Self.integer(values, width, row)
    let fraction = Self.integer(values + count &* width, secondWidth, row)
    return Timestamp(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: fraction))
  }

  /// Returns the bytes at `row`, empty if nil or if the value has a record of its own.
  @inline(__always) package func bytes(_ row: Int) -> UnsafeRawBufferPointer { byteRows[row] }

  /// The rows of a block of bytes.
  @inline(__always) var byteRows: ByteRows {
    let offsets = values
    let width = width
    let content = offsets + (count &+ 1) &* width
    return ByteRows(
      offsets: offsets, isNarrow: width == 2, content: content, size: base + length - content)
  }

  /// The values of a block of bytes, with its header decoded.
  struct ByteRows {
    let offsets: UnsafeRawPointer
    let isNarrow: Bool
    let content: UnsafeRawPointer
    let size: Int

    /// Returns the bytes of the first `count` rows together.
    func all(_ count: Int) -> UnsafeRawBufferPointer {
      let last = self[count - 1]
      let end = last.baseAddress.map { $0 + last.count } ?? content
      return UnsafeRawBufferPointer(start: content, count: end - content)
    }

    @inline(__always) subscript(row: Int) -> UnsafeRawBufferPointer {
      let start: Int
      let end: Int
      if isNarrow {
        start = Int(offsets.loadUnaligned(fromByteOffset: row &* 2, as: UInt16.self))
        end = Int(offsets.loadUnaligned(fromByteOffset: row &* 2 &+ 2, as: UInt16.self))
      } else {
        start = Int(offsets.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self))
        end = Int(offsets.loadUnaligned(fromByteOffset: row &* 4 &+ 4, as: UInt32.self))
      }
      precondition(start <= end && end <= size, "a damaged block of bytes")
      return UnsafeRawBufferPointer(start: content + start, count: end &- start)
    }
  }

  /// Returns the value at `row`; the caller must look up a large one.
  package func value(_ kind: ColumnKind, _ row: Int) -> StoredValue {
    guard !isNull(row) else { return .null }
    precondition(kindByte == kind.rawValue, "values read as the wrong kind")
    switch kind {
    case .integers: return .integer(integer(row))
    case .doubles: return .double(double(row))
    case .floats: return .float(float(row))
    case .dates: return .date(date(row))
    case .bytes: return .bytes([UInt8](bytes(row)))
    }
  }
}
