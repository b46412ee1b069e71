import HeraldModel
import HeraldQuery

/// Finds the objects of a class, or of any class, that reach a changed object over a limited number of
/// links. Collections of the same class and limit share one.
final class DeepWatch {
  struct Key: Hashable {
    /// Nil for rows of any class.
    var classID: ClassID?
    /// The largest number of links from a row to a changed object.
    var limit: Int
  }

  let key: Key
  /// The number of registered uses; at 0 the watch is dropped.
  @exclusivity(unchecked) var uses = 0
  @exclusivity(unchecked) var observers = ObserverList()
  /// Groups of observers of which each change concerns only some.
  @exclusivity(unchecked) var groups: [PredicateIndex] = []
  /// The smallest number of links from the rows' class to each class in reach.
  @exclusivity(unchecked) private(set) var distances: [ClassID: Int] = [:]
  @exclusivity(unchecked) private var numberCache = ChangeCache<[ObjectNumber]>()
  @exclusivity(unchecked) private var objectCache = ChangeCache<Set<ObjectID>>()
  /// The links that led to the changed objects in the cache; nil until they are read for the first time.
  @exclusivity(unchecked) private var trail: ChangeTrail?
  @exclusivity(unchecked) private var origins:
    [ClassID: [(origin: ClassID, property: PropertyID)]] = [:]

  init(_ key: Key, _ schema: Schema) {
    self.key = key
    learn(schema)
  }

  /// Computes the distances over the links of the schema, from the rows' class up to the limit. A value
  /// of any type can link to every class; backlinks are not followed.
  func learn(_ schema: Schema) {
    let everyClass = schema.classes.map(\.id)
    let roots = key.classID.map { [$0] } ?? everyClass
    distances = Dictionary(uniqueKeysWithValues: roots.map { ($0, 0) })
    origins = [:]
    var frontier = roots
    var distance = 0
    while !frontier.isEmpty && distance < key.limit {
      distance += 1
      var next: [ClassID] = []
      for origin in frontier {
        for property in schema.classSchema(origin)?.properties ?? []
        where property.type.holdsForwardLinks {
          for target in property.type.target.map({ [$0] }) ?? everyClass {
            origins[target, default: []].append((origin, property.id))
            guard distances[target] == nil else { continue }
            distances[target] = distance
            next.append(target)
          }
        }
      }
      frontier = next
    }
  }

  /// Returns the numbers, ascending, of the objects of the rows' class that changed or reach a changed
  /// one. Walks links backwards from the changed objects, only where a row can still be in reach.
  func modified(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    if let single = changes.single, isDirect(single.classID) {
      guard case .value(_, let number, _) = single.kind else { return [] }
      return [number]
    }
    return numberCache.value(for: changes) {
      modifiedObjects(changes, reader).map(\.number).sorted()
    }
  }

  /// Whether what a single change of a class modifies follows from the change itself, so that it is not kept: no object
  /// links to that class.
  func isDirect(_ classID: ClassID) -> Bool {
    classID == key.classID && trail == nil && (key.limit == 0 || origins[classID] == nil)
  }

  /// The same as object ids, unordered; also for rows of any class.
  func modifiedObjects(_ changes: PendingChanges, _ reader: any ObjectReader) -> Set<ObjectID> {
    objectCache.value(for: changes) {
      if trail != nil { trail = ChangeTrail(limit: key.limit) }
      let found = walk(changes, reader) { _, _ in true }
      guard let classID = key.classID else { return found }
      return found.filter { $0.classID == classID }
    }
  }

  /// Returns the links that lead to changed objects, and records them from now on.
  func trail(_ changes: PendingChanges, _ reader: any ObjectReader) -> ChangeTrail {
    if trail == nil {
      trail = ChangeTrail(limit: key.limit)
      objectCache = ChangeCache()
    }
    _ = modifiedObjects(changes, reader)
    return trail ?? ChangeTrail(limit: key.limit)
  }

  /// Returns the smallest number of links from an object that satisfies `isRow` to a changed one; nil
  /// where none is in reach.
  func distance(
    _ changes: PendingChanges, _ reader: any ObjectReader, to isRow: (ObjectID) -> Bool
  ) -> Int? {
    var distance: Int?
    walk(changes, reader) { object, depth in
      if (key.classID ?? object.classID) == object.classID, isRow(object) { distance = depth }
      return distance == nil
    }
    return distance
  }

  func forget() {
    numberCache = ChangeCache()
    objectCache = ChangeCache()
  }

  /// Walks links backwards from the changed objects, and returns the objects found. Calls `visit` with
  /// each and its distance to the nearest change, until that returns false.
  @discardableResult
  private func walk(
    _ changes: PendingChanges, _ reader: any ObjectReader,
    _ visit: (ObjectID, Int) -> Bool
  ) -> Set<ObjectID> {
    var seen: Set<ObjectID> = []
    var frontier: [ObjectID] = []
    for classID in distances.keys {
      changes.change(of: classID)?.forEachModified { number in
        let object = ObjectID(classID, number)
        if seen.insert(object).inserted { frontier.append(object) }
      }
    }
    for object in frontier {
      trail?.noteChange(of: object)
      if !visit(object, 0) { return seen }
    }
    var depth = 0
    while !frontier.isEmpty && depth < key.limit {
      depth += 1
      var next: [ObjectID] = []
      for target in frontier {
        for (origin, property) in origins[target.classID] ?? [] {
          guard let rest = distances[origin], rest + depth <= key.limit else { continue }
          reader.forEachOrigin(of: target, origin: origin, property: property) { number, _ in
            let object = ObjectID(origin, number)
            trail?.noteLink(from: object, .property(property), to: target)
            if seen.insert(object).inserted { next.append(object) }
            return true
          }
        }
      }
      for object in next where !visit(object, depth) { return seen }
      frontier = next
    }
    return seen
  }
}
