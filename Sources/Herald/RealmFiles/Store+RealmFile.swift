public import FoundationEssentials
import HeraldEngine
import HeraldModel

extension Store {
  /// Makes a store in memory of a file of the documented system.
  ///
  ///     let store = try Store(realmFile: "default.realm")
  ///     for dog in store.objects(Dog.self) { print(dog.name) }
  ///
  /// Classes and properties have the names of the file. The file is only read, and nothing is written beside it: what the
  /// program changes is changed in memory, and ``writeCopy(to:)`` makes a store of it that stays.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - encryptionKey: The 64 bytes of its key, if it is encrypted.
  ///   - onLoss: Called with a sentence for what cannot be read, with class, property and object; the rest is there.
  ///
  /// Errors: `cannotOpen` if the file cannot be read at all. Cost: all objects are read.
  public convenience init(
    realmFile path: String, encryptionKey: Data? = nil, onLoss: (String) -> Void = { _ in }
  ) throws {
    let source = try RealmSource(path: path, key: encryptionKey.map { Array($0) })
    let store = try DynamicStore()
    store.writeLimit = .max
    let losses = try source.lostClasses + store.load(source)
    self.init(core: StoreCore(store, .current()))
    for loss in losses { onLoss(loss.text) }
  }
}
