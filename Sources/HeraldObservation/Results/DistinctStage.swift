import HeraldModel
import HeraldQuery

/// A stage that passes the first of each group of rows with equal key values.
///
/// All rows are in one sequence, by key values and then by the stage's own order: a row is the first of
/// its group when the row before it has other values. The first rows are kept as a set, so that a change
/// never needs previous values.
final class DistinctStage {
  private let keys: RowOrder
  let rows: SortedRows
  private var firsts: MemberSet

  /// Creates a stage from rows, ordered by the distinct keys, then by the order of the stage.
  init(
    _ sorted: RowOrder.SortedNumbers, keys: RowOrder, order: RowOrder, _ reader: any ObjectReader
  ) {
    self.keys = keys
    rows = SortedRows(sorted, by: keys.by(keys.sort.keys + order.sort.keys), reader)
    firsts = MemberSet()
    let numbers = sorted.numbers
    for (index, number) in numbers.enumerated()
    where !reader.isInterrupted
      && (index == 0 || keys.compareKeys(numbers[index - 1], number, reader) != 0)
    {
      firsts.insert(number)
    }
  }

  /// The rows that pass, in order of creation.
  var passed: MemberSet { firsts }

  /// Applies a change of the incoming rows and returns that of the passed rows. O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> RowDelta {
    var removed: Set<ObjectNumber> = []
    var added: Set<ObjectNumber> = []
    removeRows(delta.removed, &removed, &added)
    for number in delta.added {
      let position = rows.insert(number, reader)
      if position > 0, keys.compareKeys(rows.number(at: position - 1), number, reader) == 0 {
        continue
      }
      firsts.insert(number)
      added.insert(number)
      guard position + 1 < rows.count else { continue }
      let next = rows.number(at: position + 1)
      if keys.compareKeys(number, next, reader) == 0, firsts.remove(next),
        added.remove(next) == nil
      {
        removed.insert(next)
      }
    }
    return RowDelta(removed: removed.sorted(), added: added.sorted())
  }

  /// Removes rows; the row after a removed first row becomes the first of its group.
  private func removeRows(
    _ numbers: [ObjectNumber], _ removed: inout Set<ObjectNumber>,
    _ added: inout Set<ObjectNumber>
  ) {
    let positions = numbers.compactMap(rows.position(of:)).sorted()
    var gaps: [Int] = []
    for (index, position) in positions.enumerated() {
      let number = rows.number(at: position)
      if firsts.remove(number) {
        removed.insert(number)
        gaps.append(position - index)
      }
    }
    for number in numbers { rows.remove(number) }
    for gap in gaps where gap < rows.count {
      let next = rows.number(at: gap)
      if firsts.insert(next) { added.insert(next) }
    }
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    var found = rows.violations(reader) + firsts.violations
    for position in 0..<rows.count {
      let number = rows.number(at: position)
      let isFirst =
        position == 0 || keys.compareKeys(rows.number(at: position - 1), number, reader) != 0
      if isFirst != firsts.contains(number) {
        found.append("object \(number) is \(isFirst ? "" : "not ")the first of its group")
      }
    }
    return found
  }
}
