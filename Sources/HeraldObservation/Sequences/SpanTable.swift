/// Observers by spans of places on a line, found by a place: the spans in the order of their
/// beginnings, in blocks that know where their spans end at the latest.
///
/// Finding costs O(√n + what is found) where spans are narrow or begin or end together, as those of
/// filters do; entering and leaving O(√n).
struct SpanTable {
  struct Entry {
    let lower: Int
    let upper: Int
    let observer: Observer

    /// Spans that begin together stand in the order of their tokens.
    fileprivate var key: (Int, Int) { (lower, observer.id.rawValue) }
  }

  struct Block {
    var entries: [Entry]
    /// The last place of any span in the block.
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

  /// Every observer whose span holds a place, each once, in no order.
  func forEach(at place: Int, _ body: (Observer) -> Void) {
    for block in blocks {
      if block.entries[0].lower > place { return }
      if block.last < place { continue }
      for entry in block.entries {
        if entry.lower > place { return }
        if entry.upper >= place { body(entry.observer) }
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
    let place = blocks[block].entries.lowerBound { $0.key < entry.key }
    blocks[block].entries.insert(entry, at: place)
    blocks[block].last = max(blocks[block].last, entry.upper)
    if blocks[block].entries.count > Self.blockLimit { split(block) }
  }

  /// Takes out an entry that was inserted, by its span and its observer.
  mutating func remove(_ entry: Entry) {
    guard !blocks.isEmpty else { return }
    let block = block(of: entry)
    let entries = blocks[block].entries
    let place = entries.lowerBound { $0.key < entry.key }
    guard place < entries.count, entries[place].observer === entry.observer else { return }
    count -= 1
    blocks[block].entries.remove(at: place)
    if blocks[block].entries.isEmpty {
      blocks.remove(at: block)
    } else if entry.upper == blocks[block].last {
      blocks[block] = Block(blocks[block].entries)
    }
  }

  /// The block that an entry stands in or belongs into.
  private func block(of entry: Entry) -> Int {
    max(0, blocks.lowerBound { $0.entries[0].key <= entry.key } - 1)
  }

  private mutating func split(_ block: Int) {
    let entries = blocks[block].entries
    let middle = entries.count / 2
    blocks[block] = Block(Array(entries[..<middle]))
    blocks.insert(Block(Array(entries[middle...])), at: block + 1)
  }

  /// What is wrong with the table; empty where nothing is. O(n).
  var violations: [String] {
    var found: [String] = []
    var former: (Int, Int)?
    for (index, block) in blocks.enumerated() {
      if block.entries.isEmpty { found.append("block \(index) of spans is empty") }
      if block.entries.count > Self.blockLimit { found.append("block \(index) of spans is full") }
      if block.last != block.entries.map(\.upper).max() {
        found.append("block \(index) of spans ends elsewhere")
      }
      for entry in block.entries {
        if let former, former >= entry.key { found.append("spans are out of order") }
        if entry.observer.state == .dead { found.append("a dead token has a span") }
        former = entry.key
      }
    }
    let sum = blocks.reduce(0) { $0 + $1.entries.count }
    if sum != count { found.append("\(sum) spans are counted as \(count)") }
    return found
  }
}
