import HeraldModel
import HeraldQuery

/// Rows in a `RowOrder`.
final class SortedRows: RowSequence {
  private let order: RowOrder
  @exclusivity(unchecked) private var sequence: OrderedSequence
  @exclusivity(unchecked) private var heads: SortedHeads
  /// Finds where rows belong; nil if their values have no ranks.
  @exclusivity(unchecked) private var ranks: RankIndex?
  /// The block in which a row belongs that has just been removed to be inserted again.
  @exclusivity(unchecked) private var expected: (number: ObjectNumber, rank: UInt64, block: Int)?
  /// What was read of it: kept, so that it is read.
  @exclusivity(unchecked) private var touched: UInt32 = 0

  /// Creates a sequence of rows, which must be in order. O(n).
  init(_ rows: RowOrder.SortedNumbers, by order: RowOrder, _ reader: any ObjectReader) {
    self.order = order
    (sequence, heads, ranks) = Self.parts(rows, by: order, reader)
  }

  private static func parts(
    _ rows: RowOrder.SortedNumbers, by order: RowOrder, _ reader: any ObjectReader
  ) -> (OrderedSequence, SortedHeads, RankIndex?) {
    guard let key = RankedKey(order.sort, reader.schema) else {
      let sequence = OrderedSequence(rows.numbers)
      return (sequence, SortedHeads(of: sequence, by: order, reader), nil)
    }
    var sequence = OrderedSequence(rows.numbers, isMarked: true)
    let ranks = RankIndex(key, of: &sequence, rows.ranks) { order.knownRank(of: $0, key, reader) }
    // First rows of equal ranks are compared by their values.
    let heads =
      key.isExact ? SortedHeads(by: order) : SortedHeads(of: sequence, by: order, reader)
    return (sequence, heads, ranks)
  }

  var count: Int { sequence.count }

  var byteCount: Int { sequence.byteCount + heads.byteCount + (ranks?.byteCount ?? 0) }

  func contains(_ number: ObjectNumber) -> Bool { sequence.contains(number) }

  func position(of number: ObjectNumber) -> Int? { sequence.position(of: number) }

  func number(at position: Int) -> ObjectNumber { sequence.number(at: position) }

  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int {
    defer { expected = nil }
    guard let key = ranks?.key, let rank = order.rank(of: number, by: key, reader) else {
      ranks = nil
      return insertByValues(number, reader)
    }
    if sequence.order.isEmpty {
      sequence.insert(number, at: 0)
      ranks?.noteInsertion(of: rank, inBlock: 0, isHead: true, &sequence)
      return 0
    }
    let isByNumber = key.isExact && rank != key.rankOfNull && order.collection == nil
    let block =
      expectedBlock(of: number, rank) ?? ranks?.block(of: rank) { index, isHeadRank in
        let slot = sequence.order[index]
        if isByNumber, isHeadRank { return sequence.head(of: Int(slot)) < number }
        return heads.isBefore(slot, of: &sequence, number, order.values(of: number, reader), reader)
      } ?? 0
    if ranks?.needsMarks(ofBlock: block, of: &sequence) == true {
      ranks?.setMarks(ofBlock: block, of: &sequence) { order.knownRank(of: $0, key, reader) }
    }
    let place = ranks?.place(of: rank, inBlock: block, of: &sequence)
    let offset = place.map { self.offset(of: number, in: $0, ofBlock: block, reader) } ?? 0
    let position = sequence.tree.sum(before: block) + offset
    sequence.insert(
      number, mark: place?.mark ?? 0, at: offset, ofBlock: block, isNew: true)
    ranks?.noteInsertion(of: rank, inBlock: block, isHead: offset == 0, &sequence)
    if case .split(let split) = sequence.lastChange {
      ranks?.noteSplit(at: split, &sequence) { order.knownRank(of: $0, key, reader) }
    }
    return position
  }

  /// Finds the block to which a row will be moved, and begins to read its memory: far from the processor if there are
  /// many rows, it arrives while the row is removed from another block.
  private func expect(_ number: ObjectNumber, _ reader: any ObjectReader) {
    expected = nil
    guard let key = ranks?.key, let rank = order.rank(of: number, by: key, reader),
      let block = ranks?.onlyBlock(of: rank),
      let touched = ranks?.touch(rank, inBlock: block, of: &sequence)
    else { return }
    expected = (number, rank, block)
    self.touched = touched
  }

  /// Returns the block of a row that was expected, unless its removal has changed the blocks.
  private func expectedBlock(of number: ObjectNumber, _ rank: UInt64) -> Int? {
    guard let expected, expected.number == number, expected.rank == rank,
      case .none = sequence.lastChange
    else { return nil }
    return expected.block
  }

