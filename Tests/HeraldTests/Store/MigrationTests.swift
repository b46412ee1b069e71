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

@Suite struct MigrationTests {
  private func old(_ path: String) throws {
    let store = try Store(path: path, objectTypes: [OldPerson.self], schemaVersion: 1)
    try store.write {
      store.create(OldPerson.self, value: ["firstName": "Ada", "lastName": "Byron", "age": "36"])
    }
    store.close()
  }

  @Test("a migration moves values to the program's new properties")
  func migrating() throws {
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
    #expect(store.dynamic.schema.classSchema(named: "Person")?.property(named: "lastName") == nil)
    #expect(store.dynamic.check().isEmpty)
    store.close()
    #expect(throws: SchemaError.self) {
      try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 1)
    }
    _ = try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2)
  }

  @Test("a migration creates and deletes objects, and takes them as optionals")
  func optionals() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    let store = try Store(path: path, objectTypes: [NewPerson.self], schemaVersion: 2) {
      migration in
      migration.create("Person", value: ["fullName": "Bo", "age": 2])
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["surname"] = old!["lastName"]
        new?["age"] = Int(old?["age"] as? String ?? "")
      }
      migration.enumerateObjects(ofType: "Person") { _, _ in }
      let lost = migration.create("Person", value: ["fullName": "Cleo"])
      migration.delete(lost)
    }
    let people = store.objects(NewPerson.self)
    #expect(people.map(\.surname) == ["Byron", ""] && people.map(\.age) == [36, 2])
    #expect(store.dynamic.check().isEmpty)
  }

  @Test("what a created object cannot take, and an object as it was, fail the migration")
  func failingObjects() throws {
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

  @Test("a migration deletes a class with its objects")
  func deleting() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.hdb"
    try old(path)
    var answers: [Bool] = []
    let store = try Store(path: path, objectTypes: [], schemaVersion: 2) { migration in
      answers = ["Person", "Person", "Nobody"].map { migration.deleteData(forType: $0) }
    }
    #expect(answers == [true, false, false])
    #expect(store.dynamic.schema.classSchema(named: "Person") == nil)
    #expect(store.objects(NewPerson.self).isEmpty && store.dynamic.check().isEmpty)
  }

  @Test("a changed class asks for a schema version and a migration")
  func asking() throws {
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

  @Test("a migration that fails leaves the store as it was")
  func failing() throws {
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
}
