import Herald
import TestSupport
import Testing

@testable import TestModel

/// Observation §2 and §4 for lists and maps nested in values of any type.
@Suite struct NestedCollectionTests {
  @Test(arguments: seeds(40))
  func `4.1 to 4.7 every token receives what a slow model of trees predicts`(seed: UInt64) throws {
    let level = LibraryLevel(try DynamicStore())
    let run = try ModelRun(seed: seed, level: level, focus: .nested, sessions: 2)
    if let failure = run.failure(ofTransactions: 60) { Issue.record(failure) }
    for session in run.sessions { session.leave() }
  }

  /// Places of rows that hold a link, and how one is given another value.
  static let linkedRows: [(property: String, path: [ValueStep], row: ValueStep)] = [
    ("a", [], .row(0)), ("a", [.row(1)], .row(0)), ("a", [.row(2)], .key("k")),
    ("l", [], .row(0)), ("l", [.row(1)], .row(0)), ("l", [.row(2)], .key("k")),
    ("m", [], .key("x")), ("m", [.key("y")], .row(0)), ("m", [.key("z")], .key("k")),
  ]

  @Test(arguments: linkedRows)
  func `4.5 a row changed and set back in each of several commits is not reported`(
    _ rows: (property: String, path: [ValueStep], row: ValueStep)
  ) throws {
    let run = try NestedBox()
    let link = Value.link(run.box.id)
    let whole = Value.list([link, .list([link]), .map(["k": link])])
    let entries: MapEntries = ["x": link, "y": .list([link]), "z": .map(["k": link])]
    try run.main.write {
      try run.box.set([
        ("a", .value(whole)), ("l", .list([link, .list([link]), .map(["k": link])])),
      ])
      try run.box.set("m", to: .map(entries))
    }
    var notified: [DynamicCollectionChange] = []
    // Nothing but what is done to the rows: the link leads to the object that holds them.
    let token = try run.collection(of: run.box, rows.property, rows.path).observe(keyPaths: []) {
      notified.append($1)
    }
    try run.main.endTurn()
    let box = try #require(run.other.object(run.box.id))
    for number in 0..<2 {
      try run.other.write {
        let collection = try run.collection(of: box, rows.property, rows.path)
        for value in [Value.int(7), link] {
          switch rows.row {
          case .row(let row): try collection.replace(at: row, with: value)
          case .key(let key): try collection.set(key, to: value)
          }
        }
        // The rows are looked at all the same.
        switch rows.row {
        case .row: try collection.insert([.int(number)], at: number + 1)
        case .key: try collection.set("new\(number)", to: .int(number))
        }
      }
    }
    try run.main.endTurn()
    switch rows.row {
    case .row:
      #expect(notified.last == .update(ChangeSet(insertions: [1, 2]), ownerDeleted: false))
    case .key:
      let keys = MapChangeSet(insertions: ["new0", "new1"])
      #expect(notified.last == .mapUpdate(keys, ownerDeleted: false))
    }
    withExtendedLifetime(token) {}
    #expect(run.main.check().isEmpty)
  }

  @Test func `4.5 a set's link whose object was changed and set back in each commit`() throws {
    let run = try NestedBox()
    try run.main.write { try run.box.collection("s").insert(.link(run.box.id)) }
    var notified: [DynamicCollectionChange] = []
    let token = try run.box.collection("s").observe { _, change in notified.append(change) }
    try run.main.endTurn()
    let box = try #require(run.other.object(run.box.id))
    for number in 0..<2 {
      try run.other.write {
        try box.set("n", to: .value(.int(7)))
        try box.set("n", to: .value(.int(0)))
        try box.collection("s").remove(.link(box.id))
        try box.collection("s").insert(.link(box.id))
        if number == 1 { _ = try run.other.add("Box", []) }
      }
    }
    try run.main.endTurn()
    #expect(notified == [.initial(count: 1)])
    withExtendedLifetime(token) {}
  }

