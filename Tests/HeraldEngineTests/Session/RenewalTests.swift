import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// A session that is behind moves to the newest version with the records of all commits in between, wherever these are.
@Suite struct RenewalTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "age", element: .int, isOptional: true),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "tags", element: .string, shape: .set), .init(name: "any", element: .any),
    ])

  private func change(_ session: Session, _ random: inout SplitMix64) throws {
    let dogs = try session.objects("Dog")
    guard let dog = dogs.randomElement(using: &random), random.chance(75) else {
      try session.add("Dog")
      return
    }
    switch random.below(5) {
    case 0: try session.delete(dog)
    case 1: try session.set(dog, ("friend", .link(random.pick(dogs))))
    case 2: try session.edit(dog, "tags", .insertValue(.string("t\(random.below(4))")))
    case 3: try session.set(dog, ("any", .list([.int(random.below(3)), .map(["k": .link(dog)])])))
    default: try session.set(dog, ("age", .int(random.below(9))))
    }
  }

  private func state(_ session: Session) throws -> [String] {
    let names = try session.declaredClass("Dog").properties.map(\.name)
    return try session.objects("Dog").map { dog in
      "\(dog.number) "
        + (try names.map { try session.read($0, of: dog).text }).joined(separator: " ")
    }
  }

  /// Where the records of a session come from.
  enum Source: CaseIterable {
    /// The hub of this process, for a store in memory and one in a file.
    case memory, hub
    /// The log of the file, as for another process.
    case log
  }

  @Test(arguments: Source.allCases, seeds(2))
  func `the records are those of the log, in order`(_ source: Source, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let writer = try Session.made(Self.dog, at: source == .memory ? nil : "\(folder)/a.hdb")
      let reader = source == .log ? try writer.apart() : try writer.sibling()
      for step in 0..<6 {
        let old = reader.version
        for _ in 0..<random.below(5) {
          try writer.write {
            for _ in 0..<1 + random.below(3) { try change(writer, &random) }
            if step == 3 {
              try writer.alter("Dog", [.add(.init(name: "n\(writer.version)", element: .any))])
            }
          }
        }
        let records = try reader.renew(from: old)
        #expect(reader.version == writer.version, "seed \(seed)")
        let logged = try (old..<writer.version).map {
          try writer.loggedCommit($0 + 1).record.withoutEmptyDeltas
        }
        #expect(records.map(\.withoutEmptyDeltas) == logged, "seed \(seed)")
        #expect(try state(reader) == state(writer), "seed \(seed)")
        #expect(reader.schema.encoded() == writer.schema.encoded(), "seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds(4))
  func `if the log does not reach back, the versions are compared`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let writer = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      try writer.write { for _ in 0..<6 { try change(writer, &random) } }
      let reader = try writer.apart()
      let (old, before) = (reader.version, try reader.freeze())
      try writer.keep(.commits(1))
      for _ in 0..<4 { try writer.write { for _ in 0..<3 { try change(writer, &random) } } }
      var ages: [ObjectNumber: Value] = [:]
      for dog in try reader.objects("Dog") { ages[dog.number] = try reader.read("age", of: dog) }
      let records = try reader.renew(from: old)
      let record = try #require(records.first)
      #expect(records.count == 1 && record.firstVersion == old + 1)
      #expect(record.lastVersion == writer.version)
      #expect(try state(reader) == state(writer), "seed \(seed)")
      let classID = try writer.declaredClass("Dog").id
      let net = record.classes[classID] ?? ClassChange()
      let (previous, now) = (Set(ages.keys), Set(try writer.objects("Dog").map(\.number)))
      #expect(Set(net.created.numbers) == now.subtracting(previous), "seed \(seed)")
      #expect(Set(net.deleted.keys) == previous.subtracting(now), "seed \(seed)")
      var changed: [ObjectNumber: Value] = [:]
      for number in previous.intersection(now) {
        let age = try writer.read("age", of: ObjectID(classID, number))
        if age != ages[number] { changed[number] = ages[number] }
      }
      #expect(net[PropertyID(1)].values == changed, "seed \(seed)")
      withExtendedLifetime(before) {}
    }
  }

  @Test func `records that every session has taken are not kept in the hub`() throws {
    try withFolder { folder in
      let writer = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      let (first, second) = (try writer.sibling(), try writer.sibling())
      let start = writer.version
      func versions() -> [Int] {
        writer.hub.records(after: start, through: writer.version).map(\.lastVersion)
      }
      for _ in 0..<3 { _ = try writer.write { try writer.add("Dog") } }
      #expect(versions() == [start + 1, start + 2, start + 3])
      _ = try first.refresh()
      #expect(versions() == [start + 1, start + 2, start + 3])
      _ = try second.refresh()
      #expect(versions() == [])
      _ = try writer.write { try writer.add("Dog") }
      #expect(versions() == [start + 4])
      // A session that ends needs no more records.
      second.restWithoutObservers()
      _ = try first.refresh()
      #expect(versions() == [])
    }
  }

  @Test func `a session moves to its own commit without a look at the others`() throws {
    let session = try Session.made(Self.dog)
    let dog = try session.write { try session.add("Dog") }
    let record = CommitRecord(version: session.version)
    #expect(try session.renew(to: record))
    #expect(session.version == record.lastVersion)
    for age in 1...3 {
      try session.write { try session.set(dog, ("age", .int(age))) }
      #expect(try session.read("age", of: dog) == .int(age))
    }
    #expect(try session.newestVersion == session.version)
  }
}

extension CommitRecord {
  /// The record without entries for properties that only deleted objects had changed, which the log does not keep.
  fileprivate var withoutEmptyDeltas: CommitRecord {
    var record = self
    for classID in Array(record.classes.keys) {
      record.classes[classID]?.properties =
        classes[classID]?.properties.filter { !$1.isEmpty } ?? [:]
    }
    return record
  }
}
