import Herald
import TestSupport
import Testing

/// Deletions of many objects, which are made block by block, and their undoing: at random, against a copy of all values.
///
///     HERALD_SEED=18 scripts/test --filter BlockDeletionTests
struct BlockDeletionTests {
  /// Every value of a store, by class and number.
  private typealias Contents = [String: [ObjectNumber: [Value]]]

  private static let properties = ["key", "name", "code", "size", "born", "weight", "isGood"]

  private static let row = ClassDefinition(
    name: "Row",
    properties: [
      .init(name: "key", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string),
      .init(name: "code", element: .string, isOptional: true, isIndexed: true),
      .init(name: "size", element: .int, isOptional: true, isIndexed: true),
      .init(name: "born", element: .date, isOptional: true),
      .init(name: "weight", element: .double),
      .init(name: "isGood", element: .bool, isOptional: true),
    ])

  private static let owner = ClassDefinition(
    name: "Owner",
    properties: [
      .init(name: "row", element: .link("Row"), isOptional: true),
      .init(name: "rows", element: .link("Row"), shape: .list),
    ])

  private func contents(_ store: DynamicStore) throws -> Contents {
    var contents: Contents = [:]
    for row in try store.objects("Row").objects {
      contents["Row", default: [:]][row.id.number] = try Self.properties.map {
        try row.value($0)
      }
    }
    for owner in try store.objects("Owner").objects {
      contents["Owner", default: [:]][owner.id.number] =
        try [owner.value("row")] + owner.collection("rows").values
    }
    return contents
  }

  private func fill(_ store: DynamicStore, _ random: inout SplitMix64, _ count: Int) throws {
    // Some texts are so long that they have records of their own.
    func text(_ random: inout SplitMix64) -> Value {
      .string(
        random.below(400) == 0
          ? String(repeating: "long", count: 300 + random.below(200)) : "text \(random.below(50))")
    }
    for key in 0..<count {
      _ = try store.add(
        "Row",
        [
          ("key", .value(.int(key))), ("name", .value(text(&random))),
          ("code", .value(random.chance(30) ? .null : text(&random))),
          ("size", .value(random.chance(30) ? .null : .int(random.below(9)))),
          (
            "born",
            .value(random.chance(50) ? .null : .date(Timestamp(seconds: key, nanoseconds: 5)))
          ),
          ("weight", .value(.double(Double(key) / 7))),
          ("isGood", .value(random.chance(50) ? .null : .bool(random.chance(50)))),
        ])
    }
  }

  @Test(arguments: seeds(30))
  func `objects are deleted, restored and deleted again as a copy of them says`(
    seed: UInt64
  ) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var random = SplitMix64(seed: seed)
    let store =
      try seed % 2 == 0 ? DynamicStore() : DynamicStore(path: "\(folder.path)/rows.hdb")
    defer { store.close() }
    try store.declare(Self.row)
    // Without it nothing can link to the rows.
    let isLinked = random.chance(50)
    try store.declare(Self.owner)
    let added = try store.write {
      try fill(store, &random, 300 + random.below(900))
      return try store.objects("Row").objects
    }
    if isLinked {
      try store.write {
        for _ in 0..<40 {
          let rows = (0..<3).map { _ in Value.link(added[random.below(added.count)].id) }
          _ = try store.add(
            "Owner", [("row", .value(rows[0])), ("rows", .list(rows))])
        }
      }
    }
    let queries = [
      "TRUEPREDICATE", "key < 512", "key >= 255 AND key < 700", "size != 3", "key != 256",
      "code == nil", "key == 7",
    ]
    var versions = [try contents(store)]
    for _ in 0..<4 {
      let query = random.pick(queries)
      try store.write { try store.delete(try store.objects("Row").where(query)) }
      versions.append(try contents(store))
      #expect(try store.objects("Row").where(query).count == 0, "HERALD_SEED=\(seed): \(query)")
    }
    for expected in versions.dropLast().reversed() {
      try store.undo()
      #expect(try contents(store) == expected, "HERALD_SEED=\(seed)")
    }
    #expect(store.check() == [], "HERALD_SEED=\(seed)")
    for expected in versions.dropFirst() {
      try store.redo()
      #expect(try contents(store) == expected, "HERALD_SEED=\(seed)")
    }
    #expect(store.check() == [], "HERALD_SEED=\(seed)")
    // The indexes and the primary keys are those of what is left.
    for (number, values) in versions.last?["Row"] ?? [:] {
      #expect(try store.object("Row", key: values[0])?.id.number == number)
    }
    let withoutCode = versions.last?["Row"]?.values.count { $0[2] == .null } ?? 0
    #expect(try store.objects("Row").where("code == nil").count == withoutCode)
  }

  @Test func `an error of the check leaves what it did not stop deleted`() throws {
    struct Stop: Error {}
    let store = try DynamicStore()
    try store.declare(Self.row)
    var random = SplitMix64(seed: 1)
    try store.write { try fill(store, &random, 600) }
    try store.beginWrite()
    var calls = 0
    #expect(throws: Stop.self) {
      try store.delete(try store.objects("Row").objects) {
        calls += 1
        if calls > 400 { throw Stop() }
      }
    }
    #expect(try store.objects("Row").count == 200)
    try store.commitWrite()
    #expect(try store.objects("Row").objects.first?.value("key") == .int(400))
    #expect(store.check() == [])
  }
}
