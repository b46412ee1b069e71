import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// An undo is a commit that reverts another one, unless later commits, or their objects, stand in its way.
@Suite struct UndoTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "list", element: .int, shape: .list),
      .init(name: "set", element: .int, shape: .set),
      .init(name: "any", element: .any),
      .init(name: "home", element: .link("Home")),
    ])
  private static let home = ClassDefinition(
    name: "Home", isEmbedded: true, properties: [.init(name: "town", element: .string)])

  /// A store with the dogs 1 and 2, at version 2.
  private func dogs() throws -> (session: Session, dogs: [ObjectID]) {
    let session = try Session.made(Self.dog, Self.home)
    let dogs = try session.write { try (1...2).map { try session.add("Dog", ("id", .int($0))) } }
    return (session, dogs)
  }

  /// Everything that a store has: the values of each dog and each home.
  private func state(_ session: Session) throws -> [String] {
    try ["Dog", "Home"].flatMap { className in
      let names = try session.declaredClass(className).properties.map(\.name)
      return try session.objects(className).map { object in
        let values = try names.map { try session.read($0, of: object).text }
        return "\(className)#\(object.number) " + values.joined(separator: " ")
      }
    }
  }

  // MARK: What is next

  @Test func `undo goes back commit by commit, and redo forward again`() throws {
    let (session, dogs) = try dogs()
    func age() throws -> Value { try session.read("age", of: dogs[0]) }
    for age in 1...3 { try session.write { try session.set(dogs[0], ("age", .int(age))) } }
    #expect(try [session.undo(), session.undo()] == [5, 4])
    #expect(try age() == .int(1))
    #expect(try session.loggedCommit(6).info.reversal == .undo(5))
    #expect(try session.redo() == 7)
    #expect(try age() == .int(2))
    #expect(try session.loggedCommit(8).info.reversal == .redo(7))
    #expect(try session.redo() == 6)
    #expect(try age() == .int(3))
    #expect(errorText { _ = try session.redo() } == "nothing to redo")
    // A redo can be undone as any commit can.
    #expect(try [session.undo(), session.undo(), session.undo()] == [9, 8, 3])
    #expect(try age() == .int(0))
    // The dogs themselves; then only the class is left.
    #expect(try session.undo() == 2)
    #expect(try session.objects("Dog") == [])
    #expect(
      errorText { _ = try session.undo() }
        == "version 1 cannot be undone: a change of classes cannot be undone")
  }

  @Test func `what is committed after an undo ends what can be redone`() throws {
    let (session, dogs) = try dogs()
    try session.write { try session.set(dogs[0], ("age", .int(1))) }
    try session.undo()
    try session.write { try session.set(dogs[1], ("age", .int(2))) }
    #expect(errorText { _ = try session.redo() } == "nothing to redo")
  }

  // MARK: Conflicts

  /// What two commits do, the first of which cannot be undone.
  struct Conflict: Sendable, CustomTestStringConvertible {
    let message: String
    /// Whether the first dog has the second one as its friend in the beginning.
    var isLinked = false
    let first: @Sendable (Session, [ObjectID]) throws -> Void
    let later: @Sendable (Session, [ObjectID]) throws -> Void
    var canBeUndone = true

    var testDescription: String { message }
  }

  static let conflicts: [Conflict] = [
    Conflict(
      message: "later commits changed the same objects: Dog#1",
      first: { try $0.set($1[0], ("age", .int(1))) }, later: { try $0.set($1[0], ("age", .int(2))) }
    ),
    Conflict(
      message: "later commits changed the same objects: Dog#1",
      first: { try $0.set($1[0], ("age", .int(1))) }, later: { try $0.delete($1[0]) }),
    Conflict(
      message: "later commits changed the same objects: Dog#1",
      first: { try $0.set($1[0], ("home", .link(try $0.add("Home", ("town", .string("a")))))) },
      later: { session, _ in
        try session.set(session.objects("Home")[0], ("town", .string("b")))
      }),
    Conflict(
      message: "later commits dropped or converted what it changed: Dog#1",
      first: { try $0.set($1[0], ("age", .int(1))) },
      later: { session, _ in try session.alter("Dog", [.drop("age")]) }, canBeUndone: false),
    Conflict(
      message: "other objects link to those that it added: Dog#2",
      first: { session, _ in _ = try session.add("Dog", ("id", .int(3))) },
      later: { session, dogs in
        try session.set(dogs[1], ("friend", .link(try session.objects("Dog")[2])))
      }),
    Conflict(
      message: "the primary keys of objects that it deleted are taken: Dog#1 (added by version 4)",
      first: { try $0.delete($1[0]) },
      later: { session, _ in _ = try session.add("Dog", ("id", .int(1))) }),
    Conflict(
      message: "objects to which it removed links are deleted: Dog#2 (deleted by version 5)",
      isLinked: true,
      first: { try $0.set($1[0], ("friend", .null)) }, later: { try $0.delete($1[1]) }),
  ]

  @Test(arguments: conflicts)
  func `the first commit cannot be undone after the later one`(_ conflict: Conflict) throws {
    let (session, dogs) = try dogs()
    if conflict.isLinked {
      try session.write { try session.set(dogs[0], ("friend", .link(dogs[1]))) }
    }
    try session.write { try conflict.first(session, dogs) }
    let first = session.version
    try session.write { try conflict.later(session, dogs) }
    let (last, before) = (session.version, try state(session))
    #expect(
      errorText { try session.undo(first) }
        == "version \(first) cannot be undone: \(conflict.message)")
    #expect(session.version == last)
    #expect(try state(session) == before)
    // Once the later commit is undone, nothing is in the way, unless it has changed the class.
    guard conflict.canBeUndone else { return }
    try session.undo()
    try session.undo(first)
    #expect(
      errorText { try session.undo(first) }
        == "version \(first) cannot be undone: it is undone already")
    #expect(session.check() == [])
  }

  @Test func `there is no undo while a write is open`() throws {
    let (session, _) = try dogs()
    try session.beginWrite(byHand: true)
    #expect(errorText { try session.undo() } == "a write is already in progress")
    #expect(errorText { try session.redo() } == "a write is already in progress")
    try session.rollback()
    #expect(
      errorText { try session.undo(9) } == "there is no version 9; the newest is 2")
  }

  // MARK: Random commits

  private func change(_ session: Session, _ random: inout SplitMix64, _ nextKey: inout Int) throws {
    let dogs = try session.objects("Dog")
    guard let dog = dogs.randomElement(using: &random), dogs.count < 8 || random.chance(80) else {
      nextKey += 1
      try session.add("Dog", ("id", .int(nextKey)), ("list", .list([.int(1), .int(2), .int(3)])))
      return
    }
    let count = try session.reader.listCount(session.property("list", of: dog).id, of: dog)
    let row = random.below(count)
    switch random.below(10) {
    case 0: try session.delete(dog)
    case 1: try session.set(dog, ("age", .int(random.below(5))))
    case 2: try session.set(dog, ("friend", .link(random.pick(dogs))))
    case 3: try session.edit(dog, "list", .insert([.int(random.below(9))], at: row))
    case 4 where count > 0: try session.edit(dog, "list", .remove(at: row))
    case 5 where count > 0: try session.edit(dog, "list", .move(from: row, to: random.below(count)))
    case 6: try session.edit(dog, "set", .insertValue(.int(random.below(5))))
    case 7:
      try session.set(dog, ("any", .map(["k": .list([.int(random.below(3)), .link(dog)])])))
    case 8:
      try session.set(
        dog, ("home", .link(try session.add("Home", ("town", .string("t\(random.below(9))"))))))
    default:
      nextKey += 1
      try session.add("Dog", ("id", .int(nextKey)), ("friend", .link(dog)))
    }
  }

  @Test(arguments: seeds(10))
  func `undoing every commit from the last on gives each state again, and redoing too`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let (session, _) = try dogs()
    var nextKey = 2
    var states = [try state(session)]
    for _ in 0..<12 {
      try session.write {
        for _ in 0..<1 + random.below(4) { try change(session, &random, &nextKey) }
      }
      states.append(try state(session))
    }
    for expected in states.dropLast().reversed() {
      try session.undo()
      #expect(try state(session) == expected, "seed \(seed)")
    }
    #expect(session.check() == [], "seed \(seed)")
    for expected in states.dropFirst() {
      try session.redo()
      #expect(try state(session) == expected, "seed \(seed)")
    }
    #expect(session.check() == [], "seed \(seed)")
  }
}
