internal import Glibc

extension UnsafeRawBufferPointer {
  /// Returns whether the bytes from an offset on begin with those of `other` from there on.
  @inline(__always)
  func equals(_ other: UnsafeRawBufferPointer, from offset: Int) -> Bool {
    guard other.count > offset, let a = baseAddress, let b = other.baseAddress else { return true }
    return memcmp(a + offset, b + offset, other.count - offset) == 0
  }

  /// Negative, 0 or positive: the order of the first difference, then the shorter one first.
  func order(to other: [UInt8]) -> Int {
    other.withUnsafeBytes { order(to: $0) }
  }

  package func order(to other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    if common > 0, let a = baseAddress, let b = other.baseAddress {
      let order = Int(memcmp(a, b, common))
      if order != 0 { return order }
    }
    return count - other.count
  }
}

extension [[UInt8]] {
  /// Returns whether a byte string is among these, which are sorted. For scans: each step is one comparison, and the
  /// search ends at the first equal one.
  func containsInOrder(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let order = bytes.order(to: self[middle])
      if order == 0 { return true }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return false
  }
}
