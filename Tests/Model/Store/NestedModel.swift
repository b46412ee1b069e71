import HeraldModel
import HeraldObservation

/// A part of a value of any type, as a tree whose lists, maps and elements are known again.
indirect enum NestedNode {
  case plain(Value)
  case list(id: Int, [NestedElement])
  case map(id: Int, [String: NestedNode])

  var value: Value {
    switch self {
    case .plain(let value): value
    case .list(_, let elements): .list(elements.map(\.node.value))
    case .map(_, let entries): .map(MapEntries(entries.map { ($0, $1.value) }))
    }
  }

  /// The list or the map of that number.
  func find(_ id: Int) -> NestedNode? {
    switch self {
    case .plain: nil
    case .list(id, _), .map(id, _): self
    case .list(_, let elements): elements.lazy.compactMap { $0.node.find(id) }.first
    case .map(_, let entries): entries.values.lazy.compactMap { $0.find(id) }.first
    }
  }

  var isMap: Bool { if case .map = self { true } else { false } }

  /// Its number, where it is a list or a map.
  var id: Int? {
    switch self {
    case .plain: nil
    case .list(let id, _), .map(let id, _): id
    }
  }
}

/// The position of a list or a map: a property, and steps into it.
struct NestedPath {
  let property: String
  let path: [ValueStep]

  static func + (place: NestedPath, step: ValueStep) -> NestedPath {
    NestedPath(property: place.property, path: place.path + [step])
  }

  var text: String {
    path.reduce(property) { text, step in
      switch step {
      case .row(let row): "\(text)[\(row)]"
      case .key(let key): "\(text)[\"\(key)\"]"
      }
    }
  }
}

struct NestedElement {
  let serial: Int
  var node: NestedNode
}

/// What one object has nested in its values, and what one commit does to it: the slow twin of
/// a nested `LiveCollection`, which knows each element by a number of its own.
///
/// A commit does its operations to plain trees. Where it assigned a whole new value, only what
/// was there before and what is there in the end count.
struct NestedModel {
  /// A position that can be assigned a whole value.
  enum Slot: Hashable {
    case root(String)
    case element(Int)
    case entry(map: Int, key: String)
  }

  private(set) var roots: [String: NestedNode] = [:]
  /// The elements that operations of the commit moved.
  private(set) var moved: Set<Int> = []
  private var given: Set<Slot> = []
  private var nextNumber = 0

  init(_ contents: MapEntries) {
    for (property, value) in contents { roots[property] = make(value) }
  }

  private mutating func number() -> Int {
    nextNumber += 1
    return nextNumber
  }

  private mutating func make(_ value: Value) -> NestedNode {
    switch value {
    case .list(let values):
      let id = number()
      return .list(id: id, values.map { NestedElement(serial: number(), node: make($0)) })
    case .map(let entries):
      let id = number()
      return .map(id: id, Dictionary(entries.map { ($0, make($1)) }) { $1 })
    case _: return .plain(value)
    }
  }

  func node(_ id: Int) -> NestedNode? { roots.values.lazy.compactMap { $0.find(id) }.first }

  /// Every list and map there is, those of the properties themselves too.
  var places: [NestedPath] {
    var places: [NestedPath] = []
    func enter(_ node: NestedNode, _ place: NestedPath) {
      switch node {
      case .plain: return
      case .list(_, let elements):
        for (row, element) in elements.enumerated() { enter(element.node, place + .row(row)) }
      case .map(_, let entries):
        for key in entries.keys.sorted() {
          if let entry = entries[key] { enter(entry, place + .key(key)) }
        }
      }
      places.append(place)
    }
    for property in roots.keys.sorted() {
      if let root = roots[property] { enter(root, NestedPath(property: property, path: [])) }
    }
    return places
  }

  func node(_ property: String, _ path: [ValueStep]) -> NestedNode? {
    var node = roots[property]
    for step in path {
      switch (step, node) {
      case (.row(let row), .list(_, let elements)?): node = elements[row].node
      case (.key(let key), .map(_, let entries)?): node = entries[key]
      case (_, _): return nil
      }
    }
    return node
  }
}

// MARK: - Operations

extension NestedModel {
  private mutating func change(
    _ property: String, _ path: [ValueStep], _ body: (inout NestedNode) -> Void
  ) {
    func descend(_ node: inout NestedNode, _ steps: ArraySlice<ValueStep>) {
      switch (steps.first, node) {
      case (.row(let row)?, .list(let id, var elements)):
        descend(&elements[row].node, steps.dropFirst())
        node = .list(id: id, elements)
      case (.key(let key)?, .map(let id, var entries)):
        guard var entry = entries[key] else { return }
        descend(&entry, steps.dropFirst())
        entries[key] = entry
        node = .map(id: id, entries)
      case (_, _): body(&node)
      }
    }
    guard var root = roots[property] else { return }
    descend(&root, path[...])
    roots[property] = root
  }

  private mutating func changeList(
    _ property: String, _ path: [ValueStep], _ body: (inout [NestedElement]) -> Void
  ) {
    change(property, path) { node in
      guard case .list(let id, var elements) = node else { return }
      body(&elements)
      node = .list(id: id, elements)
    }
  }

  mutating func assign(_ property: String, _ value: Value) {
    given.insert(.root(property))
    roots[property] = make(value)
  }

