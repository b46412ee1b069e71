import HeraldModel
import HeraldQuery

/// Rows in a `RowOrder`.
final class SortedRows: RowSequence {
  private let order: RowOrder
  @exclusivity(unchecked) private var sequence: OrderedSequence
  @exclusivity(unchecked) private var heads: SortedHeads

  /// Creates a sequence of `numbers`, which must be in order. O(n).
  init(_ numbers: [ObjectNumber], by order: RowOrder, _ reader: any ObjectReader) {
    self.order = order
    sequence = OrderedSequence(numbers)
    heads = SortedHeads(of: sequence, by: order, reader)
  }

  var count: Int { sequence.count }

  var byteCount: Int { sequence.byteCount + heads.byteCount }

  func contains(_ number: ObjectNumber) -> Bool { sequence.contains(number) }

  func position(of number: ObjectNumber) -> Int? { sequence.position(of: number) }

  func number(at position: Int) -> ObjectNumber { sequence.number(at: position) }

  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int {
    let values = order.values(of: number, reader)
    let next = heads.partitionPoint(of: &sequence, number, values, reader)
    let part = heads.fraction(before: next, of: &sequence, values)
    let rank = order.firstProperty == nil ? nil : values.first.flatMap { ValueRank($0) }
    return sequence.insert(
      number, inBlockBefore: next, guess: part,
      isBefore: { row in
        order.isBefore(row, rank, reader) ?? order.isBefore(row, number, with: values, reader)
      })
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
    sequence = OrderedSequence(merged)
    heads = SortedHeads(of: sequence, by: order, reader)
  }

  @discardableResult
  func remove(_ number: ObjectNumber) -> Int? { sequence.remove(number) }

  func violations(_ reader: any ObjectReader) -> [String] {
    var found = sequence.violations + heads.violations(sequence, reader)
    for position in 1..<max(1, count) {
      let (before, number) = (self.number(at: position - 1), self.number(at: position))
      if !order.isBefore(before, number, reader) {
        found.append("row \(position) (number \(number)) belongs before the row ahead of it")
      }
    }
    return found
  }
}
