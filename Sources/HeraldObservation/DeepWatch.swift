import HeraldModel
import HeraldQuery

/// Finds the objects of a class that reach a changed object over at most so many links: shared by
/// the collections of that class.
final class DeepWatch {
  struct Key: Hashable {
    var classID: ClassID
    /// The greatest number of links from a row to a changed object.
    var limit: Int
  }

  let key: Key
  /// How many uses are registered; at 0 the watch is dropped.
  var uses = 0
  var observers = ObserverList()
  /// The least number of links from the rows' class to each class in reach.
  private(set) var distances: [ClassID: Int] = [:]
  private var answer = Answer()
  private var origins: [ClassID: [(origin: ClassID, property: PropertyID)]] = [:]

  init(_ key: Key, _ schema: Schema) {
    self.key = key
    learn(schema)
  }

  /// Follows the links of the classes from the rows' class, to the limit.
  func learn(_ schema: Schema) {
    distances = [key.classID: 0]
    origins = [:]
    var frontier = [key.classID]
    var distance = 0
    while !frontier.isEmpty && distance < key.limit {
      distance += 1
      var next: [ClassID] = []
      for origin in frontier {
        for property in schema.classSchema(origin)?.properties ?? [] {
          guard let target = property.type.target else { continue }
          origins[target, default: []].append((origin, property.id))
          if distances[target] == nil {
            distances[target] = distance
            next.append(target)
          }
        }
      }
      frontier = next
    }
  }

  /// The objects of the class, ascending, that changed or reach a changed one. Walks backwards from
  /// the changed objects, one link at a time, and only where a row can still be in reach.
  func modified(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    if let known = answer.numbers(for: changes) { return known }
    let found = findModified(changes, reader)
    answer.note(found, for: changes)
    return found
  }

  func forget() { answer = Answer() }

  private func findModified(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [ObjectNumber] {
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
    return seen.filter { $0.classID == key.classID }.map(\.number).sorted()
  }
}
