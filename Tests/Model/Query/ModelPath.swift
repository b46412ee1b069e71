import HeraldModel

/// A path of a query: steps from an object to one value or to many.
struct ModelPath {
  enum Step {
    case property(Int)
    /// A property of backlinks by the name that needs none, `@links.Dog.owner`.
    case links(Int)
    case row(Int)
    case first
    case last
    /// The value of a key, `["key"]`.
    case key(String)
    /// The same as `.key`.
    case keyName(String)
    case keys
    case values
    case type
    /// Of the elements, or of a property of the objects.
    case aggregate(Aggregate, Int?)
  }

  enum Aggregate: String, CaseIterable {
    case count, size, min, max, sum
    case average = "avg"

    var isCount: Bool { self == .count || self == .size }
  }

  private(set) var steps: [Step] = []
  /// Which of the steps lead to collections.
  private var isList: [Bool] = []
  private var ending = Ending.values
  /// The class that the path has come to; nil at plain values.
  private(set) var place: Int?
  /// The last property.
  private(set) var property: ModelSchema.Property?
  /// Whether it leads to many values, and whether it did before the last step.
  private(set) var isMany = false
  private(set) var wasMany = false
  private(set) var endsInList = false
  /// The path over single links to one value, where it is one.
  private(set) var single: [Int]? = []

  /// What an aggregate at the end is of.
  private enum Ending {
    case values
    /// For each object on the way how many it has.
    case counted(inList: Bool)
    case eachList
    case together
  }

  init(from type: Int) { place = type }

  init(_ path: [Int], from type: Int, _ schema: ModelSchema) {
    self.init(from: type)
    for step in path { append(.property(step), schema) }
  }

  mutating func append(_ step: Step, _ schema: ModelSchema) {
    steps.append(step)
    switch step {
    case .property(let index), .links(let index):
      guard let place else { return }
      let next = schema.classes[place].properties[index]
      if next.isCollection { single = nil } else { single?.append(index) }
      (property, self.place) = (next, next.target)
      (wasMany, isMany, endsInList) = (isMany, isMany || next.isCollection, next.isCollection)
      isList.append(next.isCollection)
      return
    case .row, .first, .last, .key, .keyName: (isMany, endsInList) = (wasMany, false)
    case .keys, .type: place = nil
    case .values: break
    case .aggregate(let aggregate, let index):
      let isOfObjects = property?.target != nil
      ending = .together
      if index == nil, wasMany {
        if aggregate.isCount, endsInList || isOfObjects {
          ending = .counted(inList: endsInList)
        } else if endsInList, !isOfObjects {
          ending = .eachList
        }
      }
      if case .together = ending { isMany = false }
      if let place, let index { property = schema.classes[place].properties[index] }
      place = nil
    }
    isList.append(false)
    single = nil
  }

  /// Whether it ends in collections of values, or in one of each, behind many objects.
  private var isOfLists: Bool {
    wasMany && property?.isCollection ?? false && property?.target == nil
  }

  /// Whether literals meet the values at float precision.
  var isFloat: Bool {
    guard property?.element == .float else { return false }
    if case .aggregate(let aggregate, _)? = steps.last {
      return aggregate == .min || aggregate == .max
    }
    return true
  }
}

/// The values of one list for each of many owners, or all of them together.
struct ModelValues {
  var groups: [[Value]]
  var isMany: Bool

  init(_ all: [Value], isMany: Bool) { (groups, self.isMany) = ([all], isMany) }

  init(groups: [[Value]]) { (self.groups, isMany) = (groups, true) }

  var all: [Value] { groups.flatMap { $0 } }
}

extension ModelPath {
  /// What is read at the end of the path: nil where a single link on the way is nil.
  func values(of id: ObjectID, _ state: ModelStore) -> ModelValues {
    if let single { return ModelValues([state.value(single, of: id)], isMany: false) }
    var reached = Reached(groups: [[.link(id)]])
    for (step, isList) in zip(steps, isList) {
      switch step {
      case .property(let index), .links(let index): reached.follow(index, isList, state)
      case .row(let row): reached.choose(isOfLists) { values, _ in values.dropFirst(row).first }
      case .first: reached.choose(isOfLists) { values, _ in values.first }
      case .last: reached.choose(isOfLists) { values, _ in values.last }
      case .key(let key), .keyName(let key):
        reached.choose(isOfLists) { values, keys in keys.firstIndex(of: key).map { values[$0] } }
      case .values: break
      case .keys: reached.groups = reached.keys.map { $0?.map(Value.string) }
      case .type: reached.groups = reached.groups.map { $0?.map { .string($0.typeName) } }
      case .aggregate(let aggregate, let index):
        if let index { reached.follow(index, false, state) }
        return aggregated(aggregate, reached)
      }
    }
    if isOfLists {
      let groups = reached.groups.compactMap { $0 }
      return ModelValues(groups: groups.isEmpty ? [[]] : groups)
    }
    return ModelValues(reached.all, isMany: isMany)
  }

