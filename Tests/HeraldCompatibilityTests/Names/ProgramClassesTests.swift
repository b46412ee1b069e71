import Foundation
import HeraldCompatibility
import TestSupport
import Testing

private class Lodger: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var room: Room?
  @Persisted var keys: List<LodgerKey>
}

private final class Room: Object {
  @Persisted var number: Int
  @Persisted(originProperty: "room") var lodgers: LinkingObjects<Lodger>
}

private final class LodgerKey: EmbeddedObject { @Persisted var teeth: Int }

private final class Subtenant: Lodger { @Persisted var months: Int }

private enum Nested {
  final class Porter: Object { @Persisted var name: String }
  /// A class of generic types exists when it is used.
  final class Shelf<Content>: Object { @Persisted var rows: Int }
}

private class Ignored: Object {
  override class func _realmIgnoreClass() -> Bool { true }
  @Persisted var a: Int
}

private final class IgnoredToo: Ignored { @Persisted var b: Int }

private final class Excluded: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var a: Int
}

private final class TwoKeysHere: Object {
  @Persisted(primaryKey: true) var a: Int
  @Persisted(primaryKey: true) var b: Int
}

private final class NoSuchOrigin: Object {
  @Persisted(originProperty: "nowhere") var rooms: LinkingObjects<Room>
}

private final class ToNoSuchOrigin: Object { @Persisted var other: NoSuchOrigin? }

private final class Reserved: Object {
  override class var className: String { "store" }
  @Persisted var a: Int
}

private final class ToTwoKeys: Object { @Persisted var keys: TwoKeysHere? }

private enum One { final class Namesake: Object { @Persisted var a: Int } }
private enum Other { final class Namesake: Object { @Persisted var a: String } }

/// The classes of a store that is opened without a list of them.
@Suite struct ProgramClassesTests {
  private func names(_ realm: Realm) -> Set<String> {
    Set(realm.schema.objectSchema.map(\.className))
  }

