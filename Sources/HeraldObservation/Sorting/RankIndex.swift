import HeraldModel
import HeraldQuery

/// What finds the place of a row in a sorted sequence by the rank of its first key, with few reads of other rows' values:
/// a rank between each two blocks, all of them side by side, and a mark for each row, which says where its rank lies
/// between those of its block.
struct RankIndex {
  /// How the marks of a block follow from ranks.
  private struct Frame {
    /// The smallest rank with a mark of its own.
    var low: UInt64 = 0
    /// The number of bits by which a difference of ranks is shifted.
    var shift: UInt64 = 0
    var isMarked = false
    /// The number of searches since, where marks were missing or of no use.
    var vainSearches: UInt8 = 0
  }

  /// The mark of what is above all ranks that have marks of their own; that of what is below is 0.
  private static let highest = UInt16.max
  /// A block gets new marks, for which all its rows are read, after so many searches that could not use them.
  private static let patience: UInt8 = 8
  /// The number of rows outside of the marked ranks that make marks useless.
  private static let outsideLimit = 32
  /// The range of marks below which half a block gets new ones.
  private static let narrowRange: UInt16 = 2048

  let key: RankedKey
  /// For each block, in the order of rows, a rank that is not above those of its rows and not below those of the rows
  /// before it.
  private var separators: [UInt64] = []
  /// Whether the separator is the rank of the block's first row.
  private var isHeadRank: [Bool] = []
  /// By slot.
  private var frames: [Frame] = []

  /// Creates the index of a sequence with marks.
  ///
  /// - Parameter ranks: those of all rows in order; nil leaves the blocks without marks until they are searched again and
  ///   again. O(rows), without them O(blocks).
  init(
    _ key: RankedKey, of sequence: inout OrderedSequence, _ ranks: [UInt64]?,
    rankOfRow: (ObjectNumber) -> UInt64
  ) {
    self.key = key
    frames = Array(repeating: Frame(), count: sequence.blocks.slotCount)
    let count = sequence.order.count
    separators = Array(inLargePages: count)
    isHeadRank = Array(repeating: true, count: count)
    guard let ranks, ranks.count == sequence.count else {
      for slot in sequence.order { separators.append(rankOfRow(sequence.head(of: Int(slot)))) }
      return
    }
    var start = 0
    for slot in sequence.order {
      separators.append(ranks[start])
      start += sequence.blocks.count(of: slot)
    }
    start = 0
    ranks.withUnsafeBufferPointer { ranks in
      for index in 0..<count {
        let end = start + sequence.blocks.count(of: sequence.order[index])
        setMarks(ofBlock: index, ranks[start..<end], of: &sequence)
        start = end
      }
    }
  }

  /// Gives a block marks of the ranks of its rows.
  private mutating func setMarks(
    ofBlock index: Int, _ ranks: Slice<UnsafeBufferPointer<UInt64>>,
    of sequence: inout OrderedSequence
  ) {
    guard let first = ranks.first, let last = ranks.last else { return }
    // Rows will be added at both ends: up to the next separator, or as far again as the rows reach.
    let isLast = index + 1 == separators.count
    let span = last - first
    let low = index > 0 ? min(separators[index], first) : first - min(first, span)
    let high = isLast ? last + min(.max - last, span) : max(separators[index + 1], last)
    let width = UInt64(high - low).bitWidth - (high - low).leadingZeroBitCount
    let frame = Frame(low: low, shift: UInt64(max(0, width - 16)), isMarked: true)
    frames[Int(sequence.order[index])] = frame
    let start = ranks.startIndex
    sequence.setMarks(ofBlock: index) { Self.mark(ranks[start + $0], frame) }
  }

  @inline(__always)
  private static func mark(_ rank: UInt64, _ frame: Frame) -> UInt16 {
    if rank < frame.low { return 0 }
    let difference = (rank &- frame.low) &>> frame.shift
    return difference < UInt64(highest) - 1 ? UInt16(truncatingIfNeeded: difference) + 1 : highest
  }

  // What changes nothing is `mutating`, too, and has the sequence passed by reference: else the arrays are retained for
  // each call, which costs as much as a search.

  /// Returns the index of the block in which a row of a rank belongs.
  ///
  /// - Parameter isHeadBefore: whether the first row of the block at an index is before the row; for equal ranks.
  mutating func block(
    of rank: UInt64, isHeadBefore: (_ index: Int, _ isHeadRank: Bool) -> Bool
  ) -> Int {
    separators.withUnsafeBufferPointer { separators in
      // Whatever is before the second separator belongs in the first block.
      var (next, rest) = (1, separators.count - 1)
      while rest > 0 {
        let half = rest / 2
        let isBefore = separators[next &+ half] < rank
        next = isBefore ? next &+ half &+ 1 : next
        rest = isBefore ? rest &- half &- 1 : half
      }
      guard next < separators.count, separators[next] == rank else { return max(0, next - 1) }
      let end = separators[next...].partitionPoint { $0 == rank }
      return (next..<end).partitionPoint { isHeadBefore($0, isHeadRank[$0]) } - 1
    }
  }

