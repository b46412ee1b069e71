import Herald
import TestSupport
import Testing

private final class Runner: Object {
  @Persisted var number = 0
  @Persisted var laps: Int?
  @Persisted var isFast = false
  @Persisted var name = ""
  @Persisted var club: String?
  @Persisted var weight = 0.0
  @Persisted var height: Float?
  @Persisted var rival: Runner?
}

/// What a runner's properties are.
private struct Copy: Equatable {
  var number = 0
  var laps: Int?
  var isFast = false
  var name = ""
  var club: String?
  var weight = 0.0
  var height: Float?
}

/// Reads at the addresses that a session has noted, compared with values kept beside: in writes, after their rollback,
/// at later versions, after deletions, and while something frozen shares the session's version.
@Suite(.serialized) struct AddressedReadTests {
  private static let names = [
    "", "Max", "eight by", "Dog 12345", "fifteen letters", "sixteen letters!", "Zoë", "a\0", "\0",
  ]

  private final class Field {
    let store: Store
    let other: DynamicStore
    var runners: [Runner] = []
    var copies: [Copy?] = []
    var random: SplitMix64

    init(_ store: Store, _ seed: UInt64) throws {
      self.store = store
      other = try store.untyped.newSession(named: "other")
      random = SplitMix64(seed: seed)
      try add(600)
    }

    func copy() -> Copy {
      let numbers = [0, 1, -1, 127, 128, -32_769, 1 << 40, .min, .max]
      return Copy(
        number: random.pick(random.chance(90) ? [0, 1, 2, -3] : numbers),
        laps: random.chance(30) ? nil : random.below(random.chance(99) ? 9 : 70_000),
        isFast: random.chance(50), name: random.pick(names),
        club: random.chance(20) ? nil : random.pick(names),
        weight: Double(random.below(7)) / 2, height: random.chance(20) ? nil : 1.5)
    }

    private func set(_ runner: Runner, to copy: Copy) {
      runner.number = copy.number
      runner.laps = copy.laps
      runner.isFast = copy.isFast
      runner.name = copy.name
      runner.club = copy.club
      runner.weight = copy.weight
      runner.height = copy.height
    }

    func add(_ count: Int) throws {
      try store.write {
        for _ in 0..<count {
          let (runner, copy) = (Runner(), copy())
          set(runner, to: copy)
          runner.rival = runners.last
          store.add(runner)
          runners.append(runner)
          copies.append(copy)
        }
      }
    }

    /// Compares some objects, among them again those of the same blocks.
    func check(_ comment: Comment, among count: Int = 40) throws {
      for _ in 0..<count {
        let index = random.below(runners.count)
        let runner = runners[index]
        let untyped = try store.untyped.object("Runner", key: .int(index + 1))
        if let id = untyped?.id { #expect(store.untyped.object(id) == untyped, comment) }
        #expect((untyped != nil) == (copies[index] != nil), comment)
        #expect(runner.isInvalidated == (copies[index] == nil), comment)
        guard let copy = copies[index], let untyped else { continue }
        let read = Copy(
          number: runner.number, laps: runner.laps, isFast: runner.isFast, name: runner.name,
          club: runner.club, weight: runner.weight, height: runner.height)
        #expect(read == copy, comment)
        #expect(try untyped.value("number") == .int(copy.number), comment)
        #expect(try store.untyped.value("number", of: untyped.id) == .int(copy.number), comment)
        #expect(try untyped.value("laps") == copy.laps.map(Value.int) ?? .null, comment)
        #expect(try untyped.value("isFast") == .bool(copy.isFast), comment)
        #expect(try untyped.value("name") == .string(copy.name), comment)
        #expect(try untyped.value("club") == copy.club.map(Value.string) ?? .null, comment)
        #expect(try untyped.value("weight") == .double(copy.weight), comment)
        #expect(try untyped.value("height") == copy.height.map(Value.float) ?? .null, comment)
        let rival = index > 0 && copies[index - 1] != nil ? runners[index - 1] : nil
        #expect(runner.rival == rival, comment)
      }
    }

    private struct Stopped: Error {}

    /// Changes some objects in one write of a session, and then rolls it back unless `isKept`.
    func change(isKept: Bool, in session: DynamicStore, _ comment: Comment) throws {
      let before = copies
      do {
        try session.write {
          for _ in 0..<(1 + random.below(5)) {
            try changeOne(in: session)
            if session === store.untyped { try check(comment, among: 3) }
          }
          if !isKept { throw Stopped() }
        }
      } catch is Stopped {
        copies = before
      }
    }

    private func changeOne(in session: DynamicStore) throws {
      let index = random.below(runners.count)
      guard copies[index] != nil else { return }
      let object = try #require(try session.object("Runner", key: .int(index + 1)))
      if random.chance(20) {
        try session.delete(object)
        copies[index] = nil
        return
      }
      let new = copy()
      try object.set([
        ("number", .value(.int(new.number))),
        ("laps", .value(new.laps.map(Value.int) ?? .null)),
        ("isFast", .value(.bool(new.isFast))), ("name", .value(.string(new.name))),
        ("club", .value(new.club.map(Value.string) ?? .null)),
        ("weight", .value(.double(new.weight))),
        ("height", .value(new.height.map(Value.float) ?? .null)),
      ])
      copies[index] = new
    }
  }

