import Herald
import RealmFileBuilder
import TestSupport
import Testing

/// Files of the documented system as stores of a program.
struct RealmStoreTests {
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
}
