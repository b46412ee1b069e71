import Foundation
import HeraldCompatibility
import Testing

private final class Cup: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var other: Cup?
  @Persisted var handle: Handle?
  @Persisted var spares: List<Handle>
  @Persisted var places: Map<String, Handle?>
  @Persisted var others: List<Cup>
  @Persisted var extra: AnyRealmValue
  @Persisted(originProperty: "other") var origins: LinkingObjects<Cup>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

private final class Handle: EmbeddedObject {
  @Persisted var color = ""
  @Persisted var part: Handle?

  convenience init(_ color: String, _ part: Handle? = nil) {
    self.init()
    self.color = color
    self.part = part
  }
}

private class Base: Object { @Persisted var first = "" }

private final class Derived: Base {
  @Persisted var second = 0
  @Persisted var base: Base?
  @Persisted var cups: List<Cup>
}

private struct Record: Encodable { var first = "r" }

@Suite(.serialized) @MainActor struct ObjectValueTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "cups"))
    try realm.write { realm.deleteAll() }
  }

  @Test func `an object in no store is linked to by none`() throws {
    try realm.write {
      let cup = realm.create(Cup.self, value: ["id": 1])
      cup.other = cup
      cup.others.append(cup)
      cup.extra = .object(cup)
      realm.create(Cup.self, value: ["id": 2])
    }
    let cups = realm.objects(Cup.self)
    #expect(cups.where { $0.other == Cup() }.isEmpty)
    #expect(cups.where { $0.other != Cup() }.count == 2)
    #expect(cups.where { $0.other.in([Cup(), cups[0]]) }.count == 1)
    #expect(cups.where { $0.others.contains(Cup()) }.isEmpty)
    #expect(cups.where { $0.extra == .object(Cup()) }.isEmpty)
    #expect(cups.where { $0.handle == Handle() }.isEmpty)
    #expect(cups.filter("other == %@", Cup()).isEmpty)
    #expect(cups.filter("other == %@", cups[0]).count == 1)
    #expect(cups.where { $0.other == Cup() || $0.other == cups[0] }.count == 1)
    #expect(cups.freeze().where { $0.other == Cup() }.isEmpty)
  }

  @Test func `create copies the objects that are in no store`() throws {
    let (plain, inner) = (Cup(2), Cup(3))
    plain.other = inner
    plain.handle = Handle("red")
    let copy = try realm.write { realm.create(Cup.self, value: ["id": 1, "other": plain]) }
    #expect(plain.realm == nil && inner.realm == nil && plain.handle?.realm == nil)
    #expect(copy.other?.id == 2 && copy.other?.other?.id == 3 && copy.other?.handle?.color == "red")
    let many = try realm.write {
      realm.create(
        Cup.self,
        value: [
          "id": 4, "others": [Cup(5), copy], "spares": [Handle("a")], "places": ["x": Handle("b")],
          "extra": AnyRealmValue.list([.object(Cup(6))]), "other": ["id": 7, "other": Cup(8)],
        ])
    }
    #expect(many.others[0].id == 5 && many.others[1] == copy && many.spares[0].color == "a")
    #expect(many.places["x"]??.color == "b" && many.other?.other?.id == 8)
    #expect(many.extra.listValue?[0].object(Cup.self)?.id == 6)
    let root = Cup(10)
    (root.other, root.handle) = (root, Handle("c"))
    root.others.append(objectsIn: [Cup(11), root])
    let made = try realm.write { realm.create(Cup.self, value: root) }
    #expect(root.realm == nil && root.others[0].realm == nil && root.handle?.realm == nil)
    #expect(made.other == made && made.others[0].id == 11 && made.others[1] == made)
    #expect(throws: HeraldError.self) {
      try realm.write { realm.create(Cup.self, value: ["id": 20, "other": Cup(10)]) }
    }
    // An array is no map, though its values could be those of one object.
    #expect(throws: HeraldError.self) {
      try realm.write { realm.create(Cup.self, value: ["id": 21, "places": [["color": "red"]]]) }
    }
    let updated = Cup(10)
    updated.name = "new"
    try realm.write {
      realm.create(Cup.self, value: ["id": 20, "other": updated], update: .modified)
    }
    #expect(made.name == "new" && updated.realm == nil)
  }

  @Test func `an update modifies embedded objects`() throws {
    let cup = Cup(1)
    cup.handle = Handle("red", Handle("pin"))
    cup.spares.append(objectsIn: [Handle("a"), Handle("b"), Handle("c")])
    cup.places["x"] = Handle("m")
    cup.places["y"] = Handle("n")
    try realm.write { realm.add(cup) }
    let (handle, pin) = (try #require(cup.handle), try #require(cup.handle?.part))
    let (spares, places) = (Array(cup.spares), [cup.places["x"], cup.places["y"]])
    var changes: [String] = []
    let token = handle.observe { change in
      if case .change(_, let properties) = change { changes += properties.map(\.name) }
      if case .deleted = change { changes.append("deleted") }
    }
    realm.refresh()

    let next = Cup(1)
    next.handle = Handle("blue", Handle("pin"))
    next.spares.append(objectsIn: [Handle("a"), Handle("B")])
    next.places["x"] = Handle("M")
    next.places["z"] = Handle("o")
    try realm.write { realm.add(next, update: .modified) }
    realm.refresh()
    #expect(cup.handle == handle && handle.color == "blue" && handle.part == pin && next == cup)
    #expect(next.handle == handle && changes == ["color"])
    #expect(cup.spares.count == 2 && spares[1].color == "B" && cup.spares[1] == spares[1])
    #expect(spares[2].isInvalidated && places[1]??.isInvalidated == true)
    #expect(cup.places["x"] == places[0] && places[0]??.color == "M")
    #expect(cup.places["z"]??.color == "o")

    let longer = Cup(1)
    longer.spares.append(objectsIn: [Handle("a"), Handle("B"), Handle("d")])
    try realm.write { realm.add(longer, update: .modified) }
    realm.refresh()
    #expect(cup.spares.map(\.color) == ["a", "B", "d"] && cup.spares[0] == spares[0])
    #expect(cup.handle == nil && changes == ["color", "deleted"] && cup.places.count == 0)
    token.invalidate()
    try realm.write {
      realm.create(
        Cup.self, value: ["id": 1, "spares": [["color": "e"]]], update: .modified)
    }
    #expect(cup.spares.map(\.color) == ["e"] && cup.spares[0] == spares[0])
  }

  @Test func `an update modifies embedded objects of linked objects`() throws {
    let cup = Cup(1)
    cup.other = Cup(2)
    cup.other?.handle = Handle("red")
    try realm.write { realm.add(cup) }
    let handle = try #require(cup.other?.handle)
    let next = Cup(1)
    next.other = Cup(2)
    next.other?.handle = Handle("blue")
    try realm.write { realm.add(next, update: .modified) }
    #expect(handle.color == "blue" && cup.other?.handle == handle)
    let added = Cup(3)
    added.handle = Handle("new")
    try realm.write { realm.add(added, update: .modified) }
    #expect(added.handle?.color == "new" && realm.objects(Cup.self).count == 3)
  }

  @Test func `names that no property has are ignored, in linked objects, too`() throws {
    let values: [String: Any] = [
      "id": 1, "size": 3, "origins": [1],
      "other": ["id": 2, "weight": 1.5, "handle": ["color": "red", "length": 2]],
      "spares": [["color": "a", "shape": "round"], ["b", ["color": "c", "shape": 0]]],
      "places": ["x": ["color": "d", "row": 4]], "others": [[3, "e", ["id": 4, "no": true]]],
    ]
    func check(_ cup: Cup) {
      #expect(cup.id == 1 && cup.other?.id == 2 && cup.other?.handle?.color == "red")
      #expect(cup.spares.map(\.color) == ["a", "b"] && cup.spares[1].part?.color == "c")
      #expect(cup.places["x"]??.color == "d" && cup.others.first?.other?.id == 4)
      #expect(cup.origins.isEmpty)
    }
    check(Cup(value: values))
    check(Cup(value: values as Any))
    for make in [
      { realm.create(Cup.self, value: values) }, { realm.create(Cup.self, value: values as Any) },
      {
        realm.dynamicCreate("Cup", value: values)
        return realm.object(ofType: Cup.self, forPrimaryKey: 1)!
      },
    ] as [() -> Cup] {
      try realm.write {
        check(make())
        realm.deleteAll()
      }
    }
    #expect(Derived(value: ["f", 5, ["first": "g", "last": "h"]]).base?.first == "g")
    #expect {
      try realm.write { realm.create(Cup.self, value: ["id": "one", "size": 3]) }
    } throws: {
      "\($0)" == "property 'id' of class 'Cup' is Int and cannot hold one"
    }
    #expect(throws: HeraldError.self) {
      try realm.write { realm.create(Cup.self, value: [1, "a", 7]) }
    }
  }

  @Test func `a date begins with this moment`() throws {
    final class Visit: Object {
      @Persisted var at: Date
      @Persisted var left: Date?
    }
    let before = Date()
    let visit = Visit()
    let created = try realm.write { realm.create(Visit.self) }
    for visit in [visit, created] {
      #expect(visit.at >= before - 0.001 && visit.at <= Date() && visit.left == nil)
    }
    try realm.write {
      let named = realm.dynamicCreate("Visit")
      #expect(named["at"] as? Date == Date(timeIntervalSince1970: 0))
    }
  }

  @Test func `values are in the order of the properties`() throws {
    try realm.write {
      #expect(realm.create(Base.self, value: ["x"]).first == "x")
      let words = ["y"]
      #expect(realm.create(Base.self, value: words).first == "y")
      let derived = realm.create(
        Derived.self, value: ["a", 3, ["b"], [[1, "c"], ["id": 2]]])
      #expect(derived.first == "a" && derived.second == 3 && derived.base?.first == "b")
      #expect(derived.cups.map(\.id) == [1, 2] && derived.cups[0].name == "c")
      #expect(realm.create(Derived.self, value: []).second == 0)
      #expect(realm.create(Base.self, value: Record()).first == "r")
      let cup = realm.create(Cup.self, value: [1, "d"], update: .modified)
      #expect(cup.name == "d" && realm.objects(Cup.self).count == 2)
    }
    #expect(Derived(value: ["a", 4]).second == 4)
    #expect(Cup(value: [5, "e", [6, "f"]]).other?.id == 6)
    #expect {
      try realm.write { realm.create(Base.self, value: ["x", 2]) }
    } throws: {
      "\($0)" == "class 'Base' has 1 properties with values, and gets 2: first"
    }
  }
}
