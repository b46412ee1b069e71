import Foundation
import HeraldCompatibility
import TestSupport
import Testing

private enum Coat: String, PersistableEnum { case short, long }

private class Animal: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

private final class Cat: Animal {
  @Persisted(indexed: true) var age: Int?
  @Persisted var coat: Coat
  @Persisted var weight: Double
  @Persisted var lives: Decimal128
  @Persisted var chip: UUID?
  @Persisted var tag: ObjectId
  @Persisted var photo: Data
  @Persisted var born: Date
  @Persisted var extra: AnyRealmValue
  @Persisted var friends: List<Cat>
  @Persisted var toys: MutableSet<String>
  @Persisted var scores: Map<String, Float?>
  @Persisted var bed: Bed?
  @Persisted(originProperty: "friends") var fans: LinkingObjects<Cat>
}

private final class Bed: EmbeddedObject {
  @Persisted var isSoft: Bool
  @Persisted(originProperty: "bed") var owner: LinkingObjects<Cat>
}

/// A class whose properties have other names in the store, and whose key and index are said by functions.
private final class Contact: Object {
  @Persisted var identifier = 0
  @Persisted var fullName = ""
  @Persisted var boss: Contact?
  @Persisted var team: List<Contact>
  @Persisted(originProperty: "boss") var reports: LinkingObjects<Contact>

  override class func primaryKey() -> String? { "identifier" }
  override class func indexedProperties() -> [String] { ["fullName"] }
  override class func propertiesMapping() -> [String: String] {
    ["identifier": "_id", "fullName": "full_name", "boss": "boss_id"]
  }
}

/// What programs ask of classes and their properties.
struct SchemaNamesTests {
  @Test func `a class says what its properties are`() throws {
    let schema = try #require(Cat.sharedSchema())
    #expect(schema.className == "Cat" && schema.objectClass == Cat.self && !schema.isEmbedded)
    #expect(schema.properties.first?.name == "id" && schema["fans"]?.type == .linkingObjects)
    #expect(!schema.properties.contains { $0.name == "fans" })
    #expect(schema.primaryKeyProperty?.name == "id" && schema["id"]?.isIndexed == true)
    let types: [String: PropertyType] = [
      "id": .int, "name": .string, "age": .int, "coat": .string, "weight": .double,
      "lives": .decimal128, "chip": .UUID, "tag": .objectId, "photo": .data, "born": .date,
      "extra": .any, "friends": .object, "toys": .string, "scores": .float, "bed": .object,
    ]
    #expect(Dictionary(uniqueKeysWithValues: schema.properties.map { ($0.name, $0.type) }) == types)
    #expect(schema["friends"]?.isArray == true && schema["friends"]?.objectClassName == "Cat")
    #expect(schema["toys"]?.isSet == true && schema["scores"]?.isMap == true)
    #expect(schema["scores"]?.isOptional == true && schema["friends"]?.isOptional == false)
    #expect(schema["age"]?.isOptional == true && schema["age"]?.isIndexed == true)
    #expect(schema["bed"]?.isOptional == true && schema["nothing"] == nil)
    #expect(
      Bed.sharedSchema()?.isEmbedded == true && Object.sharedSchema()?.properties.isEmpty != false)
    #expect(Cat().objectSchema == schema && schema != Bed.sharedSchema())
    #expect(schema.description.hasPrefix("Cat {\n  id { type = int, columnName = id,"))
  }

  @Test func `a store says which classes it has`() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "schemas", objectTypes: [Cat.self]))
    #expect(Set(realm.schema.objectSchema.map(\.className)) == ["Cat", "Bed"])
    #expect(realm.schema["Cat"]?.properties == Cat.sharedSchema()?.properties)
    #expect(realm.schema["Dog"] == nil && realm.schema["Cat"]?.objectClass == Cat.self)
    #expect(realm.schema["Bed"]?.objectClass == Bed.self)
    try realm.write { realm.create(Cat.self, value: ["id": 1]) }
    let cat = try #require(realm.dynamicObject(ofType: "Cat", forPrimaryKey: 1))
    #expect(cat.objectSchema.className == "Cat" && cat.objectSchema["age"]?.type == .int)
  }

  @Test func `a schema has the classes of the configuration alone`() throws {
    final class First: Object {
      @Persisted var extra: AnyRealmValue
      @Persisted var extras: List<AnyRealmValue>
      @Persisted var byName: Map<String, First?>
    }
    final class Second: Object { @Persisted var x: Int }
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path + "/two.hdb")
    let both = try Realm(
      configuration: .init(fileURL: url, objectTypes: [First.self, Second.self]))
    #expect(both.schema.objectSchema.map(\.className).sorted() == ["First", "Second"])
    both.store.close()
    let one = try Realm(configuration: .init(fileURL: url, objectTypes: [First.self]))
    #expect(one.schema.objectSchema.map(\.className) == ["First"])
    #expect(one.schema["First"]?.properties.map(\.isOptional) == [false, false, true])
  }

  @Test func `a class may have another name in stores`() throws {
    final class Renamed: Object {
      @Persisted var x: Int
      override class func _realmObjectName() -> String? { "Original" }
    }
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "renamed", objectTypes: [Renamed.self]))
    #expect(realm.schema.objectSchema.map(\.className) == ["Original"])
    #expect(Renamed.className() == "Original")
  }

  @Test func `descriptions say what there is`() {
    let url = URL(filePath: "/tmp/x.hdb")
    #expect(
      "\(Realm.Configuration(fileURL: url, schemaVersion: 3, objectTypes: [Contact.self]))"
        == "Realm.Configuration { fileURL = /tmp/x.hdb; readOnly = false; schemaVersion = 3; "
        + "objectTypes = [Contact] }")
    #expect("\(SortDescriptor(keyPath: "age", ascending: false))" == "age, descending")
  }

  @Test func `a key path has a name`() {
    #expect(_name(for: \Cat.age) == "age" && _name(for: \Cat.bed?.isSoft) == "bed.isSoft")
    #expect(_name(for: [\Cat.name, \Cat.friends]) == ["name", "friends"])
    #expect(ObjectBase._name(for: \Cat.bed?.isSoft) == "bed.isSoft")
    #expect(_name(for: \Contact.boss?.fullName) == "boss_id.full_name")
  }

  @Test func `properties have other names in the store than in the program`() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path + "/contacts.hdb")
    let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Contact.self]))
    try realm.write {
      let ann = realm.create(Contact.self, value: ["identifier": 1, "fullName": "Ann"])
      realm.create(
        Contact.self, value: ["identifier": 2, "fullName": "Bo", "boss": ann, "team": [ann]])
      realm.create(Contact.self, value: [3, "Cleo", ann])
    }
    let schema = realm.schema["Contact"]
    #expect(schema?.properties.map(\.name) == ["identifier", "fullName", "boss", "team"])
    #expect(schema?.properties.map(\.columnName) == ["_id", "full_name", "boss_id", "team"])
    #expect(Contact.sharedSchema() == schema)
    #expect(Contact.sharedSchema()?["fullName"]?.isIndexed == true)
    let bo = try #require(realm.object(ofType: Contact.self, forPrimaryKey: 2))
    #expect(bo.fullName == "Bo" && bo["fullName"] as? String == "Bo" && bo.boss?.fullName == "Ann")
    #expect(bo.description.contains("fullName = Bo"))
    let all = realm.objects(Contact.self)
    #expect(all.where { $0.boss.fullName == "Ann" }.count == 2)
    #expect(all.filter("boss_id.full_name == 'Ann'").count == 2)
    #expect(all.sorted(by: \.fullName, ascending: false).map(\.identifier) == [3, 2, 1])
    #expect(all.first?.reports.map(\.fullName) == ["Bo", "Cleo"])
    var names: [String] = []
    let token = bo.observe { change in
      if case .change(_, let properties) = change { names = properties.map(\.name) }
    }
    try realm.write {
      bo.fullName = "Bob"
      realm.create(
        Contact.self, value: ["identifier": 2, "boss": NSNull?.none as Any], update: .modified)
    }
    realm.refresh()
    #expect(names == ["fullName", "boss"] && bo.boss == nil && bo.fullName == "Bob")
    token.invalidate()
  }
}

