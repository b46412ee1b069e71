import Foundation
import HeraldCompatibility
import Testing

private struct Points: CustomPersistable, Hashable {
  var count: Int
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
  @Persisted var x = 1.5
}

private struct Place: CustomPersistable, Hashable {
  var x: Double
  init(persistedValue: PlaceObject) { x = persistedValue.x }
  var persistableValue: PlaceObject { PlaceObject(value: ["x": x]) }
}

private enum Temper: Int, PersistableEnum {
  case calm = 1
  case wild = 3
}

private final class Player: Object {
  @Persisted var points: Points
  @Persisted var bonus: Points?
  @Persisted var history: List<Points>
  @Persisted var even: Even?
  @Persisted var mood: Temper?
  @Persisted var number = 0
  @Persisted var price: Decimal128
  @Persisted var maybePrice: Decimal128?
  @Persisted var place: Place
  @Persisted var places: Map<String, Place>
  @Persisted var counts: Map<String, Int?>
  @Persisted var friends: Map<String, Player?>
}

private final class Ticket: Object {
  let seat = RealmOptional<Int>()
  let note = RealmProperty<AnyRealmValue>()
  @Persisted var name = ""
  override static func primaryKey() -> String? { "seat" }
}

private final class Named: Object {
  @Persisted var name: String
  @Persisted var next: Named?
  init(text: String) {
    name = text
    super.init()
  }
  required init() {
    name = "none"
    super.init()
  }
}

@Suite struct ValueFormTests {
  /// A managed and an unmanaged player, each in an open transaction.
  private func each(_ use: (Player) throws -> Void) throws {
    try use(Player())
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write {
      let player = Player()
      realm.add(player)
      try use(player)
    }
  }

  @Test func `a type of the program's own takes what is stored of it`() throws {
    let values: [String: Any] = ["points": 5, "bonus": 6, "history": [1, 2]]
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write {
      for player in [Player(value: values), realm.create(Player.self, value: values)] {
        #expect(player.points.count == 5)
        #expect(player.bonus?.count == 6)
        #expect(player.history.map(\.count) == [1, 2])
      }
    }
    try each { player in
      player["points"] = 2
      player.setValue(3, forKey: "bonus")
      #expect(player.points.count == 2)
      #expect(player.bonus?.count == 3)
    }
  }

