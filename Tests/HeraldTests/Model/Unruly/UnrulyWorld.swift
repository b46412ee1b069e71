import HeraldEngine
import TestSupport

@testable import Herald
@testable import TestModel

/// Sessions of one store whose blocks do everything that blocks may do: write, begin and commit by
/// hand, write in other sessions, end others' turns, observe, stop each other, freeze, and fail.
final class UnrulyWorld {
  /// What a block throws now and then.
  struct Whim: Error {}

  final class Session {
    let store: DynamicStore
    var mirrors: [UnrulyMirror] = []
    /// Blocks under way, each nested in the one before.
    var depth = 0

    init(_ store: DynamicStore) { self.store = store }
  }

  let seed: UInt64
  var random: SplitMix64
  var sessions: [Session] = []
  /// What blocks may still do before the turn they are in must come to its end.
  var actionsLeft = 0
  /// Writes whose block has run to its end and that were not rolled back.
  var commits = 0
  var nestedCalls = 0
  var faults: [String] = []
  private var names = 0
  private var frozen:
    [(rows: DynamicFrozen<DynamicResults>, expected: [DynamicObject], ages: [Value])] = []

  init(seed: UInt64, store: DynamicStore) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    for definition in Self.definitions { try store.declare(definition) }
    try store.write {
      _ = try store.add("Count", [("n", .value(.int(0)))])
      for id in 1...12 { _ = try store.add("Dog", Self.dog(id, &random)) }
    }
    sessions = [Session(store)]
    for name in ["b", "c"] { sessions.append(Session(try store.newSession(named: name))) }
    guard store.path != nil else { return }
    // Another process would come upon a log that no longer reaches back.
    store.session.keepLog(entries: 2)
    sessions.append(Session(DynamicStore(try store.session.apart(), named: "process")))
  }

  private static func dog(_ id: Int, _ random: inout SplitMix64) -> [NamedContent] {
    [
      ("id", .value(.int(id))), ("age", .value(.int(random.below(6)))),
      ("name", .value(.string(random.pick(["a", "b", "c"])))),
    ]
  }

  static let definitions = [
    ClassDefinition(
      name: "Toy", isEmbedded: true, properties: [.init(name: "name", element: .string)]),
    ClassDefinition(name: "Count", properties: [.init(name: "n", element: .int)]),
    ClassDefinition(
      name: "Dog",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "name", element: .string), .init(name: "age", element: .int),
        .init(name: "owner", element: .link("Dog")), .init(name: "toy", element: .link("Toy")),
        .init(name: "toys", element: .link("Toy"), shape: .list),
        .init(name: "pals", element: .link("Dog"), shape: .list),
        .init(name: "friends", element: .link("Dog"), shape: .set),
        .init(name: "mates", element: .link("Dog"), shape: .map),
        .init(name: "owned", element: .link("Dog"), shape: .backlinks("owner")),
      ]),
  ]
}

// MARK: Observing

extension UnrulyWorld {
  func observe(_ session: Session) throws {
    guard session.mirrors.count(where: \.isLive) < 10 else { return }
    names += 1
    let store = session.store
    let owner =
      random.chance(60) ? try store.objects("Dog").objects.randomElement(using: &random) : nil
    guard let owner else { return try observe(randomQuestion(), session) }
    let property = random.pick(["pals", "friends", "mates", "owned", "toys"])
    let list = try owner.collection(property)
    let mirror = UnrulyMirror("\(names) \(store.name) \(property)") { [unowned store] in
      guard list.isValid else { return [] }
      let keys = list.keys
      return list.values.enumerated().map { place, value in
        .init(
          key: keys.isEmpty ? "" : keys[place], value: value, contents: Self.contents(value, store))
      }
    }
    mirror.token = try list.observe { [unowned self, unowned session, unowned mirror] _, change in
      try receive(change, mirror, session)
    }
    session.mirrors.append(mirror)
  }

