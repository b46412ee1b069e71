import HeraldMaintenance
import HeraldModel
import Testing

@testable import HeraldEngine

/// A property whose values are generated gets a new identifier for each object that is given none.
@Suite struct GeneratedValueTests {
  private static let note = ClassDefinition(
    name: "Note",
    properties: [
      .init(name: "id", element: .objectID, isPrimaryKey: true, isGenerated: true),
      .init(name: "tag", element: .uuid, isIndexed: true, isGenerated: true),
      .init(name: "text", element: .string, defaultValue: .value(.string("empty"))),
      .init(name: "count", element: .int, isOptional: true),
    ])

  @Test func `each object gets identifiers of its own, and object ids ascend`() throws {
    let session = try Session.made(Self.note)
    let notes = try session.write { try (0..<50).map { _ in try session.add("Note") } }
    let ids = try notes.map { note -> DocumentID in
      guard case .objectID(let id) = try session.read("id", of: note) else {
        throw HeraldError.closed
      }
      return id
    }
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    #expect(Set(try notes.map { try session.read("tag", of: $0) }).count == 50)
    #expect(try session.find(session.declaredClass("Note"), key: .objectID(ids[7])) == notes[7])
    #expect(session.check() == [])
  }

  @Test func `an identifier that is given is kept`() throws {
    let session = try Session.made(Self.note)
    let tag = Value.uuid(UniqueID(bits: (1, 2)))
    let note = try session.write {
      try session.add("Note", ("text", .string("a")), ("tag", .string("\(UniqueID(bits: (1, 2)))")))
    }
    #expect(try session.read("tag", of: note) == tag)
    #expect(try session.read("id", of: note).isNull == false)
  }

  @Test func `contents are completed in the order of the properties that they lack`() throws {
    let session = try Session.made(Self.note)
    let noteClass = try session.declaredClass("Note")
    let names = { (contents: [NamedContent]) in noteClass.generating(contents).map(\.name) }
    #expect(names([]) == ["id", "tag"])
    #expect(names([("text", .value(.null)), ("id", .value(.null))]) == ["text", "id", "tag"])
    #expect(names([("tag", .value(.null)), ("id", .value(.null))]) == ["tag", "id"])
  }

  @Test func `the content of a new object is a new identifier, the default, or nil`() throws {
    let properties = try Session.made(Self.note).declaredClass("Note").properties
    guard case .value(.objectID) = properties[0].newContent,
      case .value(.uuid) = properties[1].newContent
    else {
      Issue.record("no identifier: \(properties.map(\.newContent))")
      return
    }
    #expect(properties[0].newContent != properties[0].newContent)
    #expect(properties[1].newContent != properties[1].newContent)
    #expect(properties[2].newContent == .value(.string("empty")))
    #expect(properties[3].newContent == nil)
  }

  @Test(arguments: [true, false])
  func `rows that are added by columns have one each`(isOptional: Bool) throws {
    let session = try Session.made(
      ClassDefinition(
        name: "Row",
        properties: [
          .init(
            name: "tag", element: .uuid, isOptional: isOptional, isPrimaryKey: !isOptional,
            isGenerated: true),
          .init(name: "count", element: .int),
        ]))
    try session.write {
      let row = try session.declaredClass("Row")
      _ = try session.add(to: row, columns: [("count", .ints(Array(0..<20)))])
    }
    let rows = try session.objects("Row")
    let tags = Set(try rows.map { try session.read("tag", of: $0) })
    #expect(tags.count == 20 && !tags.contains(.null))
    #expect(try rows.map { try session.read("count", of: $0) } == (0..<20).map { .int($0) })
  }
}