  @Test func `a stored value that is none of the type is nil where it is assigned`() throws {
    try each { player in
      player["mood"] = 3
      player["even"] = 4
      #expect(player.mood == .wild)
      #expect(player.even?.number == 4)
      player["mood"] = 10
      player["even"] = 5
      #expect(player.mood == nil)
      #expect(player.even == nil)
    }
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    #expect(throws: HeraldError.self) {
      try realm.write { _ = realm.create(Player.self, value: ["mood": 10]) }
    }
    #expect(realm.objects(Player.self).isEmpty)
  }

  @Test func `a case and a type of the program's own stand for what is stored of them`() throws {
    try each { player in
      player["number"] = Temper.wild
      #expect(player.number == 3)
      player["number"] = Points(persistedValue: 8)
      #expect(player.number == 8)
    }
  }

  @Test func `numbers with and without a decimal point are decimals`() throws {
    try each { player in
      player["price"] = 2.5 as Float
      player.setValue(Decimal(5.5), forKey: "maybePrice")
      #expect(player.price == 2.5)
      #expect(player.maybePrice == 5.5)
      player["price"] = Float(0.1)
      let tenth = try Decimal128(string: "0.1")
      #expect(player.price == tenth)
    }
  }

  @Test func `NSNull for what embedded objects are made of is its first value`() throws {
    try each { player in
      player["place"] = NSNull()
      #expect(player.place.x == 1.5)
      player["places"] = ["home": NSNull()]
      #expect(player.places["home"]?.x == 1.5)
    }
  }

  @Test func `maps take maps of values that are not optional, and arrays without elements`() throws
  {
    try each { player in
      let counts = Map<String, Int>()
      counts["a"] = 3
      player["counts"] = counts
      #expect(player.counts["a"] == 3)
      let friends = Map<String, Player>()
      friends["b"] = Player(value: ["number": 7])
      player["friends"] = friends
      #expect(player.friends["b"]??.number == 7)
      player["counts"] = [Any]()
      #expect(player.counts.isEmpty)
    }
  }

  @Test func `a property in an object of its own is read by name as its value`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    let ticket = Ticket()
    #expect(ticket.value(forKey: "seat") == nil)
    ticket.seat.value = 5
    ticket.note.value = .string("x")
    for _ in 0..<2 {
      #expect(ticket["seat"] as? Int == 5)
      #expect(ticket.value(forKey: "seat") as? Int == 5)
      #expect(ticket.value(forKey: "note") as? String == "x")
      try realm.write { realm.add(ticket, update: .modified) }
    }
    let all = realm.objects(Ticket.self)
    #expect(all.value(forKeyPath: "seat") as? [Int] == [5])
  }

  @Test func `a change of a property in an object of its own has the values`() throws {
    final class Box: Object { let n = RealmOptional<Int>() }
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    let box = Box()
    try realm.write {
      realm.add(box)
      box.n.value = 5
    }
    var seen: [PropertyChange] = []
    let token = box.observe { change in
      if case .change(_, let properties) = change { seen += properties }
    }
    realm.refresh()
    try realm.write { box.n.value = 8 }
    realm.refresh()
    try realm.write { box.n.value = nil }
    realm.refresh()
    token.invalidate()
    #expect(seen.map { $0.oldValue as? Int } == [5, 8])
    #expect(seen.map { $0.newValue as? Int } == [8, nil])
  }

  @Test func `a property in an object of its own can be the primary key`() throws {
    #expect(Ticket.sharedSchema()?.primaryKeyProperty?.name == "seat")
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write {
      realm.create(Ticket.self, value: ["seat": 5, "name": "a"])
      realm.create(Ticket.self, value: ["seat": 5, "name": "b"], update: .modified)
    }
    #expect(realm.objects(Ticket.self).map(\.name) == ["b"])
    #expect(realm.object(ofType: Ticket.self, forPrimaryKey: 5)?.name == "b")
    #expect(realm.object(ofType: Ticket.self, forPrimaryKey: 1) == nil)
    #expect(throws: (any Error).self) {
      try realm.write { _ = realm.create(Ticket.self, value: ["seat": 5]) }
    }
  }

  @Test func `a class without a primary key finds no object by one`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write { _ = realm.create(Named.self) }
    #expect(realm.object(ofType: Named.self, forPrimaryKey: 1) == nil)
  }

  @Test func `an initializer assigns properties before that of the superclass`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write { realm.add(Named(text: "a")) }
    #expect(realm.objects(Named.self).map(\.name) == ["a"])
    #expect(Named().name == "none")
  }

  @Test func `objects by name link to new objects of the program`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write {
      realm.add(Named(text: "a"))
      let first = try #require(realm.dynamicObjects("Named").first)
      let tail = Named(text: "b")
      tail.next = Named(text: "c")
      first["next"] = tail
      realm.dynamicCreate("Named", value: ["name": "d", "next": Named(text: "e")])
    }
    let chains = realm.objects(Named.self).filter("next != nil").sorted(byKeyPath: "name")
    #expect(chains.map(\.name) == ["a", "b", "d"])
    #expect(chains.map { $0.next?.name } == ["b", "c", "e"])
  }

  @Test func `decimals are decoded from numbers and texts, negated and moved`() throws {
    let json = Data("[2.2, 3, \"1e3\", 12345678901234567890]".utf8)
    let numbers = try JSONDecoder().decode([Decimal128].self, from: json)
    #expect(numbers.map(\.stringValue) == ["2.2", "3", "1E+3", "12345678901234567890"])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Decimal128].self, from: Data("[true]".utf8))
    }
    var number: Decimal128 = -1.5
    number.negate()
    #expect(number == 1.5)
    #expect((10 as Decimal128).distance(to: 5) == -5)
    #expect((-150 as Decimal128).advanced(by: 300) == 150)
    #expect(Decimal128(value: NSNull()).isNaN)
  }

  @Test func `generic code assigns keys of maps as texts, and reads lists as arrays`() throws {
    func assign<Key: _MapKey>(_ value: Any?, _ key: String, to map: Map<Key, Int?>) {
      map.setValue(value, forKey: key)
    }
    let player = Player()
    assign(3, "a", to: player.counts)
    #expect(player.counts["a"] == 3)
    assign(nil, "a", to: player.counts)
    #expect(player.counts.isEmpty)
    let named = List<Named>()
    named.append(objectsIn: [Named(text: "a"), Named(text: "b")])
    let names: [AnyObject] = named.value(forKeyPath: "name")
    #expect(names as? [String] == ["a", "b"])
    #expect(AnyRealmValue() == .none)
  }

  @Test func `the description of an error is its sentence`() throws {
    let missing = URL(fileURLWithPath: "/nowhere/at/all.realm")
    let error = #expect(throws: HeraldError.self) {
      try Realm(configuration: .init(fileURL: missing, readOnly: true))
    }
    #expect(error?.localizedDescription == error.map { "\($0)" })
  }
}
