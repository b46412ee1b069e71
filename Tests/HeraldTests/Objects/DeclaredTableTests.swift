import Herald
import Testing

private class Boat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name = "Ann"
  @Persisted var length: Double?
  @Persisted var code: ObjectId
  @Persisted var next: Boat?
  @Persisted var crews: List<String>
  var title: String { name }

  class var declared: [DeclaredProperty] {
    [
      DeclaredProperty("id", \Boat.id), DeclaredProperty("name", \Boat.name),
      DeclaredProperty("length", \Boat.length), DeclaredProperty("code", \Boat.code),
      DeclaredProperty("next", \Boat.next), DeclaredProperty("crews", \Boat.crews),
    ]
  }

  override class func makeObjectTable() throws -> ObjectTable {
    try ObjectTable(of: self, declared)
  }
}

private final class Tug: Boat {
  @Persisted var power = 5
  override class var declared: [DeclaredProperty] {
    super.declared + [DeclaredProperty("force", \Tug.power)]
  }
}

private final class Pier: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "pier") var buoys: LinkingObjects<Buoy>

  override class func makeObjectTable() throws -> ObjectTable {
    try ObjectTable(
      of: self, [DeclaredProperty("name", \Pier.name), DeclaredProperty("buoys", \Pier.buoys)])
  }
}

private final class Buoy: Object { @Persisted var pier: Pier? }

private final class Raft: Object {
  @Persisted var name = ""
  var title: String { name + name }
  override class func makeObjectTable() throws -> ObjectTable {
    try ObjectTable(of: self, [DeclaredProperty("title", \Raft.title)])
  }
}

/// A class, or code that is generated for it, can make its table.
@Suite(.serialized) struct DeclaredTableTests {
  @Test func `a declared table is that of reflection, and its objects are like others`() throws {
    let store = try Store(objectTypes: [Boat.self, Tug.self])
    let schema = try #require(store.untyped.schema.classSchema(named: "Boat"))
    let names = schema.properties.map(\.name)
    #expect(names == ["id", "name", "length", "code", "next", "crews"])
    #expect(schema.primaryKey?.name == "id" && schema.property(named: "name")?.isIndexed == true)
    try store.write {
      let boat = store.create(Boat.self, value: ["id": 1, "length": 2.5, "crews": ["x"]])
      let tug = store.create(Tug.self, value: ["id": 2, "name": "Bo", "force": 7])
      tug.next = boat
      boat.crews.append("y")
    }
    let boat = try #require(store.object(ofType: Boat.self, forPrimaryKey: 1))
    let tug = try #require(store.objects(Tug.self).where { $0.power > 6 }.first)
    #expect(boat.name == "Ann" && boat.length == 2.5 && Array(boat.crews) == ["x", "y"])
    #expect(tug.name == "Bo" && tug.power == 7 && tug.next?.id == 1 && tug["force"] as? Int == 7)
    #expect(store.objects(Tug.self).sorted(by: \.power).values(\.power) == [7])
    #expect(store.untyped.check().isEmpty)
  }

  @Test func `a declared table has the links that lead to its objects`() throws {
    let store = try Store()
    let pier = try store.write {
      let pier = store.create(Pier.self, value: ["name": "West"])
      store.create(Buoy.self, value: ["pier": pier])
      return pier
    }
    #expect(pier.buoys.count == 1 && pier.buoys[0].pier?.name == "West")
    #expect(store.objects(Pier.self).where { $0.buoys.count == 1 }.count == 1)
  }

  @Test func `a key path to no property is an error`() {
    let error = #expect(throws: SchemaError.self) { try Store(objectTypes: [Raft.self]) }
    #expect(error?.description.contains("'title'") == true)
  }
}
