import Foundation
import HeraldCompatibility
import Testing

private struct Points: CustomPersistable, Hashable {
  var count: Int
  init(_ count: Int) { self.count = count }
  init(persistedValue: Int) { count = persistedValue }
  var persistableValue: Int { count }
}

private struct Even: FailableCustomPersistable, Hashable {
  var number: Int
  init?(persistedValue: Int) {
    if persistedValue % 2 != 0 { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

private final class PlaceObject: EmbeddedObject {
  @Persisted var x: Double
  @Persisted var y: Double
}

private struct Place: CustomPersistable, Hashable {
  var x: Double
  var y: Double
  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  init(persistedValue: PlaceObject) { self.init(persistedValue.x, persistedValue.y) }
  var persistableValue: PlaceObject { PlaceObject(value: ["x": x, "y": y]) }
}

private final class Player: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var points: Points
  @Persisted var bonus: Points? = Points(1)
  @Persisted var even: Even
  @Persisted var maybeEven: Even?
  @Persisted var history: List<Points>
  @Persisted var kinds: MutableSet<Points>
  @Persisted var byRound: Map<String, Points?>
  @Persisted var place: Place
  @Persisted var lastPlace: Place?
  @Persisted var places: List<Place>
  @Persisted var level: RealmProperty<Int?>
  @Persisted var rank: RealmOptional<Double>
  @Persisted var extra: AnyRealmValue
}

/// Types of values by Realm's names.
@Suite(.serialized) struct ValueNamesTests {
  let realm: Realm

  init() throws {
    realm = try Realm(configuration: .init(inMemoryIdentifier: "values"))
    try realm.write { realm.deleteAll() }
  }

  @Test func `types of the program are stored as others`() throws {
    let player = Player(value: ["id": 1, "points": Points(3), "history": [Points(1), Points(2)]])
    #expect(player.points.count == 3 && player.bonus == Points(1) && player.place == Place(0, 0))
    player.place = Place(1, 2)
    try realm.write { realm.add(player) }
    #expect(player.points == Points(3) && player.even.number == 0 && player.maybeEven == nil)
    #expect(player.history.map(\.count) == [1, 2] && player.place == Place(1, 2))
    try realm.write {
      player.points = Points(7)
      player.bonus = nil
      player.kinds.insert(objectsIn: [Points(4), Points(4)])
      player.byRound["one"] = Points(9)
      player.byRound["two"] = .some(nil)
      player.lastPlace = Place(5, 6)
      player.places.append(Place(7, 8))
    }
    #expect(player.kinds.count == 1 && player.byRound["one"] == Points(9))
    #expect(player.lastPlace == Place(5, 6) && player.places.map(\.y) == [8] && player.bonus == nil)
    let all = realm.objects(Player.self)
    #expect(all.where { $0.points == Points(7) }.count == 1)
    #expect(all.where { $0.points.persistableValue > 6 }.count == 1)
    #expect(all.where { $0.history.contains(Points(2)) }.count == 1)
    #expect(all.filter("points == 7 AND place.x == 1 AND lastPlace.y == 6").count == 1)
    #expect(realm.schema["Player"]?["points"]?.type == .int)
    try realm.write { realm.dynamicObject(ofType: "Player", forPrimaryKey: 1)?["maybeEven"] = 3 }
    #expect(player.maybeEven == nil)
    try realm.write { player.maybeEven = Even(persistedValue: 4) }
    #expect(player.maybeEven?.number == 4)
  }

  @Test func `a property may be an object with a value`() throws {
    let player = Player()
    #expect(player.level.value == nil && player.rank.value == nil)
    player.level.value = 3
    try realm.write { realm.add(player) }
    #expect(player.level.value == 3)
    let level = player.level
    try realm.write {
      level.value = 4
      player.rank.value = 1.5
    }
    #expect(player.level.value == 4 && realm.objects(Player.self).filter("level == 4").count == 1)
    #expect(player["rank"] as? Double == 1.5 && "\(level)" == "4")
    #expect(RealmProperty<Int?>(3) == RealmProperty(3))
  }

  @Test func `identifiers and decimal numbers are written as text`() throws {
    let id = ObjectId("65f1a2b3c4d5e6f708192a3b")
    #expect(id.description == "65f1a2b3c4d5e6f708192a3b")
    #expect(try ObjectId(string: "\(id)") == id)
    #expect(ObjectId().description == "000000000000000000000000")
    #expect(id.timestamp == Date(timeIntervalSince1970: 0x65f1_a2b3))
    let made = ObjectId(
      timestamp: Date(timeIntervalSince1970: 1000.7), machineIdentifier: 0x123456,
      processIdentifier: 0x789A)
    #expect(made.timestamp == Date(timeIntervalSince1970: 1000))
    #expect(made.description.hasPrefix("000003e8123456789a"))
    let price: Decimal128 = "12.50"
    #expect(price == 12.5 && Decimal128("1e3") == 1000)
    #expect(throws: (any Error).self) { try Decimal128(string: "twelve") }
  }

  @Test func `an identifier of digits in the program is not optional`() {
    let digits: StaticString = "6056670f1a2a5b103c9affda"
    let id: ObjectId = .init("6056670f1a2a5b103c9affda")
    #expect(id == ObjectId(digits) && id.stringValue == digits.description)
    #expect(AnyRealmValue.objectId(.init("6056670f1a2a5b103c9affda")).objectIdValue == id)
    let text = "6056670f1a2a5b103c9affd"
    #expect(ObjectId(text) == nil && ObjectId(text + "a") == id)
  }

  @Test func `a value of any type is made of lists and dictionaries, and read by keys`() throws {
    let value = AnyRealmValue.fromDictionary([
      "list": .fromArray([.int(1), .decimal128("2.5"), .none]), "name": "x",
    ])
    #expect(value["list"]?[1] == .decimal128(2.5) && value["name"] == "x" && value["none"] == nil)
    #expect(value["list"]?[3] == nil && value[0] == nil)
    let player = Player(value: ["extra": value])
    try realm.write { realm.add(player) }
    #expect(player.extra == value && player.extra["list"]?[0]?.intValue == 1)
  }

  @Test func `an object is made of another one, or of a value whose type is not known`() throws {
    let first = Player(value: ["id": 5, "points": Points(2), "history": [Points(3)]] as Any)
    first.lastPlace = Place(1, 1)
    let copy = Player(value: first)
    #expect(copy.id == 5 && copy.history.map(\.count) == [3] && copy.lastPlace == Place(1, 1))
    copy.history.append(Points(4))
    #expect(first.history.count == 1)
    try realm.write {
      realm.create(Player.self, value: [6, Points(1)] as Any)
      realm.create(Player.self, value: first as Any)
    }
    #expect(realm.object(ofType: Player.self, forPrimaryKey: 6 as Any)?.points == Points(1))
    #expect(realm.object(ofType: Player.self, forPrimaryKey: 5)?.history.count == 1)
    #expect(realm.object(ofType: Player.self, forPrimaryKey: first as Any) == nil)
  }
}
