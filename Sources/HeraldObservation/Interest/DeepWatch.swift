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
  var uses = 0
  var observers = ObserverList()
  /// Groups of observers of which each change concerns only some.
  var groups: [PredicateIndex] = []
  /// The smallest number of links from the rows' class to each class in reach.
  private(set) var distances: [ClassID: Int] = [:]
  private var numberCache = ChangeCache<[ObjectNumber]>()
  private var objectCache = ChangeCache<Set<ObjectID>>()
  private var origins: [ClassID: [(origin: ClassID, property: PropertyID)]] = [:]

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
    numberCache.value(for: changes) {
      modifiedObjects(changes, reader).map(\.number).sorted()
    }
  }

  /// The same as object ids, unordered; also for rows of any class.
  func modifiedObjects(_ changes: PendingChanges, _ reader: any ObjectReader) -> Set<ObjectID> {
    objectCache.value(for: changes) { findModified(changes, reader) }
  }

  func forget() {
    numberCache = ChangeCache()
    objectCache = ChangeCache()
  }

  private func findModified(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Set<ObjectID> {
    var seen: Set<ObjectID> = []
    var frontier: [ObjectID] = []
    for classID in distances.keys {
      changes.change(of: classID)?.forEachModified { number in
        let object = ObjectID(classID, number)
        if seen.insert(object).inserted { frontier.append(object) }
      }
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
            if seen.insert(object).inserted { next.append(object) }
            return true
          }
        }
      }
      frontier = next
    }
    guard let classID = key.classID else { return seen }
    return seen.filter { $0.classID == classID }
  }
}