  private func aggregated(_ aggregate: Aggregate, _ reached: Reached) -> ModelValues {
    let groups = reached.groups.compactMap { $0 }
    switch ending {
    case .values, .together:
      return ModelValues([aggregate.value(of: reached.all, property)], isMany: false)
    case .eachList:
      return ModelValues(groups.map { aggregate.value(of: $0, property) }, isMany: true)
    case .counted(let inList):
      let counts = groups.map { group in group.count { inList || !$0.isNull } }
      return ModelValues(counts.map { .int($0) }, isMany: true)
    }
  }

  /// The only value of a path that has one.
  func value(of id: ObjectID, _ state: ModelStore) -> Value {
    values(of: id, state).groups.first?.first ?? .null
  }

  /// The path, after `prefix`, as it is typed.
  func text(_ schema: ModelSchema, from type: Int, _ prefix: String = "") -> String {
    if let lens = schema.lens, let field = lens.fields.first(where: { $0.path == single }) {
      return field.name
    }
    var path = ModelPath(from: type)
    let words = steps.map { step -> String in
      let place = path.place
      path.append(step, schema)
      func name(_ index: Int) -> String { schema.classes[place ?? 0].properties[index].name }
      switch step {
      case .property(let index): return "." + name(index)
      case .links(let index): return "." + (schema.links(index, of: place ?? 0) ?? name(index))
      case .row(let row): return "[\(row)]"
      case .first: return "[FIRST]"
      case .last: return "[LAST]"
      case .key(let key): return "[\(key.quoted)]"
      case .keyName(let key): return "." + key
      case .keys: return ".@keys"
      case .values: return ".@values"
      case .type: return ".@type"
      case .aggregate(.size, nil): return "[SIZE]"
      case .aggregate(let aggregate, let index):
        return ".@\(aggregate.rawValue)" + (index.map { "." + name($0) } ?? "")
      }
    }
    return prefix + words.joined().dropFirst()
  }
}

/// What the steps of a path have come to.
private struct Reached {
  /// The values of each object before the last step; nil for a collection behind a nil link.
  var groups: [[Value]?]
  /// The keys of those values, of maps.
  var keys: [[String]?] = []

  init(groups: [[Value]?]) { self.groups = groups }

  var all: [Value] { groups.flatMap { $0 ?? [] } }

  /// The values of a property of each object; of a nil link nil, but no collection.
  mutating func follow(_ property: Int, _ isList: Bool, _ state: ModelStore) {
    let owners = all
    (groups, keys) = ([], [])
    for owner in owners {
      guard case .link(let id) = owner else {
        groups.append(isList ? nil : [.null])
        keys.append(nil)
        continue
      }
      let rows = isList ? state.rows(property, of: id) : []
      groups.append(isList ? rows.map(\.value) : [state.value([property], of: id)])
      keys.append(rows.map { if case .key(let key) = $0.mark { key } else { "" } })
    }
  }

  /// One value of each collection, nil where there is none. Collections of values behind many objects
  /// are not there behind nil links.
  mutating func choose(_ isOfLists: Bool, _ choice: ([Value], [String]) -> Value?) {
    groups = zip(groups, keys).map { values, keys in
      values == nil && isOfLists ? nil : [values.flatMap { choice($0, keys ?? []) } ?? .null]
    }
  }
}

extension ModelPath.Aggregate {
  /// Of numbers; nil where a sum of integers is none.
  func value(of values: [Value], _ property: ModelSchema.Property?) -> Value {
    let present = values.filter { !$0.isNull }
    switch self {
    case .count, .size: return .int(values.count)
    case .min: return present.min { $0.precedes($1) } ?? .null
    case .max: return present.max { $0.precedes($1) } ?? .null
    case .sum where property?.element == .int:
      let sum = present.reduce(Int128(0)) { sum, value in
        if case .int(let number) = value { sum + Int128(number) } else { sum }
      }
      return Int(exactly: sum).map { .int($0) } ?? .null
    case .sum: return .double(present.compactMap(\.number).reduce(0, +))
    case .average:
      let sum = present.compactMap(\.number).reduce(0, +)
      return present.isEmpty ? .null : .double(sum / Double(present.count))
    }
  }
}

extension ModelSchema {
  /// The name of backlinks that needs no property, `@links.Dog.owner`; nil for other properties.
  fileprivate func links(_ property: Int, of type: Int) -> String? {
    let backlinks = classes[type].properties[property]
    guard let target = backlinks.target, let origin = backlinks.origin else { return nil }
    return "@links.\(classes[target].name).\(classes[target].properties[origin].name)"
  }
}

extension Value {
  /// The name that `@type` has for some types.
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .float, .data, .date, .uuid, .objectID, .link, .list, .map: "another"
    }
  }
}
