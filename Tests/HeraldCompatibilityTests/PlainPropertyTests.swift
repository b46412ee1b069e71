import Foundation
import HeraldCompatibility
import Testing

private final class Crate: Object {
  @Persisted var name = ""
  let boxes = List<Crate>()
  let marks = MutableSet<String>()
  let counts = Map<String, Int>()
  let weight = RealmProperty<Int?>()
  let price = RealmOptional<Double>()
  let notes = List<String>()

  override class func ignoredProperties() -> [String] { ["notes"] }
}

/// Collections and properties in objects of their own, which a class has without `@Persisted`.
@Suite(.serialized) @MainActor struct PlainPropertyTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "crates"))
    try realm.write { realm.deleteAll() }
  }

  @Test func `they are kept by the store, in the instance that was added and in others`() throws {
    let crate = Crate()
    crate.boxes.append(Crate(value: ["name": "inner"]))
    crate.marks.insert("a")
    crate.counts["x"] = 1
    crate.weight.value = 3
    crate.notes.append("not kept")
    try realm.write { realm.add(crate) }
    #expect(crate.boxes.realm == realm && crate.boxes[0].name == "inner")
    let other = try #require(realm.objects(Crate.self).filter("boxes.@count == 1").first)
    #expect(other.boxes[0].name == "inner" && Array(other.marks) == ["a"])
    #expect(other.counts["x"] == 1 && other.weight.value == 3 && other.price.value == nil)
    #expect(other.notes.isEmpty && crate.notes.count == 1)
    try realm.write {
      other.weight.value = nil
      other.price.value = 1.5
      other.boxes.removeAll()
      other.counts["y"] = 2
    }
    #expect(crate.weight.value == nil && crate.price.value == 1.5 && crate.boxes.isEmpty)
    #expect(crate.counts.count == 2)
    let names = crate.objectSchema.properties.map(\.name)
    #expect(names == ["name", "boxes", "marks", "counts", "weight", "price"])
  }

  @Test func `they are made of values by name, queried and observed`() throws {
    let crate = Crate(value: ["boxes": [["name": "a"]], "marks": ["m"], "weight": 4])
    #expect(crate.boxes[0].name == "a" && crate.weight.value == 4)
    try realm.write {
      realm.add(crate)
      realm.create(Crate.self, value: ["name": "b", "counts": ["k": 1], "weight": 9])
    }
    let crates = realm.objects(Crate.self)
    #expect(crates.filter("weight > 4").first?.name == "b")
    #expect(crates.filter("ANY marks == 'm'").first == crate)
    #expect(crates.where { $0.marks.contains("m") }.count == 1)
    #expect(crates.where { $0.counts["k"] == 1 }.first?.name == "b")
    var changed: [String] = []
    let token = crate.observe { change in
      if case .change(_, let properties) = change { changed += properties.map(\.name) }
    }
    realm.refresh()
    try realm.write {
      crate.marks.insert("n")
      crate.weight.value = 5
    }
    realm.refresh()
    #expect(changed == ["marks", "weight"])
    token.invalidate()
    let copy = Crate(value: crate)
    #expect(copy.realm == nil && Array(copy.marks) == ["m", "n"] && copy.weight.value == 5)
    #expect(crate.freeze().marks.count == 2)
  }
}
