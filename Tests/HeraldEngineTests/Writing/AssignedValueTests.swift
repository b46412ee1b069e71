import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// A whole value that is assigned to a property of type `any` keeps the nested collections that it still has: a map, and
/// under each key a collection of the same kind (observation 4.4, 4.5).
@Suite struct AssignedValueTests {
  private static let box = ClassDefinition(
    name: "Box",
    properties: [
      .init(name: "any", element: .any), .init(name: "list", element: .any, shape: .list),
      .init(name: "map", element: .any, shape: .map),
      .init(name: "indexed", element: .any, isIndexed: true),
    ])

  private func box(_ value: Value) throws -> (session: Session, id: ObjectID) {
    let session = try Session.made(Self.box)
    return (session, try session.write { try session.add("Box", ("any", value)) })
  }

  /// A value before and after an assignment, and the changes of nested collections.
  struct Assignment: Sendable {
    let old: Value
    let new: Value
    let changes: String
  }

  static let assignments = [
    Assignment(
      old: .map(["a": .int(1), "b": .int(2)]), new: .map(["a": .int(3), "c": .int(4)]),
      changes: "nested maps#1.elements inserted [\"c\"], removed {\"b\": 2}, changed {\"a\": 1}"),
    Assignment(
      old: .map(["a": .list([.int(1)])]), new: .map(["a": .list([.int(2), .int(3)])]),
      changes: """
        nested lists#1.elements inserted [0, 1], removed [0], changed [], moved []
        nested maps#1.elements inserted [], removed {}, changed {"a": nested1}
        """),
    Assignment(
      old: .map(["a": .map(["x": .int(1)])]), new: .map(["a": .map(["x": .int(2)])]),
      changes: """
        nested maps#1.elements inserted [], removed {}, changed {"a": nested2}
        nested maps#2.elements inserted [], removed {}, changed {"x": 1}
        """),
    Assignment(
      old: .map(["a": .list([])]), new: .map(["a": .map([:])]),
      changes: """
        nested lists: deleted [1]
        nested maps: created [3]
        nested maps#1.elements inserted [], removed {}, changed {"a": nested1}
        """),
    Assignment(
      old: .list([.list([.int(1)])]), new: .list([.list([.int(2)])]),
      changes: """
        nested lists: created [4]
        nested lists: deleted [2]
        nested lists#1.elements inserted [0], removed [0], changed [], moved []
        """),
    Assignment(
      old: .list([.int(1)]), new: .map([:]),
      changes: "nested lists: deleted [1]\nnested maps: created [1]"),
    Assignment(old: .map(["a": .int(1)]), new: .int(1), changes: "nested maps: deleted [1]"),
  ]

