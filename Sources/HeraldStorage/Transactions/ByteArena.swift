/// The bytes of many values, one after the other; replaced ones stay until the owner compacts.
///
/// Part of one draft, which frees it: a value kept apart from its draft would dangle.
struct ByteArena {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private var count = 0
  /// How many bytes still belong to a value.
  private(set) var liveCount = 0

  func free() { base?.deallocate() }

  /// Whether more than half, and more than a page, belongs to values that were replaced.
  var isWasteful: Bool { count > 2 * liveCount + 4096 }

  /// The bytes of one value, valid until the next append.
  func bytes(from start: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base.map { $0 + start }, count: base == nil ? 0 : count)
  }

  /// Appends a value that replaces one of `freed` bytes and returns where it starts.
  @inline(__always) mutating func append(_ value: UnsafeRawBufferPointer, forgetting freed: Int)
    -> Int
  {
    let start = count
    if count + value.count > capacity { grow(to: count + value.count) }
    if let source = value.baseAddress, let base {
      (base + start).copyMemory(from: source, byteCount: value.count)
    }
    count += value.count
    liveCount += value.count - freed
    return start
  }

  mutating func forget(_ freed: Int) { liveCount -= freed }

  @inline(never) private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2, 256)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    if let base {
      larger.copyMemory(from: base, byteCount: count)
      base.deallocate()
    }
    base = larger
  }
}
