import HeraldModel
import HeraldObservation

/// The check of what a list token receives: where several results are equally good, each is
/// accepted (4.3, 4.4, 4.6).
struct ModelListCheck {
  let owner: ObjectID
  let property: Int
  let filter: ModelFilter
  let span: ModelSpan

  var expectation: ModelExpectation? {
    let old = span.old.elements(property, of: owner)
    let new = span.new.elements(property, of: owner)
    if span.isCompared { return span.replay(old.map(\.value), new.map(\.value), filter) }
    let modified = Set(new.filter(isModified).map(\.serial))
    let isSame = old.map(\.serial) == new.map(\.serial)
    if isSame && modified.isEmpty { return nil }
    let text =
      "from \(old.text) to \(new.text), modified \(modified.sorted()),"
      + " moved \(new.map(\.serial).filter(span.commit.moved.contains))"
    return .notified(text) { event in
      guard case .update(let changes, ownerDeleted: false, let rows) = event else { return "kind" }
      let seen = changes.changeSet
      if rows.values != new.map(\.value) { return "rows" }
      return replayFault(seen, old: old.map(\.value), new: rows.values)
        ?? ModelRowsCheck(
          old: old.map(\.serial), new: new.map(\.serial), modified: modified,
          moved: span.commit.moved, replaced: span.commit.replaced
        ).fault(seen)
    }
  }

  /// A replaced element is always reported (3.3); a linked object where it matches the filter.
  private func isModified(_ element: ModelElement) -> Bool {
    span.commit.replaced.contains(element.serial) || span.leadsToModified(element.value, filter)
  }
}

/// The rows of a list before and after, each by a number that its element keeps, and what of them must
/// receive: where several results are equally good, each is accepted (4.3, 4.4, 4.6).
struct ModelRowsCheck {
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
    let notified = inBoth.indices.filter { deletions.contains(inBoth[$0]) }
    let stay = inBoth.indices.filter { !deletions.contains(inBoth[$0]) }
    let fresh = Set(new.indices).subtracting(places)
    guard Set(seen.insertions) == fresh.union(notified.map { places[$0] }) else {
      return "insertions"
    }
    // The elements that stay keep their order; they are as many as can be.
    let isMoved = inBoth.map { moved.contains(old[$0]) }
    let best = ModelMoves.bestStay(places, isMoved: isMoved)
    guard zip(stay, stay.dropFirst()).allSatisfy({ places[$0] < places[$1] }),
      stay.count == best.count, stay.filter({ !isMoved[$0] }).count == best.unmoved
    else { return "not the smallest set of moves" }
    let changed = stay.filter { modified.contains(old[inBoth[$0]]) }
    guard seen.modifications == changed.map({ inBoth[$0] }),
      seen.modificationsNew == changed.map({ places[$0] })
    else { return "modifications" }
    let moves = notified.filter { !replaced.contains(old[inBoth[$0]]) }.map {
      ChangeSet.Move(old: inBoth[$0], new: places[$0])
    }
    return seen.moves == moves ? nil : "moves"
  }
}

extension [ModelElement] {
  /// Each element as its serial number and its value.
  var text: String {
    "[" + map { "\($0.serial):\($0.value.literal)" }.joined(separator: ", ") + "]"
  }
}