  mutating func insert(_ values: [Value], at row: Int, _ property: String, _ path: [ValueStep]) {
    let new = values.map { NestedElement(serial: number(), node: make($0)) }
    changeList(property, path) { $0.insert(contentsOf: new, at: row) }
  }

  mutating func remove(at row: Int, _ property: String, _ path: [ValueStep]) {
    changeList(property, path) { $0.remove(at: row) }
  }

  mutating func move(from: Int, to: Int, _ property: String, _ path: [ValueStep]) {
    guard from != to, case .list(_, let elements)? = node(property, path) else { return }
    moved.insert(elements[from].serial)
    changeList(property, path) { $0.insert($0.remove(at: from), at: to) }
  }

  mutating func replace(
    at row: Int, with value: Value, _ property: String, _ path: [ValueStep]
  ) {
    guard case .list(_, let elements)? = node(property, path), elements[row].node.value != value
    else { return }
    given.insert(.element(elements[row].serial))
    let new = make(value)
    changeList(property, path) { $0[row].node = new }
  }

  mutating func set(_ key: String, to value: Value, _ property: String, _ path: [ValueStep]) {
    guard case .map(let id, var entries)? = node(property, path), entries[key]?.value != value
    else { return }
    given.insert(.entry(map: id, key: key))
    entries[key] = make(value)
    change(property, path) { $0 = .map(id: id, entries) }
  }

  mutating func removeKey(_ key: String, _ property: String, _ path: [ValueStep]) {
    guard case .map(let id, var entries)? = node(property, path) else { return }
    given.insert(.entry(map: id, key: key))
    entries[key] = nil
    change(property, path) { $0 = .map(id: id, entries) }
  }

  mutating func removeAll(_ property: String, _ path: [ValueStep]) {
    if case .map(let id, let entries)? = node(property, path) {
      for key in entries.keys { given.insert(.entry(map: id, key: key)) }
      change(property, path) { $0 = .map(id: id, [:]) }
    } else {
      changeList(property, path) { $0 = [] }
    }
  }
}

extension NestedModel {
  /// What links to a deleted object: rows of lists are removed, values of keys become nil.
  mutating func unlink(_ object: ObjectID) {
    for (property, root) in roots {
      // From the last row on, so that those before it keep their positions.
      for path in root.paths(to: object).reversed() {
        switch path.last {
        case .row(let row)?: remove(at: row, property, Array(path.dropLast()))
        case .key(let key)?: set(key, to: .null, property, Array(path.dropLast()))
        case nil: assign(property, .null)
        }
      }
    }
  }
}

extension NestedNode {
  /// The ways to every link to an object.
  fileprivate func paths(to object: ObjectID) -> [[ValueStep]] {
    switch self {
    case .plain(let value): value == .link(object) ? [[]] : []
    case .list(_, let elements):
      elements.enumerated().flatMap { row, element in
        element.node.paths(to: object).map { [.row(row)] + $0 }
      }
    case .map(_, let entries):
      entries.flatMap { key, entry in entry.paths(to: object).map { [.key(key)] + $0 } }
    }
  }
}

// MARK: - Commits

extension NestedModel {
  /// What the commit leaves, which began with `start`.
  func committed(from start: NestedModel) -> NestedModel {
    var result = self
    let known = start.slots
    result.given = []
    for (property, root) in roots {
      result.roots[property] = result.settled(root, .root(property), known, given)
    }
    return result
  }

  mutating func begin() { moved = [] }

  private var slots: [Slot: NestedNode] {
    var slots: [Slot: NestedNode] = [:]
    func enter(_ node: NestedNode, _ slot: Slot) {
      slots[slot] = node
      switch node {
      case .plain: break
      case .list(_, let elements):
        for element in elements { enter(element.node, .element(element.serial)) }
      case .map(let id, let entries):
        for (key, entry) in entries { enter(entry, .entry(map: id, key: key)) }
      }
    }
    for (property, root) in roots { enter(root, .root(property)) }
    return slots
  }

  private mutating func settled(
    _ node: NestedNode, _ slot: Slot, _ known: [Slot: NestedNode], _ given: Set<Slot>
  ) -> NestedNode {
    if given.contains(slot), let previous = known[slot] { return renewed(previous, node.value) }
    switch node {
    case .plain: return node
    case .list(let id, let elements):
      return .list(
        id: id,
        elements.map { element in
          let slot = Slot.element(element.serial)
          return NestedElement(
            serial: element.serial, node: settled(element.node, slot, known, given))
        })
    case .map(let id, let entries):
      var settledEntries: [String: NestedNode] = [:]
      for (key, entry) in entries {
        settledEntries[key] = settled(entry, .entry(map: id, key: key), known, given)
      }
      return .map(id: id, settledEntries)
    }
  }

  /// The value of a position after an assignment: the previous one, where that is equal; of a map
  /// the keys count, and a list is cleared and filled (4.4, 4.5).
  private mutating func renewed(_ previous: NestedNode, _ value: Value) -> NestedNode {
    if previous.value == value { return previous }
    switch (previous, value) {
    case (.list(let id, _), .list(let values)):
      return .list(id: id, values.map { NestedElement(serial: number(), node: make($0)) })
    case (.map(let id, let entries), .map(let values)):
      var new: [String: NestedNode] = [:]
      for (key, value) in values {
        new[key] = entries[key].map { renewed($0, value) } ?? make(value)
      }
      return .map(id: id, new)
    case (_, _): return make(value)
    }
  }
}
