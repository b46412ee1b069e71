import Herald
import TestSupport
import Testing

/// Random writes beside groups that are made anew for each commit.
private final class GroupsWorld {
  /// Observes, and advances over one commit or several.
  let store: DynamicStore
  /// Writes, and groups anew.
  let writer: DynamicStore
  private var random: SplitMix64
  private var dogs: [ObjectHandle] = []
  private var people: [ObjectHandle] = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Person",
        properties: [
          .init(name: "town", element: .string, isOptional: true),
          .init(name: "worth", element: .decimal, isOptional: true),
        ]))
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "breed", element: .string, isOptional: true),
          .init(name: "age", element: .int), .init(name: "weight", element: .double),
          .init(name: "owner", element: .link("Person")),
          .init(name: "price", element: .decimal, isOptional: true),
          .init(name: "rate", element: .double), .init(name: "tag", element: .any),
        ]))
    writer = try store.newSession(named: "writer")
    try writer.write {
      for _ in 0..<3 { try addPerson() }
      for _ in 0..<8 { try addDog() }
    }
  }

  private func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }
  private func town() -> Value { pick([.null, .string("Bree"), .string("Rohan")]) }
  private func breed() -> Value { pick([.null, .string("Pug"), .string("Lab"), .string("Elo")]) }
  private func age() -> Value { .int(.random(in: 0...4, using: &random)) }
  private func weight() -> Value {
    pick([.double(0.1), .double(0.2), .double(0.3), .double(1e17)])
  }
  private func owner() -> Value {
    Bool.random(using: &random) ? .null : .link(pick(people).id)
  }

  // Of several forms that are equal.
  private func price() -> Value {
    pick([.null, decimal("1.1"), decimal("1.10"), decimal("1.100"), decimal("2")])
  }
  private func rate() -> Value { pick([.double(0.0), .double(-0.0), .double(1)]) }
  private func tag() -> Value {
    pick([
      .null, .int(1), .double(1), decimal("1.0"), .list([decimal("1.1")]), .list([decimal("1.10")]),
      .string("a\u{308}"), .string("ä"),
    ])
  }
  private func decimal(_ text: String) -> Value { .decimal(Decimal128(text)!) }

  private func addPerson() throws {
    people.append(
      try writer.add("Person", [("town", .value(town())), ("worth", .value(price()))]))
  }

  private func addDog() throws {
    dogs.append(
      try writer.add(
        "Dog",
        [
          ("breed", .value(breed())), ("age", .value(age())), ("weight", .value(weight())),
          ("owner", .value(owner())), ("price", .value(price())), ("rate", .value(rate())),
          ("tag", .value(tag())),
        ]))
  }

  /// The values of the first dog whose values are equal to some.
  func first(_ paths: [String], like key: [Value]) throws -> [Value]? {
    for dog in dogs.sorted(by: { $0.id < $1.id }) {
      let values = try paths.map { try dog.value($0) }
      if values.map(\.identity) == key.map(\.identity) { return values }
    }
    return nil
  }

  /// One commit with some statements.
  func write() throws {
    try writer.write {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1: try addDog()
        case 2 where dogs.count > 2:
          try writer.delete(dogs.remove(at: .random(in: 0..<dogs.count, using: &random)))
        case 3: try pick(people).set("town", to: .value(town()))
        case 4: try pick(dogs).set("breed", to: .value(breed()))
        case 5: try pick(dogs).set("weight", to: .value(weight()))
        case 6: try pick(dogs).set("owner", to: .value(owner()))
        case 7: try pick(people).set("worth", to: .value(price()))
        case 8, 9: try pick(dogs).set("price", to: .value(price()))
        case 10: try pick(dogs).set("rate", to: .value(rate()))
        case 11, 12: try pick(dogs).set("tag", to: .value(tag()))
        default: try pick(dogs).set("age", to: .value(age()))
        }
      }
    }
  }
}

/// The rows of one grouping as its observer knows them, and at each commit since the last delivery.
private final class GroupsMirror {
  private let reference: DynamicGroups
  private let world: GroupsWorld
  private let pathCount: Int
  private let isSorted: Bool
  private var states: [[[Value]]]
  private(set) var calls = 0
  private var token: ObservationToken?

