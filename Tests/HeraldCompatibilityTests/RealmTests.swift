import Dispatch
import Foundation
import HeraldCompatibility
import TestSupport
import Testing

final class Parrot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
}

private class OldPilot: Object {
  override class var className: String { "Pilot" }
  @Persisted var age = ""
}

private class NewPilot: Object {
  override class var className: String { "Pilot" }
  @Persisted var age = 0
}

/// Keeps its own session of a store.
private actor Aviary {
  func add(_ id: Int, _ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    try realm.write { realm.create(Parrot.self, value: ["id": id, "name": "Polly"]) }
    #expect(try await Realm(configuration: configuration, actor: self) == realm)
  }
}

@Suite(.serialized) @MainActor struct RealmTests {
  private let folder: TemporaryFolder
  private let file: Realm.Configuration

  init() throws {
    folder = try TemporaryFolder()
    file = Realm.Configuration(fileURL: URL(fileURLWithPath: folder.path + "/birds.hdb"))
  }

  @Test func `the default store is one for the process, and one session on each executor`() throws {
    let realm = try Realm()
    #expect(try Realm() == realm && !realm.isInWriteTransaction)
    try realm.write { realm.create(Parrot.self, value: ["id": 1]) }
    let other = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "other"))
    #expect(other != realm && other.isEmpty && !realm.isEmpty)
    let queue = DispatchQueue(label: "aviary")
    try queue.sync {
      let elsewhere = try Realm(queue: queue)
      #expect(try Realm(queue: queue) == elsewhere)
      #expect(elsewhere.object(ofType: Parrot.self, forPrimaryKey: 1) != nil)
      try elsewhere.write { elsewhere.deleteAll() }
    }
    realm.refresh()
    #expect(realm.isEmpty)
  }

  @Test func `a default configuration names the file of every realm`() throws {
    let previous = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = previous }
    Realm.Configuration.defaultConfiguration = file
    let realm = try Realm()
    try realm.write { realm.add(Parrot()) }
    #expect(try Realm(configuration: file) == realm)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/birds.hdb"))
  }

  @Test func `a file is opened for reading only, copied, frozen and left`() throws {
    let realm = try Realm(configuration: file)
    try realm.write { realm.create(Parrot.self, value: ["id": 7, "name": "Polly"]) }
    let copy = URL(fileURLWithPath: folder.path + "/copy.hdb")
    try realm.writeCopy(toFile: copy)
    let reading = try Realm(configuration: Realm.Configuration(fileURL: copy, readOnly: true))
    let polly = try #require(reading.object(ofType: Parrot.self, forPrimaryKey: 7))
    #expect(polly.name == "Polly" && polly.realm == reading)
    #expect(throws: HeraldError.readOnly) { try reading.write {} }
    let frozen = realm.freeze()
    try realm.write { realm.deleteAll() }
    #expect(frozen.isFrozen && frozen.objects(Parrot.self).count == 1 && realm.isEmpty)
    reading.invalidate()
    #expect(polly.isInvalidated)
    #expect(try Realm(configuration: Realm.Configuration(fileURL: copy, readOnly: true)) == reading)
    #expect(reading.objects(Parrot.self).first?.name == "Polly")
  }

  @Test func `an actor has a session, and references lead to its objects`() async throws {
    let aviary = Aviary()
    try await aviary.add(3, file)
    let realm = try await Realm(configuration: file, actor: MainActor.shared)
    realm.refresh()
    let polly = try #require(realm.object(ofType: Parrot.self, forPrimaryKey: 3))
    let reference = ThreadSafeReference(to: polly)
    #expect(realm.resolve(reference)?.name == "Polly")
    try realm.write { realm.delete(polly) }
    #expect(realm.resolve(ThreadSafeReference(to: realm.objects(Parrot.self)))?.isEmpty == true)
  }

  @Test func `observers receive commits, and not those that leave them out`() throws {
    let realm = try Realm(configuration: file)
    var calls = 0
    let token = realm.observe { notification, _ in
      #expect(notification == .didChange)
      calls += 1
    }
    try realm.write { realm.add((1...2).map(Self.parrot)) }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { realm.delete(realm.objects(Parrot.self)) }
    realm.refresh()
    realm.beginWrite()
    realm.cancelWrite()
    realm.refresh()
    #expect(calls == 1)
    token.invalidate()
  }

  private static func parrot(_ id: Int) -> Parrot {
    let parrot = Parrot()
    parrot.id = id
    return parrot
  }

  @Test func `a migration block gets the older version`() throws {
    var old = file
    (old.schemaVersion, old.objectTypes) = (1, [OldPilot.self])
    do {
      let before = try Realm(configuration: old)
      try before.write { _ = before.create(OldPilot.self, value: ["age": "36"]) }
    }
    var new = file
    new.objectTypes = [NewPilot.self]
    #expect(throws: HeraldError.self) { try Realm(configuration: new) }
    new.schemaVersion = 2
    new.migrationBlock = { migration, version in
      #expect(version == 1)
      migration.enumerateObjects(ofType: "Pilot") { old, new in
        new!["age"] = Int(old!["age"] as! String)
      }
    }
    let after = try Realm(configuration: new)
    #expect(after.objects(NewPilot.self).first?.age == 36)
  }
}
