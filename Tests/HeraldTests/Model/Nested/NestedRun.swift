import Herald
import TestSupport

@testable import TestModel

/// One object whose properties hold lists and maps in one another, changed by two sessions, and its
/// model. What tokens receive is compared with what the rules require.
final class NestedRun {
  let main: DynamicStore
  let box: DynamicObject
  let other: DynamicStore
  private(set) var faults: [String] = []
  private let dog: DynamicObject
  private var random: SplitMix64
  private var mirrors: [NestedMirror] = []
  private var nextName = 1
  private var model: NestedModel
  /// The model at each version, from the first that it knows.
  private var states: [NestedModel]
  private let firstVersion: Int
  private var story: [String] = []

  init(seed: UInt64, _ store: DynamicStore? = nil) throws {
    main = try store ?? DynamicStore()
    random = SplitMix64(seed: seed)
    try main.declare(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "n", element: .int, defaultValue: .value(.int(0))),
          .init(name: "a", element: .any), .init(name: "l", element: .any, shape: .list),
          .init(name: "m", element: .any, shape: .map),
          .init(name: "s", element: .any, shape: .set),
        ]))
    let whole = Value.list([.int(1), .list([.int(2)]), .map(["k": .list([.int(3)])])])
    let main = main
    (box, dog) = try main.write {
      let dog = try main.add("Box", [])
      let contents: [NamedContent] = [
        ("a", .value(whole)), ("l", .list([whole, .link(dog.id)])), ("m", .map(["x": whole])),
      ]
      return (try main.add("Box", contents), dog)
    }
    other = try main.newSession(named: "other")
    model = NestedModel(["a": whole, "l": .list([whole, .link(dog.id)]), "m": .map(["x": whole])])
    states = [model]
    firstVersion = main.version
  }

  /// One to three commits of either session, some silent, and then a turn.
  func step() throws {
    if mirrors.count < 6 { try observe() }
    for _ in 0...random.below(3) {
      let isOther = random.chance(60)
      let store = isOther ? other : main
      let silenced = isOther ? [] : mirrors.filter { _ in random.chance(15) }
      let start = model
      note(silenced.isEmpty ? store.name : "\(store.name) without \(silenced.map(\.name))")
      try store.write(without: silenced.compactMap(\.token)) {
        guard let object = store.object(box.id) else { return }
        for _ in 0...random.below(4) { try change(object, store) }
      }
      states.append(model.committed(from: start))
      model = states[states.count - 1]
      model.begin()
      for mirror in silenced where mirror.token?.isLive ?? false { mirror.deliveredUpTo = latest }
      mirrors.removeAll { !($0.token?.isLive ?? false) }
      compareContents()
    }
    note("end of turn")
    try main.endTurn()
    for mirror in mirrors { settle(mirror) }
    mirrors.removeAll { !($0.token?.isLive ?? false) }
    faults += main.check()
  }

  private var latest: Int { states.count - 1 }

  private func note(_ line: String) { story.append(line) }

  private func fail(_ what: String) {
    faults.append("\(what)\n\(story.suffix(40).joined(separator: "\n"))")
  }

  private func compareContents() {
    let store = other.version == main.version || main.version < other.version ? other : main
    guard let box = store.object(box.id), let value = try? box.value("a") else { return }
    if value != model.roots["a"]?.value { fail("the model differs: \(value)") }
  }
}

// MARK: - Tokens

extension NestedRun {
  private func observe() throws {
    try main.endTurn()
    for mirror in mirrors { settle(mirror) }
    mirrors.removeAll { !($0.token?.isLive ?? false) }
    let place = random.pick(model.places)
    guard let id = model.node(place.property, place.path)?.id else { return }
    let mirror = NestedMirror(
      name: "t\(nextName)", id: id, deliveredUpTo: main.version - firstVersion)
    nextName += 1
    note("observe \(place.property)\(place.path) as \(mirror.name): \(id)")
    mirror.token = try place.observe(box) { [unowned self, unowned mirror] change, value in
      receive(mirror, change, value)
    }
    try main.endTurn()
    mirrors.append(mirror)
  }

  private func expectation(_ mirror: NestedMirror, at version: Int) -> NestedExpectation {
    let passed = states[mirror.deliveredUpTo...version]
    let isLinkedChanged = zip(passed, passed.dropFirst()).contains { $0.linked != $1.linked }
    return NestedExpectation(mirror.id, Array(passed)) { isLinkedChanged && !$0.links.isEmpty }
  }

  private func receive(_ mirror: NestedMirror, _ change: DynamicCollectionChange, _ value: Value?) {
    let version = main.version - firstVersion
    note("\(mirror.name) receives \(change)")
    if case .initial = change { return }
    let expected = expectation(mirror, at: version)
    if let fault = expected.fault(change) { fail("\(mirror.name): \(fault)") }
    if let node = states[version].node(mirror.id), node.value != value {
      fail("\(mirror.name) reads \(String(describing: value))")
    }
    mirror.deliveredUpTo = version
  }

