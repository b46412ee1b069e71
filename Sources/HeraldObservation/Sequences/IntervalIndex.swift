import HeraldModel

/// An interval index of observers: intervals in the order of their lower bounds, in blocks with the
/// largest upper bound of each.
///
/// A search for a point costs O(√n + found) where intervals are narrow, or begin or end together, as
/// those of filters do; insertion and removal cost O(√n).
struct IntervalIndex {
  struct Entry {
    let lower: Int
    let upper: Int
    let observer: Observer

    /// Entries are ordered by lower bound, then by token.
    fileprivate var key: (Int, Int) { (lower, observer.id.rawValue) }
  }

  struct Block {
    var entries: [Entry]
    /// The largest upper bound of the block.
    var last: Int

    init(_ entries: [Entry]) {
      self.entries = entries
      last = entries.reduce(.min) { Swift.max($0, $1.upper) }
    }
  }

  static let blockLimit = 128

  private(set) var blocks: [Block] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Calls `body` with every observer whose interval contains a point, each once, unordered.
  func forEach(at point: Int, _ body: (Observer) -> Void) {
    for block in blocks {
      if block.entries[0].lower > point { return }
      if block.last < point { continue }
      for entry in block.entries {
        if entry.lower > point { return }
        if entry.upper >= point { body(entry.observer) }
      }
    }
  }

  /// The same for the intervals that do not contain another point, if there is one.
  func forEach(at point: Int, besides other: Int?, _ body: (Observer) -> Void) {
    guard let other else { return forEach(at: point, body) }
    for block in blocks {
      if block.entries[0].lower > point { return }
      if block.last < point { continue }
      for entry in block.entries {
        if entry.lower > point { return }
        if entry.upper < point || entry.lower <= other && other <= entry.upper { continue }
        body(entry.observer)
      }
    }
  }

  func forEach(_ body: (Observer) -> Void) {
    for block in blocks {
      for entry in block.entries { body(entry.observer) }
    }
  }

  mutating func insert(_ entry: Entry) {
    count += 1
    guard !blocks.isEmpty else {
      blocks = [Block([entry])]
      return
    }
    let block = block(of: entry)
    let index = blocks[block].entries.partitionPoint { $0.key < entry.key }
    blocks[block].entries.insert(entry, at: index)
    blocks[block].last = max(blocks[block].last, entry.upper)
    if blocks[block].entries.count > Self.blockLimit { split(block) }
  }

  /// Removes an entry, found by its interval and its observer.
  mutating func remove(_ entry: Entry) {
    guard !blocks.isEmpty else { return }
    let block = block(of: entry)
    let entries = blocks[block].entries
    let index = entries.partitionPoint { $0.key < entry.key }
    guard index < entries.count, entries[index].observer === entry.observer else { return }
    count -= 1
    blocks[block].entries.remove(at: index)
    if blocks[block].entries.isEmpty {
      blocks.remove(at: block)
    } else if entry.upper == blocks[block].last {
      blocks[block] = Block(blocks[block].entries)
    }
  }

  /// Returns the index of the block that contains an entry or would contain it.
  private func block(of entry: Entry) -> Int {
    max(0, blocks.partitionPoint { $0.entries[0].key <= entry.key } - 1)
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
      if block.last != block.entries.map(\.upper).max() {
        found.append("interval block \(index) has a wrong upper bound")
      }
      for entry in block.entries {
        if let previousKey, previousKey >= entry.key { found.append("intervals are out of order") }
        if entry.observer.state == .dead { found.append("a dead token has an interval") }
        previousKey = entry.key
      }
    }
    let sum = blocks.reduce(0) { $0 + $1.entries.count }
    if sum != count { found.append("\(sum) intervals, but the count is \(count)") }
    return found
  }
}
