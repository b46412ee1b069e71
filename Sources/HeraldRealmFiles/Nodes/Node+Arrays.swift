extension Node {
  /// Returns the first `count` integers. Throws if there are not as many.
  func integers(_ wanted: Int) throws(Fault) -> [Int64] {
    guard wanted <= count else { throw Fault(.missing(element: count), at: ref) }
    switch width {
    case 8: return numbers(wanted, as: Int8.self) { Int64($0) }
    case 16: return numbers(wanted, as: Int16.self) { Int64($0) }
    case 32: return numbers(wanted, as: Int32.self) { Int64($0) }
    case 64: return numbers(wanted, as: Int64.self) { $0 }
    default:
      var numbers: [Int64] = []
      numbers.reserveCapacity(wanted)
      for index in 0..<wanted { numbers.append(try integer(index)) }
      return numbers
    }
  }

  /// Returns the first elements of an array of 4- or 8-byte numbers. Throws if there are not as many.
  func fixed<Stored: FixedWidthInteger & BitwiseCopyable, Number>(
    _ wanted: Int, as type: Stored.Type, _ convert: (Stored) -> Number
  ) throws(Fault) -> [Number] {
    guard wanted <= count, wanted == 0 || Int(width) == Stored.bitWidth / 8 else {
      throw Fault(.missing(element: count), at: ref)
    }
    return numbers(wanted, as: type, convert)
  }

  /// `wanted` is at most the number of elements, which are as wide as `type`.
  private func numbers<Stored: FixedWidthInteger & BitwiseCopyable, Number>(
    _ wanted: Int, as type: Stored.Type, _ convert: (Stored) -> Number
  ) -> [Number] {
    let size = Stored.bitWidth / 8
    return Array(unsafeUninitializedCapacity: wanted) { numbers, filled in
      for index in 0..<wanted {
        let stored = payload.loadUnaligned(fromByteOffset: index * size, as: type)
        numbers.initializeElement(at: index, to: convert(Stored(littleEndian: stored)))
      }
      filled = wanted
    }
  }
}
