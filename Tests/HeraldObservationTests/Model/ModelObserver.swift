import HeraldModel
import HeraldObservation
import HeraldQuery

/// One observer beside its token: derives from plain states what it must receive.
final class ModelObserver {
  enum Target {
    case store
    case object(ObjectID, ObjectFilter)
    case results(ModelQuery, RowFilter)
    case collection(ObjectID, PropertyID, RowFilter)
    case collectionResults(ObjectID, PropertyID, ModelQuery, RowFilter)
    case property(ObjectID, PropertyID)
    case invalidated(ObjectID)
    case projection(ObjectID, [ProjectionField], [String]?)
  }

  let target: Target
  /// From the last delivery to now.
  var span: ModelSpan
  var isLive = true
  var isBegun = false
  /// Commits that are pending for a store token.
  private var commitCount = 0
  /// The root steps that matched since the last delivery.
  private var matches: Set<PropertyPath.Step.Kind> = []
  /// The paths of a projection that matched since the last delivery.
  private(set) var matchedPaths: Set<PropertyPath> = []

  init(_ target: Target, _ state: ModelState) {
    self.target = target
    span = ModelSpan(state)
    switch target {
    case .store, .object, .property, .invalidated, .projection: isBegun = true
    case .results, .collection, .collectionResults: isBegun = false
    }
  }

  var observed: ObservedTarget {
    switch target {
    case .store: .store
    case .object(let object, let filter): .object(object, filter)
    case .results(let query, let filter): .results(query.query, filter)
    case .collection(let owner, let property, let filter):
      .collection(owner: owner, property: property, filter)
    case .collectionResults(let owner, let property, let query, let filter):
      .collectionResults(owner: owner, property: property, query.query, filter)
    case .property(let object, let property): .property(object, property)
    case .invalidated(let object): .invalidated(object, name: "invalidated")
    case .projection(let object, let fields, let names):
      .projection(object, fields: fields, keyPaths: names)
    }
  }

  var isSharing: Bool {
    if case .object(_, .keyPaths(let paths, isExclusive: false)) = target {
      !paths.isEmpty
    } else {
      false
    }
  }

  /// Property observers are notified at the assignment.
  var isSilenceable: Bool {
    switch target {
    case .property, .invalidated: false
    case .store, .object, .results, .collection, .collectionResults, .projection: true
    }
  }

  /// The roots of its own key paths that match in one commit.
  func ownMatches(_ commit: ModelCommit) -> Set<PropertyPath.Step.Kind> {
    guard isLive, case .object(let object, .keyPaths(let paths, _)) = target,
      commit.after[object] != nil
    else { return [] }
    var span = ModelSpan(commit.before)
    span.append(commit)
    return Set(paths.filter { span.isModified(object, $0) }.compactMap(\.steps.first?.kind))
  }

  /// Property observers are notified elsewhere of commits of their own session.
  func take(_ commit: ModelCommit, _ matches: Set<PropertyPath.Step.Kind>, isOwn: Bool) {
    commitCount += 1
    self.matches.formUnion(matches)
    switch target {
    case .property(let object, _), .invalidated(let object):
      if isOwn {
        span = ModelSpan(commit.after)
        if commit.after[object] == nil { isLive = false }
        return
      }
    case .projection(let object, let fields, _):
      guard commit.after[object] != nil else { break }
      var single = ModelSpan(commit.before)
      single.append(commit)
      matchedPaths.formUnion(fields.map(\.path).filter { single.isModified(object, $0) })
    case .store, .object, .results, .collection, .collectionResults: break
    }
    if isBegun { span.append(commit) } else { span = ModelSpan(commit.after) }
  }

  func silence() {
    switch target {
    case .object(let object, _), .projection(let object, _, _):
      if span.end[object] == nil { isLive = false }
    case .collection(let owner, _, _), .collectionResults(let owner, _, _, _):
      if isBegun && span.end[owner] == nil { isLive = false }
    case .results: break
    case .property, .invalidated: return
    case .store:
      // It has no rows that could be ahead: what was pending stays pending.
      commitCount -= 1
      return
    }
    settle()
  }

  private func settle() {
    span = ModelSpan(span.end)
    commitCount = 0
    matches = []
    matchedPaths = []
  }

  /// Checks a report, or its absence, against what must be delivered. Returns what is wrong.
  func check(_ report: Report?) -> String? {
    defer { settle() }
    switch target {
    case .store:
      return report == (commitCount > 0 ? .changed : nil) ? nil : "store: \(text(report))"
    case .object(let object, let filter): return check(report, object, filter)
    case .results(let query, let filter): return check(report, query, filter)
    case .collection(let owner, let property, let filter):
      return checkCollection(report, owner, property, filter)
    case .collectionResults(let owner, let property, let query, let filter):
      return checkResults(report, owner, property, query, filter)
    case .property(let object, let property): return checkProperty(report, object, property)
    case .invalidated(let object): return checkInvalidated(report, object)
    case .projection(let object, let fields, let names):
      return checkProjection(report, object, fields, names)
    }
  }

  func text(_ report: Report?) -> String { report.map { "\($0)" } ?? "nothing" }

  /// A collection whose owner was deleted at its first call receives one more.
  var isOrphan: Bool {
    switch target {
    case .collection(let owner, _, _), .collectionResults(let owner, _, _, _):
      isLive && span.end[owner] == nil
    case .store, .object, .results, .property, .invalidated, .projection: false
    }
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
      let origin = span.end.schema.origin(of: property.type)
      let step = origin.map {
        PropertyPath.Step.Kind.backlinks(origin: $0.classID, property: $0.property.id)
      }
      let isTold =
        switch filter {
        case .everything: span.isChanged(object, property.id)
        case .keyPaths: matches.contains(step ?? .property(property.id))
        }
      guard isTold else { continue }
      if property.type.isCollection || !span.isChanged(object, property.id) {
        told.append(PropertyChange(name: property.name, hasValues: false))
      } else {
        told.append(
          PropertyChange(
            name: property.name, old: span.start[object]?.values[property.id] ?? .null,
            new: span.end[object]?.values[property.id] ?? .null))
      }
    }
    return told.isEmpty ? nil : .change(told)
  }

  // MARK: Results

  func isModified(_ object: ObjectID, _ filter: RowFilter) -> Bool {
    switch filter {
    case .deep(let limit): span.isModified(object, limit: limit)
    case .keyPaths(let paths): paths.contains { span.isModified(object, $0) }
    }
  }

  private func check(_ report: Report?, _ query: ModelQuery, _ filter: RowFilter) -> String? {
    let newRows = query.rows(span.end)
    guard isBegun else {
      isBegun = true
      return report == .initial(count: newRows.count) ? nil : "initial: \(text(report))"
    }
    return compare(report, query, filter, query.rows(span.start), newRows)
  }
}
