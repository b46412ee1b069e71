import HeraldModel
import HeraldQuery

/// Rows of which only the first of those with equal key values are passed on.
///
/// All rows stand in one sequence, by key values and then in the stage's own order: a row is the
/// first of its equals when the one ahead of it has other values. Which are, is kept as a set, so
/// that no value from before a change is ever needed.
final class DistinctStage {
  private let keys: RowOrder
  let rows: SortedRows
  private var firsts: MemberSet

  /// `numbers` must be ordered by the distinct keys, then by the order of the stage.
  init(_ numbers: [ObjectNumber], keys: RowOrder, order: RowOrder, _ reader: any ObjectReader) {
    self.keys = keys
    rows = SortedRows(numbers, by: keys.by(keys.sort.keys + order.sort.keys), reader)
    firsts = MemberSet()
    for (index, number) in numbers.enumerated()
    where !reader.isInterrupted
      && (index == 0 || keys.compareKeys(numbers[index - 1], number, reader) != 0)
    {
      firsts.insert(number)
    }
  }

  /// The rows that are passed on, by creation.
  var passed: MemberSet { firsts }

  /// O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> RowDelta {
    var removed: Set<ObjectNumber> = []
    var added: Set<ObjectNumber> = []
    takeOut(delta.removed, &removed, &added)
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

  /// Takes rows out; those that stood behind a first one become first.
  private func takeOut(
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
        found.append("object \(number) is \(isFirst ? "" : "not ")the first of its equals")
      }
    }
    return found
  }
}