  private func run(_ store: Store, _ seed: UInt64) throws {
    let field = try Field(store, seed)
    var frozen: (results: Results<Runner>, copies: [Copy?])?
    for step in 0..<100 {
      let comment: Comment = "HERALD_SEED=\(seed), step \(step)"
      switch field.random.below(6) {
      case 0, 1: try field.change(isKept: true, in: store.untyped, comment)
      case 2: try field.change(isKept: false, in: store.untyped, comment)
      case 3:
        // Until the session advances it reads its own version, also while something frozen does.
        let before = field.copies
        try field.change(isKept: true, in: field.other, comment)
        let after = field.copies
        field.copies = before
        try field.check(comment)
        if field.random.chance(50) {
          frozen = (store.objects(Runner.self).freeze(), before)
          try field.check(comment)
        }
        field.copies = after
        store.refresh()
      case 4: frozen = (store.objects(Runner.self).freeze(), field.copies)
      case _: if field.runners.count < 900 { try field.add(30) }
      }
      try field.check(comment)
      if let (results, copies) = frozen {
        #expect(results.map(\.name) == copies.compactMap { $0?.name }, comment)
      }
    }
  }

  @Test(arguments: seeds(2))
  func `reads are those of the session's version, in memory`(seed: UInt64) throws {
    try run(Store(), seed)
  }

  @Test(arguments: seeds(2))
  func `reads are those of the session's version, in a file`(seed: UInt64) throws {
    try withFolder { folder in
      let store = try Store(path: "\(folder)/runners.hdb")
      defer { store.close() }
      try run(store, seed)
    }
  }

  @Test func `a property that changes its type is read as its new type`() throws {
    let store = try DynamicStore()
    let forms: [(ClassDefinition.Property.Element, Value)] = [
      (.int, .int(7)), (.string, .string("7")), (.double, .double(7)), (.int, .int(7)),
      (.float, .float(7)), (.string, .string("7")),
    ]
    try store.declare(
      ClassDefinition(name: "Box", properties: [.init(name: "n", element: forms[0].0)]))
    let box = try store.write { try store.add("Box", [("n", .value(forms[0].1))]) }
    for (element, value) in forms.dropFirst() {
      try store.alter("Box", [.change(.init(name: "n", element: element))])
      for _ in 0..<2 {
        let found = try box.value("n")
        if case .string(let text) = value, case .string(let other) = found {
          #expect(other.hasPrefix(text))
        } else {
          #expect(found == value)
        }
      }
    }
  }

  @Test func `a name means another property after it was given to that`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Pair",
        properties: [
          .init(name: "a", element: .int), .init(name: "b", element: .string, isOptional: true),
          .init(name: "c", element: .int),
        ]))
    let pair = try store.write {
      try store.add(
        "Pair",
        [("a", .value(.int(1))), ("b", .value(.string("two"))), ("c", .value(.int(3)))])
    }
    for _ in 0..<2 {
      #expect(try pair.value("a") == .int(1) && pair.value("c") == .int(3))
      #expect(try pair.value("b") == .string("two"))
    }
    try store.alter("Pair", [.rename("a", to: "x")])
    try store.alter("Pair", [.rename("b", to: "a")])
    try store.alter("Pair", [.rename("c", to: "b")])
    #expect(throws: HeraldError.self) { try pair.value("c") }
    for _ in 0..<2 {
      #expect(try pair.value("a") == .string("two"))
      #expect(try pair.value("b") == .int(3) && pair.value("x") == .int(1))
    }
    store.close()
    #expect(throws: HeraldError.closed) { try pair.value("a") }
    #expect(throws: HeraldError.closed) { try store.value("a", of: pair.id) }
    #expect(!pair.isValid)
  }
}
