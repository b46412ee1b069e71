import HeraldModel
import HeraldQuery

/// Rows of which only those that match a condition are passed on: a condition on results that have
/// a limit or are distinct.
final class FilterStage {
  let predicate: BoundPredicate
  private let order: RowOrder
  /// The rows that are passed on, by creation.
  private(set) var passed: MemberSet

  init(
    _ members: MemberSet, _ predicate: BoundPredicate, order: RowOrder, _ reader: any ObjectReader
  ) {
    self.predicate = predicate
    self.order = order
    passed = MemberSet()
    members.forEachMember { row in
      guard !reader.isInterrupted, predicate.matches(order.object(of: row), reader) else { return }
      passed.insert(row)
    }
  }

  /// O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> RowDelta {
    RowDelta(
      removed: delta.removed.filter { passed.remove($0) },
      added: delta.added.filter { row in
        guard predicate.matches(order.object(of: row), reader) else { return false }
        passed.insert(row)
        return true
      })
  }

  /// What is wrong with the stage in `reader`'s version; empty where nothing is. O(n).
  func violations(_ reader: any ObjectReader) -> [String] {
    var found = passed.violations
    passed.forEachMember { row in
      if !predicate.matches(order.object(of: row), reader) {
        found.append("row \(row) was passed on and does not match")
      }
    }
    return found
  }
}
