import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// The changes of a write are its net effect: a value that was set back is no change (observation 4.5).
@Suite struct NetChangeTests {
  static let box = ClassDefinition(
    name: "Box",
    properties: [
      .init(name: "number", element: .int), .init(name: "text", element: .string, isOptional: true),
      .init(name: "list", element: .int, shape: .list),
      .init(name: "set", element: .int, shape: .set),
      .init(name: "map", element: .int, shape: .map), .init(name: "any", element: .any),
    ])

  /// A store with one box that has a value in each property.
  private func filled() throws -> (session: Session, box: ObjectID) {
    let session = try Session.made(Self.box)
    let box = try session.write {
      try session.add(
        "Box", ("number", .int(1)), ("text", .string("a")), ("list", .list([.int(1), .int(2)])),
        ("set", .list([.int(1)])), ("map", .map(["a": .int(1)])),
        ("any", .map(["a": .list([.int(1)])])))
    }
    return (session, box)
  }

  @Test func `several assignments are one change, from the first value to the last`() throws {
    let (session, box) = try filled()
    let text = try session.changes {
      for number in 2...4 { try session.set(box, ("number", .int(number))) }
      try session.set(box, ("text", .string("b")), ("number", .int(5)))
      try session.set(box, ("text", .null))
    }
    #expect(text == "Box#1.number was 1\nBox#1.text was \"a\"")
    #expect(try session.read("number", of: box) == .int(5))
  }

  /// Edits that leave what was there, by name.
  struct Restoration: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edit: @Sendable (Session, ObjectID) throws -> Void

    init(_ name: String, _ edit: @escaping @Sendable (Session, ObjectID) throws -> Void) {
      (testDescription, self.edit) = (name, edit)
    }
  }

  static let restorations: [Restoration] = [
    Restoration("an equal value") { try $0.set($1, ("number", .int(1))) },
    Restoration("a value set back") {
      try $0.set($1, ("number", .int(2)))
      try $0.set($1, ("number", .int(3)), ("text", .string("b")))
      try $0.set($1, ("number", .int(1)), ("text", .string("a")))
    },
    Restoration("an inserted row that is removed") {
      try $0.edit($1, "list", .insert([.int(9)], at: 1))
      try $0.edit($1, "list", .remove(at: 1))
    },
    Restoration("a replaced row that is replaced again") {
      try $0.edit($1, "list", .replace(at: 0, with: .int(9)))
      try $0.edit($1, "list", .replace(at: 0, with: .int(1)))
    },
    Restoration("a row moved back") {
      try $0.edit($1, "list", .move(from: 0, to: 1))
      try $0.edit($1, "list", .move(from: 1, to: 0))
    },
    Restoration("an element of a set that is removed and inserted") {
      try $0.edit($1, "set", .removeValue(.int(1)))
      try $0.edit($1, "set", .insertValue(.int(1)))
    },
    Restoration("an element of a set that is inserted and removed") {
      try $0.edit($1, "set", .insertValue(.int(2)))
      try $0.edit($1, "set", .removeValue(.int(2)))
    },
    Restoration("a key that is removed and set") {
      try $0.edit($1, "map", .removeKey("a"))
      try $0.edit($1, "map", .setKey("a", .int(1)))
    },
    Restoration("a new key that is removed") {
      try $0.edit($1, "map", .setKey("b", .int(1)))
      try $0.edit($1, "map", .removeKey("b"))
    },
    Restoration("a nested list with its elements again") {
      try $0.edit($1, "any", inside: [.key("a")], .replace(at: 0, with: .int(2)))
      try $0.edit($1, "any", inside: [.key("a")], .replace(at: 0, with: .int(1)))
    },
    Restoration("a whole nested value that is assigned again") {
      try $0.set($1, ("any", .int(7)))
      try $0.set($1, ("any", .map(["a": .list([.int(1)])])))
    },
    Restoration("an object that is added and deleted") { session, _ in
      let added = try session.add("Box", ("number", .int(1)), ("list", .list([.int(1)])))
      try session.set(added, ("number", .int(2)))
      try session.delete(added)
    },
  ]

  @Test(arguments: restorations)
  func `what a write sets back is no change`(_ restoration: Restoration) throws {
    let (session, box) = try filled()
    #expect(try session.changes { try restoration.edit(session, box) } == "nothing")
    #expect(session.check() == [])
  }

  @Test func `a removed row that is inserted again is another one`() throws {
    let (session, box) = try filled()
    let text = try session.changes {
      try session.edit(box, "list", .remove(at: 0))
      try session.edit(box, "list", .insert([.int(1)], at: 0))
    }
    #expect(text == "Box#1.list inserted [0], removed [0], changed [], moved []")
  }

  @Test func `changes of an object that is new, or deleted in the end, are not listed`() throws {
    let (session, box) = try filled()
    let text = try session.changes {
      let added = try session.add("Box", ("number", .int(1)))
      try session.set(added, ("number", .int(2)))
      try session.edit(added, "list", .insert([.int(1)], at: 0))
      try session.set(box, ("number", .int(2)))
      try session.delete(box)
    }
    #expect(
      text == """
        Box: created [2]
        Box: deleted [1]
        nested lists: deleted [1]
        nested maps: deleted [1]
        """)
    let record = try session.loggedCommit(session.version).record
    let deleted = try #require(record.classes[box.classID]?.deleted[1])
    #expect(deleted.values[PropertyID(1)] == .int(1))
  }

  @Test func `the changes so far can be read while the write is open`() throws {
    let (session, box) = try filled()
    #expect(session.openChanges == nil)
    try session.beginWrite(byHand: true)
    #expect(session.openChanges == [:])
    try session.set(box, ("number", .int(2)))
    #expect(session.openChanges?[box.classID]?.properties[PropertyID(1)]?.values == [1: .int(1)])
    try session.set(box, ("number", .int(1)))
    #expect(session.openChanges == [:])
    try session.rollback()
  }
}
