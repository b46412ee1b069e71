import HeraldModel
import HeraldObservation

/// What counts as a modification of a row.
enum ModelFilter {
  /// Changes at most so many links away (2.4).
  case depth(Int)
  /// Changes at the end of one of these paths (3.2); none: nothing counts.
  case keyPaths([[String]])
  /// What a projection shows differs, by its place in the schema; of some of its names, or of all (7.3).
  case shown(Int, names: [String]?)
}

/// Everything between two versions that is pending for one token.
struct ModelSpan {
  let old: ModelStore
  let new: ModelStore
  let commit: ModelCommit
  /// Whether versions were compared: then what became of the elements of a list is not known.
  let isCompared: Bool

  /// What may be said of a list then: whatever leads from the old rows to the new ones (4.2), with every row
  /// that is modified.
  func replay(_ old: [Value], _ new: [Value], _ filter: ModelFilter) -> ModelExpectation {
    let text = "from \(old.text) to \(new.text)"
    return ModelExpectation(
      text: text,
      fault: { event in
        guard case .update(let changes, ownerDeleted: false, let rows) = event else {
          return "kind"
        }
        let seen = changes.changeSet
        if rows.values != new { return "rows" }
        if let fault = replayFault(seen, old: old, new: new) { return fault }
        let notified = Set(seen.insertions).union(seen.modificationsNew)
        let unreported = new.indices.filter {
          !notified.contains($0) && leadsToModified(new[$0], filter)
        }
        return unreported.isEmpty ? nil : "rows \(unreported) changed without a word"
      }, isOptional: old == new && !new.contains { leadsToModified($0, filter) })
  }

  /// Whether a value leads to an object that is modified.
  func leadsToModified(_ value: Value, _ filter: ModelFilter) -> Bool {
    value.links.contains { isModified($0, filter) }
  }

  /// Whether a row is modified: found by walking forward from it in the new state. What was cut
  /// off from the row in between was cut off by a change nearer to it, which counts itself.
  func isModified(_ row: ObjectID, _ filter: ModelFilter) -> Bool {
    switch filter {
    case .depth(let limit): isChanged(within: limit, of: row)
    case .keyPaths(let paths): paths.contains { matches($0[...], at: row) }
    case .shown(let place, let names):
      ModelProjectionCheck(
        id: row, projection: new.schema.projections[place], names: names, span: self
      ).expectation != nil
    }
  }

  private func isChanged(within limit: Int, of row: ObjectID) -> Bool {
    var seen: Set<ObjectID> = [row]
    var level = [row]
    for distance in 0...limit {
      if level.contains(where: { commit.changed[$0] != nil }) { return true }
      guard distance < limit else { return false }
      var next: [ObjectID] = []
      for id in level {
        for link in linked(id) where seen.insert(link).inserted { next.append(link) }
      }
      level = next
    }
    return false
  }

  private func linked(_ id: ObjectID) -> [ObjectID] { new[id]?.contents.flatMap(\.links) ?? [] }

  /// Whether a property that the path names changed at an object at that exact position (3.2).
  func matches(_ path: ArraySlice<String>, at id: ObjectID) -> Bool {
    guard !path.isEmpty, let place = new.place(of: id) else { return false }
    let rest = path.dropFirst()
    let properties = new.schema.classes[place.type].properties
    for (property, known) in properties.enumerated() {
      guard new.schema.names(known, path) else { continue }
      if isChanged(property, known, of: id) { return true }
      // A value of any type has no class whose properties could be named.
      guard !rest.isEmpty, known.target != nil else { continue }
      let next =
        known.shape == .backlinks
        ? new.rows(property, of: id).flatMap(\.value.links)
        : new.objects[place.type][place.row].contents[property].links
      if next.contains(where: { matches(rest, at: $0) }) { return true }
    }
    return false
  }

  /// Of backlinks: whether an origin was added or removed (3.4).
  private func isChanged(
    _ property: Int, _ known: ModelSchema.Property, of id: ObjectID
  ) -> Bool {
    guard let type = known.target, let origin = known.origin else {
      return commit.changed[id]?.contains(property) == true
    }
    return commit.links.contains(ModelCommit.Link(target: id, type: type, property: origin))
  }
}

extension ModelSchema {
  /// Whether the first step of a key path names a property: by its name, or by a star, which
  /// matches for those properties but backlinks that can lead on (3.1).
  func names(_ property: Property, _ path: ArraySlice<String>) -> Bool {
    guard path.first == "*" else { return path.first == property.name }
    return property.shape != .backlinks && leads(property, path.dropFirst())
  }

  /// Whether a path can be followed beyond a property.
  private func leads(_ property: Property, _ rest: ArraySlice<String>) -> Bool {
    guard let next = rest.first else { return true }
    guard let target = property.target else { return false }
    return classes[target].properties.contains { following in
      let isNamed = next == "*" ? following.shape != .backlinks : next == following.name
      return isNamed && leads(following, rest.dropFirst())
    }
  }
}
