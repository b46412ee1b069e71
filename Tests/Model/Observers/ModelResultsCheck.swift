import HeraldModel
import HeraldObservation

/// The change set that results must deliver, of a class or of a collection, computed from both
/// versions (4.1, 4.4, 4.6).
struct ModelResultsCheck {
  let query: ModelQuery
  let filter: ModelFilter
  let span: ModelSpan
  /// The collection that the rows are in; nil of a class.
  var ground: (owner: ObjectID, property: Int)?

  var expectation: ModelExpectation? {
    let (old, new) = (query.rows(span.old, ground), query.rows(span.new, ground))
    if span.isCompared, let ground,
      case .list = span.new.content(ground.property, of: ground.owner)
    {
      return span.replay(old.map(\.value), new.map(\.value), filter)
    }
    let displaced = displaced
    // Which of them an operation moved is the collection's matter: any will do that make up the rows.
    let expected = changes(old, new, isMoved: displaced.isEmpty ? nil : { _ in false })
    if expected.isEmpty && (displaced.isEmpty || old == new) { return nil }
    let (oldRows, newRows) = (old.map(\.value), new.map(\.value))
    return .notified("\(expected.text), rows \(newRows.text), before \(oldRows.text)") { event in
      guard case .update(let changes, ownerDeleted: false, let rows) = event else { return "kind" }
      let seen = changes.changeSet
      if rows.values != newRows { return "rows" }
      if let fault = replayFault(seen, old: oldRows, new: newRows) { return fault }
      if displaced.isEmpty { return seen == expected ? nil : "change set" }
      return fault(seen, old, new, displaced)
    }
  }

  /// Rows that have moved in their collection, or may have.
  private var displaced: Set<ModelRow> {
    guard let ground else { return [] }
    let before = span.old.rows(ground.property, of: ground.owner)
    let after = span.new.rows(ground.property, of: ground.owner)
    let both = Set(before).intersection(after)
    return before.filter(both.contains) == after.filter(both.contains) ? [] : both
  }

  private func fault(
    _ seen: ChangeSet, _ old: [ModelRow], _ new: [ModelRow], _ displaced: Set<ModelRow>
  ) -> String? {
    for move in seen.moves {
      let row = old[move.old]
      guard new[move.new] == row else { return "a move of another row" }
      guard isRekeyed(row) || displaced.contains(row) else {
        return "row \(move.old) need not move"
      }
    }
    if !query.isSorted {
      let places = old.compactMap { new.firstIndex(of: $0) }
      let best = ModelMoves.bestStay(places, isMoved: places.map { _ in false })
      guard seen.moves.count == places.count - best.count else { return "not the fewest moves" }
    }
    let moved = Set(seen.moves.map { old[$0.old] })
    return seen == changes(old, new, isMoved: moved.contains) ? nil : "change set"
  }

  private func isRekeyed(_ row: ModelRow) -> Bool {
    row.value.links.contains {
      query.sortValues(of: $0, span.old) != query.sortValues(of: $0, span.new)
    }
  }

  /// `isMoved` says which rows are reported as moved; nil: the fewest, of those that may be.
  private func changes(
    _ old: [ModelRow], _ new: [ModelRow], isMoved: ((ModelRow) -> Bool)?
  ) -> ChangeSet {
    let newPlaces = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let inBoth = old.indices.filter { newPlaces[old[$0]] != nil }
    let places = inBoth.map { newPlaces[old[$0]] ?? 0 }
    let stay =
      isMoved.map { isMoved in inBoth.indices.filter { !isMoved(old[inBoth[$0]]) } }
      ?? ModelMoves.staying(places, isFixed: inBoth.map { !isRekeyed(old[$0]) })
    let staying = Set(stay.map { inBoth[$0] })
    let stayingNew = Set(stay.map { places[$0] })
    var changes = ChangeSet()
    changes.deletions = old.indices.filter { !staying.contains($0) }
    changes.insertions = new.indices.filter { !stayingNew.contains($0) }
    for row in stay where span.leadsToModified(old[inBoth[row]].value, filter) {
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
