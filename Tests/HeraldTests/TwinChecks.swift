import Herald

/// The change set that results must be told, computed from both versions (4.1, 4.4, 4.6).
struct TwinResultsCheck {
  let query: TwinQuery
  let filter: TwinFilter
  let span: TwinSpan

  var expectation: TwinExpectation? {
    let old = query.rows(span.old)
    let new = query.rows(span.new)
    let expected = changes(old, new)
    guard !expected.isEmpty else { return nil }
    let (oldRows, newRows) = (old.map(Value.link), new.map(Value.link))
    return .told("\(expected.text), rows \(newRows.text), before \(oldRows.text)") { event in
      guard case .collection(.update(let seen, ownerDeleted: false), let rows) = event else {
        return "kind"
      }
      if rows != newRows { return "rows" }
      if let fault = replayFault(seen, old: oldRows, new: newRows) { return fault }
      return seen == expected ? nil : "change set"
    }
  }

  private func changes(_ old: [ObjectID], _ new: [ObjectID]) -> ChangeSet {
    let newPlaces = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let inBoth = old.indices.filter { newPlaces[old[$0]] != nil }
    let places = inBoth.map { newPlaces[old[$0]] ?? 0 }
    let isFixed = inBoth.map { row in
      query.sortValues(of: old[row], span.old) == query.sortValues(of: old[row], span.new)
    }
    let stay = TwinMoves.staying(places, isFixed: isFixed)
    let staying = Set(stay.map { inBoth[$0] })
    let stayingNew = Set(stay.map { places[$0] })
    var changes = ChangeSet()
    changes.deletions = old.indices.filter { !staying.contains($0) }
    changes.insertions = new.indices.filter { !stayingNew.contains($0) }
    for row in stay where span.isModified(old[inBoth[row]], filter) {
      changes.modifications.append(inBoth[row])
      changes.modificationsNew.append(places[row])
    }
    changes.moves = inBoth.indices.filter { !staying.contains(inBoth[$0]) }.map {
      ChangeSet.Move(old: inBoth[$0], new: places[$0])
    }
    return changes
  }
}

/// Rule 4.2: replaying a change set on the old rows gives the new ones, and a row that is not
/// mentioned is what it was.
func replayFault(_ changes: ChangeSet, old: [Value], new: [Value]) -> String? {
  var rows = old
  guard changes.deletions == changes.deletions.sorted(),
    changes.insertions == changes.insertions.sorted(),
    changes.modifications == changes.modifications.sorted(),
    changes.modificationsNew.count == changes.modifications.count
  else { return "replay: order" }
  for row in changes.deletions.reversed() {
    guard rows.indices.contains(row) else { return "replay: deletion \(row)" }
    rows.remove(at: row)
  }
  for row in changes.insertions {
    guard row <= rows.count, new.indices.contains(row) else { return "replay: insertion \(row)" }
    rows.insert(new[row], at: row)
  }
  for row in changes.modificationsNew {
    guard rows.indices.contains(row), new.indices.contains(row) else {
      return "replay: modification \(row)"
    }
    rows[row] = new[row]
  }
  return rows == new ? nil : "replay: \(rows.text) instead of \(new.text)"
}

/// The check of what a list token is told: where several answers are equally good, each is accepted
/// (4.3, 4.4, 4.6).
struct TwinListCheck {
  let owner: ObjectID
  let property: Int
  let filter: TwinFilter
  let span: TwinSpan

  var expectation: TwinExpectation? {
    let old = span.old.elements(property, of: owner)
    let new = span.new.elements(property, of: owner)
    let modified = Set(new.filter(isModified).map(\.serial))
    let isSame = old.map(\.serial) == new.map(\.serial)
    if isSame && modified.isEmpty { return nil }
    let text =
      "from \(old.text) to \(new.text), modified \(modified.sorted()),"
      + " moved \(new.map(\.serial).filter(span.commit.moved.contains))"
    return .told(text) { event in
      guard case .collection(.update(let seen, ownerDeleted: false), let rows) = event else {
        return "kind"
      }
      if rows != new.map(\.value) { return "rows" }
      return replayFault(seen, old: old.map(\.value), new: rows)
        ?? TwinRowsCheck(
          old: old.map(\.serial), new: new.map(\.serial), modified: modified,
          moved: span.commit.moved, replaced: span.commit.replaced
        ).fault(seen)
    }
  }

  /// A replaced element is always told (3.3); a linked object where the filter lets it through.
  private func isModified(_ element: TwinElement) -> Bool {
    if span.commit.replaced.contains(element.serial) { return true }
    guard case .link(let id) = element.value else { return false }
    return span.isModified(id, filter)
  }
}

/// The rows of a list before and after, each by a number that its element keeps, and what of them must
/// be told: where several answers are equally good, each is accepted (4.3, 4.4, 4.6).
struct TwinRowsCheck {
  let old: [Int]
  let new: [Int]
  let modified: Set<Int>
  let moved: Set<Int>
  let replaced: Set<Int>

  func fault(_ seen: ChangeSet) -> String? {
    let newPlaces = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let inBoth = old.indices.filter { newPlaces[old[$0]] != nil }
    let places = inBoth.map { newPlaces[old[$0]] ?? 0 }
    let gone = Set(old.indices).subtracting(inBoth)
    let deletions = Set(seen.deletions)
    guard gone.isSubset(of: deletions), deletions.count == seen.deletions.count else {
      return "deletions"
    }
    let told = inBoth.indices.filter { deletions.contains(inBoth[$0]) }
    let stay = inBoth.indices.filter { !deletions.contains(inBoth[$0]) }
    let fresh = Set(new.indices).subtracting(places)
    guard Set(seen.insertions) == fresh.union(told.map { places[$0] }) else { return "insertions" }
    // The elements that stay keep their order; they are as many as can be.
    let isMoved = inBoth.map { moved.contains(old[$0]) }
    let best = TwinMoves.bestStay(places, isMoved: isMoved)
    guard zip(stay, stay.dropFirst()).allSatisfy({ places[$0] < places[$1] }),
      stay.count == best.count, stay.filter({ !isMoved[$0] }).count == best.unmoved
    else { return "not the smallest set of moves" }
    let changed = stay.filter { modified.contains(old[inBoth[$0]]) }
    guard seen.modifications == changed.map({ inBoth[$0] }),
      seen.modificationsNew == changed.map({ places[$0] })
    else { return "modifications" }
    let moves = told.filter { !replaced.contains(old[inBoth[$0]]) }.map {
      ChangeSet.Move(old: inBoth[$0], new: places[$0])
    }
    return seen.moves == moves ? nil : "moves"
  }
}

extension [TwinElement] {
  /// Each element as its serial number and its value.
  var text: String {
    "[" + map { "\($0.serial):\($0.value.literal)" }.joined(separator: ", ") + "]"
  }
}
