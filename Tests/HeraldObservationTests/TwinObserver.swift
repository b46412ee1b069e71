import HeraldModel
import HeraldObservation
import HeraldQuery

/// One observer beside its token: knows from plain states what it must be told.
final class TwinObserver {
  enum Target {
    case store
    case object(ObjectID, ObjectFilter)
    case results(TwinQuery, RowFilter)
    case list(ObjectID, PropertyID, RowFilter)
  }

  let target: Target
  /// From what it was told last to now.
  var span: TwinSpan
  var isLive = true
  private var isBegun = false
  /// Commits that a store token was not told of.
  private var commitCount = 0
  /// The root steps that matched since it was told.
  private var matches: Set<PropertyPath.Step.Kind> = []

  init(_ target: Target, _ state: TwinState) {
    self.target = target
    span = TwinSpan(state)
    switch target {
    case .store, .object: isBegun = true
    case .results, .list: isBegun = false
    }
  }

  var observed: ObservedTarget {
    switch target {
    case .store: .store
    case .object(let object, let filter): .object(object, filter)
    case .results(let query, let filter): .results(query.query, filter)
    case .list(let owner, let property, let filter):
      .list(owner: owner, property: property, filter)
    }
  }

  var isSharing: Bool {
    if case .object(_, .keyPaths(let paths, isExclusive: false)) = target {
      !paths.isEmpty
    } else {
      false
    }
  }

  /// The roots of its own key paths that match in one commit.
  func ownMatches(_ commit: TwinCommit) -> Set<PropertyPath.Step.Kind> {
    guard isLive, case .object(let object, .keyPaths(let paths, _)) = target,
      commit.after[object] != nil
    else { return [] }
    var span = TwinSpan(commit.before)
    span.append(commit)
    return Set(paths.filter { span.isModified(object, $0) }.compactMap(\.steps.first?.kind))
  }

  func take(_ commit: TwinCommit, _ matches: Set<PropertyPath.Step.Kind>) {
    commitCount += 1
    self.matches.formUnion(matches)
    if isBegun { span.append(commit) } else { span = TwinSpan(commit.after) }
  }

  func silence() {
    switch target {
    case .object(let object, _): if span.end[object] == nil { isLive = false }
    case .list(let owner, _, _): if isBegun && span.end[owner] == nil { isLive = false }
    case .results: break
    case .store:
      // It has no rows that could be ahead: what it was owed before stays.
      commitCount -= 1
      return
    }
    settle()
  }

  private func settle() {
    span = TwinSpan(span.end)
    commitCount = 0
    matches = []
  }

  /// Holds a report, or its absence, against what must be told. Answers what is wrong.
  func check(_ report: Report?) -> String? {
    defer { settle() }
    switch target {
    case .store:
      return report == (commitCount > 0 ? .changed : nil) ? nil : "store: \(text(report))"
    case .object(let object, let filter): return check(report, object, filter)
    case .results(let query, let filter): return check(report, query, filter)
    case .list(let owner, let property, let filter):
      return check(report, owner, property, filter)
    }
  }

  private func text(_ report: Report?) -> String { report.map { "\($0)" } ?? "nothing" }

  /// A list whose owner was gone at its first call has one more to come.
  var isOrphan: Bool {
    if case .list(let owner, _, _) = target { isLive && span.end[owner] == nil } else { false }
  }

  // MARK: Objects

  private func check(_ report: Report?, _ object: ObjectID, _ filter: ObjectFilter) -> String? {
    let expected = expectation(object, filter)
    if expected == .deleted { isLive = false }
    return expected == report
      ? nil : "object \(object) \(filter): told \(text(report)), not \(text(expected))"
  }

  private func expectation(_ object: ObjectID, _ filter: ObjectFilter) -> Report? {
    guard span.end[object] != nil else { return .deleted }
    guard let classSchema = span.end.schema.classSchema(object.classID) else { return nil }
    var told: [PropertyChange] = []
    for property in classSchema.properties {
      let isTold =
        switch filter {
        case .everything: span.isChanged(object, property.id)
        case .keyPaths: matches.contains(.property(property.id))
        }
      guard isTold else { continue }
      if property.type.shape == .list {
        told.append(PropertyChange(name: property.name, isCollection: true))
      } else {
        told.append(
          PropertyChange(
            name: property.name, old: span.start[object]?.values[property.id] ?? .null,
            new: span.end[object]?.values[property.id] ?? .null))
      }
    }
    var names: [String] = []
    for case .backlinks(let origin, let property) in matches {
      guard let origin = span.end.schema.classSchema(origin),
        let link = origin.property(property)
      else { continue }
      names.append("@links.\(origin.name).\(link.name)")
    }
    told += names.sorted().map { PropertyChange(name: $0, isCollection: true) }
    return told.isEmpty ? nil : .change(told)
  }

