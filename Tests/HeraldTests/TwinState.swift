import Herald

/// An element of a list, followed through its life: moving or replacing it keeps its serial number,
/// removing it and putting an equal one in again does not (rule 4.3).
struct TwinElement: Hashable {
  let serial: Int
  var value: Value
}

enum TwinContent {
  case value(Value)
  case list([TwinElement])

  /// Whether both hold equal values: element identities do not count.
  func equals(_ other: TwinContent) -> Bool {
    switch (self, other) {
    case (.value(let a), .value(let b)): a == b
    case (.list(let a), .list(let b)): a.map(\.value) == b.map(\.value)
    case (.value, .list), (.list, .value): false
    }
  }

  var value: Value {
    if case .value(let value) = self { value } else { .null }
  }

  var elements: [TwinElement] {
    if case .list(let elements) = self { elements } else { [] }
  }

  /// The objects that are linked to, in order, duplicates kept.
  var links: [ObjectID] {
    var found: [ObjectID] = []
    switch self {
    case .value(let value): if case .link(let id) = value { found.append(id) }
    case .list(let elements):
      for case .link(let id) in elements.map(\.value) { found.append(id) }
    }
    return found
  }
}

struct TwinObject {
  let id: ObjectID
  var contents: [TwinContent]
}

/// Everything that a store holds at one version, as plain arrays.
struct TwinState {
  let schema: TwinSchema
  /// The objects of each class of the schema, in order of creation.
  var objects: [[TwinObject]]

  init(schema: TwinSchema) {
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

  subscript(id: ObjectID) -> TwinObject? {
    place(of: id).map { objects[$0.type][$0.row] }
  }

  func exists(_ id: ObjectID) -> Bool { place(of: id) != nil }

  func elements(_ property: Int, of id: ObjectID) -> [TwinElement] {
    self[id]?.contents[property].elements ?? []
  }

  /// What is read at the end of a chain of single links: nil where a link on the way is nil.
  func value(_ path: [Int], of id: ObjectID) -> Value {
    guard let object = self[id], let first = path.first else { return .null }
    let value = object.contents[first].value
    guard path.count > 1 else { return value }
    guard case .link(let next) = value else { return .null }
    return self.value(Array(path.dropFirst()), of: next)
  }

  var all: [ObjectID] { objects.flatMap { $0.map(\.id) } }
}
