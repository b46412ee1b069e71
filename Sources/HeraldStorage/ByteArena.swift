/// Bytes of many values, one after the other; replaced ones stay until the owner compacts.
///
/// Owned by one draft, and touched only by the thread of its transaction.
final class ByteArena {
  private var base = UnsafeMutableRawPointer.allocate(byteCount: 0, alignment: 1)
  private var capacity = 0
  private var count = 0
  /// How many bytes still belong to a value.
  private(set) var liveCount = 0

  deinit { base.deallocate() }

  /// Whether more than half, and more than a page, is of values that are gone.
  var isWasteful: Bool { count > 2 * liveCount + 4096 }

  /// The bytes of one value, lent until the next append.
  func bytes(from start: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + start, count: count)
  }

  /// Appends a value in place of one of `freed` bytes and returns where it starts.
  func append(_ value: UnsafeRawBufferPointer, forgetting freed: Int) -> Int {
    let start = count
    if count + value.count > capacity { grow(to: count + value.count) }
    if let source = value.baseAddress {
      (base + start).copyMemory(from: source, byteCount: value.count)
    }
    count += value.count
    liveCount += value.count - freed
    return start
  }

  func forget(_ freed: Int) { liveCount -= freed }

  private func grow(to needed: Int) {
    capacity = max(needed, capacity * 2, 256)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    larger.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = larger
  }
}
