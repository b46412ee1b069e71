import Dispatch
import FoundationEssentials
import Herald
import Synchronization
import TestSupport

/// What is an error that a program can catch, as the guide's table names it.
enum Mistake: String, CaseIterable, Sendable {
  case duplicateKey = "An object with the primary key of another is added"
  case otherStore = "An object of another store is added"
  case otherStoreLink = "An object of another store is linked to"
  case deletedTwice = "A deleted object is deleted or added"
  case rolledBack = "An object whose adding was rolled back is added"
  case unmanaged = "An unmanaged object is deleted"
  case frozen = "A frozen object is added or deleted"
  case twoOwners = "An embedded object gets a second owner"
  case observed = "An unmanaged object with observers is added"
  case unknownProperty = "`create` gets a property that the class does not have"
  case wrongType = "`create` gets a value of another type"
  case nested = "A transaction is begun in another one"
  case noWrite = "A transaction is committed that was not begun"
  case readOnly = "A write of a store that is read-only"
  case frozenWrite = "A write of a frozen store"
  case closed = "A write of a closed store"
  case predicate = "The text of `try query` does not parse"
  case otherReference = "A `ThreadSafeReference` of another store is resolved"
  case keyPath = "An unknown key path is observed"
  case computed = "A computed property is observed among `keyPaths`"
  case computedValue = "A computed property is observed by its key path"
  case observeUnmanaged = "An unmanaged object is observed"
  case observeFrozen = "A frozen object or collection is observed"
  case observeFrozenStore = "A frozen store is observed"
  case observeFrozenOnQueue = "What is frozen is observed on a queue"
  case observeMissing = "A class that a read-only store does not have is observed"
  case changed = "A class whose properties have other types is opened without `schemaVersion:`"
  case observeDeleted = "A deleted object is observed"
  case twoKeys = "A class with two primary keys is taken into a store"
  case wrongKey = "A class whose primary key has a type that no key can have"
  case twoNames = "Two classes of one name"
  case noOrigin = "A `LinkingObjects` without `originProperty`"