  /// The same where ranks alone decide; nil where the first row of a block has the same rank.
  mutating func onlyBlock(of rank: UInt64) -> Int? {
    var isEqual = false
    let block = block(of: rank) { _, _ in
      isEqual = true
      return false
    }
    return isEqual || separators.isEmpty ? nil : block
  }

  /// Reads the rows and marks of a block where a row of a rank probably belongs; the result has no meaning.
  mutating func touch(
    _ rank: UInt64, inBlock index: Int, of sequence: inout OrderedSequence
  ) -> UInt32 {
    let slot = sequence.order[index]
    let count = sequence.blocks.count(of: slot)
    let offset = min(guess(rank, inBlock: index, count) ?? count / 2, count - 1)
    return sequence.blocks.number(at: offset, of: slot)
      &+ sequence.blocks.number(at: count - 1, of: slot)
      &+ sequence.blocks.withMarks(of: slot) { UInt32($0[offset]) }
  }

  /// The rows of a block among which a new one belongs.
  struct Place {
    /// The offsets from which on, and up to which, the order of rows must be compared.
    let rows: Range<Int>
    /// Whether these rows are ordered by their numbers alone.
    let isByNumber: Bool
    /// Where the row probably belongs in `rows`; nil where nothing is known.
    let guess: Int?
    /// The mark of the row.
    let mark: UInt16
  }

  // What needs the ranks of other rows, which few changes do, is apart: a closure costs references to what it uses.

  /// Whether the marks of a block should be made anew (`setMarks`) before it is searched.
  mutating func needsMarks(ofBlock index: Int, of sequence: inout OrderedSequence) -> Bool {
    frames[Int(sequence.order[index])].vainSearches >= Self.patience
  }

  /// Gives a block marks of the ranks of its rows. O(rows of the block).
  mutating func setMarks(
    ofBlock index: Int, of sequence: inout OrderedSequence, rankOfRow: (ObjectNumber) -> UInt64
  ) {
    let slot = sequence.order[index]
    let ranks = sequence.blocks.withRows(of: slot) { rows in rows.map { rankOfRow(Int($0)) } }
    ranks.withUnsafeBufferPointer { setMarks(ofBlock: index, $0[...], of: &sequence) }
  }

  /// Finds the rows of a block among which a row of a rank belongs.
  mutating func place(
    of rank: UInt64, inBlock index: Int, of sequence: inout OrderedSequence
  ) -> Place {
    let slot = sequence.order[index]
    let frame = frames[Int(slot)]
    guard frame.isMarked else {
      frames[Int(slot)].vainSearches += 1
      let count = sequence.blocks.count(of: slot)
      return Place(
        rows: 0..<count, isByNumber: false, guess: guess(rank, inBlock: index, count), mark: 0)
    }
    let mark = Self.mark(rank, frame)
    if rank < separators[index] {
      // Before all rows: only those of the first block can be.
      return Place(rows: 0..<0, isByNumber: false, guess: nil, mark: mark)
    }
    let rows = rows(with: mark, rank, inBlock: index, &sequence, slot)
    let isOutside = mark == 0 || mark == Self.highest
    if isOutside, rows.count > Self.outsideLimit { frames[Int(slot)].vainSearches += 1 }
    let isByNumber = key.isExact && frame.shift == 0 && !isOutside && rank != key.rankOfNull
    return Place(rows: rows, isByNumber: isByNumber, guess: nil, mark: mark)
  }

  /// Returns the rows of a block that have a mark, or where they would be.
  @inline(__always)
  private mutating func rows(
    with mark: UInt16, _ rank: UInt64, inBlock index: Int, _ sequence: inout OrderedSequence,
    _ slot: UInt32
  ) -> Range<Int> {
    let count = sequence.blocks.count(of: slot)
    let guess = guess(rank, inBlock: index, count) ?? count / 2
    return sequence.blocks.withMarks(of: slot) { marks in
      let lower = marks.partitionPoint(near: guess) { $0 < mark }
      if lower == marks.count || marks[lower] != mark { return lower..<lower }
      var upper = lower + 1
      while upper < marks.count, upper < lower + 8 {
        if marks[upper] != mark { return lower..<upper }
        upper += 1
      }
      return lower..<marks[upper...].partitionPoint { $0 == mark }
    }
  }

