import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// Lists, sets and maps, edited one change after the other, are as arrays, sets and dictionaries are after the same.
@Suite struct CollectionEditTests {
  private static let box = ClassDefinition(
    name: "Box",
    properties: [
      .init(name: "list", element: .string, shape: .list, isOptional: true),
      .init(name: "set", element: .int, shape: .set),
      .init(name: "map", element: .double, shape: .map), .init(name: "any", element: .any),
      .init(name: "single", element: .int, defaultValue: .value(.int(0))),
      .init(name: "of", element: .link("Box"), shape: .backlinks("link")),
      .init(name: "link", element: .link("Box")),
    ])

  private func box() throws -> (session: Session, id: ObjectID) {
    let session = try Session.made(Self.box)
    return (session, try session.write { try session.add("Box") })
  }

  @Test(arguments: seeds(8))
  func `a list is as an array after the same edits`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (session, id) = try box()
    var model: [Value] = []
    for _ in 0..<8 {
      try session.write {
        for _ in 0..<random.below(20) {
          let values = (0..<1 + random.below(3)).map { _ in
            random.chance(20) ? Value.null : .string("\(random.below(100))")
          }
          let index = random.below(model.count)
          switch random.below(10) {
          case 0...4:
            let index = random.below(model.count + 1)
            try session.edit(id, "list", .insert(values, at: index))
            model.insert(contentsOf: values, at: index)
          case 5 where !model.isEmpty:
            try session.edit(id, "list", .remove(at: index))
            model.remove(at: index)
          case 6 where !model.isEmpty:
            try session.edit(id, "list", .replace(at: index, with: values[0]))
            model[index] = values[0]
          case 7 where !model.isEmpty:
            let to = random.below(model.count)
            try session.edit(id, "list", .move(from: index, to: to))
            model.insert(model.remove(at: index), at: to)
          case 8 where random.oneIn(4):
            try session.edit(id, "list", .removeAll)
            model = []
          default:
            try session.set(id, ("list", .list(values)))
            model = values
          }
        }
      }
      #expect(try session.read("list", of: id) == .list(model), "seed \(seed)")
      #expect(session.check() == [], "seed \(seed)")
    }
  }

  @Test(arguments: seeds(8))
  func `a set and a map are as those of Swift, in the order of values and keys`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let (session, id) = try box()
    var (set, map): (Set<Int>, [String: Double]) = ([], [:])
    for _ in 0..<8 {
      try session.write {
        for _ in 0..<random.below(20) {
          let (number, key) = (random.below(50) - 25, ["", "a", "ä", "aa", "b"][random.below(5)])
          switch random.below(9) {
          case 0...2:
            try session.edit(id, "set", .insertValue(.int(number)))
            set.insert(number)
          case 3:
            try session.edit(id, "set", .removeValue(.int(number)))
            set.remove(number)
          case 4...5:
            // An integer becomes a double.
            try session.edit(id, "map", .setKey(key, .int(number)))
            map[key] = Double(number)
          case 6:
            try session.edit(id, "map", .removeKey(key))
            map[key] = nil
          case 7:
            try session.set(id, ("set", .list([.int(number), .int(number), .int(0)])))
            set = [number, 0]
          default:
            if random.chance(50) {
              try session.edit(id, "set", .removeAll)
              set = []
            } else {
              try session.edit(id, "map", .removeAll)
              map = [:]
            }
          }
        }
      }
      #expect(
        try session.read("set", of: id) == .list(set.sorted().map { .int($0) }), "seed \(seed)")
      #expect(
        try session.read("map", of: id) == .map(MapEntries(map.mapValues { .double($0) })),
        "seed \(seed)")
      let keys = session.reader.mapKeys(try session.property("map", of: id).id, of: id)
      #expect(
        keys == map.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "seed \(seed)")
      #expect(session.check() == [], "seed \(seed)")
    }
  }

  /// An edit of a property that has other collections, or none.
  struct Misfit: Sendable {
    let property: String
    let edit: CollectionEdit
    let message: String
  }

  static let misfits: [Misfit] = [
    Misfit(
      property: "list", edit: .insertValue(.null),
      message: "property 'list' of class 'Box' is not a collection"),
    Misfit(
      property: "set", edit: .insert([.int(1)], at: 0),
      message: "property 'set' of class 'Box' is not a collection"),
    Misfit(
      property: "map", edit: .move(from: 0, to: 0),
      message: "property 'map' of class 'Box' is not a collection"),
    Misfit(
      property: "single", edit: .removeAll,
      message: "property 'single' of class 'Box' is not a collection"),
    Misfit(
      property: "of", edit: .removeAll,
      message: "backlinks 'of' are kept by the store; change the links instead"),
    Misfit(
      property: "list", edit: .remove(at: 1), message: "row 1 is out of range: there is 1 row"),
    Misfit(
      property: "list", edit: .move(from: 0, to: 1),
      message: "row 1 is out of range: there is 1 row"),
    Misfit(
      property: "list", edit: .replace(at: -1, with: .null),
      message: "row -1 is out of range: there is 1 row"),
    Misfit(
      property: "list", edit: .insert([.string("a"), .int(1)], at: 0),
      message: "property 'list' of class 'Box' is list<string?> and cannot hold 1"),
    Misfit(
      property: "set", edit: .removeValue(.string("a")),
      message: "property 'set' of class 'Box' is set<int> and cannot hold \"a\""),
    Misfit(
      property: "map", edit: .setKey("a", .null),
      message: "property 'map' of class 'Box' needs a value"),
  ]

  @Test(arguments: misfits)
  func `an edit that does not fit is refused`(_ misfit: Misfit) throws {
    let (session, id) = try box()
    let text = try session.changes {
      try session.edit(id, "list", .insert([.string("a")], at: 0))
      #expect(errorText { try session.edit(id, misfit.property, misfit.edit) } == misfit.message)
    }
    #expect(text == "Box#1.list inserted [0], removed [], changed [], moved []")
  }

  @Test func `a collection of a property that was dropped since cannot be changed`() throws {
    let (session, id) = try box()
    let property = try session.property("list", of: id)
    try session.write { try session.alter("Box", [.drop("list")]) }
    let text = errorText {
      try session.write { try session.change(property, of: id, .removeAll) }
    }
    #expect(text == "property 'list' of class 'Box' was dropped, or has another type now")
  }

  @Test func `a nested collection is found by its path, and has a limit of depth`() throws {
    let (session, id) = try box()
    func edit(_ steps: [ValueStep], _ edit: CollectionEdit) -> String {
      errorText { try session.edit(id, "any", inside: steps, edit) }
    }
    try session.write {
      try session.set(id, ("any", .list([.map(["k": .int(1)])])))
      let misfit = "property 'any' of class 'Box' is not a collection"
      #expect(edit([.row(1)], .removeAll) == misfit)
      #expect(edit([.row(0)], .insert([.null], at: 0)) == misfit)
      #expect(edit([.row(0), .key("k")], .removeAll) == misfit)
      #expect(edit([], .remove(at: 1)) == "row 1 is out of range: there is 1 row")
      let deep = (0..<nestingLimit - 1).reduce(Value.list([])) { value, _ in .list([value]) }
      #expect(
        edit([.row(0)], .setKey("k", deep))
          == "property 'any' of class 'Box' nests lists and maps at most \(nestingLimit) levels deep"
      )
      #expect(edit([.row(0)], .setKey("l", .int(2))) == "no error")
    }
    #expect(try session.read("any", of: id) == .list([.map(["k": .int(1), "l": .int(2)])]))
  }
}