  init(_ text: String, paths: Int, _ world: GroupsWorld) throws {
    reference = try world.writer.groups(text)
    self.world = world
    pathCount = paths
    isSorted = text.contains("sort(")
    states = [try reference.rows]
    token = try world.store.groups(text).observe { [unowned self] groups, change in
      try check(groups, change)
    }
  }

  func noteCommit() throws {
    states.append(try reference.rows)
    guard isOfEveryDog else { return }
    let paths = Array(reference.names.prefix(pathCount))
    for row in try reference.rows {
      let shown = Array(row.prefix(pathCount))
      #expect(try world.first(paths, like: shown).map(text) == text(shown))
    }
  }

  /// Whether the members are every dog, and the paths their own properties.
  private var isOfEveryDog: Bool { reference.names.contains("all") }

  func end() {
    token?.invalidate()
    token = nil
  }

  /// What the values of the paths are equal by.
  private func key(_ row: [Value]) -> [[UInt8]] { row.prefix(pathCount).map(\.identity) }

  private func check(_ delivered: DynamicGroups, _ change: DynamicCollectionChange) throws {
    let rows = try delivered.rows
    let old = states[0]
    defer { states = [rows] }
    guard case .update(let changes, _) = change else {
      #expect(change == .initial(count: rows.count))
      return
    }
    calls += 1
    var replayed = old
    for row in changes.deletions.reversed() { replayed.remove(at: row) }
    for row in changes.insertions { replayed.insert(rows[row], at: row) }
    for row in changes.modificationsNew { replayed[row] = rows[row] }
    #expect(replayed.map(text) == rows.map(text))
    let moved = Set(changes.moves.map { key(old[$0.old]) })
    for move in changes.moves { #expect(key(old[move.old]) == key(rows[move.new])) }
    if !isSorted { #expect(moved.isEmpty) }
    let kept = Set(old.map(key)).intersection(rows.map(key))
    #expect(
      Set(changes.deletions.map { key(old[$0]) })
        == Set(old.map(key)).subtracting(kept).union(moved))
    #expect(
      changes.modifications.map { key(old[$0]) }.sorted(by: isBefore)
        == changes.modificationsNew.map { key(rows[$0]) }.sorted(by: isBefore))
    let differing = kept.filter { key in
      zip(states, states.dropFirst()).contains { before, after in
        row(key, before) != row(key, after)
      }
    }
    // A row outside of the window has no aggregates to compare.
    let modified = Set(changes.modifications.map { key(old[$0]) })
    #expect(modified.isSubset(of: kept.subtracting(moved)))
    if reference.isWhole {
      #expect(modified == differing.subtracting(moved), "\(states) \(changes)")
    }
  }

  private func row(_ key: [[UInt8]], _ rows: [[Value]]) -> [UInt8]? {
    rows.first { self.key($0) == key }.map(text)
  }

  /// What is shown, by its bytes, with the types of values.
  private func text(_ row: [Value]) -> [UInt8] {
    Array(row.map { "\($0)" }.joined(separator: " ").utf8)
  }

  private func isBefore(_ a: [[UInt8]], _ b: [[UInt8]]) -> Bool { "\(a)" < "\(b)" }
}

extension Value {
  /// The same for equal values.
  fileprivate var identity: [UInt8] {
    switch self {
    case .int(let number): Value.double(Double(number)).identity
    case .double(let number): Array("\(number == 0 ? 0 : number)".utf8)
    case .decimal(let number): Value.double(Double("\(number)") ?? 0).identity
    case .list(let values): Array(values.map(\.identity).joined(separator: [44]))
    default: Array(literalText.utf8)
    }
  }
}

extension DynamicGroups {
  fileprivate var isWhole: Bool { !names.contains("windowed") }
}

