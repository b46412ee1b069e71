import Herald
import TestSupport
import Testing

/// A list, a set, a map and a list of any values of one object, changed at random by another session.
private final class ElementsWorld {
  /// Observes, and advances over one commit or several.
  let store: DynamicStore
  /// Writes, and runs each query again.
  let writer: DynamicStore
  private(set) var box: ObjectHandle
  private var random: SplitMix64

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "list", element: .int, shape: .list, isOptional: true),
          .init(name: "set", element: .int, shape: .set),
          .init(name: "map", element: .int, shape: .map, isOptional: true),
          .init(name: "mixed", element: .any, shape: .list),
        ]))
    writer = try store.newSession(named: "writer")
    box = try writer.write { [writer] in try writer.add("Box", []) }
    try write(count: 30)
    _ = try store.endTurn()
  }

  private func value(of name: String) -> Value {
    let number = Value.int(.random(in: 0...9, using: &random))
    switch (name, Int.random(in: 0..<6, using: &random)) {
    case ("list", 0), ("map", 0), ("mixed", 0): return .null
    case ("mixed", 1): return .string("abc")
    case ("mixed", 2): return .link(box.id)
    default: return number
    }
  }

  /// One commit with some changes.
  func write(count: Int) throws {
    try writer.write {
      for _ in 0..<count {
        let name = ["list", "set", "map", "mixed"].randomElement(using: &random)!
        try change(try box.collection(name), name)
      }
    }
  }

  private func change(_ collection: LiveCollection, _ name: String) throws {
    let count = collection.count
    let kind = Int.random(in: 0..<20, using: &random)
    if kind == 0 { return try collection.removeAll() }
    if name == "map" {
      let key = "k\(Int.random(in: 0..<12, using: &random))"
      return kind < 7
        ? try collection.removeKey(key) : try collection.set(key, to: value(of: name))
    }
    if name == "set" {
      let value = value(of: name)
      return kind < 8 ? try collection.remove(value) : try collection.insert(value)
    }
    guard count > 1, kind > 7 else {
      let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in value(of: name) }
      return try collection.insert(values, at: .random(in: 0...count, using: &random))
    }
    let index = Int.random(in: 0..<count, using: &random)
    switch kind {
    case 8..<12: try collection.remove(at: index)
    case 12..<15: try collection.move(from: index, to: .random(in: 0..<count, using: &random))
    default: try collection.replace(at: index, with: value(of: name))
    }
  }
}

/// The rows of one query, or their groups, as its observer knows them: each as the values of its columns.
private final class ElementsMirror {
  private let text: String
  /// The rows at the last version.
  private let reference: () throws -> [[Value]]
  private var rows: [[Value]] = []
  private(set) var calls = 0
  private var token: ObservationToken?

  init(_ name: String, _ text: String, _ world: ElementsWorld) throws {
    self.text = "\(name) \(text)"
    let elements = try world.box.collection(name).elements(text)
    reference = { try elements.values.map { [$0] } }
    let box = try #require(world.store.object(world.box.id))
    token = try box.collection(name).elements(text).observe { [unowned self] elements, change in
      try check(try elements.values.map { [$0] }, change)
    }
  }

  /// - Parameter grouping: what follows the word `by`.
  init(_ name: String, _ text: String, by grouping: String, _ world: ElementsWorld) throws {
    self.text = "group \(name) \(text) by \(grouping)"
    let (syntax, _) = try QueryParser.parseGroup(Array("Box by \(grouping)".utf8), from: 0)
    func groups(_ box: ObjectHandle) throws -> DynamicGroups {
      let elements = try box.collection(name).elements(text)
      return try box.store.groups(of: elements, syntax, names: NoNames())
    }
    let current = try groups(world.box)
    reference = { try current.rows }
    token = try groups(try #require(world.store.object(world.box.id))).observe {
      [unowned self] groups, change in
      try check(try groups.rows, change)
    }
  }

  func end() {
    token?.invalidate()
    token = nil
  }

  /// Compares with the query, run again at the last version.
  func check() throws { #expect(try rows == reference(), "\(text)") }

  private func check(_ new: [[Value]], _ change: DynamicCollectionChange) throws {
    defer { rows = new }
    guard case .update(let changes, ownerDeleted: false) = change else {
      #expect(change == .initial(count: new.count))
      return
    }
    calls += 1
    let old = rows
    var replayed = old
    for row in changes.deletions.reversed() { replayed.remove(at: row) }
    for row in changes.insertions { replayed.insert(new[row], at: row) }
    for (row, newRow) in zip(changes.modifications, changes.modificationsNew) {
      #expect(!changes.deletions.contains(row) && !changes.insertions.contains(newRow))
      replayed[newRow] = new[newRow]
    }
    #expect(replayed == new, "\(text): \(changes)")
    let moved = Set(changes.moves.map(\.old))
    #expect(moved.isSubset(of: changes.deletions), "\(text): \(changes)")
    #expect(Set(changes.moves.map(\.new)).isSubset(of: changes.insertions))
  }
}

@Suite struct ElementsModelTests {
  private static let queries = [
    "", "where self > 3", "where self != nil sort(self)", "sort(self desc)",
    "where self < 8 sort(self) limit(3)", "offset(1) limit(4)", "distinct(self)",
    "sort(self desc) distinct(self) offset(1) limit(3)", "limit(5) distinct(self) sort(self)",
  ]
  private static let mixed = [
    "", "where self > 3 or self == \"abc\"", "where self != nil limit(4)", "sort(self) limit(5)",
    "distinct(self)",
  ]

  private static let groupings = [
    "self { n: @count }", "self { n: @count } sort(n desc) limit(2)",
    "self, self == nil as missing { n: @count } where missing == false",
  ]

  @Test(arguments: seeds(40))
  func `4.2: the rows of a query of values follow its collection`(seed: UInt64) throws {
    let world = try ElementsWorld(seed: seed)
    var mirrors: [ElementsMirror] = []
    for name in ["list", "set", "map"] {
      mirrors += try Self.queries.map { try ElementsMirror(name, $0, world) }
    }
    mirrors += try Self.mixed.map { try ElementsMirror("mixed", $0, world) }
    try run(mirrors, in: world, seed: seed)
  }

  @Test(arguments: seeds(20))
  func `language 2: groups of a query of values follow its collection`(seed: UInt64) throws {
    let world = try ElementsWorld(seed: seed)
    var mirrors: [ElementsMirror] = []
    for grouping in Self.groupings {
      for name in ["list", "set", "map", "mixed"] {
        mirrors += try (name == "mixed" ? Self.mixed : Self.queries).map {
          try ElementsMirror(name, $0, by: grouping, world)
        }
      }
    }
    try run(mirrors, in: world, seed: seed)
  }

  private func run(_ mirrors: [ElementsMirror], in world: ElementsWorld, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    _ = try world.store.endTurn()
    for _ in 0..<30 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try world.write(count: .random(in: 1...6, using: &random))
      }
      _ = try world.store.endTurn()
      for mirror in mirrors { try mirror.check() }
    }
    #expect(mirrors.allSatisfy { $0.calls > 0 })
    for mirror in mirrors { mirror.end() }
  }
}
