import HeraldModel

/// An interval index of observers: intervals in the order of their lower bounds, in blocks with the
/// largest upper bound of each, and that of each group of blocks.
///
/// A search for a point reads n / 2,000 bounds of groups, those of one group and the entries of one block where intervals
/// are narrow, as those of filters are; insertion and removal cost O(√n).
struct IntervalIndex {
  /// A token with its observer or, if it is folded, without; one word. It does not hold the observer, which leaves the
  /// index before it ends: to count references is a large part of what a search costs.
  struct Member {
    private let word: UInt

    init(_ observer: Observer) {
      word = UInt(bitPattern: Unmanaged.passUnretained(observer).toOpaque())
    }

    /// A folded token, by its number. The words of all others are addresses, and so even.
    init(folded number: UInt32) { word = UInt(number) << 1 | 1 }

    /// The number of a folded token; nil for another one.
    var folded: UInt32? { word & 1 == 1 ? UInt32(word >> 1) : nil }

    /// The observer; nil for a folded token.
    var observer: Unmanaged<Observer>? {
      word & 1 == 1 ? nil : UnsafeRawPointer(bitPattern: word).map(Unmanaged.fromOpaque)
    }

    var id: Int {
      observer?._withUnsafeGuaranteedRef { $0.id.rawValue } ?? Int(word >> 1)
    }
  }

  struct Entry {
    let lower: Int
    let upper: Int
    var member: Member

    /// Entries are ordered by lower bound, then by token.
    fileprivate var key: (Int, Int) { (lower, member.id) }

    /// Whether it is before another one. Reads observers only where the bounds are equal.
    fileprivate func isBefore(_ other: Entry) -> Bool {
      lower == other.lower ? member.id < other.member.id : lower < other.lower
    }
  }

  static let blockLimit = 64
  static let groupSize = 32

  /// The entries, in blocks of which none is empty.
  private(set) var blocks: [[Entry]] = []
  // A search reads the entries of few blocks. The bounds are apart, since it reads many of these.
  /// The lowest lower bound of each block.
  private(set) var firsts: [Int] = []
  /// The largest upper bound of each block.
  private(set) var lasts: [Int] = []
  /// The largest upper bound of each group of blocks.
  private(set) var groupLasts: [Int] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Calls `body` with every token whose interval contains a point, each once, unordered.
  func forEach(at point: Int, _ body: (Member) -> Void) {
    forEachEntry(at: point) { body($0.member) }
  }

  /// The same for the intervals that do not contain another point, if there is one.
  func forEach(at point: Int, besides other: Int?, _ body: (Member) -> Void) {
    guard let other else { return forEach(at: point, body) }
    forEachEntry(at: point) { entry in
      if entry.lower <= other && other <= entry.upper { return }
      body(entry.member)
    }
  }

  @inline(__always)
  private func forEachEntry(at point: Int, _ body: (Entry) -> Void) {
    let end = firsts.partitionPoint { $0 <= point }
    var start = 0
    for last in groupLasts {
      if start >= end { return }
      let next = start + Self.groupSize
      if last >= point {
        for block in start..<min(next, end) where lasts[block] >= point {
          for entry in blocks[block] {
            if entry.lower > point { return }
            if entry.upper >= point { body(entry) }
          }
        }
      }
      start = next
    }
  }

  func forEach(_ body: (Member) -> Void) {
    for block in blocks {
      for entry in block { body(entry.member) }
    }
  }

  mutating func insert(_ entry: Entry) {
    count += 1
    guard !blocks.isEmpty else {
      (blocks, firsts) = ([[entry]], [entry.lower])
      (lasts, groupLasts) = ([entry.upper], [entry.upper])
      return
    }
    let block = block(of: entry)
    let index = blocks[block].partitionPoint { $0.isBefore(entry) }
    blocks[block].insert(entry, at: index)
    firsts[block] = min(firsts[block], entry.lower)
    lasts[block] = max(lasts[block], entry.upper)
    let group = block / Self.groupSize
    groupLasts[group] = max(groupLasts[group], entry.upper)
    if blocks[block].count > Self.blockLimit { split(block) }
  }

