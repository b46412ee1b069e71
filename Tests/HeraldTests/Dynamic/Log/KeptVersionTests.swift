import Foundation
import Herald
import TestSupport
import Testing

/// What the typed interface reads of the present it reads of that version later.
@Suite(.serialized) struct KeptVersionTests {
  /// Random changes of every kind of property, in a store in memory and in a file.
  @Test(arguments: seeds(4))
  func `every form of query reads what it read then`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let isFile = seed % 2 == 0
    let types = [Bird.self, Warden.self] as [ObjectBase.Type]
    let store =
      isFile
      ? try Store(path: folder.path + "/birds.hdb", objectTypes: types)
      : try Store(objectTypes: types)
    var random = TestRandom(state: seed)
    var readings: [Int: [String: String]] = [:]
    try store.write { Aviary.fill(store, &random) }
    readings[store.version] = try Aviary.readings(store)
    for step in 0..<8 {
      try store.write(message: "step \(step)") {
        for _ in 0..<Int.random(in: 1...6, using: &random) { Aviary.change(store, &random) }
      }
      readings[store.version] = try Aviary.readings(store)
    }
    #expect(Set(readings.values.map { $0["every object"] ?? "" }).count > 6, "HERALD_SEED=\(seed)")
    for version in readings.keys.shuffled(using: &random) {
      let past = try store.frozen(at: version)
      // Some find their classes in another order.
      try expect(
        Aviary.readings(past, inOrder: Bool.random(using: &random)), readings[version],
        "version \(version) of \(store.version), HERALD_SEED=\(seed)")
    }
    store.close()
  }

  private func expect(
    _ readings: [String: String], _ expected: [String: String]?, _ place: String
  ) throws {
    let expected = try #require(expected)
    #expect(readings.keys.sorted() == expected.keys.sorted())
    for (form, reading) in readings {
      #expect(reading == expected[form], "\(form) at \(place)")
    }
  }

  @Test(arguments: seeds(2))
  func `differences, commits, undo and redo agree with the versions that they lead between`(
    seed: UInt64
  ) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try Store(
      path: folder.path + "/birds.hdb", objectTypes: [Bird.self, Warden.self])
    var random = TestRandom(state: seed)
    try store.write { Aviary.fill(store, &random) }
    let first = store.version
    var rows = [first: Array(store.objects(Bird.self).sorted(by: \.age).values(\.ring))]
    var texts = [first: try Aviary.readings(store)["every object"]]
    for step in 0..<8 {
      try store.write(message: "step \(step)") {
        for _ in 0..<4 { Aviary.change(store, &random) }
      }
      rows[store.version] = store.objects(Bird.self).sorted(by: \.age).values(\.ring)
      texts[store.version] = try Aviary.readings(store)["every object"]
    }
    let last = store.version
    for (old, new) in [(first, last), (first + 2, last - 3), (last - 1, last), (first, first)] {
      let changes = try store.difference(
        from: store.frozen(at: old).objects(Bird.self).sorted(by: \.age),
        to: store.frozen(at: new).objects(Bird.self).sorted(by: \.age))
      var replayed = rows[old] ?? []
      for row in changes.deletions.reversed() { replayed.remove(at: row) }
      for row in changes.insertions { replayed.insert(rows[new]?[row] ?? "", at: row) }
      #expect(replayed == rows[new], "\(old) to \(new), HERALD_SEED=\(seed)")
    }
    var messages: [String?] = []
    for try await commit in store.commits(since: first) {
      messages.append(commit.summary.message)
      #expect(try store.commit(commit.version).changes == commit.changes)
      if commit.version == last { break }
    }
    #expect(messages == (0..<8).map { "step \($0)" })
    #expect(try store.log(8).map(\.message) == messages.reversed())
    for step in 1...8 {
      #expect(try store.undo() == last - step + 1)
      #expect(try Aviary.readings(store)["every object"] == texts[last - step])
    }
    // What was undone can be read as it was, too.
    #expect(try Aviary.readings(store.frozen(at: last))["every object"] == texts[last])
    for step in 1...8 {
      try store.redo()
      #expect(try Aviary.readings(store)["every object"] == texts[first + step])
    }
    store.close()
  }

  @Test func `a link in a value of any type leads to an object of a class that was not used yet`()
    throws
  {
    let store = try Store(objectTypes: [Bird.self, Warden.self])
    try store.write {
      let warden = store.create(Warden.self, value: ["id": 1, "name": "Ann"])
      store.create(Bird.self, value: ["ring": "a"]).extra = .object(warden)
    }
    let version = store.version
    func warden(_ store: Store) -> String? {
      guard case .object(let warden as Warden)? = store.objects(Bird.self).first?.extra else {
        return nil
      }
      return warden.name
    }
    #expect(warden(store) == "Ann")
    try store.write { store.delete(store.objects(Warden.self)) }
    #expect(warden(store) == nil)
    #expect(warden(try store.frozen(at: version)) == "Ann")
    #expect(warden(store.freeze()) == nil)
  }

  @Test func `a link in a value of any type leads to a class that the store was opened with`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/birds.hdb"
    let types = [Bird.self, Warden.self] as [ObjectBase.Type]
    let first = try Store(path: path, objectTypes: types)
    try first.write {
      let warden = first.create(Warden.self, value: ["id": 1, "name": "Ann"])
      first.create(Bird.self, value: ["ring": "a"]).extra = .object(warden)
    }
    first.close()
    let store = try Store(path: path, objectTypes: types)
    guard case .object(let warden as Warden)? = store.objects(Bird.self).first?.extra else {
      Issue.record("no warden")
      return
    }
    #expect(warden.name == "Ann")
    store.close()
  }

  @Test func `a version before a migration reads as it was, as far as the classes agree`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/stones.hdb"
    let before = try Store(path: path, objectTypes: [OldStone.self], schemaVersion: 1)
    try before.write {
      for number in 0..<300 {
        let stone = before.create(
          OldStone.self,
          value: ["name": "stone \(number)", "grams": number, "age": "\(number)", "color": "red"])
        stone.marks.append(number)
        if number > 0 { stone.next = before.objects(OldStone.self)[number - 1] }
      }
    }
    let version = before.version
    func readings<Stone: AnyStone>(_ store: Store, _ type: Stone.Type) -> [String] {
      let stones = store.objects(type)
      return [
        "\(stones.count)", "\(stones.map(\.name))", "\(stones.map { $0.next?.grams ?? -1 })",
        "\(stones.sum(ofProperty: "grams") as Int)",
        "\(stones.filter("grams > 20 AND next.grams < 30").map(\.name))",
        "\(stones.sorted(byKeyPath: "grams", ascending: false).map(\.name))",
        "\(stones.distinct(by: ["next.grams"]).count)", "\(stones.first?.grams ?? -1)",
      ]
    }
    let then = readings(before, OldStone.self)
    before.close()
    let store = try Store(path: path, objectTypes: [NewStone.self], schemaVersion: 2) { migration in
      migration.enumerateObjects(ofType: "Stone") { old, new in
        new["age"] = Int(old["age"] as? String ?? "")
      }
    }
    try store.write {
      for stone in store.objects(NewStone.self) { stone.grams += 7 }
      store.delete(store.objects(NewStone.self)[0])
    }
    #expect(readings(store, NewStone.self) != then)
    let past = try store.frozen(at: version)
    #expect(readings(past, NewStone.self) == then)
    // What the version lacks, or has with another type, is nothing.
    for stone in past.objects(NewStone.self) {
      #expect(stone.age == 0 && stone.shade == "" && stone.weight == nil && stone.marks == 0)
      #expect(stone.color.isEmpty && stone.chips.isEmpty && stone.owner == nil)
      #expect(stone["age"] as? Int == 0 && stone.chips["a"] == nil && stone.chips.keys.isEmpty)
      #expect(!stone.labels.contains("a") && stone.parts.where { $0.grams > 0 }.isEmpty)
      #expect(stone.parts.sum(\.grams) == 0 && stone.parts.values(\.name).isEmpty)
      #expect(stone.parts.sorted(by: \.grams).first == nil && stone.wholes.isEmpty)
    }
    #expect("\(past.objects(NewStone.self)[0])".contains("stone 0"))
    #expect(store.objects(NewStone.self)[0].age == 1)
    #expect(throws: (any Error).self) { try past.objects(NewStone.self).query("shade == 'x'") }
    store.close()
  }
}

private protocol AnyStone: Object {
  var name: String { get }
  var grams: Int { get }
  var next: Self? { get }
}

private final class OldStone: Object, AnyStone {
  override class var className: String { "Stone" }
  @Persisted var name = ""
  @Persisted var grams = 0
  @Persisted var age = ""
  @Persisted var color: String?
  @Persisted var marks: List<Int>
  @Persisted var next: OldStone?
}

/// Has properties more, one less, and others with the names of earlier ones.
private final class NewStone: Object, AnyStone {
  override class var className: String { "Stone" }
  @Persisted var name = ""
  @Persisted var grams = 0
  @Persisted var age = 0
  @Persisted var color: List<String>
  @Persisted var marks = 0
  @Persisted var next: NewStone?
  @Persisted var shade = "dark"
  @Persisted var weight: Double?
  @Persisted var chips: Map<String, Int>
  @Persisted var owner: Warden?
  @Persisted var labels: MutableSet<String>
  @Persisted var parts: List<NewStone>
  @Persisted(originProperty: "parts") var wholes: LinkingObjects<NewStone>
}