  @Test func `2.4 a list in a set leads to the objects that it links to`() throws {
    let run = try NestedBox()
    let box = try #require(run.other.object(run.box.id))
    try run.main.write {
      let set = try run.box.collection("s")
      for value in [Value.int(1), .list([.link(run.box.id)]), .map(["k": .link(run.box.id)])] {
        try set.insert(value)
      }
    }
    var notified: [DynamicCollectionChange] = []
    let token = try run.box.collection("s").observe { _, change in notified.append(change) }
    try run.main.endTurn()
    try run.other.write { try box.set("n", to: .value(.int(7))) }
    try run.main.endTurn()
    try run.other.write {
      try box.collection("s").remove(.list([.link(box.id)]))
      try box.set("n", to: .value(.int(8)))
    }
    try run.main.endTurn()
    #expect(
      notified == [
        .initial(count: 3),
        .update(
          ChangeSet(modifications: [1, 2], modificationsNew: [1, 2]), ownerDeleted: false),
        .update(
          ChangeSet(deletions: [1], modifications: [2], modificationsNew: [1]),
          ownerDeleted: false),
      ])
    withExtendedLifetime(token) {}
    #expect(run.main.check().isEmpty)
  }

  @Test
  func
    `4.3, 4.5 rows of a nested collection follow the operations, assigned values their contents`()
    throws
  {
    let run = try NestedBox()
    try run.main.write {
      try run.box.set("a", to: .value(.list([.int(1), .list([.int(2), .list([.int(3)])])])))
    }
    var notified: [DynamicCollectionChange] = []
    let inner = try run.box.nested("a", [.row(1)])
    let token = try inner.observe { _, change in notified.append(change) }
    try run.main.endTurn()
    notified = []
    // Set back is no change, alone and with another.
    for others in [[], [Value.int(9)]] {
      try run.main.write {
        let whole = try run.box.nested("a")
        let previous = whole.values[1]
        try whole.replace(at: 1, with: .int(5))
        try whole.replace(at: 1, with: previous)
        try whole.insert(others, at: 2)
      }
      try run.main.endTurn()
    }
    #expect(notified.isEmpty && token.isLive)
    // An element removed and put in again is another, though the value is equal.
    try run.main.write {
      try inner.remove(at: 0)
      try inner.insert([.int(2)], at: 0)
    }
    try run.main.endTurn()
    let again = ChangeSet(deletions: [0], insertions: [0])
    #expect(notified == [.update(again, ownerDeleted: false)])
    #expect(run.main.check().isEmpty)
  }

  @Test func `4.4 an assigned value keeps the nested collections of its keys`() throws {
    let run = try NestedBox()
    let whole = Value.map(["m": .map(["x": .int(1), "y": .int(2), "z": .list([.int(1)])])])
    try run.main.write { try run.box.set("a", to: .value(whole)) }
    var notified: [String: DynamicCollectionChange] = [:]
    var tokens: [ObservationToken] = []
    for (name, path) in [("m", [ValueStep.key("m")]), ("z", [.key("m"), .key("z")])] {
      tokens.append(try run.box.nested("a", path).observe { _, change in notified[name] = change })
    }
    try run.main.endTurn()
    notified = [:]
    try run.main.write {
      let map = Value.map(["y": .int(3), "w": .int(4), "z": .list([.int(2)])])
      try run.box.set("a", to: .value(.map(["m": map])))
    }
    try run.main.endTurn()
    let keys = MapChangeSet(deletions: ["x"], insertions: ["w"], modifications: ["y", "z"])
    #expect(notified["m"] == .mapUpdate(keys, ownerDeleted: false))
    let rows = ChangeSet(deletions: [0], insertions: [0])
    #expect(notified["z"] == .update(rows, ownerDeleted: false))
    // What is removed and put back in one commit is no change.
    notified = [:]
    try run.main.write {
      let previous = try #require(run.box.nested("a").value(forKey: "m"))
      try run.box.nested("a").removeKey("m")
      try run.box.set("a", to: .value(.int(1)))
      try run.box.set("a", to: .value(.map(["m": .int(2)])))
      try run.box.nested("a").set("m", to: previous)
    }
    try run.main.endTurn()
    #expect(notified.isEmpty && tokens.allSatisfy(\.isLive))
    #expect(run.main.check().isEmpty)
  }

  @Test func `2.2 backlinks follow the links in nested collections`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(name: "Box", properties: [.init(name: "a", element: .any)]))
    try store.declare(
      ClassDefinition(
        name: "Toy",
        properties: [
          .init(name: "n", element: .int),
          .init(name: "boxes", element: .link("Box"), shape: .backlinks("a")),
        ]))
    let (toy, box) = try store.write {
      let toy = try store.add("Toy", [("n", .value(.int(1)))])
      let value = Value.map(["k": .list([.link(toy.id), .int(1)]), "l": .list([])])
      return (toy, try store.add("Box", [("a", .value(value))]))
    }
    var notified: [DynamicCollectionChange] = []
    let token = try toy.collection("boxes").observe(keyPaths: []) { notified.append($1) }
    try store.endTurn()
    #expect(notified == [.initial(count: 1)])
    func changes(after change: (LiveCollection, LiveCollection) throws -> Void) throws
      -> [DynamicCollectionChange]
    {
      notified = []
      try store.write { try change(box.nested("a", [.key("k")]), box.nested("a", [.key("l")])) }
      try store.endTurn()
      #expect(store.check().isEmpty)
      return notified
    }
    let link = Value.link(toy.id)
    #expect(
      try changes { list, other in
        try list.remove(at: 0)
        try other.append([link])
      }.isEmpty)
    #expect(
      try changes { _, other in try other.remove(at: 0) }
        == [.update(ChangeSet(deletions: [0]), ownerDeleted: false)])
    #expect(
      try changes { list, _ in try list.append([link, .list([link])]) }
        == [.update(ChangeSet(insertions: [0, 1]), ownerDeleted: false)])
    withExtendedLifetime(token) {}
    store.close()
  }

  @Test func `2.5 a token ends where its collection is replaced, and follows it where it moves`()
    throws
  {
    let run = try NestedBox()
    try run.main.write {
      try run.box.set("a", to: .value(.list([.int(0), .list([.int(1)])])))
    }
    var notified: [DynamicCollectionChange] = []
    let inner = try run.box.nested("a", [.row(1)])
    let token = try inner.observe { nested, change in
      notified.append(change)
      if case .update(_, ownerDeleted: false) = change { #expect(nested.path == [.row(2)]) }
    }
    try run.main.endTurn()
    try run.main.write {
      try run.box.nested("a").insert([.int(9)], at: 0)
      try run.box.nested("a", [.row(2)]).append([.int(2)])
    }
    try run.main.endTurn()
    try run.main.write { try run.box.nested("a").replace(at: 2, with: .int(3)) }
    try run.main.endTurn()
    #expect(
      notified == [
        .initial(count: 1), .update(ChangeSet(insertions: [1]), ownerDeleted: false),
        .update(ChangeSet(deletions: [0, 1]), ownerDeleted: true),
      ])
    #expect(!token.isLive)
    #expect(throws: HeraldError.self) { try run.box.nested("a", [.row(0)]) }
  }

  @Test func `2.5 a collection is found again after the rows before it shifted several times`()
    throws
  {
    let run = try NestedBox()
    try run.main.write {
      try run.box.set("m", to: .map(["x": .list([.list([.int(1)]), .int(2)])]))
    }
    var read: [[Value]] = []
    let token = try run.box.nested("m", [.key("x"), .row(0)]).observe(keyPaths: []) { nested, _ in
      read.append(nested.values)
    }
    try run.main.write { try run.box.nested("m", [.key("x")]).move(from: 1, to: 0) }
    let box = try #require(run.other.object(run.box.id))
    try run.other.write {
      let outer = try box.nested("m", [.key("x")])
      try outer.remove(at: 0)
      try outer.insert([.link(box.id)], at: 0)
      try outer.replace(at: 0, with: .int(1))
    }
    try run.main.write { try run.box.nested("m", [.key("x"), .row(1)]).insert([.int(3)], at: 0) }
    try run.main.endTurn()
    #expect(read == [[.int(1)], [.int(3), .int(1)]])
    withExtendedLifetime(token) {}
  }

  @Test func `2.5 a collection that is shifted before the first call is the one that is reported`()
    throws
  {
    let run = try NestedBox()
    let rows = Value.list([.int(2), .int(3)])
    try run.main.write { try run.box.set("a", to: .value(.list([.int(1), rows, rows]))) }
    var notified: [String] = []
    var tokens: [ObservationToken] = []
    try run.main.write {
      for (name, row) in [("kept", 1), ("lost", 2)] {
        let token = try run.box.nested("a", [.row(row)]).observe { nested, change in
          notified.append("\(name) \(nested.values.count)")
          if name == "kept" { #expect(nested.path == [.row(2)]) }
          if case .update(_, let isLast) = change { #expect(isLast == (name == "lost")) }
        }
        tokens.append(token)
      }
      try run.box.nested("a").insert([.list([.int(9)])], at: 0)
      try run.box.nested("a", [.row(2)]).insert([.int(4)], at: 0)
      try run.box.nested("a").remove(at: 3)
      try run.box.nested("a").insert([rows], at: 3)
    }
    try run.main.endTurn()
    #expect(notified.first == "kept 3")
    #expect(tokens.map(\.isLive) == [true, false])
    #expect(run.main.check().isEmpty)
  }

  @Test func `9.3 operations on a nested collection are in the log that other processes read`()
    throws
  {
    try withFolder { folder in
      let store = try DynamicStore(path: "\(folder)/nested.hdb")
      let run = try NestedBox(store)
      try run.main.write {
        try run.box.set("a", to: .value(.list([.int(1), .list([.int(2)])])))
      }
      var notified: [DynamicCollectionChange] = []
      let token = try run.box.nested("a").observe { _, change in notified.append(change) }
      try run.main.endTurn()
      try run.other.write {
        try run.other.object(run.box.id)?.nested("a").insert([.int(77), .int(78)], at: 1)
        try run.other.object(run.box.id)?.nested("a").remove(at: 2)
      }
      try run.main.endTurn()
      #expect(notified.last == .update(ChangeSet(insertions: [1]), ownerDeleted: false))
      withExtendedLifetime(token) {}
      #expect(run.main.check().isEmpty)
      store.close()
    }
  }
}

/// An object whose properties hold lists and maps in one another, and two sessions that change it.
struct NestedBox {
  let main: DynamicStore
  let other: DynamicStore
  let box: ObjectHandle

  init(_ store: DynamicStore? = nil) throws {
    let main = try store ?? DynamicStore()
    try main.declare(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "n", element: .int, defaultValue: .value(.int(0))),
          .init(name: "a", element: .any), .init(name: "l", element: .any, shape: .list),
          .init(name: "m", element: .any, shape: .map),
          .init(name: "s", element: .any, shape: .set),
        ]))
    let whole = Value.list([.int(1), .list([.int(2)]), .map(["k": .list([.int(3)])])])
    box = try main.write {
      let dog = try main.add("Box", [])
      return try main.add(
        "Box",
        [
          ("a", .value(whole)), ("l", .list([whole, .link(dog.id)])), ("m", .map(["x": whole])),
        ])
    }
    self.main = main
    other = try main.newSession(named: "other")
  }

  /// A collection of an object, or one that is nested in it.
  func collection(
    of box: ObjectHandle, _ property: String, _ path: [ValueStep]
  ) throws -> LiveCollection {
    path.isEmpty && property != "a" ? try box.collection(property) : try box.nested(property, path)
  }
}
