import Foundation
import Herald
import TestSupport
import Testing

private let firstSeed = UInt64.random(in: 0 ... .max / 2)

/// Observation §2 and §4 for lists and maps inside values of any type.
@Suite struct NestedCollectionTests {
  @Test func `4.2, 4.5 changes lead from the old rows to the new ones`() throws {
    for seed in firstSeed..<firstSeed + 40 {
      let run = try NestedRun(seed: seed)
      for _ in 0..<60 { try run.step() }
      let faults = run.mirrors.flatMap(\.faults)
      #expect(faults.isEmpty, "seed \(seed): \(faults.first ?? "")")
      #expect(run.main.check().isEmpty, "seed \(seed)")
      run.main.close()
    }
  }

  @Test func `2.5 a token ends where its collection is replaced, and follows it where it moves`()
    throws
  {
    let run = try NestedRun(seed: 1)
    try run.main.write {
      try run.box.set("a", to: .value(.list([.int(0), .list([.int(1)])])))
    }
    var told: [CollectionChange] = []
    let inner = try run.box.nested("a", [.row(1)])
    let token = try inner.observe { nested, change in
      told.append(change)
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
      told == [
        .initial(count: 1), .update(ChangeSet(insertions: [1]), ownerDeleted: false),
        .update(ChangeSet(deletions: [0, 1]), ownerDeleted: true),
      ])
    #expect(!token.isLive)
    #expect(throws: HeraldError.self) { try run.box.nested("a", [.row(0)]) }
  }

  @Test func `9.3 what was done inside a value is in the log that other processes read`() throws {
    try withDirectory { directory in
      let store = try Store(path: directory.appendingPathComponent("nested.hdb").path)
      let run = try NestedRun(seed: 2, store)
      var told: [CollectionChange] = []
      let token = try run.box.nested("a").observe { _, change in told.append(change) }
      try run.main.endTurn()
      try run.other.write {
        try run.other.object(run.box.id)?.nested("a").insert([.int(77), .int(78)], at: 1)
        try run.other.object(run.box.id)?.nested("a").remove(at: 2)
      }
      try run.main.endTurn()
      #expect(told.last == .update(ChangeSet(insertions: [1]), ownerDeleted: false))
      withExtendedLifetime(token) {}
      #expect(run.main.check().isEmpty)
      store.close()
    }
  }
}

/// One object whose properties hold lists and maps in one another, changed by two sessions.
private final class NestedRun {
  let main: Store
  let other: Store
  let box: Object
  private(set) var mirrors: [NestedMirror] = []
  private var random: SplitMix64
  private let dog: Object
  private let seed: UInt64

