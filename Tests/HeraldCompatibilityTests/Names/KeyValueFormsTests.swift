import Foundation
import HeraldCompatibility
import Testing

private enum Taste: String, RealmEnum { case sweet, sour, bitter }

private final class Fruit: Object {
  @Persisted var name = ""
  @Persisted var size = 0
  @Persisted var taste = Taste.sweet
  @Persisted var other: Taste?
  @Persisted var bytes = Data()
  @Persisted var picked: Date?
  @Persisted var extra: AnyRealmValue
  @Persisted var parent: Fruit?
  @Persisted var seeds: List<Fruit>
  @Persisted var moments: List<Date>
  @Persisted var byName: Map<String, Fruit?>
  @Persisted var counts: Map<String, Int?>
  @Persisted var tastes: List<Taste?>
}

/// Forms of the documented names that take what others do not.
@Suite(.serialized) @MainActor struct KeyValueFormsTests {
  private let realm: Realm
  private let fruit = Fruit(value: ["name": "Apple", "size": 2])

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "fruits"))
    try realm.write {
      realm.deleteAll()
      realm.add(fruit)
    }
  }

  private func names(_ isIncluded: (Query<Fruit>) -> Query<Bool>) -> [String] {
    realm.objects(Fruit.self).where(isIncluded).map(\.name)
  }

  @Test func `a subscript has what a value of any type is, and links to objects of the program`()
    throws
  {
    try realm.write {
      fruit.extra = .int(4)
      fruit.parent = Fruit(value: ["name": "Pear"])
    }
    let named = try #require(realm.dynamicObjects("Fruit").first)
    #expect(fruit["extra"] as? Int == 4 && named["extra"] as? Int == 4 && named.extra as? Int == 4)
    #expect(fruit["taste"] as? String == "sweet" && fruit["other"] == nil)
    #expect((named["parent"] as? Fruit)?.name == "Pear" && (named.parent as? Fruit) == fruit.parent)
    try realm.write {
      named.extra = "text"
      fruit["parent"] = nil
    }
    #expect(fruit.extra == .string("text") && fruit["extra"] as? String == "text")
    #expect(fruit.parent == nil && named.parent == nil)
    try realm.write { fruit["extra"] = AnyRealmValue.none }
    #expect(fruit["extra"] == nil && named["extra"] == nil)
  }

  @Test func `a path through a map has a name`() {
    #expect(_name(for: \Fruit.byName[""]??.size) == "byName.size")
    #expect(_name(for: \Fruit.byName[""]??.parent?.seeds[0].name) == "byName.parent.seeds.name")
  }

  @Test func `properties are read and assigned by paths and several at once`() throws {
    let pear = Fruit(value: ["name": "Pear"])
    try realm.write {
      fruit.parent = pear
      fruit.setValue(7, forKeyPath: "parent.size")
      fruit.setValuesForKeys(["size": 3, "name": "Fig"])
      pear.setValue(1, forKeyPath: "parent.size")
    }
    #expect(pear.size == 7 && fruit.value(forKeyPath: "parent.name") as? String == "Pear")
    let values = fruit.dictionaryWithValues(forKeys: ["size", "name", "picked"])
    #expect(values as? [String: AnyHashable] == ["size": 3, "name": "Fig"])
    #expect(fruit.hash == fruit.hashValue && fruit.debugDescription == fruit.description)
  }

  @Test(arguments: [false, true])
  func `paths lead through collections`(isManaged: Bool) throws {
    let (a, b) = (Fruit(value: ["size": 5]), Fruit(value: ["size": 6, "other": "sour"]))
    a.seeds.append(objectsIn: [Fruit(value: ["size": 1]), Fruit(value: ["size": 2])])
    let fruit = Fruit(value: ["seeds": [a, b], "byName": ["b": b]])
    fruit.parent = fruit
    if isManaged { try realm.write { realm.add(fruit) } }
    #expect(fruit.value(forKeyPath: "seeds.size") as? [Int] == [5, 6])
    #expect(fruit.value(forKeyPath: "parent.seeds.@sum.size") as? Int == 11)
    #expect(fruit.value(forKeyPath: "seeds.@count") as? Int == 2)
    #expect(fruit.value(forKeyPath: "seeds.@unionOfObjects.parent.name") as? [String] == [])
    #expect(
      fruit.value(forKeyPath: "seeds.@unionOfObjects.name") as? [String]
        == fruit.seeds.map(\.name))
    #expect(fruit.value(forKeyPath: "seeds.seeds.size") as? [[Int]] == [[1, 2], []])
    #expect(fruit.value(forKeyPath: "seeds.seeds.@max.size") as? [Int?] == [2, nil])
    #expect(fruit.seeds.value(forKeyPath: "seeds.@count") as? [Int] == [2, 0])
    #expect(fruit.value(forKeyPath: "seeds.other") as? [String?] == [nil, "sour"])
    #expect(fruit.value(forKeyPath: "byName.b.size") as? Int == 6)
    #expect(fruit.value(forKeyPath: "byName.c.size") == nil)
    #expect(fruit.value(forKeyPath: "byName.@max.size") as? Int == 6)
    let size: AnyObject? = fruit.byName.value(forKeyPath: "b.size")
    #expect(size as? Int == 6 && fruit.byName.value(forKeyPath: "@count") as? Int == 1)
  }

  @Test func `values by name are objects`() throws {
    try realm.write {
      fruit.tastes.append(objectsIn: [.sour, nil])
      fruit.counts.merge(["a": 1, "b": nil]) { $1 }
      fruit.byName["x"] = fruit
    }
    let tastes = fruit.tastes.value(forKey: "self")
    #expect(tastes as? [String?] == ["sour", nil] && tastes.count == 2 && tastes[1] is NSNull)
    let one: AnyObject? = fruit.counts.value(forKey: "a")
    #expect(one as? Int == 1 && fruit.counts.value(forKey: "b") is NSNull)
    #expect(fruit.counts.object(forKey: "a" as AnyObject) as? Int == 1)
    #expect(fruit.counts.object(forKey: "c" as AnyObject) == nil)
    #expect(fruit.byName.value(forKey: "x") as? Fruit == fruit)
    let section = realm.objects(Fruit.self).sectioned(by: \.size, ascending: true)[0]
    #expect(section.value(forKey: "name") as? [String] == ["Apple"])
    #expect(section.value(forKeyPath: "@sum.size") as? Int == 2)
  }

  @Test func `enumerations by name are raw values, and values of any type what they are`() throws {
    try realm.write {
      (fruit.taste, fruit.other, fruit.extra) = (.sour, .bitter, .string("x"))
      #expect(fruit["taste"] as? String == "sour" && fruit["other"] as? String == "bitter")
      fruit["taste"] = "sweet"
      fruit["other"] = nil
    }
    #expect(fruit.taste == .sweet && fruit.value(forKey: "taste") as? String == "sweet")
    #expect(fruit["other"] == nil && fruit.value(forKey: "other") == nil)
    #expect(fruit.value(forKey: "extra") as? String == "x")
    try realm.write { fruit.extra = .list([.int(1), .none]) }
    #expect(fruit.value(forKey: "extra") as? [Int?] == [1, nil])
    try realm.write { fruit.extra = .object(fruit) }
    #expect(fruit.value(forKeyPath: "extra.extra.name") as? String == "Apple")
    #expect(Fruit(value: fruit).taste == .sweet)
  }

  @Test func `a null object is nil in a map`() throws {
    try realm.write {
      fruit.counts["a"] = 1
      fruit.counts.setValue(NSNull(), forKey: "a")
      fruit.byName.setValue(NSNull(), forKey: "x")
    }
    #expect(fruit.counts["a"] == .some(nil) && fruit.byName["x"] == .some(nil))
    try realm.write { fruit.counts.setValue(nil, forKey: "a") }
    #expect(fruit.counts.isEmpty)
  }

  @Test func `a value of any type is changed in place`() throws {
    try realm.write {
      fruit.extra = .fromArray([.int(1)])
      fruit.extra.listValue?.append(.string("a"))
      fruit.extra.listValue?[0] = .fromDictionary(["k": .none])
      fruit.extra.listValue?[0].dictionaryValue?["k"] = .bool(true)
      fruit.extra.listValue?.append(objectsIn: [.none])
    }
    #expect(fruit.extra == .list([.dictionary(["k": .bool(true)]), .string("a"), .none]))
    try realm.write {
      fruit.extra.listValue?.remove(at: 1)
      fruit.extra.listValue?[0].dictionaryValue?.removeObject(for: "k")
    }
    #expect(fruit.extra == .list([.dictionary([:]), .none]))
    try realm.write { fruit.extra.listValue = nil }
    #expect(fruit.extra == .none)
  }

  @Test func `observers on no queue are called by the store, also with the base class`() throws {
    var calls: [String] = []
    let note = { (name: String) in calls.append(name) }
    let tokens = [
      fruit.observe(on: nil) { (change: ObjectChange<Fruit>) in note("object") },
      fruit.observe(keyPaths: [\Fruit.size], on: nil) { (_: ObjectChange<ObjectBase>) in
        note("size")
      },
      fruit.seeds.observe(on: nil) { if case .update = $0 { note("seeds") } },
      fruit.seeds.observe(keyPaths: [\Fruit.name], on: nil) {
        if case .update = $0 { note("names") }
      },
      fruit.byName.observe(keyPaths: [\Fruit.name]) { if case .update = $0 { note("map") } },
    ]
    realm.refresh()
    try realm.write { fruit.seeds.append(Fruit(value: ["name": "s"])) }
    realm.refresh()
    try realm.write { fruit.byName["x"] = fruit.seeds[0] }
    realm.refresh()
    try realm.write { fruit.seeds[0].size = 4 }
    realm.refresh()
    try realm.write { fruit.size = 9 }
    realm.refresh()
    #expect(calls.filter { $0 == "names" }.count == 1 && calls.filter { $0 == "map" }.count == 1)
    #expect(calls.filter { $0 == "seeds" }.count == 2 && calls.filter { $0 == "size" }.count == 1)
    for token in tokens { token.invalidate() }
  }

  @Test func `enumerations, bytes and other properties are compared as text`() throws {
    try realm.write {
      fruit.taste = .sour
      fruit.other = .bitter
      fruit.bytes = Data("abc".utf8)
      realm.create(Fruit.self, value: ["name": "bitter", "bytes": Data("xbc".utf8)])
    }
    #expect(names { $0.taste.starts(with: "so") } == ["Apple"])
    #expect(names { $0.taste.contains("OU", options: .caseInsensitive) } == ["Apple"])
    #expect(names { $0.taste > .sour } == ["bitter"] && names { $0.taste <= .sour } == ["Apple"])
    #expect(names { $0.other.rawValue.ends(with: "ter") } == ["Apple"])
    #expect(names { $0.other.rawValue == nil } == ["bitter"])
    #expect(names { $0.bytes.starts(with: Data("ab".utf8)) } == ["Apple"])
    #expect(names { $0.bytes.ends(with: Data("bc".utf8)) }.count == 2)
    #expect(names { $0.bytes.contains(Data("B".utf8), options: .caseInsensitive) }.count == 2)
    #expect(names { $0.bytes.equals(Data("abc".utf8)) } == ["Apple"])
    #expect(names { $0.bytes.notEquals(Data("abc".utf8)) } == ["bitter"])
    #expect(names { $0.bytes.equals($0.bytes) }.count == 2)
    #expect(names { $0.name.contains($0.taste.rawValue) } == [])
    #expect(names { $0.name.equals($0.name, options: .diacriticInsensitive) }.count == 2)
    #expect(names { $0.name.like($0.name) }.count == 2)
  }

  @Test func `dates of collections have a first and a last one`() throws {
    let moments = [1.0, 5].map { Date(timeIntervalSince1970: $0) }
    try realm.write {
      fruit.moments.append(objectsIn: moments)
      fruit.seeds.append(Fruit(value: ["name": "seed", "picked": moments[1]]))
    }
    #expect(names { $0.moments.max == moments[1] && $0.moments.min == moments[0] } == ["Apple"])
    #expect(names { $0.moments.contains(moments[0]...moments[1]) } == ["Apple"])
    #expect(names { $0.moments.contains(moments[0]..<moments[1]) } == [])
    #expect(names { $0.seeds.picked.max > moments[0] } == ["Apple"])
  }

  @Test func `objects by name are created of arrays and of objects`() throws {
    try realm.write {
      let plum = realm.dynamicCreate("Fruit", value: ["Plum", 5])
      #expect(plum["size"] as? Int == 5 && plum.name as? String == "Plum")
      let fruit = Fruit(value: ["name": "Kiwi", "taste": "sour"])
      let kiwi = realm.dynamicCreate("Fruit", value: fruit)
      #expect(kiwi["name"] as? String == "Kiwi" && kiwi["taste"] as? String == "sour")
      self.fruit.byName["a"] = realm.objects(Fruit.self).filter("name == 'Kiwi'").first
      realm.delete(self.fruit.byName)
    }
    #expect(realm.objects(Fruit.self).map(\.name) == ["Apple", "Plum"])
    #expect(throws: UnsupportedEncryption.self) {
      try realm.writeCopy(toFile: URL(filePath: "/tmp/none"), encryptionKey: Data(count: 64))
    }
    #expect(Decimal128(number: 3) == Decimal128(value: "3") && Decimal128() == 0)
    #expect(Decimal128.minimumDecimalNumber < -Decimal128(value: 1.5))
    let list: RealmSwift.List<Int> = [1, 2, 3]
    list.removeSubrange(0...1)
    #expect(Array(list) == [3])
  }
}
