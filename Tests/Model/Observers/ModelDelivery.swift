import HeraldModel
import HeraldObservation

/// What a token is delivered at one point.
struct ModelDelivery {
  /// The version that the session is at.
  let version: Int
  let states: [Int: ModelStore]
  /// What led to each version.
  let commits: [Int: ModelCommit]
  /// Where the session knows the versions at both ends only.
  let compared: [Range<Int>]
  /// The session's live tokens, in the order of registration.
  let tokens: [ModelToken]

  private func span(from deliveredUpTo: Int) -> ModelSpan? {
    guard let old = states[deliveredUpTo], let new = states[version] else { return nil }
    var sum = ModelCommit()
    var (step, isCompared) = (deliveredUpTo, false)
    while step < version {
      if let range = compared.first(where: { $0.lowerBound == step }),
        let from = states[range.lowerBound], let to = states[range.upperBound]
      {
        sum.add(ModelCommit(from: from, to: to))
        (step, isCompared) = (range.upperBound, true)
      } else {
        step += 1
        if let commit = commits[step] { sum.add(commit) }
      }
    }
    return ModelSpan(old: old, new: new, commit: sum, isCompared: isCompared)
  }

  /// What is pending for the token, after which nothing is; nil where it is not called (1.5).
  func pending(_ token: ModelToken) -> ModelExpectation? {
    guard token.isLive else { return nil }
    let deliveredUpTo = token.deliveredUpTo
    token.notified = deliveredUpTo
    token.deliveredUpTo = version
    if let old = states[deliveredUpTo], let span = span(from: deliveredUpTo),
      token.target.depends(on: span.commit, old.schema)
    {
      token.isLive = false
      return token.awaitsInitial
        ? .initial(count: 0) : deletion(token.target, old, isOfOwner: false)
    }
    if token.awaitsInitial {
      token.awaitsInitial = false
      return initial(token)
    }
    if token.hasPendingRefresh, deliveredUpTo == version {
      token.hasPendingRefresh = false
      return .notified("refresh required") {
        if case .refreshRequired = $0 { nil } else { "kind" }
      }
    }
    guard token.isOrphan || deliveredUpTo < version, let span = span(from: deliveredUpTo) else {
      return nil
    }
    if case .inside(let place, let filter) = token.target {
      return pendingNested(token, place, filter, span)
    }
    if let owner = token.target.owner, !span.new.exists(owner) {
      token.isLive = false
      return deletion(token.target, token.isOrphan ? nil : span.old, isOfOwner: true)
    }
    switch token.target {
    case .inside: return nil
    case .store: return .notified("changed") { if case .changed = $0 { nil } else { "kind" } }
    case .object(let id, let paths, _): return pendingObject(token, id, paths, span)
    case .projection(let id, let place, let names):
      return ModelProjectionCheck(
        id: id, projection: span.new.schema.projections[place], names: names, span: span
      ).expectation
    case .property(let id, let place):
      return span.old.assignment(place, of: id, to: span.new).map { assignment in
        let name = span.new.schema.name([place], from: span.new.place(of: id)?.type ?? 0)
        return .notified(.assigned(property: name, assignment))
      }
    case .end: return nil
    case .results(let query, let filter):
      return ModelResultsCheck(query: query, filter: filter, span: span).expectation
    case .collectionResults(let owner, let property, let query, let filter):
      return ModelResultsCheck(
        query: query, filter: filter, span: span, ground: (owner, property)
      ).expectation
    case .collection(let owner, let property, let filter):
      switch shape(owner, property, span.new) {
      case .list:
        return ModelListCheck(owner: owner, property: property, filter: filter, span: span)
          .expectation
      case .set, .backlinks:
        return ModelSetCheck(owner: owner, property: property, filter: filter, span: span)
          .expectation
      case .map:
        return ModelMapCheck(owner: owner, property: property, filter: filter, span: span)
          .expectation
      case .single, .dropped, nil: return nil
      }
    }
  }

  private func shape(
    _ owner: ObjectID, _ property: Int, _ state: ModelStore?
  ) -> ModelSchema.Shape? {
    guard let schema = state?.schema, let type = schema.place(of: owner.classID) else { return nil }
    return schema.classes[type].properties[property].shape
  }

  /// The rows of a target that has rows, but for nested ones.
  private func rows(_ target: ModelTarget, _ state: ModelStore) -> [ModelRow]? {
    switch target {
    case .store, .object, .projection, .property, .end, .inside: nil
    case .results(let query, _): query.rows(state)
    case .collectionResults(let owner, let property, let query, _):
      query.rows(state, (owner, property))
    case .collection(let owner, let property, _): state.rows(property, of: owner)
    }
  }

  private func initial(_ token: ModelToken) -> ModelExpectation? {
    guard let state = states[version] else { return nil }
    if case .inside(let place, _) = token.target {
      let node = place.node(state)
      token.isOrphan = node == nil
      // What is read then is another collection, which has taken its position.
      return node.map { initial($0.rows) } ?? .initial(count: 0)
    }
    token.isOrphan = token.target.owner.map { !state.exists($0) } ?? false
    return rows(token.target, state).map { initial($0.map(\.value)) }
  }

