import HeraldEngine
import TestSupport
import Testing

@testable import Herald

/// What a session receives that must catch up after the log was trimmed: the two versions
/// are all that is known then.
@Suite struct TrimmedLogTests {
  /// A list of eight links, observed by a session that then falls behind, and what it receives of
  /// `change`, which is given the dogs.
  private func notified(
    of change: (LiveCollection, [ObjectHandle]) throws -> Void
  ) throws -> [DynamicCollectionChange] {
    var notified: [DynamicCollectionChange] = []
    try withFolder { folder in
      let store = try DynamicStore(path: "\(folder)/trimmed.hdb")
      defer { store.close() }
      try store.declare(ClassDefinition(name: "Dog", properties: [.init(name: "n", element: .int)]))
      try store.declare(
        ClassDefinition(
          name: "Person",
          properties: [.init(name: "dogs", element: .link("Dog"), shape: .list)]))
      let (person, dogs) = try store.write {
        let dogs = try (0..<10).map { try store.add("Dog", [("n", .value(.int($0)))]) }
        let rows = dogs.prefix(8).map { Value.link($0.id) }
        return (try store.add("Person", [("dogs", .list(rows))]), dogs)
      }
      store.session.keepLog(entries: 2)
      let behind = DynamicStore(try store.session.apart(), named: "behind")
      let theirs = try #require(behind.object(person.id))
      let token = try theirs.collection("dogs").observe(keyPaths: []) { _, change in
        notified.append(change)
      }
      try behind.endTurn()
      notified = []
      try store.write { try change(person.collection("dogs"), dogs) }
      // More than the log keeps.
      for _ in 0..<4 { try store.write {} }
      try behind.refresh()
      #expect(behind.check().isEmpty)
      withExtendedLifetime(token) {}
      behind.close()
    }
    return notified
  }

  @Test func `4.4 a replaced row is modified in place`() throws {
    let notified = try notified { rows, dogs in
      try rows.replace(at: 2, with: .link(dogs[8].id))
      try rows.replace(at: 6, with: .link(dogs[9].id))
    }
    let changes = ChangeSet(modifications: [2, 6], modificationsNew: [2, 6])
    #expect(notified == [.update(changes, ownerDeleted: false)])
  }

  @Test func `4.2 rows that were inserted, deleted and replaced lead to the current rows`() throws {
    let notified = try notified { rows, dogs in
      try rows.remove(at: 7)
      try rows.replace(at: 4, with: .link(dogs[8].id))
      try rows.insert([.link(dogs[9].id)], at: 0)
    }
    let changes = ChangeSet(
      deletions: [7], insertions: [0], modifications: [4], modificationsNew: [5])
    #expect(notified == [.update(changes, ownerDeleted: false)])
  }

  @Test func `4.4 a row whose object was deleted is not a replaced one`() throws {
    let notified = try notified { rows, dogs in
      try dogs[3].store.delete(dogs[3])
      try rows.insert([.link(dogs[8].id)], at: 3)
    }
    #expect(notified == [.update(ChangeSet(deletions: [3], insertions: [3]), ownerDeleted: false)])
  }

  @Test func `4.6 the fewest rows are reported as moved`() throws {
    let notified = try notified { rows, _ in try rows.move(from: 1, to: 6) }
    let changes = ChangeSet(
      deletions: [1], insertions: [6], moves: [ChangeSet.Move(old: 1, new: 6)])
    #expect(notified == [.update(changes, ownerDeleted: false)])
  }

  // MARK: - Lists and maps nested in values of any type

  /// A box whose `a` holds a value of any type and whose `l` is a list, observed by a session that falls
  /// behind what `change` does, and what it receives.
  private final class Behind {
    let box: ObjectHandle
    let store: DynamicStore
    private let theirs: ObjectHandle
    private let behind: DynamicStore
    private var tokens: [ObservationToken] = []
    private var notified: [String: DynamicCollectionChange] = [:]

    init(_ path: String, _ contents: [NamedContent]) throws {
      let store = try DynamicStore(path: path)
      self.store = store
      try store.declare(
        ClassDefinition(
          name: "Box",
          properties: [
            .init(name: "a", element: .any), .init(name: "l", element: .int, shape: .list),
            .init(name: "rows", element: .any, shape: .list),
            .init(name: "keys", element: .any, shape: .map),
          ]))
      box = try store.write { try store.add("Box", contents) }
      store.session.keepLog(entries: 2)
      behind = DynamicStore(try store.session.apart(), named: "behind")
      theirs = try #require(behind.object(box.id))
    }

    func observe(_ property: String, _ path: [ValueStep]? = nil, as name: String) throws {
      let note = { [unowned self] (change: DynamicCollectionChange) in notified[name] = change }
      tokens.append(
        try path.map { try theirs.nested(property, $0).observe { _, change in note(change) } }
          ?? theirs.collection(property).observe { _, change in note(change) })
    }

