/// A block of a column as it is in memory: 256 values of one form, which are read in place by any thread.
///
/// Valid while the version that it is of is held by the reader that returned it. O(1) to make.
@frozen
package struct StoredBlock: @unchecked Sendable {
  package enum Form: UInt8, Sendable {
    /// Every value is nil.
    case nils
    /// Every value that is not nil is zero, of any kind of numbers.
    case zeros
    case int8, int16, int32, int64, floats, doubles
    /// Byte strings whose offsets have 16 or 32 bits.
    case narrowBytes, wideBytes
  }

  /// The first value, or the first offset of bytes.
  @usableFromInline let values: UnsafeRawPointer
  /// 256 bits, set for nil; nil if no value is.
  private let nilBits: UnsafeRawPointer?
  package let form: Form
  /// The number of the bytes of all values, of byte strings.
  @usableFromInline let size: Int
  /// The zone of integers: the smallest is above the largest if every value is nil. Of doubles and floats, the bits of
  /// two doubles.
  package let smallest: Int
  package let largest: Int

  package init(
    _ form: Form, values: UnsafeRawPointer, nilBits: UnsafeRawPointer?, size: Int = 0,
    smallest: Int = 1, largest: Int = 0
  ) {
    self.form = form
    self.values = values
    self.nilBits = nilBits
    self.size = size
    self.smallest = smallest
    self.largest = largest
  }

  /// A block without a value.
  package static var nothing: StoredBlock {
    StoredBlock(.nils, values: UnsafeRawPointer(bitPattern: 8)!, nilBits: nil)
  }

  package var nulls: BlockMask {
    if form == .nils { return .everything }
    return nilBits?.loadUnaligned(as: BlockMask.self) ?? .zero
  }

  /// Writes the 256 integers; those of nil are undefined.
  package func copyIntegers(into target: UnsafeMutablePointer<Int>) {
    switch form {
    case .int8: copy(Int8.self) { target[$0] = Int($1) }
    case .int16: copy(Int16.self) { target[$0] = Int($1) }
    case .int32: copy(Int32.self) { target[$0] = Int($1) }
    case .int64: copy(Int64.self) { target[$0] = Int($1) }
    case .nils, .zeros, .floats, .doubles, .narrowBytes, .wideBytes:
      target.update(repeating: 0, count: blockSize)
    }
  }

  /// Writes the difference of each integer and `base`, without the bits outside of `mask`; those of nil are undefined.
  package func copyIntegers(
    from base: Int, mask: UInt32, into target: UnsafeMutablePointer<UInt32>
  ) {
    let base = UInt32(truncatingIfNeeded: base)
    switch form {
    case .int8: copy(Int8.self) { target[$0] = (UInt32(truncatingIfNeeded: $1) &- base) & mask }
    case .int16: copy(Int16.self) { target[$0] = (UInt32(truncatingIfNeeded: $1) &- base) & mask }
    case .int32: copy(Int32.self) { target[$0] = (UInt32(truncatingIfNeeded: $1) &- base) & mask }
    case .int64: copy(Int64.self) { target[$0] = (UInt32(truncatingIfNeeded: $1) &- base) & mask }
    case .nils, .zeros, .floats, .doubles, .narrowBytes, .wideBytes:
      target.update(repeating: (0 &- base) & mask, count: blockSize)
    }
  }

  /// Writes the 256 doubles, or floats as doubles; those of nil are undefined.
  package func copyDoubles(into target: UnsafeMutablePointer<Double>) {
    switch form {
    case .doubles:
      UnsafeMutableRawPointer(target).copyMemory(
        from: values, byteCount: blockSize * MemoryLayout<Double>.size)
    case .floats: copy(Float.self) { target[$0] = Double($1) }
    case .nils, .zeros, .int8, .int16, .int32, .int64, .narrowBytes, .wideBytes:
      target.update(repeating: 0, count: blockSize)
    }
  }

  @inline(__always)
  private func copy<Stored: BitwiseCopyable>(_: Stored.Type, _ put: (Int, Stored) -> Void) {
    for row in 0..<256 {
      put(row, load(row, Stored.self))
    }
  }

  /// The smallest and the largest of integers; nil if every value is nil.
  package var integerZone: (smallest: Int, largest: Int)? {
    smallest <= largest ? (smallest, largest) : nil
  }

  /// The smallest and the largest of doubles or floats; nil if a value is NaN, or every value is nil.
  package var doubleZone: (smallest: Double, largest: Double)? {
    switch form {
    case .floats, .doubles, .zeros: break
    case .nils, .int8, .int16, .int32, .int64, .narrowBytes, .wideBytes: return nil
    }
    let first = Double(bitPattern: UInt64(UInt(bitPattern: smallest)))
    let last = Double(bitPattern: UInt64(UInt(bitPattern: largest)))
    return first <= last ? (first, last) : nil
  }

  /// The integer at a row, which is not nil.
  package func integer(_ row: Int) -> Int {
    switch form {
    case .int8: Int(load(row, Int8.self))
    case .int16: Int(load(row, Int16.self))
    case .int32: Int(load(row, Int32.self))
    case .int64: Int(load(row, Int64.self))
    case .nils, .zeros, .floats, .doubles, .narrowBytes, .wideBytes: 0
    }
  }

  @inline(__always)
  private func load<Stored: BitwiseCopyable>(_ row: Int, _: Stored.Type) -> Stored {
    values.loadUnaligned(fromByteOffset: row &* MemoryLayout<Stored>.size, as: Stored.self)
  }

  /// The sum of all integers; those that are nil are zeros.
  package var integerSum: Int128 {
    switch form {
    case .int8:
      var sum: Int32 = 0
      for row in 0..<256 { sum &+= Int32(load(row, Int8.self)) }
      return Int128(sum)
    case .int16:
      var sum: Int32 = 0
      for row in 0..<256 { sum &+= Int32(load(row, Int16.self)) }
      return Int128(sum)
    case .int32:
      var sum = 0
      for row in 0..<256 { sum &+= Int(load(row, Int32.self)) }
      return Int128(sum)
    case .int64:
      // In halves, for a sum of 64 bits may overflow.
      var (high, low) = (0, 0)
      for row in 0..<256 {
        let value = load(row, Int.self)
        high &+= value >> 32
        low &+= value & 0xFFFF_FFFF
      }
      return Int128(high) << 32 + Int128(low)
    case .nils, .zeros, .floats, .doubles, .narrowBytes, .wideBytes: return 0
    }
  }

  /// The sum of the integers of some rows.
  package func integerSum(_ rows: BlockMask) -> Int128 {
    var (high, low) = (0, 0)
    for row in BlockBits(rows) {
      let value = integer(row)
      high &+= value >> 32
      low &+= value & 0xFFFF_FFFF
    }
    return Int128(high) << 32 + Int128(low)
  }

  /// Returns the bytes at a row of byte strings; none of one that is nil.
  @inlinable
  package func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    let (start, end, content): (Int, Int, UnsafeRawPointer)
    switch form {
    case .narrowBytes:
      start = Int(values.loadUnaligned(fromByteOffset: row &* 2, as: UInt16.self))
      end = Int(values.loadUnaligned(fromByteOffset: row &* 2 &+ 2, as: UInt16.self))
      content = values + 257 * 2
    case .wideBytes:
      start = Int(values.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self))
      end = Int(values.loadUnaligned(fromByteOffset: row &* 4 &+ 4, as: UInt32.self))
      content = values + 257 * 4
    case .nils, .zeros, .int8, .int16, .int32, .int64, .floats, .doubles:
      return UnsafeRawBufferPointer(start: values, count: 0)
    }
    precondition(start <= end && end <= size, "a damaged block of bytes")
    return UnsafeRawBufferPointer(start: content + start, count: end &- start)
  }
}
