import RealmFileBuilder
import TestSupport
import Testing

@testable import Herald

/// Files of the documented system as stores of a program.
struct RealmStoreTests {
  private typealias Column = RealmFileBuilder.Column

  private final class Dog: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(indexed: true) var age = 0
    @Persisted var owner: Person?
    @Persisted var home: Home?
    @Persisted var lucky: List<Int>
  }

  private final class Person: Object {
    @Persisted var name: String?
    @Persisted var best: Dog?
    @Persisted var friends: List<Dog>
  }

  private final class Home: EmbeddedObject {
    @Persisted var town = ""
  }

  @Test func `a program reads a file by its own classes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/kennel.realm"
    try FileTree.save(RealmFileBuilder.kennel(), to: path)
    let store = try Store(realmFile: path)
    let dogs = store.objects(Dog.self).sorted(by: \.age)
    #expect(dogs.map(\.name) == ["Rex", "Bo", "Max"] && dogs.sum(\.age) == 17)
    #expect(dogs[2].owner?.name == "Ann" && dogs[0].home?.town == "Rome")
    #expect(Array(dogs[0].lucky) == [7, 7, 1])
    let ann = try #require(store.objects(Person.self).first)
    #expect(ann.friends.map(\.name) == ["Max", "Rex", "Max"])
    try store.write { dogs[2].age = 10 }
    #expect(dogs.sum(\.age) == 18 && FileTree.read(path) == RealmFileBuilder.kennel())
    try store.writeCopy(to: folder.path + "/app.hdb")
    let copy = try Store(path: folder.path + "/app.hdb")
    try copy.write { copy.objects(Dog.self).first?.age = 4 }
    #expect(copy.objects(Dog.self).sum(\.age) == 19)
  }

  @Test func `what is lost is said, and the rest is there`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/damaged.realm"
    try FileTree.save(RealmFileBuilder.damagedKennel(), to: path)
    var losses: [String] = []
    let store = try Store(realmFile: path, onLoss: { losses.append($0) })
    #expect(losses.count == 1 && losses[0].hasPrefix("A.age"), "\(losses)")
    #expect(store.dynamic.objects("A").map { $0["name"] as? String } == ["a", "b", "c"])
    #expect(throws: HeraldError.self) { try Store(realmFile: folder.path + "/none.realm") }
  }

  @Test func `of objects with the same primary key the first stays`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/keys.realm"
    var builder = RealmFileBuilder()
    let names = builder.shortStrings([nil, "a", "", "a", "b"])
    let cluster = builder.array([
      .tagged(5), .ref(names), .ref(builder.integers([1, 2, 3, 4, 5])),
    ])
    let table = builder.table(
      [Column("name", 2, 16), Column("n", 0)], clusters: cluster, primaryKey: 0)
    let metadata = builder.table(
      [Column("version", 0)],
      clusters: builder.array([.tagged(1), .ref(builder.integers([7]))]), key: 1)
    try FileTree.save(builder.file([("class_A", table), ("metadata", metadata)]), to: path)
    var losses: [String] = []
    let store = try Store(realmFile: path, onLoss: { losses.append($0) })
    let objects = store.dynamic.objects("A")
    #expect(objects.map { $0["name"] as? String } == ["", "a", "b"])
    #expect(objects.map { $0["n"] as? Int } == [1, 2, 5])
    #expect(losses.count == 2 && losses.allSatisfy { $0.hasPrefix("A.name: the object ") })
    try store.writeCopy(to: folder.path + "/copy.hdb")
    var version: Int?
    _ = try Store(
      path: folder.path + "/copy.hdb", objectTypes: [], schemaVersion: 8,
      migration: { version = $0.oldSchemaVersion })
    #expect(version == 7)
  }

  @Test func `names that programs cannot have are changed, and stay distinct`() {
    let properties = RealmNames(ofProperties: [
      "a b", "true", "a_b", "a/b", "NaN", "2nd", "née", "",
    ])
    #expect(
      (0..<8).map { properties[$0] }
        == ["a_b_", "true_", "a_b", "a_b__", "NaN_", "_2nd", "née", "_"])
    let classes = RealmNames(ofClasses: ["where", "Dog", "store", "value", "limit"])
    #expect((0..<5).map { classes[$0] } == ["where_", "Dog", "store_", "value_", "limit_"])
    // Both are the same text to Swift.
    let accents = RealmNames(ofProperties: ["é", "e\u{301}"])
    #expect(accents[0] == "é" && accents[1] == "é_")
  }
}