  private func initial(_ values: [Value]) -> ModelExpectation {
    .notified("initial \(values.count), rows \(values.text)") { event in
      guard case .initial(let count, let seen) = event else { return "kind" }
      return count == values.count && seen.values == values ? nil : "rows"
    }
  }

  /// One update that deletes every row: also of an empty collection when its owner was deleted (2.5), but not
  /// when what selected, ordered or held the rows was dropped, or has another type. `old` is nil where the
  /// token never saw any.
  private func deletion(
    _ target: ModelTarget, _ old: ModelStore?, isOfOwner: Bool
  ) -> ModelExpectation? {
    switch target {
    case .store, .property, .inside: return nil
    case .end: return .notified(.invalidated)
    case .object, .projection:
      return .notified("deleted") { if case .deleted = $0 { nil } else { "kind" } }
    case .results, .collection, .collectionResults: break
    }
    let rows = old.flatMap { self.rows(target, $0) } ?? []
    if rows.isEmpty && !isOfOwner { return nil }
    let text = "\(rows.count) rows deleted" + (isOfOwner ? " with the owner" : "")
    if case .collection(let owner, let property, _) = target,
      shape(owner, property, old ?? states[version]) == .map
    {
      let keys = rows.map { if case .key(let key) = $0.mark { key } else { "" } }
      return .notified(text) { event in
        guard case .mapUpdate(let seen, ownerDeleted: isOfOwner, _) = event else { return "kind" }
        return seen == ModelKeyChanges(deletions: keys, insertions: [], modifications: [])
          ? nil : "keys"
      }
    }
    return .notified(text) { event in
      guard case .update(let seen, ownerDeleted: isOfOwner, _) = event else { return "kind" }
      return seen.changeSet == ChangeSet(deletions: Array(rows.indices)) ? nil : "change set"
    }
  }

  /// Rules 2.3, 3.5 and 3.6.
  private func pendingObject(
    _ token: ModelToken, _ id: ObjectID, _ paths: [[String]]?, _ span: ModelSpan
  ) -> ModelExpectation? {
    guard let new = span.new[id], let old = span.old[id] else { return nil }
    let type = span.new.schema.place(of: id.classID) ?? 0
    let properties = span.new.schema.classes[type].properties
    let changed = span.commit.changed[id] ?? []
    var named: [Int] = properties.indices.filter(changed.contains)
    if let paths {
      var all = paths
      if token.target.shared != nil {
        for other in tokens {
          if let shared = other.target.shared, shared.id == id { all += shared.keyPaths }
        }
      }
      named = properties.indices.filter { place in
        let property = properties[place]
        return all.contains { path in
          span.new.schema.names(property, path[...])
            && span.matches([property.name] + path.dropFirst(), at: id)
        }
      }
    }
    let expected = named.map { place in
      ModelPropertyCheck(
        name: properties[place].name,
        hasValues: !properties[place].isCollection && changed.contains(place),
        old: old.contents[place].value, new: new.contents[place].value)
    }
    return ModelPropertyCheck.expectation(expected)
  }
}

/// One property that an object token or a projection's must name.
struct ModelPropertyCheck {
  var name: String
  /// Only of a property that itself changed the values are promised (3.6).
  var hasValues: Bool
  var old: Value
  var new: Value

  var text: String { hasValues ? "\(name) \(old.literal) -> \(new.literal)" : name }

  func accepts(_ seen: ModelPropertyChange) -> Bool {
    guard seen.name == name, seen.hasValues == hasValues else { return false }
    return !hasValues || (seen.old == old && seen.new == new)
  }

  static func expectation(_ expected: [ModelPropertyCheck]) -> ModelExpectation? {
    guard !expected.isEmpty else { return nil }
    return .notified("change " + expected.map(\.text).joined(separator: ", ")) { event in
      guard case .change(let seen, _) = event else { return "kind" }
      guard seen.map(\.name) == expected.map(\.name) else { return "properties" }
      return zip(expected, seen).allSatisfy { $0.accepts($1) } ? nil : "values"
    }
  }
}

/// What a projection must receive, with its own names in its own order (7.2, 7.3).
struct ModelProjectionCheck {
  let id: ObjectID
  let projection: ModelSchema.Projection
  let names: [String]?
  let span: ModelSpan

  var expectation: ModelExpectation? {
    let schema = span.new.schema
    var expected: [ModelPropertyCheck] = []
    for field in projection.fields where names?.contains(field.name) ?? true {
      guard span.matches(schema.names(field.path, from: projection.type)[...], at: id) else {
        continue
      }
      let isSingle = schema.isSingle(field.path, from: projection.type)
      let old = isSingle ? span.old.value(field.path, of: id) : .null
      let new = isSingle ? span.new.value(field.path, of: id) : .null
      guard isSingle ? old != new : isNotified(field.path) else { continue }
      expected.append(
        ModelPropertyCheck(name: field.name, hasValues: isSingle, old: old, new: new))
    }
    return ModelPropertyCheck.expectation(expected)
  }
}