@Suite struct GroupsModelTests {
  private static let groupings: [(text: String, paths: Int)] = [
    ("Dog by breed { n: @count }", 1),
    ("Dog by breed { n: @count, m: @avg.age, s: @sum.weight }", 1),
    ("Dog where age > 0 by owner.town as town { low: @min.age, high: @max.weight }", 1),
    ("Dog by breed, owner.town { s: @sum.age, a: @avg.weight } sort(s desc, breed)", 2),
    ("Dog by owner { n: @count } sort(n)", 1),
    ("Dog by price { all: @count }", 1),
    ("Dog by rate, price { all: @count, m: @max.age } sort(price desc)", 2),
    ("Dog by tag { all: @count }", 1),
    ("Dog where age > 1 sort(age desc) limit(5) by price { n: @count }", 1),
    ("Dog where age > 0 by owner.worth as worth { n: @count }", 1),
    ("Dog sort(age) limit(6) by breed { n: @count, s: @sum.age }", 1),
    ("Dog by breed { windowed: @count } sort(windowed desc) limit(2)", 1),
    ("Dog by breed { windowed: @sum.age } sort(windowed) offset(1) limit(2)", 1),
    ("Dog { n: @count, s: @sum.weight, m: @median.age, d: @distinct.breed, low: @min.breed }", 0),
    ("Dog where age > 3 { n: @count, r: @stddev.weight, p: @percentile(0.3).weight }", 0),
    ("Dog by age / 2 as half { n: @count, s: @sum.weight } where n > 1", 1),
    ("Dog by age % 2, weight > 0.25 as heavy { n: @count } sort(n desc) where n < 4", 2),
    ("Dog by 6 / age as share { n: @count } where share == nil or n > 1", 1),
    ("Dog by breed { n: @count, s: @sum.age } where n > 1 where s > 3 sort(s desc)", 1),
    (
      "Dog by breed { windowed: @count, s: @sum.age } where s > 0 sort(s desc) limit(2) where windowed > 1",
      1
    ),
    (
      "Dog by owner.town { windowed: @avg.age } sort(owner.town desc) offset(1) where windowed >= 1 "
        + "sort(windowed)", 1
    ),
    ("Dog { n: @count } where n > 8", 0),
    ("Dog { n: @count, s: @sum.age } sort(s desc)", 0),
    ("Dog { n: @count } where (Dog).@count % 2 == 0", 0),
    ("Dog { n: @count } where n > (Person).@count", 0),
    ("Dog by age > (Dog).@avg.age as above { n: @count } where n > (Person).@count", 1),
    ("Dog by price == nil as free, rate { n: @count } where n < (Dog).@max.age", 2),
    ("Dog where age > 1 by breed { m: @median.age, d: @distinct.tag, high: @max.owner.town }", 1),
  ]

  @Test(arguments: seeds(40))
  func `4.2, 4.5: groups follow each commit as those made anew do`(seed: UInt64) throws {
    let world = try GroupsWorld(seed: seed)
    let mirrors = try Self.groupings.map {
      try GroupsMirror($0.text, paths: $0.paths, world)
    }
    var random = SplitMix64(seed: seed)
    _ = try world.store.endTurn()
    for _ in 0..<30 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try world.write()
        for mirror in mirrors { try mirror.noteCommit() }
      }
      _ = try world.store.endTurn()
      #expect(world.store.check().isEmpty)
    }
    #expect(mirrors.allSatisfy { $0.calls > 0 })
    for mirror in mirrors { mirror.end() }
  }

  @Test(arguments: seeds(10)) func `4.2: an observed sample follows each commit`(seed: UInt64)
    throws
  {
    let world = try GroupsWorld(seed: seed)
    var calls = 0
    let tokens = try [
      "where age > 0 sort(age) sample(4)", "sample(3)", "sample(6) where age > 1 sort(weight desc)",
      "where age > (Dog).@avg.age sample(2)",
    ].map { text in
      let (tail, _) = try QueryParser.parseTail(Array(text.utf8), from: 0)
      var shown: [ObjectID] = []
      return try world.store.results("Dog", tail, names: NoNames()).observe { results, change in
        let rows = try results.objects.map(\.id)
        if case .update(let changes, _) = change {
          var replayed = shown
          for row in changes.deletions.reversed() { replayed.remove(at: row) }
          for row in changes.insertions { replayed.insert(rows[row], at: row) }
          #expect(replayed == rows, "\(text)")
          calls += 1
        }
        shown = rows
      }
    }
    for _ in 0..<30 {
      _ = try world.store.endTurn()
      #expect(world.store.check().isEmpty)
      try world.write()
    }
    #expect(calls > 20)
    for token in tokens { token.invalidate() }
  }
}
