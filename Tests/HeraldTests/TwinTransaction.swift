import Herald

/// A transaction of the twin: the operations of the library on plain arrays.
struct TwinTransaction {
  let before: TwinState
  var state: TwinState
  /// The elements that a move carried to another place.
  var moved: Set<Int> = []
  private(set) var nextSerial: Int

  init(on state: TwinState, nextSerial: Int) {
    before = state
    self.state = state
    self.nextSerial = nextSerial
  }

  private mutating func fresh(_ values: [Value]) -> [TwinElement] {
    values.map { value in
      defer { nextSerial += 1 }
      return TwinElement(serial: nextSerial, value: value)
    }
  }

  private mutating func change(_ id: ObjectID, _ body: (inout TwinObject) -> Void) {
    guard let place = state.place(of: id) else { return }
    body(&state.objects[place.type][place.row])
  }

  private mutating func changeList(
    _ id: ObjectID, _ property: Int, _ body: (inout [TwinElement]) -> Void
  ) {
    var elements = state.elements(property, of: id)
    body(&elements)
    change(id) { $0.contents[property] = .list(elements) }
  }

  mutating func add(_ id: ObjectID, type: Int, _ contents: [PropertyContent]) {
    var twins: [TwinContent] = []
    for content in contents {
      switch content {
      case .value(let value): twins.append(.value(value))
      case .list(let values): twins.append(.list(fresh(values)))
      case .map: preconditionFailure("the twin makes no maps")
      }
    }
    state.objects[type].append(TwinObject(id: id, contents: twins))
  }

  /// A whole list assigned is a list cleared and filled (4.4).
  mutating func set(_ id: ObjectID, _ property: Int, _ content: PropertyContent) {
    let held = links(property, of: id)
    switch content {
    case .value(let value): change(id) { $0.contents[property] = .value(value) }
    case .list(let values):
      let elements = fresh(values)
      change(id) { $0.contents[property] = .list(elements) }
    case .map: preconditionFailure("the twin makes no maps")
    }
    deleteParts(held, notIn: property, of: id)
  }

  private func links(_ property: Int, of id: ObjectID) -> [ObjectID] {
    state[id]?.contents[property].links ?? []
  }

  /// Embedded objects that a property let go of are deleted (2.5).
  private mutating func deleteParts(_ held: [ObjectID], notIn property: Int, of id: ObjectID) {
    let kept = Set(links(property, of: id))
    for link in held where !kept.contains(link) && isPart(link) { delete(link) }
  }

  private func isPart(_ id: ObjectID) -> Bool {
    state.schema.place(of: id.classID).map { state.schema.classes[$0].isEmbedded } ?? false
  }

  /// Links to a deleted object become nil; it leaves every list (4.4). Its parts go with it.
  mutating func delete(_ id: ObjectID) {
    guard let place = state.place(of: id) else { return }
    let parts = state.objects[place.type][place.row].contents.flatMap(\.links).filter(isPart)
    defer { for part in parts { delete(part) } }
    state.objects[place.type].remove(at: place.row)
    for type in state.objects.indices {
      for row in state.objects[type].indices {
        for property in state.schema.classes[type].links {
          guard state.objects[type][row].contents[property].links.contains(id) else { continue }
          let holder = state.objects[type][row].contents[property]
          state.objects[type][row].contents[property] =
            switch holder {
            case .value: .value(.null)
            case .list(let elements): .list(elements.filter { $0.value != .link(id) })
            }
        }
      }
    }
  }

  mutating func insert(_ values: [Value], at row: Int, _ id: ObjectID, _ property: Int) {
    let elements = fresh(values)
    changeList(id, property) { $0.insert(contentsOf: elements, at: row) }
  }

  mutating func remove(at row: Int, _ id: ObjectID, _ property: Int) {
    let held = links(property, of: id)
    changeList(id, property) { $0.remove(at: row) }
    deleteParts(held, notIn: property, of: id)
  }

  mutating func move(from: Int, to: Int, _ id: ObjectID, _ property: Int) {
    guard from != to else { return }
    moved.insert(state.elements(property, of: id)[from].serial)
    changeList(id, property) { $0.insert($0.remove(at: from), at: to) }
  }

  mutating func replace(at row: Int, with value: Value, _ id: ObjectID, _ property: Int) {
    let held = links(property, of: id)
    changeList(id, property) { $0[row].value = value }
    deleteParts(held, notIn: property, of: id)
  }

  mutating func removeAll(_ id: ObjectID, _ property: Int) {
    let held = links(property, of: id)
    changeList(id, property) { $0.removeAll() }
    deleteParts(held, notIn: property, of: id)
  }
}

/// What one commit changed, found by comparing every object before and after it.
struct TwinCommit {
  /// The objects that were there before and after, with the places of the properties whose value
  /// at commit differs from the one at the beginning (4.5).
  var changed: [ObjectID: Set<Int>] = [:]
  var moved: Set<Int> = []
  /// The list elements that hold another value than at the beginning (4.5).
  var replaced: Set<Int> = []

  init() {}

  init(_ transaction: TwinTransaction) {
    moved = transaction.moved
    for type in transaction.before.objects.indices {
      for old in transaction.before.objects[type] {
        guard let new = transaction.state[old.id] else { continue }
        compare(old, new)
      }
    }
  }

  private mutating func compare(_ old: TwinObject, _ new: TwinObject) {
    for property in old.contents.indices {
      if !old.contents[property].equals(new.contents[property]) {
        changed[old.id, default: []].insert(property)
      }
      let elements = old.contents[property].elements
      guard !elements.isEmpty else { continue }
      let values = Dictionary(uniqueKeysWithValues: elements.map { ($0.serial, $0.value) })
      for element in new.contents[property].elements {
        if let value = values[element.serial], value != element.value {
          replaced.insert(element.serial)
        }
      }
    }
  }

  /// Coalesced commits are not compared end to end (4.5).
  mutating func add(_ later: TwinCommit) {
    changed.merge(later.changed) { $0.union($1) }
    moved.formUnion(later.moved)
    replaced.formUnion(later.replaced)
  }
}
