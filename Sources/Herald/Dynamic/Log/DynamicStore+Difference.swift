import HeraldEngine
import HeraldModel
package import HeraldObservation
import HeraldQuery

extension DynamicStore {
  /// What changed in results between two frozen versions of the store, compared end to end: a change that was taken
  /// back in between is none. Modifications are those of the objects' own properties, and of objects embedded in them.
  ///
  ///     let (old, new) = (try store.frozen(at: 41), try store.frozen(at: 44))
  ///     let changes = try store.difference(from: old.objects("Dog"), to: new.objects("Dog"))
  ///
  /// Of all objects of a class, or those that match a condition, in order of creation: O(changes in between), and
  /// counting, once, the rows before the changed ones. With a sort, a limit or `distinct`, of a collection, and where
  /// classes changed in between: O(rows of both).
  ///
  /// Errors: `versionNotKept`, and those of reading the results.
  package func difference(
    from old: DynamicResults, to new: DynamicResults
  ) throws -> ChangeSet {
    try comparison(from: old, to: new).changeSet
  }

  /// The same, with the objects of the rows.
  ///
  /// - Parameters:
  ///   - isModified: Whether what a row shows differs, where that is not its object's properties.
  ///   - readsOthers: Whether that may differ where the object did not change: it is called for each row that stays.
  package func comparison(
    from old: DynamicResults, to new: DynamicResults,
    isModified: ((ObjectID) throws -> Bool)? = nil, readsOthers: Bool = false
  ) throws -> ComparedRows {
    let changes = try session.changes(
      of: new.classID, from: old.store.version, to: new.store.version)
    if isModified == nil, let found = try comparison(from: old, to: new, by: changes) {
      return found
    }
    let (oldRows, newRows) = (try old.numbers(), try new.numbers())
    let (before, after) = DuplicateRows.unique(oldRows, newRows)
    let (earlier, later) = (old.store.session.reader, new.store.session.reader)
    let owners = changes.record?.owners(ofPartsIn: new.classID, later)
    let candidates = changes.changedObjects?.union(owners ?? [])
    let kept = Set(before).intersection(after)
    let modified = try kept.filter { row in
      let object = ObjectID(new.classID, DuplicateRows.object(row))
      let isCandidate = candidates?.contains(object.number) ?? true
      if let isModified { return try (isCandidate || readsOthers) && isModified(object) }
      return isCandidate && earlier.differs(from: later, at: object)
    }
    // A property that was dropped and added again in between is another one.
    let orders = Array(zip(old.query.sortOrders, new.query.sortOrders))
    var reordered: Set<ObjectNumber>?
    if case .allObjects = new.base {
      reordered = kept.filter { number in
        orders.contains { $0.keyValues(of: number, earlier) != $1.keyValues(of: number, later) }
      }
    } else if !orders.isEmpty {
      // Rows that are equal by their keys are in the order of the list.
      reordered = kept
    }
    return ComparedRows(
      ChangeSet(
        from: before, to: after, modified: RowNumbers(modified),
        reordered: reordered.map { RowNumbers($0) }),
      from: oldRows, to: newRows)
  }

  /// The difference by what the commits in between changed; nil where that does not determine it: in a collection, after
  /// a change of classes, and with a condition that reads more than its object.
  private func comparison(
    from old: DynamicResults, to new: DynamicResults, by changes: ClassDifference
  ) throws -> ComparedRows? {
    guard case .allObjects = old.base, case .allObjects = new.base, old.classID == new.classID,
      !old.query.hasValuesOfStore, !new.query.hasValuesOfStore,
      old.store.version <= new.store.version, !changes.isSchemaChanged
    else { return nil }
    guard let record = changes.record else { return ComparedRows() }
    try old.checkSchema()
    try new.checkSchema()
    return try old.store.run { earlier in
      try new.store.run { later in
        QueryComparison(new.query, record, from: earlier, to: later).comparedRows()
      }
    }
  }

  /// What changed in the values of a list or a set, compared end to end and by value.
  package func difference(from old: [Value], to new: [Value]) -> ChangeSet {
    var numbers: [Value: ObjectNumber] = [:]
    func number(_ value: Value) -> ObjectNumber {
      if let known = numbers[value] { return known }
      numbers[value] = numbers.count + 1
      return numbers.count
    }
    let (before, after) = DuplicateRows.unique(old.map(number), new.map(number))
    return ChangeSet(from: before, to: after, modified: RowNumbers([]), reordered: nil)
  }
}

/// Rows of a list, in which an object may stand several times.
private enum DuplicateRows {
  /// Returns numbers of their own for the rows of two lists: the same one for a row that both have. In lists without
  /// duplicates it is the object's.
  static func unique(
    _ old: [ObjectNumber], _ new: [ObjectNumber]
  ) -> (old: [ObjectNumber], new: [ObjectNumber]) {
    if Set(old).count == old.count, Set(new).count == new.count { return (old, new) }
    var turns: [ObjectNumber: Int] = [:]
    func next(_ number: ObjectNumber) -> ObjectNumber {
      let turn = turns[number, default: 0]
      turns[number] = turn + 1
      return turn == 0 ? number : -(turn << bits | number)
    }
    var (before, after) = (old, new)
    let (removed, inserted) = changed(old, new)
    let kept = zip(
      old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) })
    for (row, later) in kept {
      before[row] = next(old[row])
      after[later] = before[row]
    }
    // What is removed in one place and inserted in another has moved.
    var moved: [ObjectNumber: [ObjectNumber]] = [:]
    for row in removed.sorted().reversed() {
      before[row] = next(old[row])
      moved[old[row], default: []].append(before[row])
    }
    for row in inserted.sorted() {
      after[row] = moved[new[row]]?.popLast() ?? next(new[row])
    }
    return (before, after)
  }

  /// The rows that a shortest edit removes and inserts; of long lists all, as it may take O(n²).
  private static func changed(
    _ old: [ObjectNumber], _ new: [ObjectNumber]
  ) -> (removed: Set<Int>, inserted: Set<Int>) {
    guard old.count + new.count <= longest else { return (Set(old.indices), Set(new.indices)) }
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let row, _, _): removed.insert(row)
      case .insert(let row, _, _): inserted.insert(row)
      }
    }
    return (removed, inserted)
  }

  /// The object of a row.
  static func object(_ row: ObjectNumber) -> ObjectNumber {
    row > 0 ? row : -row & (1 << bits - 1)
  }

  /// Object numbers have at most so many bits.
  private static let bits = 40
  private static let longest = 20_000
}
