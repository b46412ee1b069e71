import Herald
import TestSupport
import Testing

private class OldPerson: Object {
  override class var className: String { "Person" }
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var age = ""
}

private class NewPerson: Object {
  override class var className: String { "Person" }
  @Persisted var fullName = ""
  @Persisted var surname = ""
  @Persisted var age = 0
}

private class OldDog: Object {
  override class var className: String { "Dog" }
  @Persisted var name = ""
  @Persisted var friend: OldOwner?
}

private class OldOwner: Object {
  override class var className: String { "Owner" }
  @Persisted var name = ""
  @Persisted(originProperty: "friend") var friends: LinkingObjects<OldDog>
}

private class NewDog: Object {
  override class var className: String { "Dog" }
  @Persisted var name = ""
  @Persisted var friend: NewOwner?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<NewOwner>
  @Persisted(originProperty: "wanted") var seekers: LinkingObjects<Shelter>
}

private class NewOwner: Object {
  override class var className: String { "Owner" }
  @Persisted var name = ""
  @Persisted var dogs: List<NewDog>
  @Persisted(originProperty: "friend") var friends: LinkingObjects<NewDog>
  @Persisted(originProperty: "hosts") var shelters: LinkingObjects<Shelter>
}

private class Shelter: Object {
  @Persisted var wanted: List<NewDog>
  @Persisted var hosts: MutableSet<NewOwner>
}

/// What `friend` links to is a list now, of which `friends` still are the backlinks.
private class SociableDog: Object {
  override class var className: String { "Dog" }
  @Persisted var name = ""
  @Persisted var friend: List<PlainOwner>
}

private class PlainOwner: Object {
  override class var className: String { "Owner" }
  @Persisted(originProperty: "friend") var friends: LinkingObjects<SociableDog>
}

@Suite struct MigrationTests {
  private func old(_ path: String) throws {
    let store = try Store(path: path, objectTypes: [OldPerson.self], schemaVersion: 1)
    try store.write {
      store.create(OldPerson.self, value: ["firstName": "Ada", "lastName": "Byron", "age": "36"])
    }
    store.close()
  }

