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

  @Test func `a key is that of a Realm file, and of nothing else`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/plain.realm"
    try FileTree.save(RealmFileBuilder.kennel(), to: path)
    var configuration = Realm.Configuration(
      fileURL: URL(filePath: path), encryptionKey: Data(repeating: 1, count: 64))
    let refusal = #expect(throws: HeraldError.self) { try Realm(configuration: configuration) }
    #expect("\(try #require(refusal))".contains("is not encrypted; open it without a key"))
    #expect(FileTree.names(in: folder.path) == ["plain.realm"])
    for name in ["new.realm", "new.hdb"] {
      configuration.fileURL = URL(filePath: folder.path + "/" + name)
      #expect(throws: UnsupportedEncryption.self) { try Realm(configuration: configuration) }
    }
    configuration.fileURL = URL(filePath: path)
    configuration.encryptionKey = nil
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 3)
    // The store has taken the place of the file, and its key is no longer asked for.
    configuration.encryptionKey = Data(repeating: 1, count: 64)
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 3)
  }
}
