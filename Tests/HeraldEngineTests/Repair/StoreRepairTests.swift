import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// A repair makes a new store of what can be read; of an intact one that is everything.
@Suite struct StoreRepairTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string, isIndexed: true),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "list", element: .any, shape: .list),
      .init(name: "map", element: .double, shape: .map),
      .init(name: "home", element: .link("Home")),
    ])
  private static let home = ClassDefinition(
    name: "Home", isEmbedded: true, properties: [.init(name: "town", element: .string)])

  private func state(_ session: Session) throws -> [String] {
    try ["Dog", "Home"].flatMap { className in
      let names = try session.declaredClass(className).properties.map(\.name)
      return try session.objects(className).map { object in
        "\(object.number) "
          + (try names.map { try session.read($0, of: object).text }).joined(separator: " ")
      }
    }
  }

  /// A store of random dogs at a path; returns what it has, and its version.
  private func makeStore(_ path: String, _ seed: UInt64) throws -> (state: [String], version: Int) {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(Self.home, Self.dog, at: path)
    try session.write {
      var dogs: [ObjectID] = []
      for id in 0..<300 {
        let home = Value.link(try session.add("Home", ("town", .string("t\(id % 7)"))))
        dogs.append(
          try session.add(
            "Dog", ("id", .int(1_000 - id)), ("name", .string("n\(random.below(9))")),
            ("friend", dogs.isEmpty ? .null : .link(random.pick(dogs))),
            ("list", .list([.int(id), .map(["k": .list([.null])])])),
            ("map", .map(["a": .int(id)])),
            ("home", random.chance(70) ? home : .null)))
        if try session.read("home", of: dogs[id]).isNull { try session.delete(home.links[0]) }
      }
      try session.delete(dogs.filter { _ in random.chance(15) } + [dogs[299]]) {}
    }
    defer { session.close() }
    return (try state(session), session.version)
  }

  @Test(arguments: seeds(1))
  func `an intact store is copied with its numbers, links and indexes`(_ seed: UInt64) throws {
    try withFolder { folder in
      let (old, version) = try makeStore("\(folder)/a.hdb", seed)
      let report = try StoreRepair.run("\(folder)/a.hdb", to: "\(folder)/b.hdb", interruption: nil)
      #expect(report.lost == [] && report.counts == [] && report.version == version, "seed \(seed)")
      #expect(report.objects == old.count, "seed \(seed)")
      let new = try Session(path: "\(folder)/b.hdb", readOnly: false)
      #expect(try state(new) == old, "seed \(seed)")
      #expect(new.check() == [], "seed \(seed)")
      // The number of an object that was deleted is not given again.
      let added = try new.write { try new.add("Dog", ("id", .int(1)), ("name", .string("x"))) }
      #expect(added.number == 301, "seed \(seed)")
    }
  }

  @Test func `an interruption, and a file that is no store, leave no new file`() throws {
    try withFolder { folder in
      _ = try makeStore("\(folder)/a.hdb", 1)
      let interruption = Interruption()
      interruption.request(afterChecks: 30)
      func text(_ path: String) -> String {
        errorText {
          _ = try StoreRepair.run(path, to: "\(folder)/b.hdb", interruption: interruption)
        }
      }
      #expect(text("\(folder)/a.hdb") == "interrupted")
      #expect(!FileTree.exists("\(folder)/b.hdb"))
      interruption.clear()
      #expect(text("\(folder)/c.hdb").hasPrefix("cannot open '\(folder)/c.hdb'"))
      #expect(text("\(folder)/a.hdb") == "no error")
    }
  }

  @Test func `losses are counted by class and property, in the order in which they were found`() {
    var losses = LossList()
    for (className, property) in [("B", "x"), ("A", nil), ("B", "x"), ("B", nil), ("A", nil)] {
      losses.add(RepairReport.Loss(className: className, property: property, reason: "r"))
    }
    #expect(
      losses.counts == [
        RepairReport.Count(className: "B", property: "x", count: 2),
        RepairReport.Count(className: "A", property: nil, count: 2),
        RepairReport.Count(className: "B", property: nil, count: 1),
      ])
    #expect(losses.lost.count == 5)
  }
}
