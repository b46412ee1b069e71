/// A sum per database over all of its records and entries. Each commit updates it, so that a
/// recount detects missing and reappearing ones.
package struct StoreDigest: Equatable {
  static let size = RecordSpace.allCases.count * 8

  private var sums = SIMD8<UInt64>.zero

  init() {}

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    for index in 0..<RecordSpace.allCases.count {
      sums[index] = bytes.littleEndian(at: offset + index * 8, as: UInt64.self)
    }
  }

  @inline(__always)
  package subscript(space: RecordSpace) -> UInt64 {
    get { sums[Int(space.rawValue) - 1] }
    set { sums[Int(space.rawValue) - 1] = newValue }
  }

  static func &+= (digest: inout StoreDigest, other: StoreDigest) { digest.sums &+= other.sums }

  /// The sums as they are stored, little-endian.
  var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) {
    (
      sums[0].littleEndian, sums[1].littleEndian, sums[2].littleEndian, sums[3].littleEndian,
      sums[4].littleEndian, sums[5].littleEndian
    )
  }

  @inline(__always)
  static func share(of checksum: UInt32) -> UInt64 {
    (UInt64(checksum) | 1 << 32) &* 0x9E37_79B9_7F4A_7C15
  }

  /// The share of an index entry, or of a reverse link.
  static func share(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer
  ) -> UInt64 {
    let seed = Checksum.of(key, after: space.rawValue &* 0x9E37_79B9)
    return share(of: Checksum.of(entry, after: seed))
  }
}
