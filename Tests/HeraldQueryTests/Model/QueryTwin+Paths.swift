import HeraldModel
import HeraldQuery

@testable import TestModel

// Where the steps of a path lead, one after another.

extension QueryTwin {
  /// What a step of a path reaches: the values of one object, or of many.
  struct Place {
    var groups: [[Value]]
    var isMany = false
    /// Whether there were many objects before the last step.
    var wasMany = false
    /// The last step led to a collection.
    var endsInList = false
    var endsInMap = false
    var type: PropertyType?
    /// The keys of the maps that the last step led to, one by one for their values.
    var keys: [[String]] = []
    var values: [Value] { groups.flatMap { $0 } }
  }

  func walk(_ path: PathSyntax, _ frame: Frame) -> Values {
    var place = start(path, frame)
    var steps = path.steps[...]
    while let step = steps.popFirst() {
      switch step.kind {
      case .name(let key) where place.endsInMap && !isProperty(key, behind: place):
        choose(&place, key)
      case .name(let name): follow(name, &place)
      case .links(let className, let property): followBack(className, property, &place)
      case .index(let index): choose(&place) { index < $0.count ? $0[index] : nil }
      case .first: choose(&place) { $0.first }
      case .last: choose(&place) { $0.last }
      case .every, .values: break
      case .key(let key): choose(&place, key)
      case .variable(let name):
        switch variables[name] {
        case .value(.int(let index)): choose(&place) { index < $0.count ? $0[index] : nil }
        case .value(.string(let key)): choose(&place, key)
        case .value, .values, .objects, nil: return Values([], false)
        }
      case .keys: place.groups = place.keys.map { $0.map(Value.string) }
      case .type: return Values(place.values.map { .string(typeName($0)) }, place.isMany)
      case .allLinks, .computed: place = Place(groups: [])
      case .operation(let operation):
        // Objects count and add up together, values list by list.
        let isOfObjects = place.values.contains { if case .link = $0 { true } else { false } }
        let targetIsLink = isOfObjects || (place.type?.target != nil)
        if case .name(let name)? = steps.first?.kind {
          follow(name, &place)
          return Values([aggregate(operation, place.values)], false)
        }
        if operation == .count, place.wasMany, place.endsInList || targetIsLink {
          let isList = place.endsInList
          return Values(
            place.groups.map { group in .int(group.count { isList || !$0.isNull }) }, true)
        }
        if place.endsInList, !targetIsLink, place.wasMany {
          return Values(place.groups.map { aggregate(operation, $0) }, true)
        }
        return Values([aggregate(operation, place.values)], false)
      }
    }
    var values = Values(place.values, place.isMany)
    if place.wasMany, place.type?.isCollection ?? false, place.type?.target == nil {
      values.groups = place.groups.isEmpty ? [[]] : place.groups
      values.isMany = true
    }
    return values
  }

  func start(_ path: PathSyntax, _ frame: Frame) -> Place {
    switch path.start {
    case .root: return Place(groups: [[.link(frame.object)]])
    case .object, .query: return Place(groups: [])
    case .variable(let name):
      if let object = frame.bound[name] { return Place(groups: [[.link(object)]]) }
      switch variables[name] {
      case .value(let value): return Place(groups: [[value]])
      case .values(let values): return Place(groups: [values], isMany: true, endsInList: true)
      case .objects(let classID, let numbers):
        return Place(
          groups: [numbers.map { .link(ObjectID(classID, $0)) }], isMany: true, endsInList: true)
      case nil: return Place(groups: [])
      }
    }
  }

  func follow(_ name: String, _ place: inout Place) {
    var groups: [[Value]] = []
    place.keys = []
    for value in place.values {
      guard case .link(let object) = value else {
        groups.append([.null])
        continue
      }
      let property = store.schema.classSchema(object.classID)!.property(named: name)!
      place.type = property.type
      if property.type.shape == .map {
        place.keys.append(
          (0..<store.listCount(property.id, of: object)).map {
            store.mapKey(property.id, of: object, at: $0)
          })
      }
      if property.type.isCollection {
        var all: [Value] = []
        store.forEachElement(property.id, of: object) {
          all.append($0)
          return true
        }
        groups.append(all)
      } else {
        groups.append([store.value(property.id, of: object)])
      }
    }
    let isList = QueryTwin.lists.contains(name)
    if isList { groups = zip(groups, place.values).filter { !$1.isNull }.map(\.0) }
    place.groups = groups
    place.wasMany = place.isMany
    place.isMany = place.isMany || isList
    place.endsInList = isList
    place.endsInMap = name == "marks" || name == "sitters"
  }

  /// The list properties of the random schemas, by name: known also where no object is.
  static let lists: Set<String> = [
    "toys", "tags", "scores", "dogs", "friends", "labels", "marks", "owned", "sitters",
  ]

  /// Whether a name after a map of links is a property of what these lead to.
  func isProperty(_ name: String, behind place: Place) -> Bool {
    guard let target = place.type?.target else { return false }
    return store.schema.classSchema(target)?.property(named: name) != nil
  }

  func followBack(_ className: String, _ name: String, _ place: inout Place) {
    let origin = store.schema.classSchema(named: className)!
    let property = origin.property(named: name)!
    place.groups = place.values.filter { !$0.isNull }.map { value in
      guard case .link(let target) = value else { return [] }
      return store.numbers(of: origin.id).flatMap { number in
        let links = store.linkCount(
          from: number, origin: origin.id, property: property.id, to: target)
        return [Value](repeating: .link(ObjectID(origin.id, number)), count: links)
      }
    }
    place.isMany = true
    place.endsInList = true
    place.type = PropertyType(.link(origin.id), shape: .list)
  }

  func choose(_ place: inout Place, _ choice: ([Value]) -> Value?) {
    place.groups = place.groups.map { [choice($0) ?? .null] }
    place.isMany = place.wasMany
    if place.groups.isEmpty, !place.isMany { place.groups = [[.null]] }
    place.endsInList = false
  }

  /// The values of a key of maps.
  func choose(_ place: inout Place, _ key: String) {
    let found = zip(place.groups, place.keys).map { values, keys -> [Value] in
      [keys.firstIndex(of: key).map { values[$0] } ?? .null]
    }
    place.groups = found.isEmpty && !place.wasMany ? [[.null]] : found
    place.isMany = place.wasMany
    place.endsInList = false
    place.endsInMap = false
  }

  func typeName(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    default: "link"
    }
  }
}
