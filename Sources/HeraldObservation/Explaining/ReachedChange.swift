package import HeraldModel
package import HeraldQuery

/// A changed object for which a row counts as modified, and the way to it.
package struct ReachedChange: Hashable, Sendable {
  /// The names of the properties that lead from the row to the object; empty for the row itself.
  package var path: [String]
  package var object: ObjectID
  /// The names of the changed properties that count; nil for every one.
  package var properties: Set<String>?
}

extension Observatory {
  /// Returns for which changed objects of the last report a row counts as modified: the nearest first, in
  /// the order of the properties and collections that lead to them, each property of an object once.
  /// Reads what the token's watches recorded. O(links that lead to changed objects).
  package func changes(reachedFrom row: ObjectID, _ reader: any ObjectReader) -> [ReachedChange] {
    guard let reported,
      let watch = reportedToken.flatMap({ registry[$0]?.subject.rowWatch }) ?? endedWatch
    else { return [] }
    // A watch that records its trail finds the objects in another way.
    interest.forgetValueSubscribers()
    let trails =
      watch.deep.map { [$0.trail(reported, reader)] }
      ?? watch.paths.map { $0.trail(reported, reader) }
    return trails.changes(reachedFrom: row, reader)
  }
}

private struct Visit: Hashable {
  var object: ObjectID
  var path: [String]
}

/// An object on the way from a row to changed ones.
private struct Place {
  var object: ObjectID
  var path: [String] = []
  /// The indices of the trails that lead there.
  var trails: [Int]
}

extension [ChangeTrail] {
  fileprivate func changes(
    reachedFrom row: ObjectID, _ reader: any ObjectReader
  ) -> [ReachedChange] {
    var found: [ReachedChange] = []
    var named: [ObjectID: Set<String>] = [:]
    var level = [Place(object: row, trails: [Int](indices))]
    var seen: Set<Visit> = [visit(level[0])]
    var depth = 0
    while !level.isEmpty {
      var next: [Place] = []
      for place in level {
        if var change = change(at: place, depth, reader.schema) {
          if let properties = change.properties {
            change.properties = properties.subtracting(named[place.object] ?? [])
            named[place.object, default: []].formUnion(properties)
          }
          if change.properties != [] { found.append(change) }
        }
        for place in places(beyond: place, depth, reader) where seen.insert(visit(place)).inserted {
          next.append(place)
        }
      }
      level = next
      depth += 1
    }
    return found
  }

  /// A place is visited once: an object, on key paths by each way that they name.
  private func visit(_ place: Place) -> Visit {
    Visit(object: place.object, path: first?.path == nil ? [] : place.path)
  }

  private func change(at place: Place, _ depth: Int, _ schema: Schema) -> ReachedChange? {
    var change = ReachedChange(path: place.path, object: place.object, properties: [])
    for index in place.trails {
      switch self[index].change(of: place.object, at: depth) {
      case nil: continue
      case .everyProperty:
        change.properties = nil
        return change
      case .property(let kind):
        change.properties?.insert(schema.name(of: kind, place.object.classID))
      }
    }
    return change.properties == [] ? nil : change
  }

  private func places(
    beyond place: Place, _ depth: Int, _ reader: any ObjectReader
  ) -> [Place] {
    var trails: [ChangeTrail.Link: [Int]] = [:]
    for index in place.trails {
      for link in self[index].links(from: place.object, at: depth)
      where trails[link]?.last != index {
        trails[link, default: []].append(index)
      }
    }
    let targets = Dictionary(grouping: trails.keys, by: \.kind).mapValues { $0.map(\.target) }
    let classID = place.object.classID
    return targets.keys.sorted { reader.schema.isBefore($0, $1, in: classID) }.flatMap { kind in
      reader.inOrder(targets[kind] ?? [], along: kind, of: place.object).map { target in
        Place(
          object: target, path: place.path + [reader.schema.name(of: kind, classID)],
          trails: trails[ChangeTrail.Link(kind: kind, target: target)] ?? [])
      }
    }
  }
}

extension Schema {
  /// Whether a step belongs to an earlier property of its class than another.
  fileprivate func isBefore(
    _ a: PropertyPath.Step.Kind, _ b: PropertyPath.Step.Kind, in classID: ClassID
  ) -> Bool {
    let kinds = classSchema(classID)?.properties.map { property -> PropertyPath.Step.Kind in
      guard let origin = origin(of: property.type) else { return .property(property.id) }
      return .backlinks(origin: origin.classID, property: origin.property.id)
    }
    return kinds?.firstIndex(of: a) ?? .max < kinds?.firstIndex(of: b) ?? .max
  }
}

extension ObjectReader {
  /// Returns the targets of a step in the order of the property. Reads a collection only where there are
  /// several.
  fileprivate func inOrder(
    _ targets: [ObjectID], along kind: PropertyPath.Step.Kind, of owner: ObjectID
  ) -> [ObjectID] {
    guard targets.count > 1, case .property(let property) = kind,
      let type = schema.classSchema(owner.classID)?.property(property)?.type
    else { return targets.sorted() }
    var rest = Set(targets)
    var found: [ObjectID] = []
    func note(_ value: Value) {
      value.forEachLinkInOrder { if rest.remove($0) != nil { found.append($0) } }
    }
    if type.isCollection {
      forEachElement(property, of: owner) { element in
        note(element)
        return !rest.isEmpty
      }
    } else {
      note(value(property, of: owner))
    }
    return found
  }
}

extension Value {
  /// Calls `body` with the objects that the value links to, maps in the order of their keys.
  fileprivate func forEachLinkInOrder(_ body: (ObjectID) -> Void) {
    switch self {
    case .link(let target): body(target)
    case .list(let values): for value in values { value.forEachLinkInOrder(body) }
    case .map(let entries): for entry in entries.inKeyOrder { entry.value.forEachLinkInOrder(body) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      break
    }
  }
}