  /// Returns the offset at which a row belongs in a block.
  private func offset(
    of number: ObjectNumber, in place: RankIndex.Place, ofBlock block: Int,
    _ reader: any ObjectReader
  ) -> Int {
    let rows = place.rows
    if rows.isEmpty { return rows.lowerBound }
    return rows.lowerBound
      + sequence.blocks.withRows(of: sequence.order[block]) { all in
        let rows = UnsafeBufferPointer(rebasing: all[rows])
        if place.isByNumber, order.collection == nil {
          return rows.partitionPoint { Int($0) < number }
        }
        let values = order.values(of: number, reader)
        // Rows of the same values are ordered by their numbers.
        let guess = place.guess ?? rows.partitionPoint { Int($0) < number }
        return rows.partitionPoint(near: guess) {
          order.isBefore(Int($0), number, with: values, reader)
        }
      }
  }

  private func insertByValues(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int {
    let values = order.values(of: number, reader)
    let next = heads.partitionPoint(of: &sequence, number, values, reader)
    guard next > 0 else {
      sequence.insert(number, at: 0)
      return 0
    }
    let part = heads.fraction(before: next, of: &sequence, values)
    let rank = order.firstProperty == nil ? nil : values.first.flatMap { ValueRank($0) }
    let isBefore = { [order] (row: UInt32) in
      order.isBefore(Int(row), rank, reader)
        ?? order.isBefore(Int(row), number, with: values, reader)
    }
    let offset = sequence.blocks.withRows(of: sequence.order[next - 1]) { rows in
      part.map { rows.partitionPoint(near: Int($0 * Double(rows.count)), isBefore) }
        ?? rows.partitionPoint(isBefore)
    }
    let position = sequence.tree.sum(before: next - 1) + offset
    sequence.insert(number, at: offset, ofBlock: next - 1, isNew: true)
    return position
  }

  func insert(contentsOf numbers: [ObjectNumber], _ reader: any ObjectReader) {
    guard numbers.count > 64, numbers.count > count / 8 else {
      for number in numbers { insert(number, reader) }
      return
    }
    // For this many rows, sorting and merging costs less than a search for each.
    let added = order.sorted(ascending: numbers.sorted(), reader)
    var merged: [ObjectNumber] = []
    merged.reserveCapacity(count + added.count)
    var next = 0
    sequence.forEachNumber { number in
      while next < added.count, order.isBefore(added[next], number, reader) {
        merged.append(added[next])
        next += 1
      }
      merged.append(number)
    }
    merged.append(contentsOf: added[next...])
    let rows = RowOrder.SortedNumbers(numbers: merged)
    expected = nil
    (sequence, heads, ranks) = Self.parts(rows, by: order, reader)
  }

  @discardableResult
  func remove(_ number: ObjectNumber) -> Int? {
    expected = nil
    guard let removal = sequence.remove(number) else { return nil }
    ranks?.noteRemoval(removal, &sequence)
    return removal.position
  }

  /// Removes a row as `remove` does, with its previous value of the property that is the first key, if that is known. The
  /// row is probably inserted again, with its value in `reader`.
  func remove(
    _ number: ObjectNumber, _ previousKey: Value?, _ reader: any ObjectReader
  ) -> Int? {
    guard let previousKey, let rank = ranks?.key.rank(of: previousKey) else {
      return remove(number)
    }
    expect(number, reader)
    guard let (blockIndex, offset) = ranks?.find(number, rank, in: &sequence) else {
      return remove(number)
    }
    let removal = sequence.remove(at: offset, ofBlock: blockIndex)
    ranks?.noteRemoval(removal, &sequence)
    return removal.position
  }

  /// Whether the first key is a property of the objects themselves.
  func isFirstKey(_ property: PropertyID) -> Bool { order.firstProperty?.property == property }

  func violations(_ reader: any ObjectReader) -> [String] {
    var found = sequence.violations + heads.violations(sequence, reader)
    if let ranks {
      found += ranks.violations(sequence) { order.knownRank(of: $0, ranks.key, reader) }
    }
    for position in 1..<max(1, count) {
      let (before, number) = (self.number(at: position - 1), self.number(at: position))
      if !order.isBefore(before, number, reader) {
        found.append("row \(position) (number \(number)) belongs before the row ahead of it")
      }
    }
    return found
  }
}

extension RowOrder {
  /// The rank of a row whose value has the type of the key.
  fileprivate func knownRank(
    of row: ObjectNumber, _ key: RankedKey, _ reader: any ObjectReader
  ) -> UInt64 {
    rank(of: row, by: key, reader) ?? key.rankOfNull
  }
}