  /// After a turn nothing is pending.
  private func settle(_ mirror: NestedMirror) {
    guard mirror.token?.isLive ?? false else { return }
    if case .nothing = expectation(mirror, at: latest) {
      mirror.deliveredUpTo = latest
    } else {
      fail("\(mirror.name) received nothing: \(expectation(mirror, at: latest))")
    }
  }
}

// MARK: - Changes

extension NestedRun {
  private func change(_ box: DynamicObject, _ store: DynamicStore) throws {
    switch random.below(18) {
    case 0:
      let value = random.chance(40) ? value : Value.list([.int(5), .list([.int(6)])])
      note("  a = \(value.literal)")
      try box.set("a", to: .value(value))
      if model.roots["a"]?.value != value { model.assign("a", value) }
    case 1: try changeLinked(store)
    case _:
      let place = random.pick(model.places)
      try change(place, box)
    }
  }

  private func changeLinked(_ store: DynamicStore) throws {
    guard let dog = store.object(dog.id) else { return }
    let isBack = random.chance(50)
    note("  n of the linked object" + (isBack ? ", and back" : ""))
    try dog.set("n", to: .value(.int(model.linked + 1)))
    if isBack {
      try dog.set("n", to: .value(.int(model.linked)))
    } else {
      model.linked += 1
    }
  }

  private func change(_ place: NestedPath, _ box: DynamicObject) throws {
    guard let node = model.node(place.property, place.path) else { return }
    switch node {
    case .plain: break
    case .list(_, let elements): try changeList(place, box, elements)
    case .map(_, let entries): try changeMap(place, box, entries)
    }
  }

  private func changeList(_ place: NestedPath, _ box: DynamicObject, _ rows: [NestedElement]) throws
  {
    let count = rows.count
    switch random.below(count == 0 ? 1 : 9) {
    case 1:
      let row = random.below(count)
      try place.remove(at: row, box, &model)
      note("  remove \(place.text)[\(row)]")
      // The same again is another element (4.3).
      guard random.chance(30) else { return }
      try place.insert([rows[row].node.value], at: row, box, &model)
      note("  put in again")
    case 2, 3:
      let (from, to) = (random.below(count), random.below(count))
      note("  move \(place.text)[\(from)] to \(to)")
      try place.move(from: from, to: to, box, &model)
    case 4, 5, 6:
      let row = random.below(count)
      try replace(at: row, with: value, place, box)
      // Set back is no change (4.5).
      if random.chance(40) { try replace(at: row, with: rows[row].node.value, place, box) }
    case 7 where count > 6:
      note("  clear \(place.text)")
      try place.removeAll(box, &model)
    case _:
      let values = [value, .int(random.below(9))]
      let row = random.below(count + 1)
      note("  insert \(values.text) into \(place.text) at \(row)")
      try place.insert(values, at: row, box, &model)
    }
  }

  private func replace(
    at row: Int, with value: Value, _ place: NestedPath, _ box: DynamicObject
  ) throws {
    note("  \(place.text)[\(row)] = \(value.literal)")
    try place.replace(at: row, with: value, box, &model)
  }

  private func changeMap(
    _ place: NestedPath, _ box: DynamicObject, _ entries: [String: NestedNode]
  ) throws {
    let key = random.pick(["k", "x", "y"])
    switch random.below(8) {
    case 0:
      note("  clear \(place.text)")
      try place.removeAll(box, &model)
    case 1, 2:
      note("  remove \(place.text)[\(key)]")
      try place.remove(key, box, &model)
    case _:
      let value = value
      note("  \(place.text)[\(key)] = \(value.literal)")
      try place.set(key, to: value, box, &model)
    }
    guard random.chance(40), let former = entries[key]?.value else { return }
    note("  \(place.text)[\(key)] = \(former.literal)")
    try place.set(key, to: former, box, &model)
  }

  private var value: Value {
    switch random.below(7) {
    case 0: .list([.int(random.below(3))])
    case 1: .list([.list([.int(random.below(2))]), .link(dog.id)])
    case 2: .map(["k": .int(random.below(3))])
    case 3: .map(["k": .list([.int(random.below(2))])])
    case 4: .link(dog.id)
    case _: .int(random.below(4))
    }
  }
}

/// A token, and up to which of the run's versions it knows everything.
private final class NestedMirror {
  let name: String
  /// The number of the list or map that it observes.
  let id: Int
  var token: ObservationToken?
  var deliveredUpTo: Int

  init(name: String, id: Int, deliveredUpTo: Int) {
    (self.name, self.id, self.deliveredUpTo) = (name, id, deliveredUpTo)
  }
}
