import HeraldModel
import HeraldQuery

/// A query with a predicate that can be printed.
struct TwinQuery: CustomStringConvertible {
  var query: BoundQuery
  var description: String

  /// The rows as the rules define them: filter, then each stage on what the one before left.
  func rows(_ state: TwinState) -> [ObjectNumber] {
    let reader = TwinReader(state)
    var rows = state.numbers(of: query.classID).filter { query.predicate.matches($0, reader) }
    for stage in query.stages {
      switch stage {
      case .sort(let order):
        rows = rows.enumerated().sorted { a, b in
          let result = order.compare(a.element, b.element, reader)
          return result < 0 || result == 0 && a.offset < b.offset
        }.map(\.element)
      case .distinct(let paths):
        let order = SortOrder(keys: paths.map { SortOrder.Key(path: $0, isAscending: true) })
        var seen: Set<[Value]> = []
        rows = rows.filter { seen.insert(order.keyValues(of: $0, reader)).inserted }
      case .limit(let limit): rows = Array(rows.prefix(limit))
      }
    }
    return rows
  }

  /// The sort values of a row.
  func keys(of number: ObjectNumber, _ state: TwinState) -> [Value] {
    query.stages.flatMap { stage -> [Value] in
      if case .sort(let order) = stage {
        order.keyValues(of: number, TwinReader(state))
      } else {
        []
      }
    }
  }

  /// Whether a sort value stood at an object that is gone in `later`, other than in its key.
  func losesKeys(of number: ObjectNumber, _ state: TwinState, _ later: TwinState) -> Bool {
    query.stages.contains { stage in
      guard case .sort(let order) = stage else { return false }
      return order.keys.contains { key in
        var object = ObjectID(key.path.root, number)
        for step in key.path.steps {
          guard case .property(let property) = step.kind else { return false }
          let isKey = state.schema.classSchema(object.classID)?.primaryKey?.id == property
          if later[object] == nil && !isKey { return true }
          guard case .link(let next)? = state[object]?.values[property] else { return false }
          object = next
        }
        return false
      }
    }
  }
}

/// What changed in one commit, plainly: states compared.
struct TwinCommit {
  struct Place: Hashable {
    var object: ObjectID
    var property: PropertyID
  }
  struct Link: Hashable {
    var origin: ClassID
    var property: PropertyID
    var target: ObjectID
  }

  let before: TwinState
  let after: TwinState
  /// Values that differ at objects that exist in both states.
  private(set) var changed: Set<Place> = []
  /// Targets that gained or lost a link.
  private(set) var links: Set<Link> = []
  /// List elements whose value differs.
  private(set) var replaced: Set<Int> = []
  let moved: Set<Int>

  init(_ before: TwinState, _ after: TwinState, moved: Set<Int>) {
    self.before = before
    self.after = after
    self.moved = moved
    for classSchema in after.schema.classes {
      let numbers = Set(before.numbers(of: classSchema.id) + after.numbers(of: classSchema.id))
      for number in numbers {
        let object = ObjectID(classSchema.id, number)
        for property in classSchema.properties { compare(object, property) }
      }
    }
  }

  private mutating func compare(_ object: ObjectID, _ property: PropertySchema) {
    let place = Place(object: object, property: property.id)
    let (old, new) = (before[object], after[object])
    let isKept = old != nil && new != nil
    switch property.type.shape {
    case .single:
      let (oldValue, newValue) = (old?.values[property.id], new?.values[property.id])
      guard oldValue != newValue else { return }
      if isKept { changed.insert(place) }
      note(oldValue, place)
      note(newValue, place)
    case .list:
      let (oldList, newList) = (old?.lists[property.id] ?? [], new?.lists[property.id] ?? [])
      let former = Dictionary(uniqueKeysWithValues: oldList.map { ($0.id, $0.value) })
      let present = Dictionary(uniqueKeysWithValues: newList.map { ($0.id, $0.value) })
      for (id, value) in former where present[id] != nil && present[id] != value {
        replaced.insert(id)
      }
      guard oldList.map(\.value) != newList.map(\.value) else { return }
      if isKept { changed.insert(place) }
      for (id, value) in former where present[id] != value { note(value, place) }
      for (id, value) in present where former[id] != value { note(value, place) }
    }
  }

  private mutating func note(_ value: Value?, _ place: Place) {
    guard case .link(let target)? = value else { return }
    links.insert(
      Link(origin: place.object.classID, property: place.property, target: target))
  }
}

/// Several commits as an observer that was told nothing in between sees them.
struct TwinSpan {
  var start: TwinState
  var end: TwinState
  private(set) var commits: [TwinCommit] = []
  private var changed: Set<TwinCommit.Place> = []
  private var changedObjects: Set<ObjectID> = []

  init(_ state: TwinState) {
    start = state
    end = state
  }

  mutating func append(_ commit: TwinCommit) {
    commits.append(commit)
    end = commit.after
    for place in commit.changed where start[place.object] != nil {
      changed.insert(place)
      changedObjects.insert(place.object)
    }
  }

  func isChanged(_ object: ObjectID, _ property: PropertyID) -> Bool {
    changed.contains(TwinCommit.Place(object: object, property: property))
  }

  /// Whether an object or one that it reaches over so many links changed.
  func isModified(_ object: ObjectID, limit: Int) -> Bool {
    var seen: Set<ObjectID> = [object]
    var frontier = [object]
    for distance in 0...limit {
      if frontier.contains(where: changedObjects.contains) { return true }
      guard distance < limit else { break }
      var next: [ObjectID] = []
      for object in frontier {
        for property in end.schema.classSchema(object.classID)?.properties ?? [] {
          for target in end.targets(of: object, property.id)
          where seen.insert(target).inserted {
            next.append(target)
          }
        }
      }
      frontier = next
    }
    return false
  }

  func isModified(_ object: ObjectID, _ path: PropertyPath) -> Bool {
    var frontier: Set<ObjectID> = [object]
    for step in path.steps {
      var next: Set<ObjectID> = []
      for object in frontier {
        switch step.kind {
        case .property(let property):
          if isChanged(object, property) { return true }
          next.formUnion(end.targets(of: object, property))
        case .backlinks(let origin, let property):
          let link = TwinCommit.Link(origin: origin, property: property, target: object)
          if commits.contains(where: { $0.links.contains(link) }) { return true }
          for number in end.origins(of: object, origin, property) {
            next.insert(ObjectID(origin, number))
          }
        }
      }
      frontier = next
    }
    return false
  }
}
