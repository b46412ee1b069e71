import HeraldModel
import HeraldObservation
import HeraldQuery

/// A row of results: an object, and, in a collection, which of its elements.
struct ModelRow: Hashable {
  var number: ObjectNumber
  /// The element of a list, or which of the links of an origin.
  var place = 0
  var key = ""
}

/// A query with a predicate that can be printed.
struct ModelQuery: CustomStringConvertible {
  var query: BoundQuery
  var description: String

  /// The rows as the rules define them: filter, then each stage on what the one before left.
  func rows(_ state: ModelState) -> [ModelRow] {
    rows(of: state.numbers(of: query.classID).map { ModelRow(number: $0) }, state)
  }

  /// The rows of a collection.
  func rows(of owner: ObjectID, _ property: PropertyID, _ state: ModelState) -> [ModelRow] {
    rows(of: state.rows(of: owner, property), state)
  }

  private func rows(of all: [ModelRow], _ state: ModelState) -> [ModelRow] {
    let reader = ModelReader(state)
    var rows = all.filter { query.predicate.matches($0.number, reader) }
    for stage in query.stages {
      switch stage {
      case .sort(let order):
        rows = rows.enumerated().sorted { a, b in
          let result = order.compare(a.element.number, b.element.number, reader)
          return result < 0 || result == 0 && a.offset < b.offset
        }.map(\.element)
      case .distinct(let paths):
        let order = SortOrder(keys: paths.map { SortOrder.Key(path: $0, isAscending: true) })
        var seen: Set<[Value]> = []
        rows = rows.filter { seen.insert(order.keyValues(of: $0.number, reader)).inserted }
      case .limit(let limit): rows = Array(rows.prefix(limit))
      case .filter(let predicate):
        rows = rows.filter { predicate.matches($0.number, reader) }
      }
    }
    return rows
  }

  var isSorted: Bool {
    query.stages.contains { if case .sort = $0 { true } else { false } }
  }

  /// The sort values of a row.
  func keys(of number: ObjectNumber, _ state: ModelState) -> [Value] {
    query.stages.flatMap { stage -> [Value] in
      if case .sort(let order) = stage {
        order.keyValues(of: number, ModelReader(state))
      } else {
        []
      }
    }
  }
}

extension ModelState {
  /// The objects of a collection of links in its order.
  func rows(of owner: ObjectID, _ property: PropertyID) -> [ModelRow] {
    let content = self[owner]
    let shape = schema.classSchema(owner.classID)?.property(property)?.type.shape ?? .single
    var rows: [ModelRow] = []
    let keys = (content?.maps[property] ?? [:]).keys.sorted()
    var links: [ObjectNumber: Int] = [:]
    for (index, value) in elements(of: owner, property).enumerated() {
      guard case .link(let target) = value else { continue }
      switch shape {
      case .single, .set: rows.append(ModelRow(number: target.number))
      case .list:
        let element = content?.lists[property]?[index].id ?? 0
        rows.append(ModelRow(number: target.number, place: element))
      case .map: rows.append(ModelRow(number: target.number, key: keys[index]))
      case .backlinks:
        rows.append(ModelRow(number: target.number, place: links[target.number, default: 0]))
        links[target.number, default: 0] += 1
      }
    }
    return rows
  }
}

/// What changed in one commit, plainly: states compared.
struct ModelCommit {
  struct Place: Hashable {
    var object: ObjectID
    var property: PropertyID
  }
  struct Link: Hashable {
    var origin: ClassID
    var property: PropertyID
    var target: ObjectID
  }

  let before: ModelState
  let after: ModelState
  /// Values that differ at objects that exist in both states.
  private(set) var changed: Set<Place> = []
  /// Targets that gained or lost a link.
  private(set) var links: Set<Link> = []
  /// List elements whose value differs.
  private(set) var replaced: Set<Int> = []
  let moved: Set<Int>

  init(_ before: ModelState, _ after: ModelState, moved: Set<Int>) {
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
      let oldValue = old?.values[property.id] ?? .null
      let newValue = new?.values[property.id] ?? .null
      guard oldValue != newValue else { return }
      if isKept { changed.insert(place) }
      var counts: [ObjectID: Int] = [:]
      oldValue.forEachLink { counts[$0, default: 0] -= 1 }
      newValue.forEachLink { counts[$0, default: 0] += 1 }
      for (target, count) in counts where count != 0 { note(.link(target), place) }
    case .list:
      let (oldList, newList) = (old?.lists[property.id] ?? [], new?.lists[property.id] ?? [])
      let former = Dictionary(uniqueKeysWithValues: oldList.map { ($0.id, $0.value) })
      let present = Dictionary(uniqueKeysWithValues: newList.map { ($0.id, $0.value) })
      for (id, value) in former where present[id] != nil && present[id] != value {
        replaced.insert(id)
      }
      guard oldList.map(\.value) != newList.map(\.value) else { return }
      if isKept { changed.insert(place) }
      var counts: [ObjectID: Int] = [:]
      for old in oldList { old.value.forEachLink { counts[$0, default: 0] -= 1 } }
      for new in newList { new.value.forEachLink { counts[$0, default: 0] += 1 } }
      for (target, count) in counts where count != 0 { note(.link(target), place) }
    case .set:
      let (oldSet, newSet) = (old?.sets[property.id] ?? [], new?.sets[property.id] ?? [])
      if isKept && oldSet != newSet { changed.insert(place) }
      for value in oldSet.symmetricDifference(newSet) { note(value, place) }
    case .map:
      let (oldMap, newMap) = (old?.maps[property.id] ?? [:], new?.maps[property.id] ?? [:])
      if isKept && oldMap != newMap { changed.insert(place) }
      for (key, value) in oldMap where newMap[key] != value { note(value, place) }
      for (key, value) in newMap where oldMap[key] != value { note(value, place) }
    case .backlinks: break
    }
  }

  private mutating func note(_ value: Value, _ place: Place) {
    value.forEachLink { target in
      links.insert(
        Link(origin: place.object.classID, property: place.property, target: target))
    }
  }
}

/// Several commits as an observer sees them that received nothing in between.
struct ModelSpan {
  var start: ModelState
  var end: ModelState
  private(set) var commits: [ModelCommit] = []
  private var changed: Set<ModelCommit.Place> = []
  private var changedObjects: Set<ObjectID> = []

  init(_ state: ModelState) {
    start = state
    end = state
  }

  mutating func append(_ commit: ModelCommit) {
    commits.append(commit)
    end = commit.after
    for place in commit.changed where start[place.object] != nil {
      changed.insert(place)
      changedObjects.insert(place.object)
    }
  }

  func isChanged(_ object: ObjectID, _ property: PropertyID) -> Bool {
    changed.contains(ModelCommit.Place(object: object, property: property))
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
          let link = ModelCommit.Link(origin: origin, property: property, target: object)
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
