import HeraldModel

/// An interval index of observers: intervals in the order of their lower bounds, in blocks with the
/// largest upper bound of each.
///
/// A search for a point costs O(√n + found) where intervals are narrow, or begin or end together, as
/// those of filters do; insertion and removal cost O(√n).
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

  struct Block {
    var entries: [Entry]
    /// The lowest lower bound of the block: a search reads the entries of few blocks.
    var first: Int
    /// The largest upper bound of the block.
    var last: Int

    init(_ entries: [Entry]) {
      self.entries = entries
      first = entries.first?.lower ?? .max
      last = entries.reduce(.min) { Swift.max($0, $1.upper) }
    }
  }

  static let blockLimit = 128

  private(set) var blocks: [Block] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Calls `body` with every token whose interval contains a point, each once, unordered.
  func forEach(at point: Int, _ body: (Member) -> Void) {
    for block in blocks {
      if block.first > point { return }
      if block.last < point { continue }
      for entry in block.entries {
        if entry.lower > point { return }
        if entry.upper >= point { body(entry.member) }
      }
    }
  }

  /// The same for the intervals that do not contain another point, if there is one.
  func forEach(at point: Int, besides other: Int?, _ body: (Member) -> Void) {
    guard let other else { return forEach(at: point, body) }
    for block in blocks {
      if block.first > point { return }
      if block.last < point { continue }
      for entry in block.entries {
        if entry.lower > point { return }
        if entry.upper < point || entry.lower <= other && other <= entry.upper { continue }
        body(entry.member)
      }
    }
  }

  func forEach(_ body: (Member) -> Void) {
    for block in blocks {
      for entry in block.entries { body(entry.member) }
    }
  }

  mutating func insert(_ entry: Entry) {
    count += 1
    guard !blocks.isEmpty else {
      blocks = [Block([entry])]
      return
    }
    let block = block(of: entry)
    let index = blocks[block].entries.partitionPoint { $0.isBefore(entry) }
    blocks[block].entries.insert(entry, at: index)
    blocks[block].first = min(blocks[block].first, entry.lower)
    blocks[block].last = max(blocks[block].last, entry.upper)
    if blocks[block].entries.count > Self.blockLimit { split(block) }
  }

  /// Replaces the member of an entry, found by its interval and its token.
  mutating func replace(by entry: Entry) {
    guard let (block, index) = place(of: entry) else { return }
    blocks[block].entries[index].member = entry.member
  }

  /// Removes an entry, found by its interval and its token.
  mutating func remove(_ entry: Entry) {
    guard let (block, index) = place(of: entry) else { return }
    count -= 1
    blocks[block].entries.remove(at: index)
    if blocks[block].entries.isEmpty {
      blocks.remove(at: block)
    } else if index == 0 || entry.upper == blocks[block].last {
      blocks[block] = Block(blocks[block].entries)
    }
  }

  /// Returns the block of an entry and its index there; nil where there is none.
  private func place(of entry: Entry) -> (block: Int, index: Int)? {
    guard !blocks.isEmpty else { return nil }
    let block = block(of: entry)
    let index = blocks[block].entries.partitionPoint { $0.isBefore(entry) }
    guard index < blocks[block].entries.count, blocks[block].entries[index].key == entry.key else {
      return nil
    }
    return (block, index)
  }

  /// Returns the index of the block that contains an entry or would contain it.
  private func block(of entry: Entry) -> Int {
    let next = blocks.partitionPoint { block in
      block.first == entry.lower ? !entry.isBefore(block.entries[0]) : block.first < entry.lower
    }
    return max(0, next - 1)
  }

  private mutating func split(_ block: Int) {
    let entries = blocks[block].entries
    let middle = entries.count / 2
    blocks[block] = Block(Array(entries[..<middle]))
    blocks.insert(Block(Array(entries[middle...])), at: block + 1)
  }

  /// The invariants of the table that do not hold. O(n).
  var violations: [String] {
    var found: [String] = []
    var previousKey: (Int, Int)?
    for (index, block) in blocks.enumerated() {
      if block.entries.isEmpty { found.append("interval block \(index) is empty") }
      if block.entries.count > Self.blockLimit { found.append("interval block \(index) is full") }
      let bounds = (block.entries.first?.lower, block.entries.map(\.upper).max())
      if bounds != (block.first, block.last) {
        found.append("interval block \(index) has wrong bounds")
      }
      for entry in block.entries {
        if let previousKey, previousKey >= entry.key { found.append("intervals are out of order") }
        if entry.member.observer?.takeUnretainedValue().state == .dead {
          found.append("a dead token has an interval")
        }
        previousKey = entry.key
      }
    }
    let sum = blocks.reduce(0) { $0 + $1.entries.count }
    if sum != count { found.append("\(sum) intervals, but the count is \(count)") }
    return found
  }
}
