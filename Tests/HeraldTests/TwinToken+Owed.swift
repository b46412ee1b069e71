import Herald

/// What a token is delivered at one point.
struct TwinDelivery {
  /// The version that the session stands at.
  let version: Int
  let states: [Int: TwinState]
  /// What led to each version.
  let commits: [Int: TwinCommit]
  /// The session's live tokens, in the order of registration.
  let tokens: [TwinToken]

  private func span(from heard: Int) -> TwinSpan? {
    guard let old = states[heard], let new = states[version] else { return nil }
    var sum = TwinCommit()
    for step in (heard + 1)..<(version + 1) { if let commit = commits[step] { sum.add(commit) } }
    return TwinSpan(old: old, new: new, commit: sum)
  }

  /// What the token is owed, after which it is owed nothing; nil where it is not called (1.5).
  func owed(_ token: TwinToken) -> TwinExpectation? {
    guard token.isLive else { return nil }
    let heard = token.heard
    let isFirst = token.awaitsInitial
    token.heard = version
    token.awaitsInitial = false
    if isFirst { return initial(token) }
    guard heard < version, let span = span(from: heard) else { return nil }
    switch token.target {
    case .store: return .told("changed") { if case .store(.changed) = $0 { nil } else { "kind" } }
    case .object(let id, let paths, let isExclusive):
      return owedObject(token, id, paths, isExclusive, span)
    case .results(let query, let filter):
      return TwinResultsCheck(query: query, filter: filter, span: span).expectation
    case .list(let owner, let property, let filter):
      guard span.new.exists(owner) else {
        token.isLive = false
        return .ownerDeleted(rows: span.old.elements(property, of: owner).count)
      }
      return TwinListCheck(owner: owner, property: property, filter: filter, span: span).expectation
    }
  }

  private func initial(_ token: TwinToken) -> TwinExpectation? {
    guard let state = states[version] else { return nil }
    let rows: [Value]
    switch token.target {
    case .store, .object: return nil
    case .results(let query, _): rows = query.rows(state).map(Value.link)
    case .list(let owner, let property, _):
      rows = state.elements(property, of: owner).map(\.value)
    }
    return .told("initial \(rows.count), rows \(rows.text)") { event in
      guard case .collection(.initial(let count), let seen) = event else { return "kind" }
      return count == rows.count && seen == rows ? nil : "rows"
    }
  }

  /// Rules 2.3, 3.5 and 3.6.
  private func owedObject(
    _ token: TwinToken, _ id: ObjectID, _ paths: [[String]]?, _ isExclusive: Bool, _ span: TwinSpan
  ) -> TwinExpectation? {
    guard let new = span.new[id], let old = span.old[id] else {
      token.isLive = false
      return .told("deleted") { if case .object(.deleted) = $0 { nil } else { "kind" } }
    }
    let type = span.new.schema.place(of: id.classID) ?? 0
    let properties = span.new.schema.classes[type].properties
    let changed = span.commit.changed[id] ?? []
    var named: [Int] = properties.indices.filter(changed.contains)
    if let paths {
      var all = paths
      if token.shared != nil {
        for other in tokens {
          if let shared = other.shared, shared.id == id { all += shared.keyPaths }
        }
      }
      named = properties.indices.filter { place in
        all.contains { path in
          guard path[0] == "*" || path[0] == properties[place].name else { return false }
          return span.matches([properties[place].name] + path.dropFirst(), at: id)
        }
      }
    }
    guard !named.isEmpty else { return nil }
    let expected = named.map { place in
      TwinPropertyCheck(
        name: properties[place].name, isCollection: properties[place].isList,
        isChanged: changed.contains(place), old: old.contents[place].value,
        new: new.contents[place].value)
    }
    return .told("change " + expected.map(\.text).joined(separator: ", ")) { event in
      guard case .object(.change(let seen)) = event else { return "kind" }
      guard seen.map(\.name) == expected.map(\.name) else { return "properties" }
      return zip(expected, seen).allSatisfy { $0.accepts($1) } ? nil : "values"
    }
  }
}

/// One property that an object token must name.
struct TwinPropertyCheck {
  var name: String
  var isCollection: Bool
  /// Whether the property itself changed: only then are its values promised (3.6).
  var isChanged: Bool
  var old: Value
  var new: Value

  var text: String {
    isCollection || !isChanged ? name : "\(name) \(old.literal) -> \(new.literal)"
  }

  func accepts(_ seen: PropertyChange) -> Bool {
    guard seen.hasValues == (!isCollection && isChanged) else { return false }
    return !seen.hasValues || (seen.old == old && seen.new == new)
  }
}

extension TwinExpectation {
  static func told(_ text: String, _ fault: @escaping (TwinEvent) -> String?) -> TwinExpectation {
    TwinExpectation(text: text, fault: fault)
  }

  /// One update that deletes every row, also of an empty list (2.5).
  static func ownerDeleted(rows: Int) -> TwinExpectation {
    let expected = ChangeSet(deletions: Array(0..<rows))
    return .told(expected.text + " owner deleted") { event in
      guard case .collection(.update(let seen, ownerDeleted: true), _) = event else {
        return "kind"
      }
      return seen == expected ? nil : "change set"
    }
  }
}
