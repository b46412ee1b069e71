internal import Glibc

extension UnsafeRawBufferPointer {
  /// Whether the bytes from a place on begin with those of another run from there on.
  @inline(__always)
  func equals(_ other: UnsafeRawBufferPointer, from place: Int) -> Bool {
    guard other.count > place, let a = baseAddress, let b = other.baseAddress else { return true }
    return memcmp(a + place, b + place, other.count - place) == 0
  }

  /// Negative, 0 or positive: the order of the first difference, then the shorter first.
  func order(to other: [UInt8]) -> Int {
    other.withUnsafeBytes { order(to: $0) }
  }

  func order(to other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    if common > 0, let a = baseAddress, let b = other.baseAddress {
      let order = Int(memcmp(a, b, common))
      if order != 0 { return order }
    }
    return count - other.count
  }
}

extension [[UInt8]] {
  /// Whether a run of bytes is among these, which are in order.
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