  // MARK: Results

  private func isModified(_ object: ObjectID, _ filter: RowFilter) -> Bool {
    switch filter {
    case .deep(let limit): span.isModified(object, limit: limit)
    case .keyPaths(let paths): paths.contains { span.isModified(object, $0) }
    }
  }

  private func check(_ report: Report?, _ query: TwinQuery, _ filter: RowFilter) -> String? {
    let newRows = query.rows(span.end)
    guard isBegun else {
      isBegun = true
      return report == .initial(count: newRows.count) ? nil : "initial: \(text(report))"
    }
    let oldRows = query.rows(span.start)
    let expected = expectation(oldRows, newRows, query, filter)
    let told: ChangeSet
    switch report {
    case nil: told = ChangeSet()
    case .update(let changes, ownerDeleted: false)?: told = changes
    default: return "\(query): told \(text(report))"
    }
    if told == expected && (report != nil) == !expected.isEmpty { return nil }
    return "\(query) \(filter): rows \(oldRows) -> \(newRows): told \(told), not \(expected)"
  }

  private func expectation(
    _ oldRows: [ObjectNumber], _ newRows: [ObjectNumber], _ query: TwinQuery, _ filter: RowFilter
  ) -> ChangeSet {
    let oldIndices = Dictionary(uniqueKeysWithValues: oldRows.enumerated().map { ($1, $0) })
    let newIndices = Dictionary(uniqueKeysWithValues: newRows.enumerated().map { ($1, $0) })
    let kept = oldRows.filter { newIndices[$0] != nil }
    let changed = kept.filter {
      query.keys(of: $0, span.start) != query.keys(of: $0, span.end)
        || query.losesKeys(of: $0, span.start, span.end)
    }
    let moved = movedRows(kept, Set(changed), newIndices)
    var changes = ChangeSet()
    for (index, number) in oldRows.enumerated() {
      guard let newIndex = newIndices[number] else {
        changes.deletions.append(index)
        continue
      }
      if moved.contains(number) {
        changes.deletions.append(index)
        changes.moves.append(ChangeSet.Move(old: index, new: newIndex))
      } else if isModified(ObjectID(query.query.classID, number), filter) {
        changes.modifications.append(index)
        changes.modificationsNew.append(newIndex)
      }
    }
    for (index, number) in newRows.enumerated()
    where oldIndices[number] == nil || moved.contains(number) {
      changes.insertions.append(index)
    }
    return changes
  }

  /// Of all ways to keep rows in order that keep the unchanged ones: the most rows, and of these
  /// the one with the lowest old positions; tried one by one.
  private func movedRows(
    _ kept: [ObjectNumber], _ changed: Set<ObjectNumber>, _ newIndices: [ObjectNumber: Int]
  ) -> Set<ObjectNumber> {
    let free = kept.filter(changed.contains)
    var best: [Int]?
    for choice in 0..<(1 << free.count) {
      let stays = free.indices.filter { choice & (1 << $0) != 0 }
      if let best, stays.count < best.count { continue }
      if let best, stays.count == best.count, !stays.lexicographicallyPrecedes(best) { continue }
      let staying = Set(stays.map { free[$0] })
      let rows = kept.filter { !changed.contains($0) || staying.contains($0) }
      let isInOrder = zip(rows, rows.dropFirst()).allSatisfy {
        newIndices[$0, default: 0] < newIndices[$1, default: 0]
      }
      if isInOrder { best = stays }
    }
    return changed.subtracting((best ?? []).map { free[$0] })
  }

  // MARK: Lists

  private func check(
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
    case .update(let changes, ownerDeleted: false)?: told = changes
    default: return "list: told \(text(report))"
    }
    let former = Set(old.map(\.id))
    let isRowModified = { (element: TwinElement) -> Bool in
      guard former.contains(element.id), case .link(let target) = element.value else {
        return false
      }
      return self.isModified(target, filter)
    }
    let problem = mismatch(told, old, new, isRowModified)
    if let problem { return "list \(filter): \(problem): \(old) -> \(new): told \(told)" }
    return report != nil && told.isEmpty ? "list: an empty update" : nil
  }

  private func mismatch(
    _ told: ChangeSet, _ old: [TwinElement], _ new: [TwinElement],
    _ isRowModified: (TwinElement) -> Bool
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
