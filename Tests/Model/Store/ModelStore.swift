import HeraldModel
import HeraldObservation

/// An element of a list, followed through its life: moving or replacing it keeps its serial number,
/// removing it and putting an equal one in again does not (rule 4.3).
struct ModelElement: Hashable {
  let serial: Int
  var value: Value
}

enum ModelContent {
  case value(Value)
  case list([ModelElement])
  /// In order of value.
  case set([Value])
  case map(MapEntries)
  /// Found by looking at every object.
  case backlinks

  /// Whether both hold equal values: element identities do not count.
  func equals(_ other: ModelContent) -> Bool {
    switch (self, other) {
    case (.value(let a), .value(let b)): a == b
    case (.list(let a), .list(let b)): a.map(\.value) == b.map(\.value)
    case (.set(let a), .set(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.backlinks, .backlinks): true
    case (.value, _), (.list, _), (.set, _), (.map, _), (.backlinks, _): false
    }
  }

  var value: Value {
    if case .value(let value) = self { value } else { .null }
  }

  var elements: [ModelElement] {
    if case .list(let elements) = self { elements } else { [] }
  }

  var isCollection: Bool { if case .value = self { false } else { true } }

  var isMap: Bool { if case .map = self { true } else { false } }

  var entries: MapEntries {
    if case .map(let entries) = self { entries } else { [:] }
  }

  /// Every value that it holds, in order.
  var values: [Value] {
    switch self {
    case .value(let value): [value]
    case .list(let elements): elements.map(\.value)
    case .set(let values): values
    case .map(let entries): entries.keys.sorted().map { entries[$0] ?? .null }
    case .backlinks: []
    }
  }

  /// The objects that are linked to, in order, duplicates kept.
  var links: [ObjectID] { values.flatMap(\.links) }

  func leads(to id: ObjectID) -> Bool {
    switch self {
    case .value(let value): value.leads(to: id)
    case .list(let elements): elements.contains { $0.value.leads(to: id) }
    case .set(let values): values.contains { $0.leads(to: id) }
    case .map(let entries): entries.values.contains { $0.leads(to: id) }
    case .backlinks: false
    }
  }
}

extension Value {
  /// The objects that a value leads to, also from nested lists and maps.
  var links: [ObjectID] {
    switch self {
    case .link(let id): [id]
    case .list(let values): values.flatMap(\.links)
    case .map(let entries): entries.keys.sorted().flatMap { entries[$0]?.links ?? [] }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: []
    }
  }

  func leads(to id: ObjectID) -> Bool {
    if case .link(let target) = self { target == id } else { links.contains(id) }
  }

  /// The value once an object is deleted: a link to it is nil, but as a row of a list it is no row
  /// any more (4.4).
  func without(linksTo id: ObjectID) -> Value {
    switch self {
    case .link(id): .null
    case .list(let values):
      .list(values.compactMap { $0 == .link(id) ? nil : $0.without(linksTo: id) })
    case .map(let entries): .map(entries.mapValues { $0.without(linksTo: id) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      self
    }
  }
}

struct ModelObject {
  let id: ObjectID
  var contents: [ModelContent]
  /// The nested collections of its values of any type; nil where its class has none.
  var inside: NestedModel?
}

/// A row of a collection, and what it is matched by (4.3).
struct ModelRow: Hashable {
  enum Mark: Hashable {
    /// Rows of results, and of sets: by the value itself.
    case value
    case element(Int)
    case key(String)
    /// Backlinks: which of the links of one origin.
    case time(Int)
  }

  var value: Value
  var mark = Mark.value
}

/// Everything that a store holds at one version, as plain arrays.
struct ModelStore {
  var schema: ModelSchema
  /// The objects of each class of the schema, in order of creation.
  var objects: [[ModelObject]] { didSet { backward = BackwardLinks() } }
  private var backward = BackwardLinks()

  init(schema: ModelSchema) {
    self.schema = schema
    objects = schema.classes.map { _ in [] }
  }

  func place(of id: ObjectID) -> (type: Int, row: Int)? {
    guard let type = schema.place(of: id.classID) else { return nil }
    var low = 0
    var high = objects[type].count
    while low < high {
      let middle = (low + high) / 2
      if objects[type][middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    guard low < objects[type].count, objects[type][low].id == id else { return nil }
    return (type, low)
  }

  subscript(id: ObjectID) -> ModelObject? {
    place(of: id).map { objects[$0.type][$0.row] }
  }

  func exists(_ id: ObjectID) -> Bool { place(of: id) != nil }

  func content(_ property: Int, of id: ObjectID) -> ModelContent {
    self[id]?.contents[property] ?? .value(.null)
  }

  func elements(_ property: Int, of id: ObjectID) -> [ModelElement] {
    content(property, of: id).elements
  }

  /// The rows of a collection in its order (4.8).
  func rows(_ property: Int, of id: ObjectID) -> [ModelRow] {
    guard let place = place(of: id) else { return [] }
    switch objects[place.type][place.row].contents[property] {
    case .value: return []
    case .list(let elements):
      return elements.map { ModelRow(value: $0.value, mark: .element($0.serial)) }
    case .set(let values): return values.map { ModelRow(value: $0) }
    case .map(let entries):
      return entries.keys.sorted().map { ModelRow(value: entries[$0] ?? .null, mark: .key($0)) }
    case .backlinks:
      let backlinks = schema.classes[place.type].properties[property]
      guard let type = backlinks.target, let origin = backlinks.origin else { return [] }
      return origins(of: id, type, origin).flatMap { linked in
        (0..<linked.count).map { ModelRow(value: .link(linked.id), mark: .time($0)) }
      }
    }
  }

  /// The objects of a class that link to another through a property, with how many links they have.
  func origins(of id: ObjectID, _ type: Int, _ property: Int) -> [(id: ObjectID, count: Int)] {
    backward.origins(type, property) {
      var origins: [ObjectID: [(id: ObjectID, count: Int)]] = [:]
      for object in objects[type] {
        var counts: [ObjectID: Int] = [:]
        for link in object.contents[property].links { counts[link, default: 0] += 1 }
        for (target, count) in counts { origins[target, default: []].append((object.id, count)) }
      }
      return origins
    }[id] ?? []
  }

  /// What is read at the end of a chain of single links: nil where a link on the way is nil.
  func value(_ path: [Int], of id: ObjectID) -> Value {
    var value = Value.link(id)
    for step in path {
      guard case .link(let id) = value, let place = place(of: id) else { return .null }
      value = objects[place.type][place.row].contents[step].value
    }
    return value
  }

  var all: [ObjectID] { objects.flatMap { $0.map(\.id) } }
}

/// The links of a state backward, each property found when it is first read.
private final class BackwardLinks {
  typealias Origins = [ObjectID: [(id: ObjectID, count: Int)]]

  private var found: [[Int]: Origins] = [:]

  func origins(_ type: Int, _ property: Int, _ find: () -> Origins) -> Origins {
    if let known = found[[type, property]] { return known }
    let origins = find()
    found[[type, property]] = origins
    return origins
  }
}
