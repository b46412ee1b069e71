import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldQuery
import Testing

@testable import HeraldEngine

/// Lists and maps nested in values of type `any` are stored apart: an edit costs what it changes, and a check
/// finds what belongs to nothing.
struct NestedStorageTests {
  private static let property = PropertyID(1)

  /// A store in memory with one box that has this value.
  private func box(_ value: Value) throws -> (session: Session, id: ObjectID) {
    let session = try Session(path: nil, readOnly: false)
    let id = try session.write {
      try session.declare(
        ClassDefinition(name: "Box", properties: [.init(name: "a", element: .any)]))
      let classSchema = try #require(session.classSchema(named: "Box"))
      return try session.add(classSchema, [("a", .value(value))])
    }
    return (session, id)
  }

  private func write(_ session: Session) throws -> OpenWrite {
    guard let write = session.writing.open else { throw HeraldError.noOpenWrite }
    return write
  }

  /// The record of an edit of the list under the key `k`, as the log has it.
  private func record(
    of edit: CollectionEdit, count: Int
  ) throws -> (record: CommitRecord, bytes: Int) {
    let (session, id) = try box(.map(["k": .list((0..<count).map { .int($0 % 100) })]))
    defer { session.close() }
    let property = try #require(session.schema.classSchema(id.classID)?.property(Self.property))
    try session.beginWrite(byHand: true)
    try session.change(property, of: id, inside: [.key("k")], edit)
    let record = try write(session).record(
      version: session.version + 1, before: session.snapshot, limit: .max)
    return (record, record.encoded().count)
  }

  static let edits: [CollectionEdit] = [
    .insert([.int(-1)], at: 5), .remove(at: 5), .replace(at: 5, with: .string("x")),
    .move(from: 5, to: 8),
  ]

  @Test(arguments: edits)
  func `an edit is recorded at the size of what it changes`(edit: CollectionEdit) throws {
    let few = try record(of: edit, count: 10)
    let many = try record(of: edit, count: 20_000)
    #expect(many.bytes <= few.bytes + 16)
    #expect(Set(few.record.classes.keys) == [ClassID(1), .nestedLists, .nestedMaps])
  }

  @Test func `a previous value is read whole from the record of an edit`() throws {
    let whole = Value.map(["k": .list([.int(1), .list([.int(2)])]), "l": .list([])])
    let (session, id) = try box(whole)
    let property = try #require(session.schema.classSchema(id.classID)?.property(Self.property))
    try session.beginWrite(byHand: true)
    try session.change(property, of: id, inside: [.key("k"), .row(1)], .insert([.int(3)], at: 0))
    try session.change(property, of: id, inside: [.key("k")], .remove(at: 0))
    try session.change(property, of: id, inside: [], .removeKey("l"))
    let write = try write(session)
    let record = try write.record(
      version: session.version + 1, before: session.snapshot, limit: .max)
    let old = try #require(record.classes[id.classID]?[property.id].values[id.number])
    #expect(old.nestedCollection?.classID == .nestedMaps)
    #expect(record.whole(old, write.reader) == whole)
    #expect(
      write.reader.value(property.id, of: id)
        == .map(["k": .list([.list([.int(3), .int(2)])])]))
    session.close()
  }

  @Test func `nested collections are deleted with what contains them`() throws {
    let (session, id) = try box(.list([.map(["k": .list([.list([])])]), .list([])]))
    let counts = { [ClassID.nestedLists, .nestedMaps].map(session.reader.objectCount) }
    #expect(counts() == [4, 1])
    let property = try #require(session.schema.classSchema(id.classID)?.property(Self.property))
    try session.write { try session.change(property, of: id, inside: [], .remove(at: 0)) }
    #expect(counts() == [2, 0])
    try session.write { try session.delete(id) }
    #expect(counts() == [0, 0])
    #expect(session.check() == [])
    session.close()
  }

  @Test func `a check finds nested collections without an owner, with two, and lost ones`() throws {
    let (session, id) = try box(.list([]))
    try session.write {
      let write = try write(session)
      _ = try write.create(.nestedMaps)
      try write.fill(ObjectID(.nestedLists, 1), [.link(ObjectID(.nestedLists, 7))])
    }
    #expect(
      session.check() == [
        "Box#\(id.number).a contains nested list 7, which does not exist",
        "nested map 1 belongs to no value",
      ])
    try session.write {
      let list = ObjectID(.nestedLists, 1)
      try write(session).fill(list, [.link(ObjectID(.nestedMaps, 1)), .link(list)])
    }
    #expect(
      session.check() == ["Box#\(id.number).a contains nested list 1, which has another owner"])
    session.close()
  }

  @Test func `a reference cannot be assigned as a value`() throws {
    let (session, id) = try box(.list([]))
    let reference = Value.link(ObjectID(.nestedLists, 1))
    #expect(throws: HeraldError.self) {
      try session.write { try session.set(id, [("a", .value(.list([reference])))]) }
    }
    session.close()
  }
}
