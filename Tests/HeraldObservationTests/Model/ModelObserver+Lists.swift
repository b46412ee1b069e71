import HeraldModel
import HeraldObservation
import HeraldQuery

extension ModelObserver {
  func checkList(
    _ report: Report?, _ owner: ObjectID, _ property: PropertyID, _ filter: RowFilter
  ) -> String? {
    let old = span.start[owner]?.lists[property] ?? []
    let new = span.end[owner]?.lists[property] ?? []
    guard isBegun else {
      isBegun = true
      return report == .initial(count: new.count) ? nil : "initial: \(text(report))"
    }
    guard span.end[owner] != nil else {
      isLive = false
      let all = ChangeSet(deletions: Array(old.indices))
      return report == .update(all, ownerDeleted: true)
        ? nil : "owner deleted: \(text(report))"
    }
    let told: ChangeSet
    switch report {
    case nil: told = ChangeSet()
    case .collection(.update(let changes, ownerDeleted: false))?: told = changes
    default: return "list: told \(text(report))"
    }
    let former = Set(old.map(\.id))
    let isRowModified = { (element: ModelElement) -> Bool in
      former.contains(element.id) && self.leadsToModified(element.value, filter)
    }
    let problem = mismatch(told, old, new, isRowModified)
    if let problem { return "list \(filter): \(problem): \(old) -> \(new): told \(told)" }
    return report != nil && told.isEmpty ? "list: an empty update" : nil
  }

  private func mismatch(
    _ told: ChangeSet, _ old: [ModelElement], _ new: [ModelElement],
    _ isRowModified: (ModelElement) -> Bool
  ) -> String? {
    var rows = old.map(\.id)
    for index in told.deletions.reversed() { rows.remove(at: index) }
    for index in told.insertions { rows.insert(new[index].id, at: index) }
    guard rows == new.map(\.id) else { return "replay" }
    let oldIndices = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let kept = new.enumerated().filter { oldIndices[$1.id] != nil }
    let moved = Set(span.commits.flatMap(\.moved))
    let replaced = Set(span.commits.flatMap(\.replaced))
    let (deletions, insertions) = (Set(told.deletions), Set(told.insertions))
    let stays = kept.filter { !deletions.contains(oldIndices[$1.id] ?? -1) }
    let best = heaviestRise(
      kept.map { oldIndices[$1.id] ?? -1 }, kept.map { moved.contains($1.id) ? (1, 0) : (1, 1) })
    guard stays.count == best.0 else { return "too many moves" }
    guard stays.count(where: { !moved.contains($1.id) }) == best.1 else { return "other moves" }
    let modified = stays.filter { replaced.contains($1.id) || isRowModified($1) }
    guard told.modificationsNew == modified.map(\.offset) else { return "modified rows" }
    guard told.modifications == modified.map({ oldIndices[$1.id] ?? -1 }) else {
      return "modified old rows"
    }
    let pairs = kept.filter { insertions.contains($0) && !replaced.contains($1.id) }
      .map { ChangeSet.Move(old: oldIndices[$1.id] ?? -1, new: $0) }.sorted { $0.old < $1.old }
    return told.moves == pairs ? nil : "pairs of moves"
  }
}