extension SchemaNamesTests {
  @Test func `a migration is performed, and says which classes there were and are`() throws {
    final class Pet: Object {
      @Persisted var name: String
      @Persisted var age: Int
    }
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path + "/pets.hdb")
    do {
      let store = try Store(path: url.path)
      try store.dynamic.declare(
        ClassDefinition(name: "Pet", properties: [.init(name: "name", element: .string)]))
      try store.write { store.dynamic.create("Pet", value: ["name": "Rex"]) }
      store.close()
    }
    #expect(try schemaVersionAtURL(url) == 0)
    try Realm.performMigration(
      for: .init(
        fileURL: url, schemaVersion: 2,
        migrationBlock: { migration, _ in
          let old = migration.oldSchema["Pet"]
          #expect(old?.properties.map(\.name) == ["name"])
          #expect(migration.newSchema["Pet"]?.properties.count == 2)
          migration.create("Pet", value: ["Bo", 4])
          migration.enumerateObjects(ofType: "Pet") { old, new in
            #expect(old!.description == "Pet { name = Rex }")
            #expect(new!.description == "Pet { name = Rex; age = 0 }")
          }
        }, objectTypes: [Pet.self]))
    #expect(try schemaVersionAtURL(url) == 2)
    let failing = Realm.Configuration(
      fileURL: url, schemaVersion: 3,
      migrationBlock: { migration, _ in migration.create("Pet", value: ["Cleo", 5, true]) },
      objectTypes: [Pet.self])
    #expect(throws: (any Error).self) { try Realm.performMigration(for: failing) }
    #expect(try schemaVersionAtURL(url) == 2)
    let realm = try Realm(configuration: .init(fileURL: url, schemaVersion: 2))
    #expect(
      realm.objects(Pet.self).map { [$0.name, "\($0.age)"] } == [["Rex", "0"], ["Bo", "4"]])
  }
}
