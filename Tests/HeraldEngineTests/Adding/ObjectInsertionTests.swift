import HeraldMaintenance
import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// Objects that are added like those before are what they would be if each were added by itself.
@Suite struct ObjectInsertionTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true), .init(name: "name", element: .string),
      .init(name: "age", element: .int, isIndexed: true, defaultValue: .value(.int(3))),
      .init(name: "weight", element: .double, isOptional: true),
      .init(name: "rank", element: .double, isOptional: true, isIndexed: true),
      .init(name: "color", element: .string, isIndexed: true, defaultValue: .value(.string("red"))),
      .init(name: "born", element: .date, isOptional: true),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "tags", element: .int, shape: .list),
    ])
  private static let cat = ClassDefinition(
    name: "Cat",
    properties: [
      .init(name: "name", element: .string, isPrimaryKey: true),
      .init(name: "lives", element: .int, shape: .list, defaultValue: .list([.int(9)])),
    ])

  // MARK: What can be prepared

  /// Names of properties, and whether an insertion of them can be prepared.
  struct Preparation: Sendable {
    let className: String
    let names: [String]
    let isPossible: Bool
  }

  static let preparations = [
    Preparation(className: "Dog", names: ["id", "name"], isPossible: true),
    Preparation(className: "Dog", names: ["rank", "born", "name", "id"], isPossible: true),
    Preparation(className: "Dog", names: ["name", "age"], isPossible: false),
    Preparation(className: "Dog", names: ["id", "age"], isPossible: false),
    Preparation(className: "Dog", names: ["id", "name", "name"], isPossible: false),
    Preparation(className: "Dog", names: ["id", "name", "agee"], isPossible: false),
    Preparation(className: "Dog", names: ["id", "name", "friend"], isPossible: false),
    Preparation(className: "Dog", names: ["id", "name", "tags"], isPossible: false),
    // Its default is more than a value.
    Preparation(className: "Cat", names: ["name"], isPossible: false),
    Preparation(className: "Toy", names: ["size"], isPossible: false),
    Preparation(className: "Note", names: ["text"], isPossible: false),
    // A key that may be nil is found like another.
    Preparation(className: "Tag", names: ["text"], isPossible: false),
    Preparation(className: "Tag", names: ["text", "key"], isPossible: true),
  ]

  @Test(arguments: preparations)
  func `an insertion gives single values to a class that needs no more`(
    _ preparation: Preparation
  ) throws {
    let session = try Session.made(
      Self.dog, Self.cat,
      ClassDefinition(
        name: "Toy", isEmbedded: true, properties: [.init(name: "size", element: .int)]),
      ClassDefinition(
        name: "Note",
        properties: [
          .init(name: "text", element: .string),
          .init(name: "tag", element: .uuid, isOptional: true, isGenerated: true),
        ]),
      ClassDefinition(
        name: "Tag",
        properties: [
          .init(name: "key", element: .string, isOptional: true, isPrimaryKey: true),
          .init(name: "text", element: .string),
        ]))
    let classSchema = try session.declaredClass(preparation.className)
    #expect(session.insertion(of: classSchema, preparation.names) == nil)
    try session.beginWrite(byHand: true)
    let insertion = session.insertion(of: classSchema, preparation.names)
    #expect((insertion != nil) == preparation.isPossible)
  }

  // MARK: Contents

  private func contents(_ values: (String, Value)...) -> [NamedContent] {
    values.map { ($0.0, .value($0.1)) }
  }

  @Test func `an object gets what it is given, and the defaults`() throws {
    let session = try Session.made(Self.dog)
    try session.beginWrite(byHand: true)
    let insertion = try #require(
      session.insertion(of: try session.declaredClass("Dog"), ["name", "id", "rank"]))
    let given = contents(("name", .string("Rex")), ("id", .int(7)), ("rank", .null))
    let dog = try #require(try insertion.add(given, in: session)).object
    let values = try session.declaredClass("Dog").properties.map {
      try session.read($0.name, of: dog)
    }
    #expect(
      values == [
        .int(7), .string("Rex"), .int(3), .null, .null, .string("red"), .null, .null, .list([]),
      ])
    try session.commit()
    #expect(session.check() == [])
  }

  @Test func `what it does not decide it leaves to be added by itself`() throws {
    let session = try Session.made(Self.dog)
    let dog = try session.declaredClass("Dog")
    try session.beginWrite(byHand: true)
    let insertion = try #require(session.insertion(of: dog, ["id", "name", "rank"]))
    func isAdded(_ contents: [NamedContent]) throws -> Bool {
      try insertion.add(contents, in: session) != nil
    }
    let (id, name) = (("id", Value.int(1)), ("name", Value.string("a")))
    #expect(try isAdded(contents(id, name, ("rank", .double(1)))))
    let rank = ("rank", Value.null)
    // The key of another object, another order, one too few, a value to coerce, and wrong ones.
    #expect(try !isAdded(contents(id, name, rank)))
    #expect(try !isAdded(contents(("id", .int(2)), rank, name)))
    #expect(try !isAdded(contents(("id", .int(2)), name)))
    #expect(try !isAdded(contents(("id", .int(2)), name, ("rank", .int(1)))))
    #expect(try !isAdded(contents(("id", .int(2)), ("name", .null), rank)))
    #expect(try !isAdded(contents(("id", .string("2")), name, rank)))
    #expect(try session.objects("Dog").count == 1)
    #expect(try isAdded(contents(("id", .int(2)), name, rank)))
    try session.commit()
    #expect(try !isAdded(contents(("id", .int(3)), name, rank)))
    // The class is stored in another way.
    try session.beginWrite(byHand: true)
    #expect(try isAdded(contents(("id", .int(3)), name, rank)))
    try session.alter(
      "Dog", [.add(.init(name: "more", element: .int, defaultValue: .value(.int(1))))])
    #expect(try !isAdded(contents(("id", .int(4)), name, rank)))
  }

  @Test func `a session prepares after two objects of a class`() throws {
    let session = try Session.made(Self.dog, Self.cat)
    try session.beginWrite(byHand: true)
    func add(_ id: Int) throws {
      try session.add("Dog", ("id", .int(id)), ("name", .string("d")))
    }
    let given = contents(("id", .int(9)), ("name", .string("d")))
    try add(1)
    #expect(try session.addAgain("Dog", given) == nil)
    try add(2)
    let added = try #require(try session.addAgain("Dog", given))
    #expect(added.object.number == 3 && !added.outcome.isRolledBack)
    #expect(try session.addAgain("Cat", given) == nil)
    #expect(try session.addAgain("Dog", given) == nil)
    try session.rollback()
    #expect(added.outcome.isRolledBack)
  }

  // MARK: Random objects

  private static let names = ["id", "name", "age", "weight", "rank", "color", "born"]

  /// A value for a property, and what it becomes; nil if it is refused.
  private func randomValue(
    _ name: String, _ random: inout SplitMix64
  ) -> (given: Value, stored: Value?) {
    let number = random.below(60)
    switch name {
    case "id": return random.chance(2) ? (.string("x"), nil) : (.int(number), .int(number))
    case "age": return random.chance(2) ? (.null, nil) : (.int(number), .int(number))
    case "name", "color":
      let text = Value.string(String(repeating: "ab", count: number))
      return random.chance(2) ? (.int(1), nil) : (text, text)
    case "weight", "rank":
      if random.chance(30) { return (.null, .null) }
      return (random.chance(30) ? .int(number) : .double(Double(number)), .double(Double(number)))
    default:
      let date = Timestamp(seconds: number)
      return random.chance(30) ? (.string(date.iso8601), .date(date)) : (.date(date), .date(date))
    }
  }

  @Test(arguments: seeds(10))
  func `many objects of changing forms are what they were given`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(Self.dog)
    let defaults: [String: Value] = ["age": .int(3), "color": .string("red")]
    var models: [Value: [Value]] = [:]
    var names = Self.names
    try session.beginWrite(byHand: true)
    for _ in 0..<120 {
      // Mostly the same properties in the same order.
      if random.oneIn(12) {
        names = Self.names.shuffled(using: &random).filter {
          $0 == "id" || $0 == "name" || random.chance(60)
        }
      }
      let values = names.map { ($0, randomValue($0, &random)) }
      let given = values.map { ($0.0, $0.1.given) }
      var stored: [String: Value?] = [:]
      for (name, value) in values { stored[name] = .some(value.stored) }
      let key = stored["id"].flatMap { $0 } ?? .null
      let isValid = !stored.values.contains { $0 == nil } && models[key] == nil
      let text = errorText { try session.add(named: "Dog", given) }
      #expect((text == "no error") == isValid, "seed \(seed): \(text)")
      guard isValid else { continue }
      models[key] = Self.names.map { name in
        stored[name].flatMap { $0 } ?? defaults[name].flatMap { stored[name] == nil ? $0 : nil }
          ?? .null
      }
    }
    var found: [Value: [Value]] = [:]
    for dog in try session.objects("Dog") {
      found[try session.read("id", of: dog)] = try Self.names.map { try session.read($0, of: dog) }
    }
    #expect(found == models, "seed \(seed)")
    #expect(try session.objects("Dog").count == models.count, "seed \(seed)")
    try session.commit()
    #expect(session.check() == [], "seed \(seed)")
  }
}
