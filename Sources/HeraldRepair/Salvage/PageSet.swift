/// A bitset of page numbers.
struct PageSet {
  private var words: [UInt64]
  private let count: UInt64

  /// Creates an empty set of the pages below `count`.
  init(below count: UInt64) {
    self.count = count
    words = [UInt64](repeating: 0, count: Int(count / 64 + 1))
  }

  func contains(_ page: UInt64) -> Bool {
    page < count && words[Int(page >> 6)] & 1 << (page & 63) != 0
  }

  /// Returns whether the page is valid, and was not in the set.
  @discardableResult
  mutating func insert(_ page: UInt64) -> Bool {
    guard page < count, !contains(page) else { return false }
    words[Int(page >> 6)] |= 1 << (page & 63)
    return true
  }
}