  /// Replaces the member of an entry, found by its interval and its token.
  mutating func replace(by entry: Entry) {
    guard let (block, index) = place(of: entry) else { return }
    blocks[block][index].member = entry.member
  }

  /// Removes an entry, found by its interval and its token.
  mutating func remove(_ entry: Entry) {
    guard let (block, index) = place(of: entry) else { return }
    count -= 1
    blocks[block].remove(at: index)
    if blocks[block].isEmpty {
      blocks.remove(at: block)
      firsts.remove(at: block)
      lasts.remove(at: block)
      findGroupLasts(from: block)
      return
    }
    firsts[block] = blocks[block][0].lower
    if entry.upper == lasts[block] {
      lasts[block] = Self.last(of: blocks[block])
      let group = block / Self.groupSize
      groupLasts[group] = last(ofGroup: group)
    }
  }

  /// Returns the block of an entry and its index there; nil where there is none.
  private func place(of entry: Entry) -> (block: Int, index: Int)? {
    guard !blocks.isEmpty else { return nil }
    let block = block(of: entry)
    let index = blocks[block].partitionPoint { $0.isBefore(entry) }
    guard index < blocks[block].count, blocks[block][index].key == entry.key else {
      return nil
    }
    return (block, index)
  }

  /// Returns the index of the block that contains an entry or would contain it.
  private func block(of entry: Entry) -> Int {
    let next = firsts.indices.partitionPoint { block in
      let first = firsts[block]
      // Entries are read only where the bounds are equal.
      return first == entry.lower ? !entry.isBefore(blocks[block][0]) : first < entry.lower
    }
    return max(0, next - 1)
  }

  private mutating func split(_ block: Int) {
    let entries = blocks[block]
    let middle = entries.count / 2
    blocks[block] = Array(entries[..<middle])
    blocks.insert(Array(entries[middle...]), at: block + 1)
    firsts.insert(entries[middle].lower, at: block + 1)
    lasts[block] = Self.last(of: blocks[block])
    lasts.insert(Self.last(of: blocks[block + 1]), at: block + 1)
    findGroupLasts(from: block)
  }

  /// Finds the largest upper bounds of the groups again from that of a block on. O(blocks).
  private mutating func findGroupLasts(from block: Int) {
    let first = block / Self.groupSize
    groupLasts.removeSubrange(min(first, groupLasts.count)...)
    for group in first..<max(first, (blocks.count + Self.groupSize - 1) / Self.groupSize) {
      groupLasts.append(last(ofGroup: group))
    }
  }

  private func last(ofGroup group: Int) -> Int {
    let start = group * Self.groupSize
    var last = Int.min
    for block in start..<min(start + Self.groupSize, blocks.count) {
      last = max(last, lasts[block])
    }
    return last
  }

  private static func last(of entries: [Entry]) -> Int {
    entries.reduce(.min) { max($0, $1.upper) }
  }

  /// The invariants of the table that do not hold. O(n).
  var violations: [String] {
    var found: [String] = []
    var previousKey: (Int, Int)?
    for (index, block) in blocks.enumerated() {
      if block.isEmpty { found.append("interval block \(index) is empty") }
      if block.count > Self.blockLimit { found.append("interval block \(index) is full") }
      let bounds = (block.first?.lower, block.map(\.upper).max())
      if bounds != (firsts[index], lasts[index]) {
        found.append("interval block \(index) has wrong bounds")
      }
      for entry in block {
        if let previousKey, previousKey >= entry.key { found.append("intervals are out of order") }
        if entry.member.observer?.takeUnretainedValue().state == .dead {
          found.append("a dead token has an interval")
        }
        previousKey = entry.key
      }
    }
    let groups = (blocks.count + Self.groupSize - 1) / Self.groupSize
    if groupLasts != (0..<groups).map(last(ofGroup:)) {
      found.append("groups of interval blocks have wrong bounds")
    }
    let sum = blocks.reduce(0) { $0 + $1.count }
    if sum != count { found.append("\(sum) intervals, but the count is \(count)") }
    return found
  }
}