  /// Makes the mistake, and returns the text of the error.
  func caught() throws -> String {
    let kennel = try GuideKennel()
    let (store, dog) = (kennel.store, kennel.dog)
    let other = try GuideKennel()
    switch self {
    case .duplicateKey: return text { try store.write { store.add(GuideKennel.dog(1)) } }
    case .otherStore: return text { try store.write { store.add(other.dog) } }
    case .otherStoreLink: return text { try store.write { dog.friend = other.dog } }
    case .deletedTwice:
      try store.write { store.delete(dog) }
      return text { try store.write { store.delete(dog) } }
    case .rolledBack:
      let lost = kennel.rolledBack()
      return text { try store.write { store.add(lost) } }
    case .unmanaged: return text { try store.write { store.delete(GuideKennel.dog(2)) } }
    case .frozen:
      let frozen = dog.freeze()
      return text { try store.write { store.delete(frozen) } }
    case .twoOwners:
      return text {
        try store.write {
          dog.collar = Collar()
          let second = GuideKennel.dog(2)
          second.collar = dog.collar
          store.add(second)
        }
      }
    case .observed:
      let second = GuideKennel.dog(2)
      let token = second.observe(\.age) { _ in }
      defer { token.invalidate() }
      return text { try store.write { store.add(second) } }
    case .unknownProperty:
      return text {
        _ = try store.write { store.create(Dog.self, value: ["id": 2, "nam": "Max"]) }
      }
    case .wrongType:
      return text {
        _ = try store.write { store.create(Dog.self, value: ["id": 2, "age": "old"]) }
      }
    case .nested: return text { try store.write { try store.write {} } }
    case .noWrite: return text { try store.commitWrite() }
    case .readOnly:
      return try withReadOnlyStore(of: Dog.self) { store in text { try store.write {} } }
    case .frozenWrite:
      let frozen = store.freeze()
      return text { try frozen.write {} }
    case .closed:
      store.close()
      return text { try store.write {} }
    case .predicate: return text { _ = try store.objects(Dog.self).query("age >") }
    case .otherReference:
      let reference = ThreadSafeReference(to: other.dog)
      return text { _ = try store.resolve(reference) }
    case .keyPath:
      return observed(store) { note in
        store.objects(Dog.self).observe(keyPaths: ["nam"]) { note($0) }
      }
    case .computed:
      return observed(store) { note in
        store.objects(Dog.self).observe(keyPaths: [\.isOld]) { note($0) }
      }
    case .computedValue:
      let inbox = Inbox()
      let token = dog.observe(\.isOld) { inbox.text = $0.error.map { "\($0)" } ?? "no error" }
      store.refresh()
      token.invalidate()
      return inbox.text
    case .observeUnmanaged: return observed(store) { Dog().observe($0) }
    case .observeFrozen:
      return observed(store) { store.objects(Dog.self).freeze().observe($0) }
    case .observeFrozenStore:
      let inbox = Inbox()
      let token = store.freeze().observe { notification, _ in
        if case .error(let error) = notification { inbox.text = "\(error)" }
      }
      store.refresh()
      token.invalidate()
      return inbox.text
    case .observeFrozenOnQueue: return onQueue(dog.freeze(), DispatchQueue(label: "kennel"))
    case .observeMissing:
      return try withReadOnlyStore(of: Cat.self) { store in
        observed(store) { store.objects(Dog.self).observe($0) }
      }
    case .changed: return try changed()
    case .observeDeleted:
      try store.write { store.delete(dog) }
      return observed(store) { dog.observe($0) }
    case .twoKeys: return text { _ = try Store(objectTypes: [TwoKeys.self]) }
    case .wrongKey: return text { _ = try Store(objectTypes: [DoubleKey.self]) }
    case .twoNames: return text { try store.write { store.add(Elsewhere.Dog()) } }
    case .noOrigin: return text { _ = try Store(objectTypes: [LostOrigin.self]) }
    }
  }

  private func withFile(_ body: (_ path: String) throws -> String) throws -> String {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try body(folder.path + "/guide.hdb")
  }

  private func withReadOnlyStore(
    of type: Object.Type, _ body: (Store) throws -> String
  ) throws -> String {
    try withFile { path in
      try Store(path: path, objectTypes: [type]).close()
      return try body(Store(path: path, readOnly: true))
    }
  }

  private func changed() throws -> String {
    try withFile { path in
      try Store(path: path, objectTypes: [Previous.Dog.self]).close()
      return text { _ = try Store(path: path, objectTypes: [Dog.self]) }
    }
  }

  private func onQueue(_ dog: Dog, _ queue: DispatchQueue) -> String {
    let texts = Mutex("no error")
    let token = dog.observe(on: queue) { change in
      if case .error(let error) = change { texts.withLock { $0 = "\(error)" } }
    }
    queue.sync(flags: .barrier) {}
    token.invalidate()
    return texts.withLock { $0 }
  }

  private func text(_ body: () throws -> Void) -> String {
    do {
      try body()
    } catch {
      return "\(error)"
    }
    return "no error"
  }

  private func observed<Collection>(
    _ store: Store,
    _ observe: (@escaping (CollectionChange<Collection>) -> Void) -> NotificationToken
  ) -> String {
    let inbox = Inbox()
    let token = observe { if case .error(let error) = $0 { inbox.text = "\(error)" } }
    store.refresh()
    token.invalidate()
    return inbox.text
  }

  private func observed<Observed>(
    _ store: Store, _ observe: (@escaping (ObjectChange<Observed>) -> Void) -> NotificationToken
  ) -> String {
    let inbox = Inbox()
    let token = observe { if case .error(let error) = $0 { inbox.text = "\(error)" } }
    store.refresh()
    token.invalidate()
    return inbox.text
  }

  private final class Inbox { var text = "no error" }
}
