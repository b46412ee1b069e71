import Herald

/// What counts as a modification of a row.
enum TwinFilter {
  /// Changes at most so many links away (2.4).
  case depth(Int)
  /// Changes at one of these places (3.2); none: nothing counts.
  case keyPaths([[String]])
}

/// Everything between two versions that one token has not heard of yet.
struct TwinSpan {
  let old: TwinState
  let new: TwinState
  let commit: TwinCommit

  /// Whether a row is modified: found by walking forward from it in the new state. What was cut
  /// off from the row in between was cut off by a change nearer to it, which counts itself.
  func isModified(_ row: ObjectID, _ filter: TwinFilter) -> Bool {
    switch filter {
    case .depth(let limit): isChanged(within: limit, of: row)
    case .keyPaths(let paths): paths.contains { matches($0[...], at: row) }
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

  private func linked(_ id: ObjectID) -> [ObjectID] {
    guard let object = new[id], let type = new.schema.place(of: id.classID) else { return [] }
    return new.schema.classes[type].links.flatMap { object.contents[$0].links }
  }

  /// Whether a property that the path names changed at an object at that exact place (3.2).
  func matches(_ path: ArraySlice<String>, at id: ObjectID) -> Bool {
    guard let step = path.first, let object = new[id],
      let type = new.schema.place(of: id.classID)
    else { return false }
    let properties = new.schema.classes[type].properties
    let isLast = path.count == 1
    for place in properties.indices {
      guard step == "*" || step == properties[place].name else { continue }
      if commit.changed[id]?.contains(place) == true { return true }
      guard !isLast else { continue }
      let rest = path.dropFirst()
      if object.contents[place].links.contains(where: { matches(rest, at: $0) }) { return true }
    }
    return false
  }
}
