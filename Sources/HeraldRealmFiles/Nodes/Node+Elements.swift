extension Node {
  /// An element of an array with refs.
  enum Slot {
    /// No ref.
    case none
    /// The offset of a node, not checked.
    case ref(Int)
    /// A number, which is not negative.
    case tagged(Int)
  }

  /// Returns the integer at `index`. Throws if there is none.
  @inline(__always)
  func integer(_ index: Int) throws(Fault) -> Int64 {
    guard index >= 0, index < count else { throw Fault(.missing(element: index), at: ref) }
    switch width {
    case 0: return 0
    case 1: return Int64(byte(index >> 3) >> UInt8(truncatingIfNeeded: index & 7) & 1)
    case 2: return Int64(byte(index >> 2) >> UInt8(truncatingIfNeeded: (index & 3) << 1) & 3)
    case 4: return Int64(byte(index >> 1) >> UInt8(truncatingIfNeeded: (index & 1) << 2) & 15)
    case 8: return Int64(number(index, as: Int8.self))
    case 16: return Int64(number(index, as: Int16.self))
    case 32: return Int64(number(index, as: Int32.self))
    default: return number(index, as: Int64.self)
    }
  }

  /// Returns the integer at `index` of an unsigned array.
  func unsigned(_ index: Int) throws(Fault) -> UInt64 {
    let number = UInt64(bitPattern: try integer(index))
    return width >= 64 ? number : number & (1 << UInt64(width) - 1)
  }

  /// Returns the element at `index` of an array with refs; `none` beyond its end.
  func slot(_ index: Int) throws(Fault) -> Slot {
    guard hasRefs, form == .bits else { throw Fault(.wrongNode, at: ref) }
    guard index < count else { return .none }
    let element = try integer(index)
    if element == 0 { return .none }
    if element & 1 == 0 { return .ref(Int(element)) }
    return .tagged(Int(UInt64(bitPattern: element) >> 1))
  }

  /// Returns the ref at `index` of an array with refs; nil if it is 0. Throws if it is a number.
  func optionalRef(_ index: Int) throws(Fault) -> Int? {
    switch try slot(index) {
    case .none: nil
    case .ref(let child): child
    case .tagged: throw Fault(.missing(element: index), at: ref)
    }
  }

  /// Returns the ref at `index` of an array with refs. Throws if there is none.
  func requiredRef(_ index: Int) throws(Fault) -> Int {
    guard let child = try optionalRef(index) else {
      throw Fault(.missing(element: index), at: ref)
    }
    return child
  }

  /// Returns the number at `index` of an array with refs; nil if there is none.
  func tagged(_ index: Int) throws(Fault) -> Int? {
    switch try slot(index) {
    case .none: nil
    case .ref: throw Fault(.missing(element: index), at: ref)
    case .tagged(let number): number
    }
  }

  /// Returns the element at `index` of an array of 4- or 8-byte numbers. Throws if there is none.
  @inline(__always)
  func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _ index: Int, as type: Number.Type
  ) throws(Fault) -> Number {
    guard index >= 0, index < count, Int(width) == Number.bitWidth / 8 else {
      throw Fault(.missing(element: index), at: ref)
    }
    return number(index, as: type)
  }

  /// The elements as bytes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: payload, count: payloadLength)
  }

  /// Returns bytes `lower` up to `upper` of the elements. Throws if there are not as many.
  func bytes(from lower: Int, to upper: Int) throws(Fault) -> UnsafeRawBufferPointer {
    guard lower >= 0, lower <= upper, upper <= payloadLength else {
      throw Fault(.outOfRange, at: ref)
    }
    return UnsafeRawBufferPointer(start: payload + lower, count: upper - lower)
  }

  // Both are within the payload, as `index` is below `count`.

  private func byte(_ offset: Int) -> UInt8 {
    payload.load(fromByteOffset: offset, as: UInt8.self)
  }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ index: Int, as type: Number.Type
  ) -> Number {
    Number(
      littleEndian: payload.loadUnaligned(
        fromByteOffset: index * (Number.bitWidth / 8), as: type))
  }
}
