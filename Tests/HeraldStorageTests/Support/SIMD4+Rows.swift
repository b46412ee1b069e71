/// The rows of a block, as a set of 256 bits.
extension SIMD4<UInt64> {
  func has(_ row: Int) -> Bool { self[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  init(rows: some Sequence<Int>) {
    self = .zero
    for row in rows { self[row >> 6] |= 1 << UInt64(row & 63) }
  }
}
