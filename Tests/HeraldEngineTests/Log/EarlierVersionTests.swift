import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// A store can be read as it was at each version that the log reaches back to, whatever has changed since.
@Suite struct EarlierVersionTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "list", element: .any, shape: .list),
      .init(name: "map", element: .int, shape: .map), .init(name: "any", element: .any),
    ])

  /// The values of each dog, with the names of the properties that the class has.
  private func state(_ session: Session) throws -> [String] {
    let properties = session.schema.classSchema(named: "Dog")?.properties ?? []
    return try session.objects("Dog").map { dog in
      let texts = try properties.map { "\($0.name): \(try session.read($0.name, of: dog).text)" }
      return "\(dog.number) " + texts.joined(separator: ", ")
    }
  }

  private func randomValue(_ random: inout SplitMix64) -> Value {
    random.chance(50)
      ? .int(random.below(9)) : .list([.int(1), .map(["k": .int(random.below(3))])])
  }

  private func change(_ session: Session, _ random: inout SplitMix64, _ nextKey: inout Int) throws {
    let dogs = try session.objects("Dog")
    guard let dog = dogs.randomElement(using: &random), random.chance(75) else {
      nextKey += 1
      try session.add("Dog", ("id", .int(nextKey)), ("any", randomValue(&random)))
      return
    }
    switch random.below(7) {
    case 0: try session.delete(dog)
    case 1: try session.set(dog, ("age", .int(random.below(5))))
    case 2: try session.set(dog, ("friend", .link(random.pick(dogs))))
    case 3: try session.edit(dog, "list", .insert([randomValue(&random)], at: 0))
    case 4: try session.edit(dog, "map", .setKey("k\(random.below(3))", .int(random.below(9))))
    case 5: try session.set(dog, ("list", .list([randomValue(&random)])))
    default: try session.set(dog, ("any", randomValue(&random)))
    }
  }

  @Test(arguments: seeds(8))
  func `every version reads as it was, from the present and from a later one`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let session = try Session.made(Self.dog, at: random.chance(50) ? "\(folder)/a.hdb" : nil)
      var nextKey = 0
      var states = [1: try state(session)]
      for step in 0..<14 {
        try session.write {
          if step == 5 { try session.alter("Dog", [.rename("age", to: "years")]) }
          if step == 6 { try session.alter("Dog", [.rename("years", to: "age")]) }
          if step == 9 {
            try session.alter(
              "Dog", [.change(.init(name: "map", element: .string, shape: .map))])
            try session.alter("Dog", [.change(.init(name: "map", element: .int, shape: .map))])
          }
          for _ in 0..<1 + random.below(4) where step != 5 {
            try change(session, &random, &nextKey)
          }
        }
        states[session.version] = try state(session)
      }
      let versions = states.keys.sorted()
      for version in versions {
        let past = try session.freeze(at: version)
        #expect(past.isFrozen && past.version == version, "seed \(seed)")
        #expect(past.isPast == (version != session.version), "seed \(seed)")
        #expect(try state(past) == states[version], "seed \(seed), version \(version)")
      }
      for _ in 0..<10 {
        let later = try session.freeze(at: random.pick(versions))
        let version = random.pick(versions.filter { $0 <= later.version })
        #expect(
          try state(session.earlier(version, than: later)) == states[version],
          "seed \(seed), version \(version) from \(later.version)")
      }
      #expect(try state(session) == states[session.version], "seed \(seed)")
    }
  }

  @Test func `what is frozen at a version is shared while it is held`() throws {
    let session = try Session.made(Self.dog)
    let dog = try session.write { try session.add("Dog", ("id", .int(1))) }
    for age in 1...3 { try session.write { try session.set(dog, ("age", .int(age))) } }
    let past = try session.freeze(at: 3)
    #expect(try session.freeze(at: 3) === past)
    #expect(try session.freeze(at: session.version) === session.freeze(at: session.version))
    #expect(try past.read("age", of: dog) == .int(1))
    #expect(try past.find(past.declaredClass("Dog"), key: .int(1)) == dog)
    #expect(try past.value(named: "age", of: dog) == .int(1))
    #expect(try past.freeze() === past)
    #expect(errorText { try past.write {} } == "frozen objects and results cannot be changed")
    #expect(
      errorText { _ = try session.freeze(at: 9) } == "there is no version 9; the newest is 5")
    #expect(
      errorText { _ = try session.freeze(at: -1) } == "there is no version -1; the newest is 5")
  }

  @Test func `a version that the log does not reach is an error`() throws {
    let session = try Session.made(Self.dog)
    let dog = try session.write { try session.add("Dog", ("id", .int(1))) }
    try session.keep(.commits(2))
    for age in 1...3 { try session.write { try session.set(dog, ("age", .int(age))) } }
    #expect(try session.freeze(at: 3).read("age", of: dog) == .int(1))
    #expect(
      errorText { _ = try session.freeze(at: 2) }
        == "version 2 is not kept; the oldest version that is kept is 3")
  }

  @Test func `what an open write has changed is not in the version that is frozen`() throws {
    let session = try Session.made(Self.dog)
    let dog = try session.write { try session.add("Dog", ("id", .int(1))) }
    try session.beginWrite(byHand: true)
    try session.set(dog, ("age", .int(7)))
    let frozen = try session.freeze()
    #expect(try frozen.read("age", of: dog) == .int(0))
    try session.commit()
    #expect(try frozen.read("age", of: dog) == .int(0))
    #expect(try session.freeze().read("age", of: dog) == .int(7))
  }

  // MARK: Differences

  @Test func `the difference of two versions has what changed between them`() throws {
    let session = try Session.made(Self.dog)
    let dogs = try session.write { try (1...3).map { try session.add("Dog", ("id", .int($0))) } }
    let first = session.version
    try session.write { try session.set(dogs[0], ("age", .int(1))) }
    try session.write { try session.delete(dogs[1]) }
    try session.write { _ = try session.add("Dog", ("id", .int(4))) }
    let classID = dogs[0].classID
    let difference = try session.changes(of: classID, from: first, to: session.version)
    #expect(
      difference.record?.text(session.schema)
        == "Dog: created [4]\nDog: deleted [2]\nDog#1.age was 0")
    #expect(difference.changedObjects == [1, 2] && !difference.isSchemaChanged)
    #expect(try session.changes(of: classID, from: first, to: first).record == nil)
    #expect(try session.changes(of: classID, from: first, to: first).changedObjects == [])
    // A change of the schema leaves the objects alone, unless it converts or drops a property.
    try session.write { try session.alter("Dog", [.rename("age", to: "years")]) }
    let renamed = try session.changes(of: classID, from: first, to: session.version)
    #expect(renamed.record == nil && renamed.isSchemaChanged && renamed.changedObjects == [1, 2])
    try session.write { try session.alter("Dog", [.drop("years")]) }
    try session.write { try session.delete(dogs[2]) }
    let dropped = try session.changes(of: classID, from: first, to: session.version)
    #expect(dropped.record == nil && dropped.isSchemaChanged && dropped.changedObjects == nil)
    let later = try session.changes(of: classID, from: session.version - 1, to: session.version)
    #expect(later.changedObjects == [3])
  }
}