  /// Returns where a row of a rank is; nil where the index does not show that.
  mutating func find(
    _ number: ObjectNumber, _ rank: UInt64, in sequence: inout OrderedSequence
  ) -> (blockIndex: Int, offset: Int)? {
    if separators.isEmpty { return nil }
    let index = block(of: rank) { _, _ in false }
    let slot = sequence.order[index]
    guard frames[Int(slot)].isMarked else { return nil }
    let mark = Self.mark(rank, frames[Int(slot)])
    let rows = rows(with: mark, rank, inBlock: index, &sequence, slot)
    for offset in rows.prefix(8)
    where sequence.blocks.number(at: offset, of: slot) == UInt32(number) {
      return (index, offset)
    }
    return nil
  }

  /// Returns where a rank lies between those of a block and of the next one, as an offset in the block.
  @inline(__always)
  private func guess(_ rank: UInt64, inBlock index: Int, _ count: Int) -> Int? {
    guard index + 1 < separators.count, separators[index] < separators[index + 1] else {
      return nil
    }
    let (low, high) = (separators[index], separators[index + 1])
    let share = Double(min(max(rank, low), high) - low) / Double(high - low)
    return Int(share * Double(count))
  }

  /// Notes the insertion of a row in a block, whose first one it may be; `noteSplit` must follow if that has split the
  /// block.
  mutating func noteInsertion(
    of rank: UInt64, inBlock index: Int, isHead: Bool, _ sequence: inout OrderedSequence
  ) {
    if separators.isEmpty {
      separators = [rank]
      isHeadRank = [true]
      frames = Array(repeating: Frame(), count: sequence.blocks.slotCount)
    } else if isHead {
      separators[index] = rank
      isHeadRank[index] = true
    }
  }

  /// Notes that an insertion has split a block in two, the first of which is at an index.
  mutating func noteSplit(
    at split: Int, _ sequence: inout OrderedSequence, rankOfRow: (ObjectNumber) -> UInt64
  ) {
    let (slot, other) = (sequence.order[split], sequence.order[split + 1])
    separators.insert(rankOfRow(sequence.head(of: Int(other))), at: split + 1)
    isHeadRank.insert(true, at: split + 1)
    while frames.count < sequence.blocks.slotCount { frames.append(Frame()) }
    frames[Int(other)] = frames[Int(slot)]
    for slot in [slot, other] where hasPoorMarks(slot, sequence) { frames[Int(slot)] = Frame() }
  }

  /// Whether the marks of half a block distinguish too few ranks.
  private func hasPoorMarks(_ slot: UInt32, _ sequence: OrderedSequence) -> Bool {
    sequence.blocks.withMarks(of: slot) { marks in
      guard let first = marks.first, let last = marks.last else { return false }
      if frames[Int(slot)].shift > 0, last - first < Self.narrowRange { return true }
      let limit = min(Self.outsideLimit, marks.count - 1)
      return marks[limit] == 0 || marks[marks.count - 1 - limit] == Self.highest
    }
  }

  /// Notes the removal of a row.
  mutating func noteRemoval(_ removal: OrderedSequence.Removal, _ sequence: inout OrderedSequence) {
    if removal.isHead { isHeadRank[removal.blockIndex] = false }
    switch sequence.lastChange {
    case .none, .split: return
    case .removed(let index):
      separators.remove(at: index)
      isHeadRank.remove(at: index)
    case .joined(let index):
      separators.remove(at: index + 1)
      isHeadRank.remove(at: index + 1)
      frames[Int(sequence.order[index])] = Frame()
    }
  }

  var byteCount: Int {
    separators.capacity * 8 + isHeadRank.capacity
      + frames.capacity * MemoryLayout<Frame>.stride
  }
}

extension RankIndex {
  /// The separators and marks that are wrong. O(rows).
  func violations(
    _ sequence: OrderedSequence, rankOfRow: (ObjectNumber) -> UInt64
  ) -> [String] {
    guard separators.count == sequence.order.count, isHeadRank.count == separators.count else {
      return ["\(separators.count) separators of \(sequence.order.count) blocks"]
    }
    var found: [String] = []
    var highest = UInt64.min
    for (index, slot) in sequence.order.enumerated() {
      let ranks = sequence.blocks.withRows(of: slot) { rows in rows.map { rankOfRow(Int($0)) } }
      let separator = separators[index]
      if index > 0 && separator < highest || ranks[0] < separator {
        found.append("the separator of block \(index) is not between its rows and those before")
      }
      if isHeadRank[index], ranks[0] != separator {
        found.append("the separator of block \(index) is not the rank of its first row")
      }
      highest = ranks.max() ?? highest
      let frame = frames[Int(slot)]
      if frame.isMarked {
        sequence.blocks.withMarks(of: slot) { marks in
          for (offset, rank) in ranks.enumerated() where Self.mark(rank, frame) != marks[offset] {
            found.append("row \(offset) of block \(index) has another mark than its rank")
          }
        }
      }
    }
    return found
  }
}
