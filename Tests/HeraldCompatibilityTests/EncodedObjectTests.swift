import Foundation
import HeraldCompatibility
import Testing

private final class Note: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var rating: Double?
  @Persisted var tags: List<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var place: Place?
  @Persisted var next: Note?

  private enum CodingKeys: String, CodingKey {
    case title = "headline"
    case id, rating, tags, counts, place, next
  }
}

private final class Place: EmbeddedObject, Codable { @Persisted var city = "" }

@Suite(.serialized) @MainActor struct EncodedObjectTests {
  private let realm: Realm
  private static let text =
    #"{"counts":{"a":1},"headline":"One","id":1,"next":{"counts":{},"headline":"","id":2,"#
    + #""next":null,"place":null,"rating":null,"tags":[]},"place":{"city":"Rome"},"#
    + #""rating":4.5,"tags":["x","y"]}"#

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "notes"))
    try realm.write { realm.deleteAll() }
  }

  private func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `an object is encoded with its own keys, unmanaged, added and found`() throws {
    let note = try JSONDecoder().decode(Note.self, from: Data(Self.text.utf8))
    #expect(note.title == "One" && note.rating == 4.5 && Array(note.tags) == ["x", "y"])
    #expect(note.place?.city == "Rome" && note.next?.id == 2 && note.counts["a"] == 1)
    #expect(try encoded(note) == Self.text)
    try realm.write { realm.add(note) }
    #expect(try encoded(note) == Self.text)
    let found = try #require(realm.object(ofType: Note.self, forPrimaryKey: 1))
    #expect(try encoded(found) == Self.text)
    try realm.write {
      note.title = "Two"
      note.tags.removeAll()
      note.next = nil
    }
    let text = Self.text.replacing("One", with: "Two").replacing(#"["x","y"]"#, with: "[]")
    let start = try #require(text.range(of: #""next":{"#)).lowerBound
    let end = try #require(text.range(of: #"},"place":{"#)).lowerBound
    let expected = text.replacingCharacters(in: start...end, with: #""next":null"#)
    #expect(try encoded(found) == expected)
    #expect(try encoded(note) == expected)
    #expect(try encoded(found.freeze()) == expected)
    #expect(try encoded(realm.objects(Note.self).filter("id == 1")) == "[\(expected)]")
  }

  @Test func `a write that is rolled back leaves what others encode`() throws {
    let note = Note()
    try realm.write { realm.add(note) }
    realm.beginWrite()
    note.title = "lost"
    realm.cancelWrite()
    #expect(try encoded(note).contains(#""headline":"""#))
    #expect(throws: (any Error).self) {
      try realm.write { realm.add(Note(value: ["id": 0, "title": "again"])) }
    }
    let other = Note(value: ["id": 0, "title": "again"])
    #expect(try encoded(other).contains("again"))
  }
}
