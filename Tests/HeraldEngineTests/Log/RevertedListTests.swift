import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// An undo reverts the operations on a list one by one, so that the other elements keep their identity.
@Suite struct RevertedListTests {
  private static let box = ClassDefinition(
    name: "Box", properties: [.init(name: "list", element: .any, shape: .list)])

  private func box(_ values: [Value]) throws -> (session: Session, id: ObjectID) {
    let session = try Session.made(Self.box)
    return (session, try session.write { try session.add("Box", ("list", .list(values))) })
  }

  /// An edit of the list of 0 to 5, and what its undo changes.
  struct Reversal: Sendable {
    let edit: CollectionEdit
    let changes: String
  }

  static let reversals = [
    Reversal(
      edit: .insert([.int(7), .int(8)], at: 2),
      changes: "inserted [], removed [2, 3], changed [], moved []"),
    Reversal(
      edit: .remove(at: 4), changes: "inserted [4], removed [], changed [], moved []"),
    Reversal(
      edit: .replace(at: 3, with: .int(7)),
      changes: "inserted [], removed [], changed [3], moved []"),
    Reversal(
      edit: .move(from: 1, to: 4),
      changes: "inserted [1], removed [4], changed [], moved [\"4 to 1\"]"),
    Reversal(
      edit: .move(from: 4, to: 1),
      changes: "inserted [4], removed [1], changed [], moved [\"1 to 4\"]"),
    Reversal(
      edit: .removeAll, changes: "inserted [0, 1, 2, 3, 4, 5], removed [], changed [], moved []"),
  ]

  @Test(arguments: reversals)
  func `the undo of an edit is its inverse`(_ reversal: Reversal) throws {
    let values = (0..<6).map { Value.int($0) }
    let (session, id) = try box(values)
    try session.write { try session.edit(id, "list", reversal.edit) }
    try session.undo()
    let record = try session.loggedCommit(session.version).record
    #expect(record.text(session.schema) == "Box#1.list " + reversal.changes)
    #expect(try session.read("list", of: id) == .list(values))
    #expect(session.check() == [])
  }

  @Test(arguments: seeds(12))
  func
    `whatever edits a commit has made, its undo leaves the list before, and a redo the one after`(
      _ seed: UInt64
    ) throws
  {
    var random = SplitMix64(seed: seed)
    func value() -> Value {
      random.chance(70) ? .int(random.below(9)) : .list([.int(random.below(3))])
    }
    var list = (0..<6).map { Value.int($0) }
    let (session, id) = try box(list)
    for _ in 0..<10 {
      let before = list
      try session.write {
        for _ in 0..<1 + random.below(7) {
          let row = random.below(list.count)
          switch random.below(6) {
          case 0:
            let new = value()
            try session.edit(id, "list", .insert([new], at: row))
            list.insert(new, at: row)
          case 1 where list.count > 2:
            try session.edit(id, "list", .remove(at: row))
            list.remove(at: row)
          case 2 where !list.isEmpty:
            let new = value()
            try session.edit(id, "list", .replace(at: row, with: new))
            list[row] = new
          case 3...5 where !list.isEmpty:
            let to = random.below(list.count)
            try session.edit(id, "list", .move(from: row, to: to))
            list.insert(list.remove(at: row), at: to)
          default: break
          }
        }
      }
      try session.undo()
      #expect(try session.read("list", of: id) == .list(before), "seed \(seed)")
      try session.redo()
      #expect(try session.read("list", of: id) == .list(list), "seed \(seed)")
    }
    #expect(session.check() == [], "seed \(seed)")
  }
}
