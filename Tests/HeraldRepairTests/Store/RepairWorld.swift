import Herald
import HeraldRepair
import TestSupport
import Testing

/// A small store with every kind of property, and what its last two versions hold.
struct RepairWorld {
  let newest: RepairModel
  let before: RepairModel

  private static let part = ClassDefinition(
    name: "Part", isEmbedded: true,
    properties: [
      .init(name: "code", element: .string), .init(name: "n", element: .decimal, isOptional: true),
      .init(name: "to", element: .link("Thing")),
    ])

  private static let thing = ClassDefinition(
    name: "Thing",
    properties: [
      .init(name: "id", element: .string, isPrimaryKey: true),
      .init(name: "size", element: .int, isIndexed: true),
      .init(name: "name", element: .string, isOptional: true, isIndexed: true),
      .init(name: "b", element: .bool), .init(name: "d", element: .double),
      .init(name: "f", element: .float, isOptional: true),
      .init(name: "m", element: .decimal, isOptional: true), .init(name: "raw", element: .data),
      .init(name: "when", element: .date, isOptional: true), .init(name: "u", element: .uuid),
      .init(name: "o", element: .objectID, isOptional: true),
      .init(name: "v", element: .any, isIndexed: true),
      .init(name: "next", element: .link("Thing")),
      .init(name: "part", element: .link("Part")),
      .init(name: "parts", element: .link("Part"), shape: .list),
      .init(name: "ints", element: .int, shape: .list),
      .init(name: "vs", element: .any, shape: .list),
      .init(name: "tags", element: .string, shape: .set),
      .init(name: "scores", element: .int, shape: .map),
      .init(name: "friends", element: .link("Thing"), shape: .list),
      .init(name: "circle", element: .link("Thing"), shape: .set),
      .init(name: "byName", element: .link("Thing"), shape: .map),
      .init(name: "from", element: .link("Thing"), shape: .backlinks("next")),
    ])

  init(_ path: String) throws {
    var random = SplitMix64(seed: 7)
    let store = try DynamicStore(path: path)
    try store.declare(Self.part)
    try store.declare(Self.thing)
    try store.declare(
      ClassDefinition(name: "Plain", properties: [.init(name: "n", element: .int)]))
    for start in stride(from: 0, to: 270, by: 90) {
      try store.write {
        for id in start..<start + 90 { try Self.add(id, store, &random) }
        for n in 0..<5 { _ = try store.add("Plain", [("n", .value(.int(n)))]) }
      }
    }
    try store.write {
      let things = try store.objects("Thing").objects
      for thing in things { try Self.link(thing, things, store, &random) }
      try things[7].collection("ints").append((0..<1500).map { .int($0 * 3) })
      try things[9].collection("scores").removeAll()
      for key in 0..<300 { try things[9].collection("scores").set("k\(key)", to: .int(key)) }
    }
    try store.write {
      for (place, thing) in try store.objects("Thing").objects.enumerated() where place % 11 == 5 {
        try store.delete(thing)
      }
    }
    before = try RepairModel(store)
    try store.write {
      let things = try store.objects("Thing").objects
      for place in [3, 50, 200] {
        try things[place].set("name", to: .value(.string("the last")))
        try things[place].collection("ints").append([.int(-1)])
      }
      try store.delete(things[20])
    }
    newest = try RepairModel(store)
  }

