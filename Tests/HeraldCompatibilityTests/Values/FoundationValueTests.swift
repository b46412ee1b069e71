import Foundation
import HeraldCompatibility
import Testing

private enum Grade: Int, PersistableEnum { case low, high }

private struct Weight: CustomPersistable {
  var grams: Int
  init(persistedValue: Int) { grams = persistedValue }
  var persistableValue: Int { grams }
}

private final class Stone: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var found: Date
  @Persisted var picture: Data
  @Persisted var sold: Date?
  @Persisted var marks: List<Int>
  @Persisted var next: Stone?
  @Persisted var any: AnyRealmValue
  @Persisted var gaps: List<Int?>
  @Persisted var isRare = false
  @Persisted var price: Decimal128
  @Persisted var token: UUID
  @Persisted var grade: Grade?
  @Persisted var weight: Weight?
  @Persisted var grades: Map<String, Grade>

  enum CodingKeys: CodingKey { case id, name, found, picture, sold, marks }
}

/// What Foundation's objects mean as values, and what coders make of values.
@Suite(.serialized) struct FoundationValueTests {
  private func makeRealm() throws -> Realm {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "stones"))
    try realm.write { realm.deleteAll() }
    return realm
  }

  @Test func `NSNull is nil, and no elements of a collection`() throws {
    let realm = try makeRealm()
    let stone = try realm.write {
      realm.create(
        Stone.self,
        value: [
          "id": 1, "name": NSNull(), "next": NSNull(), "marks": NSNull(), "any": NSNull(),
          "gaps": [1, NSNull()] as [Any],
        ])
    }
    #expect(stone.name == nil && stone.next == nil && stone.marks.isEmpty && stone.any == .none)
    #expect(Array(stone.gaps) == [1, nil])
    try realm.write {
      stone.marks.append(3)
      stone["marks"] = nil
      stone["name"] = NSNull()
    }
    #expect(stone.marks.isEmpty && stone.name == nil)
    let unmanaged = Stone(value: ["name": "a", "marks": [1]])
    unmanaged["name"] = NSNull()
    unmanaged["marks"] = nil
    #expect(unmanaged.name == nil && unmanaged.marks.isEmpty)
  }

  @Test func `numbers mean Booleans, and texts decimals and UUIDs`() throws {
    let id = "137DECC8-B300-4954-A233-F89909F4FD89"
    let stone = Stone(value: ["isRare": 1, "price": "2.50", "token": id] as [String: Any])
    #expect(stone.isRare && stone.price == 2.5 && stone.token.uuidString == id)
    let realm = try makeRealm()
    #expect(throws: (any Swift.Error).self) {
      try realm.write { _ = realm.create(Stone.self, value: ["isRare": 2]) }
    }
    #expect(throws: (any Swift.Error).self) {
      try realm.write { _ = realm.create(Stone.self, value: ["price": "much"]) }
    }
  }

  @Test func `arguments of predicates and keys may be Foundation's`() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.create(
        Stone.self, value: ["id": 1, "name": "Crème", "found": Date(timeIntervalSince1970: 9)])
      realm.create(Stone.self, value: ["id": 2, "found": Date(timeIntervalSince1970: 0)])
    }
    let stones = realm.objects(Stone.self)
    #expect(stones.filter("id == %@", NSNumber(value: 1)).count == 1)
    #expect(stones.filter("name == %@", NSString(string: "Crème")).count == 1)
    #expect(stones.filter("found > %@", NSDate(timeIntervalSince1970: 1)).count == 1)
    #expect(stones.filter("id IN %@", NSArray(array: [1, 2])).count == 2)
    #expect(stones.filter("name == %@", NSNull()).count == 1)
    let key: Any = NSNumber(value: 2)
    #expect(realm.object(ofType: Stone.self, forPrimaryKey: key)?.id == 2)
    #expect(stones.filter("name BEGINSWITH[cd] 'CREM'").count == 1)
    #expect(stones.filter("name ==[d] 'Creme'").count == 1)
    #expect(stones.filter("name ==[d] 'creme'").isEmpty)
    #expect(stones.filter("name IN {'[cd]', %@}", "Crème").count == 1)
  }

  @Test func `coders decide the form of dates and data`() throws {
    let stone = Stone(value: ["id": 1, "picture": Data([1, 2, 3]), "marks": [4]] as [String: Any])
    stone.found = Date(timeIntervalSince1970: 0)
    stone.sold = stone.found
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(stone), as: UTF8.self)
    #expect(
      text == #"{"found":"1970-01-01T00:00:00Z","id":1,"marks":[4],"name":null,"picture":"AQID","#
        + #""sold":"1970-01-01T00:00:00Z"}"#)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let copy = try decoder.decode(Stone.self, from: Data(text.utf8))
    #expect(copy.found == stone.found && copy.picture == stone.picture && copy.sold == stone.sold)
    #expect(Array(copy.marks) == [4] && copy.name == nil)
  }

  @Test func `enumerations and types of the program are ordered, optional or not`() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.create(
        Stone.self,
        value: [
          "id": 1, "grade": Grade.high, "weight": Weight(persistedValue: 5),
          "grades": ["a": Grade.high],
        ])
      realm.create(
        Stone.self, value: ["id": 2, "grade": Grade.low, "weight": Weight(persistedValue: 2)])
      realm.create(Stone.self, value: ["id": 3])
    }
    let stones = realm.objects(Stone.self)
    #expect(stones.where { $0.grade > .low }.map(\.id) == [1])
    #expect(stones.where { $0.grade <= .low }.map(\.id) == [2])
    #expect(stones.where { $0.grades["a"] >= .high }.map(\.id) == [1])
    #expect(stones.where { $0.weight > Weight(persistedValue: 2) }.map(\.id) == [1])
    #expect(stones.where { $0.weight.persistableValue == 2 }.map(\.id) == [2])
  }
}
