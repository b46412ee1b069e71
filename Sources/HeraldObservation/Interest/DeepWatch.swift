import HeraldModel
import HeraldQuery

/// Finds the objects of a class, or of any, that reach a changed object over at most so many links:
/// shared by the collections of that class.
final class DeepWatch {
  struct Key: Hashable {
    /// Nil for rows of any class.
    var classID: ClassID?
    /// The greatest number of links from a row to a changed object.
    var limit: Int
  }

  let key: Key
  /// How many uses are registered; at 0 the watch is dropped.
  var uses = 0
  var observers = ObserverList()
  /// Likewise, of which only some are concerned.
  var groups: [FilterGroup] = []
  /// The least number of links from the rows' class to each class in reach.
  private(set) var distances: [ClassID: Int] = [:]
  private var answer = Answer<[ObjectNumber]>()
  private var objectAnswer = Answer<Set<ObjectID>>()
  private var origins: [ClassID: [(origin: ClassID, property: PropertyID)]] = [:]

  init(_ key: Key, _ schema: Schema) {
    self.key = key
    learn(schema)
  }

  /// Follows the links of the classes from the rows' class, to the limit. A value of any type can
  /// link to every class; backlinks are not followed.
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
        where property.type.isFollowed {
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

  /// The numbers, ascending, of the objects of the rows' class that changed or reach a changed one.
  /// Walks backwards from the changed objects, one link at a time, and only where a row
  /// can still be in reach.
  func modified(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    answer.value(for: changes) {
      modifiedObjects(changes, reader).map(\.number).sorted()
    }
  }

  /// The same as objects, in no order; also for rows of any class.
  func modifiedObjects(_ changes: PendingChanges, _ reader: any ObjectReader) -> Set<ObjectID> {
    objectAnswer.value(for: changes) { findModified(changes, reader) }
  }

  func forget() {
    answer = Answer()
    objectAnswer = Answer()
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
    var walked = 0
    while !frontier.isEmpty && walked < key.limit {
      walked += 1
      var next: [ObjectID] = []
      for target in frontier {
        for (origin, property) in origins[target.classID] ?? [] {
          guard let rest = distances[origin], rest + walked <= key.limit else { continue }
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
