import Foundation
import HeraldCompatibility
import TestSupport
import Testing

private class OldShip: Object {
  override class var className: String { "Ship" }
  @Persisted var name = ""
  @Persisted var tons = ""
  @Persisted var mate: OldShip?
  @Persisted var fleet: List<OldShip>
  @Persisted var extra: AnyRealmValue
  @Persisted var flags: Map<String, String>
}

private class NewShip: Object {
  override class var className: String { "Ship" }
  @Persisted var title = ""
  @Persisted var tons = 0
  @Persisted var mate: NewShip?
  @Persisted var partner: NewShip?
  @Persisted var fleet: List<NewShip>
  @Persisted var extra: AnyRealmValue
  @Persisted var flags: Map<String, String>
}

/// Migrations by the documented names, whose objects are `DynamicObject`s.
@Suite struct MigrationNamesTests {
  private func migrated(
    _ block: @escaping @Sendable (Migration) -> Void
  ) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path + "/ships.hdb")
    let store = try Store(path: url.path, objectTypes: [OldShip.self], schemaVersion: 1)
    try store.write {
      let ada = store.create(OldShip.self, value: ["name": "Ada", "tons": "5"])
      let bo = store.create(OldShip.self, value: ["name": "Bo", "tons": "7", "mate": ada])
      ada.fleet.append(objectsIn: [bo, ada])
      ada.flags["a"] = "red"
      ada.extra = .object(bo)
    }
    store.close()
    let migrate: MigrationBlock = { migration, _ in block(migration) }
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: url, schemaVersion: 2, migrationBlock: { migrate($0, $1) },
        objectTypes: [NewShip.self]))
    return realm.objects(NewShip.self).map { ship in
      [
        ship.title, "\(ship.tons)", ship.mate?.title ?? "-", ship.partner?.title ?? "-",
        ship.fleet.map(\.title).joined(separator: " "),
        ship.flags.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
      ]
    }
  }

  @Test func `values, links and collections are moved by name`() throws {
    let ships = try migrated { migration in
      migration.enumerateObjects(ofType: "Ship") { oldObject, newObject in
        let old = oldObject!
        newObject!["title"] = old["name"] as! String
        for ship in [old, newObject!] {
          #expect(ship.extra is DynamicObject == (old["name"] as! String == "Ada"))
        }
        newObject!["tons"] = Int(old.tons as! String)
        newObject!["partner"] = old["mate"]
        if let mate = old["mate"] as? MigrationObject { #expect(mate["name"] as? String == "Ada") }
        let fleet = old["fleet"] as! List<MigrationObject>
        #expect(old.dynamicList("fleet").count == fleet.count)
        newObject!.dynamicList("fleet").append(newObject!)
        (newObject?["flags"] as? Map<String, String>)?["n"] = "\(fleet.count)"
        #expect(old.objectSchema.properties.map(\.name).contains("name"))
      }
    }
    #expect(
      ships == [
        ["Ada", "5", "-", "-", "Bo Ada Ada", "a=red n=2"], ["Bo", "7", "Ada", "Ada", "Bo", "n=0"],
      ])
  }

  @Test func `objects are created, deleted and renamed`() throws {
    let ships = try migrated { migration in
      migration.renameProperty(onType: "Ship", from: "name", to: "title")
      migration.enumerateObjects(ofType: "Ship") { old, new in
        if old!["name"] as? String == "Bo" { migration.delete(new!) }
      }
      let created = migration.create("Ship", value: ["title": "Cleo", "tons": 1])
      created["mate"] = migration.create("Ship", value: ["Dot", 2])
      #expect(created["title"] as? String == "Cleo")
      #expect(migration.oldSchema["Ship"]?["tons"]?.type == .string)
      #expect(migration.newSchema["Ship"]?["tons"]?.type == .int)
    }
    #expect(
      ships == [
        ["Ada", "0", "-", "-", "Ada", "a=red"], ["Cleo", "1", "Dot", "-", "", ""],
        ["Dot", "2", "-", "-", "", ""],
      ])
  }

  @Test func `what cannot be assigned makes the migration fail`() throws {
    let failures: [@Sendable (Migration) -> Void] = [
      { $0.enumerateObjects(ofType: "Ship") { _, new in new!["tons"] = "many" } },
      { $0.enumerateObjects(ofType: "Ship") { _, new in new!["wheels"] = 4 } },
      { $0.enumerateObjects(ofType: "Ship") { old, _ in old!["tons"] = "1" } },
      { $0.create("Ship", value: ["title": 5])["tons"] = 1 },
      { $0.renameProperty(onType: "Ship", from: "name", to: "tons") },
      { migration in
        migration.enumerateObjects(ofType: "Ship") { old, _ in migration.delete(old!) }
      },
    ]
    for fail in failures { #expect(throws: HeraldError.self) { try migrated(fail) } }
  }

  @Test func `data of a class that others link to is deleted, and objects follow it`() throws {
    let ships = try migrated { migration in
      #expect(migration.deleteData(forType: "Ship") && !migration.deleteData(forType: "Boat"))
      migration.enumerateObjects(ofType: "Ship") { _, _ in Issue.record("there are no objects") }
      migration.create("Ship", value: ["title": "Dot", "tons": 3])
    }
    #expect(ships == [["Dot", "3", "-", "-", "", ""]])
  }

  @Test func `a new object of the program is assigned to a link and a list`() throws {
    let ships = try migrated { migration in
      migration.enumerateObjects(ofType: "Ship") { old, new in
        guard old!["name"] as? String == "Bo" else { return }
        new!["partner"] = NewShip(value: ["title": "Eve"])
        new!["fleet"] = [NewShip(value: ["title": "Fay"]), migration.create("Ship")]
      }
    }
    #expect(
      ships == [
        ["", "0", "-", "-", " ", "a=red"], ["", "0", "", "Eve", "Fay ", ""],
        ["Eve", "0", "-", "-", "", ""], ["", "0", "-", "-", "", ""],
        ["Fay", "0", "-", "-", "", ""],
      ])
  }
}