  private func observe(_ question: String, _ session: Session) throws {
    let store = session.store
    let results = try Self.results(question, store)
    let mirror = UnrulyMirror("\(names) \(store.name) \(question)") { [unowned store] in
      try results.objects.map {
        .init(value: .link($0.id), contents: Self.contents(.link($0.id), store))
      }
    }
    mirror.token = try results.observe {
      [unowned self, unowned session, unowned mirror] _, change in
      try receive(change, mirror, session)
    }
    session.mirrors.append(mirror)
  }

  static func results(_ question: String, _ store: DynamicStore) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array(question.utf8), from: 0)
    return try store.results("Dog", tail, names: NoNames())
  }

  /// Sorts, distinct and limit in any order, and conditions before and between them.
  func randomQuestion() -> String {
    var words = random.chance(50) ? ["where \(randomCondition())"] : []
    for _ in 0..<random.below(5) {
      switch random.below(6) {
      case 0: words.append("limit(\(1 + random.below(7)))")
      case 1: words.append("distinct(\(random.pick(["name", "age", "owner.age", "owner"])))")
      default:
        let key = random.pick(["age", "name", "owner.age", "owner.owner.name", "id"])
        words.append("sort(\(key) \(random.pick(["asc", "desc"])))")
      }
    }
    return words.joined(separator: " ")
  }

  private func randomCondition() -> String {
    random.pick([
      "age > 2", "age BETWEEN {1, 3}", "owner.age > 1", "ANY pals.age < 3", "owned.@count > 0",
      "toy.name == 'a'", "mates.@count > 1 OR age == 4", "ANY friends.name == name",
    ])
  }

  /// What an object holds itself.
  private static func contents(_ value: Value, _ store: DynamicStore) -> [Value] {
    guard case .link(let id) = value, let object = store.object(id) else { return [] }
    return ["name", "age", "owner", "toy"].map { (try? object.value($0)) ?? .null }
  }
}

// MARK: Hearing

extension UnrulyWorld {
  private func receive(
    _ change: DynamicCollectionChange, _ mirror: UnrulyMirror, _ session: Session
  ) throws {
    try mirror.receive(change)
    session.depth += 1
    defer { session.depth -= 1 }
    if session.depth > 1 { nestedCalls += 1 }
    guard actionsLeft > 0, random.chance(35) else { return }
    actionsLeft -= 1
    try act(session)
  }

  /// Something that a block may do.
  private func act(_ session: Session) throws {
    let store = session.store
    switch random.below(12) {
    case 0, 1: try write(session)
    case 2: try store.writeAsync { [unowned self, unowned store] in try change(store) }
    case 3: try writeByHand(session)
    case 4, 5: try write(random.pick(sessions))
    case 6: stop(session)
    case 7: try observe(session)
    case 8:
      if try store.refresh() { faults.append("refresh answered true inside a delivery") }
      if try store.endTurn() { faults.append("a turn ended inside a delivery") }
    case 9: try turn(random.pick(sessions.filter { $0 !== session }))
    case 10: try freeze(session)
    default: if random.chance(30) { throw Whim() }
    }
  }

  func stop(_ session: Session) {
    guard let mirror = session.mirrors.filter(\.isLive).randomElement(using: &random) else {
      return
    }
    if random.chance(50) {
      mirror.token?.invalidate()
      mirror.isStopped = true
    } else {
      // A write that is to be silent for it holds it, as long as it lasts.
      weak let held = mirror.token
      mirror.token = nil
      mirror.isStopped = held == nil
    }
  }

  private func freeze(_ session: Session) throws {
    guard frozen.count < 20, !session.store.isInWrite else { return }
    let results = try session.store.objects("Dog")
    let (objects, frozen) = (try results.objects, try results.frozen)
    self.frozen.append((frozen, objects, try objects.map { try $0.value("age") }))
  }

  func compareFrozen() throws {
    for (rows, objects, ages) in frozen {
      let now = try rows.base.objects
      let agesNow = try now.map { try $0.value("age") }
      if now.map(\.id) != objects.map(\.id) || ages != agesNow {
        faults.append("what was frozen has changed")
      }
    }
  }
}