    /// What is delivered of commits that the log keeps nothing of.
    func receive(_ change: () throws -> Void) throws -> [String: DynamicCollectionChange] {
      try behind.endTurn()
      notified = [:]
      try store.write(change)
      for _ in 0..<4 { try store.write {} }
      try behind.refresh()
      #expect(behind.check().isEmpty)
      return notified
    }

    func close() {
      behind.close()
      store.close()
    }
  }

  private func withBehind(
    _ contents: [NamedContent], _ body: (Behind) throws -> Void
  ) throws {
    try withFolder { folder in
      let behind = try Behind("\(folder)/behind.hdb", contents)
      try body(behind)
      behind.close()
    }
  }

  @Test(arguments: seeds(12))
  func `4.2 rows of a nested list are reported as those of a list`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var rows = (0..<8).map { _ in Value.int(random.below(10)) }
    let start: [NamedContent] = [
      ("a", .value(.list([.map(["k": .list(rows)])]))), ("l", .list(rows)),
    ]
    try withBehind(start) { behind in
      try behind.observe("l", as: "list")
      try behind.observe("a", [.row(0), .key("k")], as: "inside")
      for _ in 0..<20 {
        for _ in 0...random.below(4) { rows.change(&random) }
        let notified = try behind.receive {
          try behind.box.collection("l").removeAll()
          try behind.box.collection("l").append(rows)
          let nested = try behind.box.nested("a", [.row(0), .key("k")])
          try nested.removeAll()
          try nested.append(rows)
        }
        #expect(notified["inside"] == notified["list"], "seed \(seed): \(rows)")
      }
    }
  }

  @Test func `4.3 a nested list is followed where rows are inserted before it`() throws {
    let inner = Value.list([.int(1), .int(2), .int(3)])
    let start: [NamedContent] = [
      ("a", .value(.list([.int(0), inner]))), ("rows", .list([.int(0), inner])),
      ("keys", .map(["k": inner])),
    ]
    try withBehind(start) { behind in
      try behind.observe("a", [], as: "a")
      try behind.observe("a", [.row(1)], as: "a[1]")
      try behind.observe("rows", as: "rows")
      try behind.observe("rows", [.row(1)], as: "rows[1]")
      try behind.observe("keys", as: "keys")
      try behind.observe("keys", [.key("k")], as: "keys[k]")
      let notified = try behind.receive {
        let (new, box) = (Value.list([.int(1), .int(3), .int(4)]), behind.box)
        try box.nested("a").insert([.int(9)], at: 0)
        try box.nested("a").replace(at: 2, with: new)
        try box.collection("rows").replace(at: 1, with: new)
        try box.collection("rows").insert([.int(9)], at: 0)
        try box.collection("keys").set("k", to: new)
        try box.collection("keys").set("l", to: .int(1))
      }
      let inside = DynamicCollectionChange.update(
        ChangeSet(deletions: [1], insertions: [2]), ownerDeleted: false)
      let outside = DynamicCollectionChange.update(
        ChangeSet(insertions: [0], modifications: [1], modificationsNew: [2]), ownerDeleted: false)
      #expect(notified["a"] == outside && notified["rows"] == outside)
      #expect(
        notified["a[1]"] == inside && notified["rows[1]"] == inside && notified["keys[k]"] == inside
      )
      let keys = MapChangeSet(insertions: ["l"], modifications: ["k"])
      #expect(notified["keys"] == .mapUpdate(keys, ownerDeleted: false))
    }
  }

  @Test
  func `4.4 a nested list that was removed, or replaced by another value, is reported as deleted`()
    throws
  {
    let inner = Value.list([.int(1)])
    let start: [NamedContent] = [("a", .value(.map(["k": inner, "m": inner, "n": inner])))]
    try withBehind(start) { behind in
      for key in ["k", "m", "n"] { try behind.observe("a", [.key(key)], as: key) }
      let notified = try behind.receive {
        try behind.box.set("a", to: .value(.map(["m": .int(1), "n": inner, "o": inner])))
      }
      let gone = DynamicCollectionChange.update(ChangeSet(deletions: [0]), ownerDeleted: true)
      #expect(notified == ["k": gone, "m": gone])
    }
  }
}

extension [Value] {
  /// Does one operation that a list knows.
  fileprivate mutating func change(_ random: inout SplitMix64) {
    let value = Value.int(random.below(10))
    guard !isEmpty else { return append(value) }
    switch random.below(4) {
    case 0: insert(value, at: random.below(count + 1))
    case 1: remove(at: random.below(count))
    case 2: self[random.below(count)] = value
    case _:
      let moved = remove(at: random.below(count))
      insert(moved, at: random.below(count + 1))
    }
  }
}