  private static func add(_ id: Int, _ store: DynamicStore, _ random: inout SplitMix64) throws {
    func some(_ value: Value, _ random: inout SplitMix64) -> PropertyContent {
      .value(random.below(4) == 0 ? .null : value)
    }
    let anything: [Value] = [
      .int(id), .string("text"), .null, .list([.int(1), .list([.string("x")])]),
      .map(["a": .double(1.5), "b": .bool(true)]),
    ]
    let length = random.below(20) == 0 ? 3000 + random.below(6000) : random.below(30)
    let thing = try store.add(
      "Thing",
      [
        ("id", .value(.string("thing \(id)"))), ("size", .value(.int(random.below(90)))),
        ("name", some(.string("name \(random.below(40))"), &random)),
        ("b", .value(.bool(random.below(2) == 0))),
        ("d", .value(.double(Double(random.below(999)) / 4))),
        ("f", some(.float(Float(random.below(99)) / 2), &random)),
        ("raw", .value(.data([UInt8](repeating: UInt8(id % 256), count: length)))),
        ("when", some(.date(Timestamp(seconds: 1_000_000 + id, nanoseconds: 5)), &random)),
        (
          "u",
          .value(
            .uuid(try #require(UniqueID(bytes: [UInt8](repeating: UInt8(id % 256), count: 16)))))
        ),
        ("v", .value(anything[random.below(anything.count)])),
        ("ints", .list((0..<random.below(8)).map { .int($0 * id) })),
        ("vs", .list([anything[random.below(anything.count)], .int(id)])),
        ("tags", .list([.string("a"), .string("t\(random.below(9))")])),
        ("scores", .map(["a": .int(id), "b\(random.below(9))": .int(2)])),
      ])
    try thing.set("part", to: .value(.link(Self.part(id, store).id)))
    if id % 6 > 0 { return }
    try thing.collection("parts").append([
      .link(Self.part(-id, store).id), .link(Self.part(1000 + id, store).id),
    ])
  }

  private static func part(_ n: Int, _ store: DynamicStore) throws -> ObjectHandle {
    try store.addEmbeddedObject("Part", [("code", .value(.string("code \(n)")))])
  }

  private static func link(
    _ thing: ObjectHandle, _ things: [ObjectHandle], _ store: DynamicStore,
    _ random: inout SplitMix64
  ) throws {
    func some(_ random: inout SplitMix64) -> Value { .link(things[random.below(things.count)].id) }
    try thing.set("next", to: .value(some(&random)))
    try thing.collection("friends").append([some(&random), some(&random)])
    try thing.collection("circle").insert(some(&random))
    try thing.collection("byName").set("x", to: some(&random))
    if random.below(5) == 0 {
      try thing.set("v", to: .value(.list([some(&random), .int(1)])))
    }
  }

  /// Repairs a file of some bytes and compares what came of it.
  func expectRepaired(_ bytes: [UInt8], in folder: String, _ words: String) throws {
    let (path, new) = (folder + "/damaged.hdb", folder + "/new.hdb")
    for name in [path, path + "-lock", new, new + "-lock"] {
      FileTree.remove(name)
    }
    try FileTree.save(bytes, to: path)
    let report: RepairReport
    do {
      report = try Store.repair(path: path, to: new)
    } catch HeraldError.notAStore {
      #expect(bytes.count < 100_000, "\(words): nothing was found")
      return
    }
    let store = try DynamicStore(path: new)
    #expect(store.check() == [], "\(words)")
    try expect(RepairModel(store), report, words)
    store.close()
  }

  /// Each value of the new store is right or listed, and each that is missing is listed.
  private func expect(_ found: RepairModel, _ report: RepairReport, _ words: String) throws {
    var listed: [RepairModel.Place: Set<String>] = [:]
    var classes: Set<String> = []
    var isWhole = true
    for loss in report.lost {
      guard let className = loss.className else {
        isWhole = false
        continue
      }
      guard let number = loss.number else {
        if loss.property == nil { classes.insert(className) }
        continue
      }
      listed[RepairModel.Place(className: className, number: number), default: []]
        .insert(loss.property ?? "")
    }
    guard let model = [newest, before].first(where: { $0.version == report.version }) else {
      // What an earlier version held is right then, or nobody can say.
      #expect(!isWhole, "\(words): version \(report.version ?? 0) of \(newest.version)")
      return
    }
    if model.version != newest.version { #expect(!isWhole, "\(words): an older version") }
    if report.lossCount == 0 { #expect(found.values == model.values, "\(words)") }
    for (place, values) in found.values {
      guard let expected = model.values[place] else {
        #expect(listed[place]?.contains("") == true, "\(words): \(place) was not there")
        continue
      }
      for (name, text) in values where text != expected[name] {
        let isListed = listed[place]?.contains(name) == true
        #expect(isListed, "\(words): \(place).\(name) is \(text), not \(expected[name] ?? "")")
      }
    }
    for place in model.values.keys where found.values[place] == nil {
      let isListed =
        listed[place]?.contains("") == true || classes.contains(place.className) || !isWhole
      #expect(isListed, "\(words): \(place) is missing")
    }
  }
}