  init(seed: UInt64, _ store: Store? = nil) throws {
    main = try store ?? Store()
    self.seed = seed
    random = SplitMix64(seed: seed)
    try main.declare(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "n", element: .int, defaultValue: .value(.int(0))),
          .init(name: "a", element: .any), .init(name: "l", element: .any, shape: .list),
          .init(name: "m", element: .any, shape: .map),
        ]))
    let whole = Value.list([.int(1), .list([.int(2)]), .map(["k": .list([.int(3)])])])
    let main = main
    (box, dog) = try main.write {
      let dog = try main.add("Box", [])
      let contents: [NamedContent] = [
        ("a", .value(whole)), ("l", .list([whole, .link(dog.id)])), ("m", .map(["x": whole])),
      ]
      return (try main.add("Box", contents), dog)
    }
    other = try main.newSession(named: "other")
  }

  /// One to three commits of either session, some silent, and then a turn.
  func step() throws {
    if mirrors.filter(\.isLive).count < 4 { try observe() }
    for _ in 0...random.below(3) {
      let isOther = random.below(3) == 0
      let store = isOther ? other : main
      let silenced = isOther ? [] : mirrors.filter { $0.isLive && random.below(5) == 0 }
      try store.write(without: silenced.compactMap(\.token)) {
        guard let object = store.object(box.id) else { return }
        for _ in 0...random.below(3) { try change(object, store) }
      }
      for mirror in silenced { mirror.forget() }
    }
    try main.endTurn()
    for mirror in mirrors where mirror.isLive { mirror.compare(main) }
    #expect(main.check().isEmpty, "seed \(seed)")
  }

  private func observe() throws {
    let places = places(of: box)
    let place = places[random.below(places.count)]
    let nested = try box.nested(place.property, place.path)
    let mirror = NestedMirror(nested)
    mirror.token = try nested.observe { [unowned mirror] nested, change in
      mirror.hear(change, nested)
    }
    mirrors.append(mirror)
  }

  private func change(_ box: Object, _ store: Store) throws {
    let places = places(of: box)
    switch random.below(16) {
    case 0: try box.set("a", to: .value(.list([.int(5), .list([.int(6)])])))
    case 1: try store.object(dog.id)?.set("n", to: .value(.int(random.below(1_000))))
    case 2: try box.collection("l").insert([value], at: 0)
    case 3 where try box.collection("l").count > 1: try box.collection("l").remove(at: 0)
    case 4: try box.collection("m").set("x", to: value)
    case _ where !places.isEmpty:
      let place = places[random.below(places.count)]
      try change(box.nested(place.property, place.path))
    case _: try box.set("a", to: .value(.map(["k": .list([])])))
    }
  }

  private func change(_ nested: NestedCollection) throws {
    let count = nested.count
    if nested.isMap {
      let key = ["k", "x", "y"][random.below(3)]
      if random.below(3) == 0 { return try nested.removeKey(key) }
      return try nested.set(key, to: value)
    }
    switch random.below(6) {
    case 0 where count > 0: try nested.remove(at: random.below(count))
    case 1 where count > 0: try nested.move(from: random.below(count), to: random.below(count))
    case 2 where count > 0, 3 where count > 0:
      try nested.replace(at: random.below(count), with: value)
    case 4 where count > 6: try nested.removeAll()
    case _: try nested.insert([value, .int(random.below(9))], at: random.below(count + 1))
    }
  }

  private var value: Value {
    switch random.below(6) {
    case 0: .list([.int(random.below(9))])
    case 1: .map(["k": .int(random.below(9))])
    case 2: .link(dog.id)
    case _: .int(random.below(4))
    }
  }

  private func places(of box: Object) -> [(property: String, path: [ValueStep])] {
    var places: [(property: String, path: [ValueStep])] = []
    func enter(_ property: String, _ path: [ValueStep], _ value: Value) {
      switch value {
      case .list(let values):
        places.append((property, path))
        for (row, value) in values.enumerated() { enter(property, path + [.row(row)], value) }
      case .map(let entries):
        places.append((property, path))
        for key in entries.keys.sorted() {
          enter(property, path + [.key(key)], entries[key] ?? .null)
        }
      case _: break
      }
    }
    if let value = try? box.value("a") { enter("a", [], value) }
    if let list = try? box.collection("l") {
      for (row, value) in list.values.enumerated() { enter("l", [.row(row)], value) }
    }
    if let map = try? box.collection("m") {
      for key in map.keys { enter("m", [.key(key)], map.value(forKey: key) ?? .null) }
    }
    return places
  }
}

/// What a token was told, replayed.
private final class NestedMirror {
  var token: ObservationToken?
  private(set) var faults: [String] = []
  private var path: [ValueStep]
  private let property: String
  private let owner: ObjectID
  private var known: Value?

  init(_ nested: NestedCollection) {
    (property, path, owner) = (nested.property.name, nested.path, nested.owner.id)
  }

  var isLive: Bool { token?.isLive ?? false }

  /// The token was silenced: where its rows stand is not known.
  func forget() { known = nil }

  /// After a delivery what is known is what is there, where no row that came or went can have shifted
  /// it without a word.
  func compare(_ store: Store) {
    guard path.allSatisfy(\.isNoRow), let known, let box = store.object(owner) else { return }
    if let now = try? box.nested(property, path).value, now == known { return }
    faults.append("\(property)\(path) was \(known) without a word of the change")
    self.known = nil
  }

  func hear(_ change: CollectionChange, _ nested: NestedCollection) {
    path = nested.path
    defer { known = nested.value }
    switch (change, known, nested.value) {
    case (.initial(let count), _, _):
      if count != nested.count { faults.append("initial \(count) of \(nested.count)") }
    case (.update(_, ownerDeleted: true), _, _), (.mapUpdate(_, ownerDeleted: true), _, _):
      known = nil
    case (.update(let changes, _), .list(var rows)?, .list(let now)?):
      for row in changes.deletions.reversed() { rows.remove(at: row) }
      for row in changes.insertions { rows.insert(now[row], at: row) }
      for row in changes.modificationsNew { rows[row] = now[row] }
      if rows != now { faults.append("\(changes) leads to \(rows), not to \(now)") }
    case (.mapUpdate(let changes, _), .map(var entries)?, .map(let now)?):
      for key in changes.deletions { entries[key] = nil }
      for key in changes.insertions + changes.modifications { entries[key] = now[key] }
      if entries != now { faults.append("\(changes) leads to \(entries), not to \(now)") }
    case (_, nil, _): break
    case (_, _, _): faults.append("\(change) of \(String(describing: nested.value))")
    }
  }
}

extension ValueStep {
  fileprivate var isNoRow: Bool { if case .row = self { false } else { true } }
}