  @Test(arguments: assignments)
  func `a whole value changes what differs in the nested collections that it keeps`(
    _ assignment: Assignment
  ) throws {
    let (session, id) = try box(assignment.old)
    let text = try session.changes { try session.set(id, ("any", assignment.new)) }
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("Box") }
    #expect(lines.joined(separator: "\n") == assignment.changes)
    #expect(text.hasPrefix("Box#1.any was nested1"))
    #expect(try session.read("any", of: id) == assignment.new)
    #expect(session.check() == [])
  }

  @Test func `a collection that was removed with its key is kept if the key gets one again`() throws
  {
    let (session, id) = try box(.map(["a": .map(["x": .int(1)])]))
    let text = try session.changes {
      try session.edit(id, "any", inside: [], .removeKey("a"))
      try session.edit(id, "any", inside: [], .setKey("a", .map(["x": .int(1), "y": .int(2)])))
    }
    #expect(
      text == """
        Box#1.any was nested1
        nested maps#1.elements inserted [], removed {}, changed {"a": nested2}
        nested maps#2.elements inserted ["y"], removed {}, changed {}
        """)
  }

  @Test func `a nested list that follows its row keeps its identity`() throws {
    let session = try Session.made(Self.box)
    let id = try session.write {
      try session.add("Box", ("list", .list([.int(1), .list([.int(2)])])))
    }
    let text = try session.changes {
      try session.edit(id, "list", .replace(at: 1, with: .list([.int(3)])))
      try session.edit(id, "list", .move(from: 1, to: 0))
    }
    #expect(
      text == """
        Box#1.list inserted [0], removed [1], changed [], moved []
        nested lists#1.elements inserted [0], removed [0], changed [], moved []
        """)
    #expect(session.check() == [])
  }

  // MARK: Random assignments

  private func randomValue(_ random: inout SplitMix64, depth: Int = 3) -> Value {
    switch random.below(depth > 0 ? 6 : 3) {
    case 0: .null
    case 1: .int(random.below(3))
    case 2: .string(["a", "b"][random.below(2)])
    case 3:
      .list((0..<random.below(4)).map { _ in randomValue(&random, depth: depth - 1) })
    default:
      .map(
        MapEntries(
          (0..<random.below(4)).map { _ in
            (["k", "l", "m"][random.below(3)], randomValue(&random, depth: depth - 1))
          }))
    }
  }

  /// Changes a random place within a value, through the session and in the model.
  private func edit(
    _ session: Session, _ id: ObjectID, _ model: inout Value, _ random: inout SplitMix64
  ) throws {
    var steps: [ValueStep] = []
    var place = model
    while true {
      switch place {
      case .list(let values) where !values.isEmpty && random.chance(60):
        let row = random.below(values.count)
        steps.append(.row(row))
        place = values[row]
      case .map(let entries) where !entries.isEmpty && random.chance(60):
        let key = random.pick(entries.keys.sorted())
        steps.append(.key(key))
        place = entries[key] ?? .null
      case .list(var values):
        let new = randomValue(&random, depth: 1)
        let row = random.below(values.count + 1)
        values.insert(new, at: row)
        try session.edit(id, "any", inside: steps, .insert([new], at: row))
        model = model.replacing(.list(values), at: steps)
        return
      case .map(var entries):
        let (key, new) = (["k", "l"][random.below(2)], randomValue(&random, depth: 1))
        entries[key] = new
        try session.edit(id, "any", inside: steps, .setKey(key, new))
        model = model.replacing(.map(entries), at: steps)
        return
      default:
        // What is no collection is assigned as a whole.
        model = randomValue(&random)
        return try session.set(id, ("any", model))
      }
    }
  }

  @Test(arguments: seeds(12))
  func `whole values and edits in any order leave the value, and its previous one is known`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var model = randomValue(&random)
    let (session, id) = try box(model)
    let property = try session.property("any", of: id)
    for _ in 0..<15 {
      let old = model
      try session.beginWrite(byHand: true)
      for _ in 0..<1 + random.below(4) {
        if random.chance(40) {
          // Often what it was, so that much is restored.
          model = random.chance(40) ? old : randomValue(&random)
          try session.set(id, ("any", model), ("indexed", model))
        } else {
          try edit(session, id, &model, &random)
        }
        #expect(try session.read("any", of: id) == model, "seed \(seed)")
      }
      try session.commit()
      let record = try session.loggedCommit(session.version).record
      let change = record.classes[id.classID]?[property.id].values[id.number]
      #expect(
        change.map { record.whole($0, session.reader) } == (old == model ? nil : old),
        "seed \(seed)")
      #expect(record.violations == [], "seed \(seed)")
      #expect(try session.read("any", of: id) == model, "seed \(seed)")
      #expect(session.check() == [], "seed \(seed)")
    }
  }
}

extension Value {
  /// Returns the value with another one at a path.
  fileprivate func replacing(_ new: Value, at steps: [ValueStep]) -> Value {
    guard let step = steps.first else { return new }
    let rest = Array(steps.dropFirst())
    switch (self, step) {
    case (.list(var values), .row(let row)):
      values[row] = values[row].replacing(new, at: rest)
      return .list(values)
    case (.map(var entries), .key(let key)):
      entries[key] = entries[key]?.replacing(new, at: rest)
      return .map(entries)
    case (_, _): return self
    }
  }
}
