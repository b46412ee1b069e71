import HeraldModel
import HeraldQuery

/// A stage that passes the rows that match a predicate: a predicate on results that have a limit or are
/// distinct.
final class FilterStage {
  let predicate: BoundPredicate
  private let order: RowOrder
  /// The rows that pass, in order of creation.
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

  /// Applies a change of the incoming rows and returns that of the passed rows. O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> RowDelta {
    RowDelta(
      removed: delta.removed.filter { passed.remove($0) },
      added: delta.added.filter { row in
        guard predicate.matches(order.object(of: row), reader) else { return false }
        passed.insert(row)
        return true
      })
  }

  /// The invariants of the stage that do not hold in `reader`'s version. O(n).
  func violations(_ reader: any ObjectReader) -> [String] {
    var found = passed.violations
    passed.forEachMember { row in
      if !predicate.matches(order.object(of: row), reader) {
        found.append("row \(row) passed and does not match")
      }
    }
    return found
  }
}
