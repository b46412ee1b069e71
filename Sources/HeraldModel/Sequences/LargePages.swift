internal import Glibc

/// Memory in pages of two megabytes, where the system has them on request. The first use of each of the usual pages of
/// four kilobytes takes the system as long as a program needs to sort what fits in it.
package enum LargePages {
  private static let size = 2 << 20
  /// Below this size, a program would hold much more than it uses.
  private static let smallestMemory = 2 * size

  /// Asks for large pages for new memory, which was not written to; nothing if it is small.
  package static func request(_ start: UnsafeMutableRawPointer?, byteCount: Int) {
    guard byteCount >= smallestMemory, let start else { return }
    // From the first whole page on.
    let address = Int(bitPattern: start)
    let first = (address + size - 1) / size * size
    let end = (address + byteCount) / size * size
    guard first < end else { return }
    madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_HUGEPAGE)
  }
}

extension UnsafeMutableBufferPointer {
  /// New memory for so many elements, in large pages if there are many.
  package static func allocateInLargePages(capacity: Int) -> Self {
    let memory = allocate(capacity: capacity)
    LargePages.request(memory.baseAddress, byteCount: capacity * MemoryLayout<Element>.stride)
    return memory
  }
}

extension Array {
  /// An empty array with room for so many elements, in large pages if there are many.
  package init(inLargePages capacity: Int) {
    self.init(unsafeUninitializedCapacity: capacity) { buffer, _ in
      LargePages.request(buffer.baseAddress, byteCount: capacity * MemoryLayout<Element>.stride)
    }
  }
}
