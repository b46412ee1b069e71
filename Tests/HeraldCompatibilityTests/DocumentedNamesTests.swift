import Foundation
import HeraldCompatibility
import Testing

enum Mood: String, PersistableEnum { case happy, sad }

final class Hen: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var mood: Mood?
  @Persisted var extra: AnyRealmValue
  @Persisted var chicks: List<Hen>
  @Persisted var tags: MutableSet<String>
  @Persisted var eggs: Map<String, Int>
  @Persisted var nest: Nest?
  @Persisted(originProperty: "chicks") var mothers: LinkingObjects<Hen>

  convenience init(_ name: String, _ age: Int) {
    self.init()
    self.name = name
    self.age = age
  }
}

final class Nest: EmbeddedObject { @Persisted var place = "barn" }

/// What programs for Realm call beside the programs of its guide.
@Suite(.serialized) @MainActor struct DocumentedNamesTests {
  let realm: Realm

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "names"))
    try realm.write {
      realm.deleteAll()
      realm.add([Hen("Ada", 3), Hen("Bo", 1), Hen("Cleo", 2)])
    }
  }

  @Test func `objects are made of values by name, and read and set by name`() throws {
    let hen = Hen(value: [
      "name": "Dot", "weight": 2, "mood": "sad", "tags": ["a", "b"], "eggs": ["x": 1],
      "nest": ["place": "tree"], "chicks": [["name": "Ei"]],
    ])
    #expect(hen.weight == 2 && hen.mood == .sad && hen.tags.count == 2 && hen.eggs["x"] == 1)
    #expect(hen.nest?.place == "tree" && hen.chicks[0].name == "Ei")
    hen["age"] = 7
    try realm.write { realm.add(hen) }
    #expect(hen["name"] as? String == "Dot" && hen.value(forKey: "age") as? Int == 7)
    try realm.write {
      hen["mood"] = nil
      hen.setValue("Dorothy", forKey: "name")
      realm.objects(Hen.self).setValue(1.5, forKey: "weight")
    }
    #expect(hen["mood"] == nil && hen.name == "Dorothy")
    #expect(realm.objects(Hen.self).values(\.weight) == [1.5, 1.5, 1.5, 1.5, 1.5])
    #expect(hen.isSameObject(as: realm.object(ofType: Hen.self, forPrimaryKey: hen._id)))
  }

  @Test func `a class has its name, and an object is created from another one`() throws {
    #expect(Hen.className() == "Hen" && Hen.className == "Hen")
    let ada = try #require(realm.objects(Hen.self).first)
    let hen = Hen(value: ["name": "Dot", "chicks": [ada]])
    try realm.write { realm.create(Hen.self, value: hen, update: .modified) }
    let copy = realm.object(ofType: Hen.self, forPrimaryKey: hen._id)
    #expect(copy?.name == "Dot" && copy?.chicks[0] == ada && hen.realm == nil)
  }

  @Test func `aggregates of a property by its key path or its name`() throws {
    let hens = realm.objects(Hen.self)
    #expect(hens.sum(of: \.age) == 6 && hens.min(of: \.age) == 1 && hens.max(of: \.age) == 3)
    #expect(hens.average(of: \.age) == 2 && hens.min(of: \.weight) == nil)
    #expect(hens.sum(ofProperty: "age") == 6 && hens.max(ofProperty: "age") == 3)
  }

  @Test(arguments: [false, true])
  func `collections are edited by every method, managed or not`(isManaged: Bool) throws {
    let hen = Hen("Dot", 9)
    let (ada, bo) = (Hen("Ada", 3), Hen("Bo", 1))
    if isManaged { try realm.write { realm.add([hen, ada, bo]) } }
    realm.beginWrite()
    hen.chicks.append(objectsIn: [ada, bo, ada, bo])
    hen.chicks.swapAt(0, 3)
    #expect(hen.chicks.map(\.name) == ["Bo", "Bo", "Ada", "Ada"])
    hen.chicks.swapAt(2, 1)
    hen.chicks.replace(index: 0, object: ada)
    #expect(hen.chicks.map(\.name) == ["Ada", "Ada", "Bo", "Ada"])
    hen.chicks.removeSubrange(0..<2)
    hen.chicks.removeLast(0)
    hen.chicks.removeLast()
    #expect(hen.chicks.map(\.name) == ["Bo"])
    hen.chicks.removeFirst()
    hen.tags.insert(objectsIn: ["a", "b", "a", "c"])
    hen.tags.formUnion(["d"])
    hen.tags.subtract(["a", "x"])
    hen.tags.formIntersection(["b", "d"])
    #expect(Array(hen.tags) == ["b", "d"])
    #expect(hen.tags.isSubset(of: ["b", "d", "e"]) && !hen.tags.intersects(["a"]))
    hen.eggs["mon", default: 1] += 2
    hen.eggs["tue"] = 1
    hen.eggs.removeObject(for: "tue")
    #expect(hen.eggs.map(\.value) == [3])
    try realm.commitWrite()
  }

  @Test func `the value of any type is read as the type that it has`() throws {
    let hen = try #require(realm.objects(Hen.self).first)
    try realm.write { hen.extra = .object(hen) }
    #expect(hen.extra.object(Hen.self) == hen && hen.extra.intValue == nil)
    try realm.write { hen.extra = .int(5) }
    #expect(hen.extra.intValue == 5 && hen.extra.stringValue == nil && hen.extra.listValue == nil)
  }

  @Test func `what was queued is written before what waits for its write`() async throws {
    let hen = try #require(realm.objects(Hen.self).first)
    var order: [String] = []
    realm.writeAsync {
      order.append("queued \(hen.age)")
      hen.age = 10
    } onComplete: {
      order.append("done \($0 == nil)")
    }
    try await realm.asyncWrite { order.append("waited \(hen.age)") }
    #expect(order == ["queued 3", "done true", "waited 10"])
  }
}
