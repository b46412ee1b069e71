import HeraldModel
import Testing

@testable import HeraldEngine

/// The columns of a class are found once, and again when the class has changed; what cannot be read is nil, and says why.
@Suite struct ResolvedColumnsTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "age", element: .int, isOptional: true), .init(name: "isGood", element: .bool),
      .init(name: "friend", element: .link("Dog")), .init(name: "weight", element: .double),
      .init(name: "height", element: .float), .init(name: "born", element: .date),
      .init(name: "name", element: .string), .init(name: "any", element: .any),
    ])

  private let session: Session
  private let dogs: [ObjectID]
  private let columns: ResolvedColumns
  private let names = ["age", "isGood", "friend", "weight", "height", "born", "name", "any"]

  init() throws {
    session = try Session.made(Self.dog)
    let session = session
    dogs = try session.write {
      let first = try session.add(
        "Dog", ("age", .int(3)), ("isGood", .bool(true)), ("weight", .double(2.5)),
        ("height", .float(0.5)), ("born", .date(Timestamp(seconds: 5))), ("name", .string("Max")),
        ("any", .list([.int(1)])))
      let second = try session.add(
        "Dog", ("isGood", .bool(false)), ("friend", .link(first)), ("weight", .double(0)),
        ("height", .float(0)), ("born", .date(Timestamp(seconds: 6))), ("name", .string("")))
      return [first, second]
    }
    let dogClass = try session.declaredClass("Dog")
    columns = ResolvedColumns(
      session, dogClass.id, slotCount: 9,
      names.enumerated().map {
        ($0.offset, $0.element, dogClass.properties[$0.offset].type.element)
      })
  }

  @Test func `values are read by their slots`() {
    #expect(columns.integer(0, of: 1) == 3 && columns.integer(0, of: 2) == nil)
    #expect(columns.integer(1, of: 1) == 1 && columns.integer(1, of: 2) == 0)
    #expect(columns.integer(2, of: 1) == nil && columns.integer(2, of: 2) == 1)
    #expect(columns.double(3, of: 1) == 2.5 && columns.double(3, of: 2) == 0)
    #expect(columns.float(4, of: 1) == 0.5)
    #expect(columns.date(5, of: 2) == Timestamp(seconds: 6))
    #expect(columns.string(6, of: 1) == "Max" && columns.string(6, of: 2) == "")
    #expect(columns.value(7, of: 1) == .list([.int(1)]) && columns.value(7, of: 2) == .null)
    #expect(columns.value(1, of: 1) == .bool(true) && columns.value(2, of: 2) == .link(dogs[0]))
    // No object, and a slot without a property.
    #expect(columns.integer(0, of: 3) == nil && columns.value(8, of: 1) == .null)
    #expect(columns.exists(2) && !columns.exists(3))
  }

  @Test func `each reader is the one of the present: of the write, of the version, of the past`()
    throws
  {
    let version = session.version
    try session.beginWrite(byHand: true)
    try session.set(dogs[0], ("age", .int(4)), ("name", .string("Rex")))
    #expect(columns.integer(0, of: 1) == 4 && columns.string(6, of: 1) == "Rex")
    try session.rollback()
    #expect(columns.integer(0, of: 1) == 3 && columns.string(6, of: 1) == "Max")
    try session.write { try session.set(dogs[0], ("age", .int(5)), ("isGood", .bool(false))) }
    #expect(columns.integer(0, of: 1) == 5)
    let past = ResolvedColumns(
      try session.freeze(at: version), dogs[0].classID, slotCount: 3,
      [(0, "age", .int), (1, "isGood", .bool), (2, "friend", .link(dogs[0].classID))])
    #expect(
      past.integer(0, of: 1) == 3 && past.integer(1, of: 1) == 1 && past.integer(2, of: 2) == 1)
    #expect(past.value(0, of: 2) == .null && past.property(0) == PropertyID(1))
  }

  @Test func `a property of another type, or one that was dropped, reads as nil`() throws {
    let other = ResolvedColumns(
      session, dogs[0].classID, slotCount: 2, [(0, "age", .double), (1, "agee", .int)])
    #expect(other.double(0, of: 1) == nil && other.property(0) == nil && other.property(1) == nil)
    #expect(
      other.failure(1, of: 1)?.message
        == "property 'agee' of class 'Dog' was dropped, or has another type now")
    #expect(columns.property(6) == PropertyID(7))
    try session.write { try session.alter("Dog", [.rename("name", to: "called"), .drop("age")]) }
    #expect(columns.string(6, of: 1) == nil && columns.integer(0, of: 1) == nil)
    #expect(columns.property(6) == nil)
    try session.write { try session.alter("Dog", [.rename("called", to: "name")]) }
    #expect(columns.string(6, of: 1) == "Max")
  }

  @Test func `a missing value has a reason`() throws {
    #expect(columns.failure(0, of: 2) == nil)
    #expect(columns.failure(0, of: 9)?.message == "the object Dog#9 was deleted")
    try session.write { try session.alter("Dog", [.drop("age")]) }
    #expect(
      columns.failure(0, of: 1)?.message
        == "property 'age' of class 'Dog' was dropped, or has another type now")
    session.close()
    #expect(columns.string(6, of: 1) == nil)
    #expect(columns.failure(6, of: 1)?.message == "the store is closed")
  }

  @Test func `only a value that needs no coercion is assigned, to an object that has one`() throws {
    #expect(columns.column(0, ofValueOf: 1) == nil)
    try session.beginWrite(byHand: true)
    #expect(columns.column(0, ofValueOf: 2) == nil)
    let column = try #require(columns.column(0, ofValueOf: 1))
    let (weight, name) = (columns.column(3, ofValueOf: 1), columns.column(6, ofValueOf: 1))
    #expect(try session.assign(.int(4), to: column, of: dogs[0]))
    #expect(try !session.assign(.int(4), to: #require(weight), of: dogs[0]))
    #expect(try !session.assign(.null, to: #require(name), of: dogs[0]))
    #expect(try session.assign(.null, to: column, of: dogs[0]))
    try session.commit()
    #expect(
      try session.loggedCommit(session.version).record.text(session.schema) == "Dog#1.age was 3")
  }
}
