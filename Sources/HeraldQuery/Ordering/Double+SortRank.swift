// Ranks: 64 bits that order as the values do. For strings and data, the first eight bytes.

extension Int {
  package var sortRank: UInt64 { UInt64(bitPattern: Int64(self)) ^ 1 << 63 }
}

extension Double {
  /// The rank; NaN is first, both zeros have the same.
  package var sortRank: UInt64 {
    if isNaN { return 0 }
    let bits = (self == 0 ? 0 : self).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}

extension String {
  var sortRank: UInt64 { eightBytes(from: 0) }

  func eightBytes(from offset: Int) -> UInt64 {
    utf8.withContiguousStorageIfAvailable { rank(of: $0, from: offset) }
      ?? rank(of: Array(utf8), from: offset)
  }
}

extension [UInt8] {
  var sortRank: UInt64 { rank(of: self, from: 0) }
}

/// Returns eight bytes, big-endian.
private func rank(of bytes: some RandomAccessCollection<UInt8>, from offset: Int) -> UInt64 {
  var rank: UInt64 = 0
  var shift: UInt64 = 64
  for byte in bytes.dropFirst(offset).prefix(8) {
    shift -= 8
    rank |= UInt64(byte) << shift
  }
  return rank
}

/// Eight bytes of a string or of data from an offset on, as a rank.
package struct ByteRank {
  package let rank: UInt64
  /// Whether equal ranks, after equal earlier ones, mean equal bytes: there are no more, and the last of all, in these
  /// bytes or in earlier ones, is none of the zeros with which ranks are padded.
  package let isExact: Bool

  @inline(__always)
  package init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
    let count = bytes.count - offset
    isExact = count <= 8 && bytes.last != 0
    guard count > 0, let base = bytes.baseAddress else {
      rank = 0
      return
    }
    if count >= 8 {
      rank = UInt64(bigEndian: (base + offset).loadUnaligned(as: UInt64.self))
    } else {
      var padded: UInt64 = 0
      for index in 0..<count {
        let byte = UInt64((base + offset).load(fromByteOffset: index, as: UInt8.self))
        padded |= byte << UInt64(56 - 8 * index)
      }
      rank = padded
    }
  }
}
