/// The rows that a query selects of the elements of a collection, kept over the changes of the collection.
///
/// Each element has a number as long as it stays, so that two selections can be compared. O(elements) a change.
package struct ElementRows {
  /// The numbers of the elements, in the order of the collection.
  private var numbers: [Int] = []
  /// The numbers of the selected elements, in the order of the query.
  private var shown: [Int] = []
  private var next = 1

  package init() {}

  package var count: Int { shown.count }

  /// Begins with a collection.
  package mutating func begin(count: Int, rows: [Int]) {
    numbers = (0..<count).map { next + $0 }
    next += count
    shown = rows.map { numbers[$0] }
  }

  /// Follows a change of a list or a set; `rows` are those that the query selects now. Returns the change of the
  /// selected rows.
  package mutating func advance(
    _ changes: ChangeSet, rows: [Int], isSorted: Bool
  ) -> ChangeSet {
    let old = numbers
    for row in changes.deletions.reversed() { numbers.remove(at: row) }
    let moved = Dictionary(
      changes.moves.map { ($0.new, old[$0.old]) }, uniquingKeysWith: { first, _ in first })
    for row in changes.insertions {
      numbers.insert(moved[row] ?? next, at: row)
      if moved[row] == nil { next += 1 }
    }
    return select(
      rows, modified: Set(changes.modificationsNew.map { numbers[$0] }),
      displaced: Set(moved.values), isSorted: isSorted)
  }

  /// The same for a map; `keys` are those that it had and has, in order.
  package mutating func advance(
    from oldKeys: [String], to newKeys: [String], modified keys: Set<String>, rows: [Int],
    isSorted: Bool
  ) -> ChangeSet {
    let old = Dictionary(zip(oldKeys, numbers), uniquingKeysWith: { first, _ in first })
    numbers = newKeys.enumerated().map { old[$1] ?? next + $0 }
    next += newKeys.count
    let modified = zip(newKeys, numbers).filter { keys.contains($0.0) }.map(\.1)
    return select(rows, modified: Set(modified), displaced: [], isSorted: isSorted)
  }

  /// Removes every row: the collection does not exist any more.
  package mutating func end() -> ChangeSet {
    let changes = ChangeSet(deletions: Array(shown.indices))
    (numbers, shown) = ([], [])
    return changes
  }

  private mutating func select(
    _ rows: [Int], modified: Set<Int>, displaced: Set<Int>, isSorted: Bool
  ) -> ChangeSet {
    let old = shown
    shown = rows.map { numbers[$0] }
    let (oldSet, newSet) = (Set(old), Set(shown))
    let touched = modified.union(displaced)
    func row(_ element: (offset: Int, element: Int)) -> RowChanges.Row {
      RowChanges.Row(number: element.element, position: element.offset)
    }
    let changes = RowChanges(
      removed: old.enumerated().filter { !newSet.contains($0.1) || touched.contains($0.1) }.map(
        row),
      added: shown.enumerated().filter { !oldSet.contains($0.1) || touched.contains($0.1) }.map(row)
    )
    let moved =
      isSorted
      ? changes.moved { touched.contains($0) }
      : changes.moved(displaced: displaced, oldCount: old.count)
    return changes.changeSet(
      modified: shown.enumerated().filter { modified.contains($0.1) }.map(row), moved)
  }
}
