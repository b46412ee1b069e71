import FoundationEssentials
import HeraldCompatibility
import RealmFileBuilder
import TestSupport
import Testing

/// A program that comes with its file.
struct ConvertedFileTests {
  private final class Dog: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(indexed: true) var age = 0
  }

  @Test func `the first opening makes a store beside the file, and the next ones open that`() throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/default.realm"
    try FileTree.save(RealmFileBuilder.kennel(), to: path)
    let configuration = Realm.Configuration(fileURL: URL(filePath: path))
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).sum(of: \.age) == 17)
      try realm.write { realm.objects(Dog.self).first?.age = 4 }
    }
    #expect(try Realm(configuration: configuration).objects(Dog.self).sum(of: \.age) == 18)
    #expect(FileTree.read(path) == RealmFileBuilder.kennel())
    #expect(FileTree.exists(folder.path + "/default.hdb"))
  }

  @Test func `a store may have that name`() throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(fileURL: URL(filePath: folder.path + "/own.realm"))
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { _ = realm.create(Dog.self, value: ["name": "Rex", "age": 3]) }
    }
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
    #expect(!FileTree.exists(folder.path + "/own.hdb"))
  }
}