  @Test func `a store has every class of the program that it can have`() throws {
    let local = LocalType.declare()
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "every class"))
    let names = names(realm)
    #expect(names.isSuperset(of: ["Lodger", "Room", "LodgerKey", "Subtenant", "Porter", local]))
    #expect(
      names.isDisjoint(with: [
        "Object", "EmbeddedObject", "DynamicObject", "Ignored", "IgnoredToo", "Excluded",
        "TwoKeysHere", "ToTwoKeys", "Namesake", "Shelf", "NoSuchOrigin", "ToNoSuchOrigin", "store",
      ]))
    let schema = realm.schema["Subtenant"]
    #expect(schema?.properties.map(\.name) == ["id", "room", "keys", "months"])
    #expect(realm.schema["LodgerKey"]?.isEmbedded == true)
  }

  @Test func `the first read of a class is no change`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "first read"))
    var calls = 0
    let token = realm.observe { _, _ in calls += 1 }
    #expect(
      realm.objects(Room.self).isEmpty && realm.object(ofType: Lodger.self, forPrimaryKey: 1) == nil
    )
    realm.refresh()
    #expect(calls == 0)
    token.invalidate()
    try realm.write {
      let lodger = realm.dynamicCreate("Lodger", value: ["id": 4, "room": ["number": 9]])
      #expect(lodger["id"] as? Int == 4)
    }
    #expect(realm.objects(Room.self).first?.lodgers.first?.id == 4)
  }

  @Test func `what a store does not get when it is opened is taken in at its use`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "at their use"))
    try realm.write {
      realm.create(Excluded.self, value: ["a": 1])
      realm.create(IgnoredToo.self, value: ["b": 2])
      realm.create(One.Namesake.self, value: ["a": 3])
      realm.create(Nested.Shelf<Int>.self, value: ["rows": 4])
    }
    #expect(names(realm).isSuperset(of: ["Excluded", "IgnoredToo", "Namesake"]))
    #expect(realm.objects(Nested.Shelf<Int>.self).first?.rows == 4)
  }

  @Test func `a migration is of the classes that a store can have`() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path + "/versions.hdb")
    do {
      let realm = try Realm(configuration: .init(fileURL: url, schemaVersion: 1))
      try realm.write { realm.create(Room.self, value: ["number": 4]) }
    }
    let realm = try Realm(
      configuration: .init(
        fileURL: url, schemaVersion: 2,
        migrationBlock: { migration, version in
          migration.enumerateObjects(ofType: "Room") { _, room in room!["number"] = Int(version) }
        }))
    #expect(realm.objects(Room.self).first?.number == 1 && !names(realm).contains("Namesake"))
  }

  @Test func `a migration leaves out no class that the store has`() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path + "/namesakes.hdb")
    do {
      let one = Realm.Configuration(
        fileURL: url, schemaVersion: 1, objectTypes: [One.Namesake.self])
      let realm = try Realm(configuration: one)
      try realm.write { realm.create(One.Namesake.self, value: ["a": 1]) }
    }
    let next = Realm.Configuration(fileURL: url, schemaVersion: 2, migrationBlock: { _, _ in })
    #expect(throws: SchemaError.self) { try Realm(configuration: next) }
    #expect(try schemaVersionAtURL(url) == 1)
  }

  @Test func `opening makes the file, and opening to read adds nothing to it`() throws {
    let folder = try TemporaryFolder()
    var configuration = Realm.Configuration(fileURL: URL(filePath: folder.path + "/rooms.hdb"))
    #expect(!Realm.fileExists(for: configuration))
    do {
      let realm = try Realm(configuration: configuration)
      #expect(Realm.fileExists(for: configuration) && names(realm).contains("Room"))
    }
    configuration.fileURL = URL(filePath: folder.path + "/few.hdb")
    configuration.objectTypes = [Room.self]
    do {
      let realm = try Realm(configuration: configuration)
      #expect(names(realm) == ["Room", "Lodger", "LodgerKey"])
    }
    configuration.objectTypes = nil
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    #expect(names(realm) == ["Room", "Lodger", "LodgerKey"])
    #expect(realm.objects(Nested.Porter.self).isEmpty)
  }

  @Test func `a class that is known at run time has objects of that class`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "classes at run time"))
    let types: [Object.Type] = [Lodger.self, Room.self, Subtenant.self]
    try realm.write {
      realm.create(Lodger.self, value: ["id": 1])
      realm.create(Lodger.self, value: ["id": 2])
      realm.create(Room.self, value: ["number": 5])
    }
    let found = types.map { realm.objects($0) }
    #expect(found.map(\.count) == [2, 1, 0])
    #expect(found.map { $0.first.map { "\(Swift.type(of: $0))" } } == ["Lodger", "Room", nil])
    #expect(found[0].filter("id == 2").first?["id"] as? Int == 2)
    #expect((found[0].sorted(byKeyPath: "id", ascending: false).first as? Lodger)?.id == 2)
    let lodgers = realm.objects(Subtenant.self as Lodger.Type)
    try realm.write { realm.create(Subtenant.self, value: ["id": 3, "months": 6]) }
    #expect((lodgers.first as? Subtenant)?.months == 6 && lodgers.where { $0.id == 3 }.count == 1)
    try realm.write { for type in types { realm.delete(realm.objects(type)) } }
    #expect(found.allSatisfy(\.isEmpty) && !names(realm).contains("Object"))
  }

  @Test func `a store in memory ends with what refers to it`() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "ends with its references")
    func add() throws -> Int {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Room.self, value: ["number": 1]) }
      return realm.objects(Room.self).count
    }
    #expect(try add() == 1 && add() == 1)
    let held = try Realm(configuration: configuration).objects(Room.self)
    #expect(try add() == 1 && held.count == 1 && add() == 2)
    withExtendedLifetime(held) {}
  }
}

/// A class within a function.
private enum LocalType {
  static func declare() -> String {
    final class WithinFunction: Object { @Persisted var a: Int }
    return WithinFunction.className()
  }
}
