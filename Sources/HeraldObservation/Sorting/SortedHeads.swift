import HeraldModel
import HeraldQuery

/// A cache of the first rows of a sorted sequence's blocks with their sort values, by slot. Every search
/// compares with these rows, and reading their values costs cache misses, the more the longer a key's
/// path.
///
/// A row's values change only while it is removed from the sequence, so an entry is valid until the
/// sequence counts a change of that first row.
struct SortedHeads {
  private struct Head {
    var row: ObjectNumber
    /// The sequence's change count when the row was read.
    var changes: UInt32
    var values: [Value]
  }

  /// The largest number of bytes of strings and data that is cached for a row, to keep views small.
  private static let longest = 64

  private let order: RowOrder
  private var heads: [Head?] = []
  /// The ranks of the same rows by their first sort value.
  private var ranks: [Rank] = []

  /// A rank, without a reference to the values, which decides most comparisons.
  private struct Rank {
    /// The sequence's change count when the row was read; nil where it is not cached.
    var changes: UInt32?
    var rank: ValueRank?
  }

  /// Creates a cache that reads a row when it is first compared.
  init(by order: RowOrder) { self.order = order }

  /// Reads the first row of every block. O(blocks).
  init(of sequence: OrderedSequence, by order: RowOrder, _ reader: any ObjectReader) {
    self.order = order
    guard !order.sort.keys.isEmpty else { return }
    for slot in sequence.order where !reader.isInterrupted {
      _ = head(slot, of: sequence, reader)
    }
  }

  /// Returns the index of the first block whose first row is not before `row`, which has `values`.
  ///
  /// The sequence is passed by reference, since a copy of its arrays costs as much as the search.
  mutating func partitionPoint(
    of sequence: inout OrderedSequence, _ row: ObjectNumber, _ values: [Value],
    _ reader: any ObjectReader
  ) -> Int {
    let rank = values.first.flatMap { ValueRank($0) }
    let isAscending = order.sort.keys.first?.isAscending ?? true
    var open = 0..<sequence.order.count
    while !open.isEmpty {
      let middle = open.lowerBound &+ open.count / 2
      let slot = sequence.order[middle]
      let isBefore: Bool
      if let rank, let other = knownRank(slot, of: &sequence), let order = other.order(to: rank) {
        isBefore = (order < 0) == isAscending
      } else {
        let head = head(slot, of: sequence, reader)
        isBefore = self.order.isBefore(head.row, with: head.values, row, with: values)
      }
      open = isBefore ? middle &+ 1..<open.upperBound : open.lowerBound..<middle
    }
    return open.lowerBound
  }

  /// Whether the first row of the block in a slot is before `row`, which has `values`.
  mutating func isBefore(
    _ slot: UInt32, of sequence: inout OrderedSequence, _ row: ObjectNumber, _ values: [Value],
    _ reader: any ObjectReader
  ) -> Bool {
    let head = head(slot, of: sequence, reader)
    return order.isBefore(head.row, with: head.values, row, with: values)
  }

  private func knownRank(_ slot: UInt32, of sequence: inout OrderedSequence) -> ValueRank? {
    let slot = Int(slot)
    guard slot < ranks.count, ranks[slot].changes == sequence.headChanges[slot] else { return nil }
    return ranks[slot].rank
  }

  /// Returns the interpolated position of `values` between the first rows of the block before `next`, an index, and of
  /// the block there, from 0 to 1; nil where the values have no such position. A first row whose values have changed leads
  /// to a worse guess.
  func fraction(before next: Int, of sequence: inout OrderedSequence, _ values: [Value]) -> Double?
  {
    guard next > 0, next < sequence.order.count else { return nil }
    let (slot, next) = (sequence.order[next - 1], sequence.order[next])
    guard Int(slot) < heads.count, Int(next) < heads.count, let low = heads[Int(slot)],
      let high = heads[Int(next)]
    else { return nil }
    return order.sort.fraction(of: values, from: low.values, to: high.values)
  }

  private func cached(_ slot: Int, of sequence: OrderedSequence) -> Head? {
    guard slot < heads.count, let head = heads[slot], head.changes == sequence.headChanges[slot]
    else { return nil }
    return head
  }

  private mutating func head(
    _ slot: UInt32, of sequence: OrderedSequence, _ reader: any ObjectReader
  ) -> Head {
    let slot = Int(slot)
    if let head = cached(slot, of: sequence) { return head }
    let row = sequence.head(of: slot)
    let head = Head(
      row: row, changes: sequence.headChanges[slot], values: order.values(of: row, reader))
    while heads.count <= slot { heads.append(nil) }
    let textBytes = Self.textBytes(of: head.values)
    heads[slot] = textBytes ?? .max <= Self.longest ? head : nil
    while ranks.count <= slot { ranks.append(Rank()) }
    ranks[slot] = Rank(changes: head.changes, rank: head.values.first.flatMap { ValueRank($0) })
    return head
  }

  /// Returns the number of bytes of strings and data; nil where a list or a map is among the values.
  private static func textBytes(of values: [Value]) -> Int? {
    var bytes = 0
    for value in values {
      switch value {
      case .string(let text): bytes += text.utf8.count
      case .data(let data): bytes += data.count
      case .list, .map: return nil
      case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link: break
      }
    }
    return bytes
  }
}

extension SortedHeads {
  /// The cached first rows that are wrong.
  func violations(_ sequence: OrderedSequence, _ reader: any ObjectReader) -> [String] {
    sequence.order.compactMap { slot in
      let slot = Int(slot)
      guard let head = cached(slot, of: sequence) else { return nil }
      let row = sequence.head(of: slot)
      guard head.row == row else { return "slot \(slot) begins with \(row), not with \(head.row)" }
      let values = order.values(of: row, reader)
      return order.sort.compare(values, head.values) == 0
        ? nil : "slot \(slot) is cached with values that number \(row) does not have"
    }
  }

  var byteCount: Int {
    let arrayHeader = order.sort.keys.isEmpty ? 0 : 32
    let values = arrayHeader + order.sort.keys.count * MemoryLayout<Value>.stride
    let size =
      heads.capacity * MemoryLayout<Head?>.stride + ranks.capacity * MemoryLayout<Rank>.stride
    return heads.reduce(size) { sum, head in
      guard let head else { return sum }
      return sum + values + (Self.textBytes(of: head.values) ?? 0)
    }
  }
}