  @Test func `a migration moves values to the program's new properties`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    #expect(throws: HeraldError.self) { try Store(path: path, objectTypes: [NewPerson.self]) }
    let store = try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2) {
      migration in
      #expect(migration.oldSchemaVersion == 1)
      migration.enumerateObjects(ofType: "Person") { old, new in
        new["fullName"] = "\(old["firstName"]!) \(old["lastName"]!)"
        new["age"] = Int(old["age"] as? String ?? "")
      }
      migration.renameProperty(onType: "Person", from: "lastName", to: "surname")
    }
    let ada = try #require(store.objects(NewPerson.self).first)
    #expect(ada.fullName == "Ada Byron" && ada.age == 36 && ada.surname == "Byron")
    #expect(store.untyped.schema.classSchema(named: "Person")?.property(named: "lastName") == nil)
    #expect(store.untyped.check().isEmpty)
    store.close()
    #expect(throws: SchemaError.self) {
      try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 1)
    }
    _ = try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2)
  }

  @Test func `a migration creates and deletes objects`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    let store = try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2) {
      migration in
      migration.create("Person", value: ["fullName": "Bo", "age": 2])
      migration.enumerateObjects(ofType: "Person") { old, new in
        new["surname"] = old["lastName"]
        new["age"] = Int(old["age"] as? String ?? "")
      }
      migration.enumerateObjects(ofType: "Person") { _, _ in }
      let lost = migration.create("Person", value: ["fullName": "Cleo"])
      migration.delete(lost)
    }
    let people = store.objects(NewPerson.self)
    #expect(people.map(\.surname) == ["Byron", ""] && people.map(\.age) == [36, 2])
    #expect(store.untyped.check().isEmpty)
  }

  @Test func `what a created object cannot take, and an object as it was, fail the migration`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    let failures: [(Migration) -> Void] = [
      { $0.create("Person", value: ["age": "many"])["fullName"] = "Bo" },
      { $0.create("Person")["shoes"] = 1 },
      { migration in
        migration.enumerateObjects(ofType: "Person") { old, _ in migration.delete(old) }
      },
      { $0.enumerateObjects(ofType: "Person") { old, _ in old["age"] = "1" } },
    ]
    for fail in failures {
      #expect(throws: HeraldError.self) {
        try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2, migration: fail)
      }
    }
    let store = try Store(path: path, objectTypes: [OldPerson.self], schemaVersion: 1)
    #expect(store.objects(OldPerson.self).map(\.age) == ["36"])
  }

  @Test func `a migration deletes a class with its objects`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    var answers: [Bool] = []
    let store = try Store(path: path, objectTypes: [], schemaVersion: 2) { migration in
      answers = ["Person", "Person", "Nobody"].map { migration.deleteData(forType: $0) }
    }
    #expect(answers == [true, false, false])
    #expect(store.untyped.schema.classSchema(named: "Person") == nil)
    #expect(store.objects(NewPerson.self).isEmpty && store.untyped.check().isEmpty)
  }

  @Test func `a changed class asks for a schema version and a migration`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    let error = #expect(throws: HeraldError.self) {
      try Store(path: path, objectTypes: [NewPerson.self])
    }
    let text = "\(try #require(error))"
    #expect(text.contains("'schemaVersion:'") && text.contains("'migration:'"))
    #expect(!text.contains("alter"))
  }

  @Test func `a migration that fails leaves the store as it was`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    #expect(throws: HeraldError.self) {
      try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2) { migration in
        migration.enumerateObjects(ofType: "Person") { _, new in new["age"] = "many" }
      }
    }
    let store = try Store(path: path, objectTypes: [OldPerson.self], schemaVersion: 1)
    #expect(store.objects(OldPerson.self).first?.age == "36")
  }

  @Test(arguments: [0, 2])
  func `an upgrade adds lists and, to other classes, backlinks of them`(version: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/dogs.hdb"
    func fill(_ version: Int) throws {
      let types: [ObjectBase.Type] = [OldDog.self, OldOwner.self]
      let store =
        try version == 0
        ? Store(path: path, objectTypes: types)
        : Store(path: path, objectTypes: types, schemaVersion: version)
      try store.write {
        let ann = store.create(OldOwner.self, value: ["name": "Ann"])
        store.create(OldDog.self, value: ["name": "Max", "friend": ann])
      }
      store.close()
    }
    try fill(version == 0 ? 0 : 1)
    let types: [ObjectBase.Type] = [NewDog.self, NewOwner.self, Shelter.self]
    for types in [types, types.reversed()] {
      let store =
        try version == 0
        ? Store(path: path, objectTypes: types)
        : Store(path: path, objectTypes: types, schemaVersion: version)
      let (max, ann) = (
        try #require(store.objects(NewDog.self).first),
        try #require(store.objects(NewOwner.self).first)
      )
      try store.write {
        ann.dogs.append(max)
        store.create(Shelter.self).wanted.append(max)
      }
      #expect(max.owners.first?.name == "Ann" && ann.friends.first?.name == "Max")
      #expect(!max.seekers.isEmpty && ann.shelters.isEmpty)
      #expect(store.untyped.check().isEmpty)
      store.close()
    }
  }

  @Test func `a property that backlinks come from becomes a list in an upgrade`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/dogs.hdb"
    let old = try Store(
      path: path, objectTypes: [OldDog.self, OldOwner.self], schemaVersion: 1)
    try old.write {
      let ann = old.create(OldOwner.self, value: ["name": "Ann"])
      old.create(OldDog.self, value: ["name": "Max", "friend": ann])
    }
    old.close()
    let store = try Store(
      path: path, objectTypes: [PlainOwner.self, SociableDog.self], schemaVersion: 2)
    let (max, ann) = (
      try #require(store.objects(SociableDog.self).first),
      try #require(store.objects(PlainOwner.self).first)
    )
    #expect(max.friend.isEmpty && ann.friends.isEmpty)
    try store.write { max.friend.append(ann) }
    #expect(ann.friends.map(\.name) == ["Max"])
    #expect(store.untyped.check().isEmpty)
  }
}
