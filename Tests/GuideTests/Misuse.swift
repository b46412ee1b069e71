import Dispatch
import Herald

/// What stops the program, as the guide's table names it.
enum Misuse: String, CaseIterable, Codable, Sendable {
  case assignment = "A property is assigned outside a transaction"
  case key = "The primary key of a managed object is assigned"
  case deleted = "A property of a deleted object is read or assigned"
  case rolledBack = "A property of an object whose adding was rolled back is used"
  case closed = "A property is used after its store was closed"
  case frozen = "A property of a frozen object is assigned"
  case backlinks = "A `LinkingObjects` is assigned"
  case thread = "An object is used on another thread"
  case queue = "An object of a queue's store is used elsewhere"
  case actor = "An object of an actor's store is used elsewhere"
  case store = "A store is used on another thread"
  case collection = "A collection is changed outside a transaction"
  case add = "`add` is called outside a transaction"
  case create = "`create` is called outside a transaction"
  case delete = "`delete` is called outside a transaction"
  case deleteAll = "`deleteAll` is called outside a transaction"
  case index = "An index of a list is out of range"
  case insertion = "An element is inserted beyond a list's end"
  case removal = "More elements are removed than a list has"
  case sum = "A sum is out of the range of its type"
  case row = "An index of results is out of range"
  case localIndex = "An index of an unmanaged object's list is out of range"
  case predicate = "The text of `filter` does not parse"
  case unknownClass = "A query is made of a class that a store cannot take"
  case closedResults = "Results are read after their store was closed"
  case reference = "A `ThreadSafeReference` is made of an unmanaged object"
  case freezing = "An unmanaged or a deleted object is frozen"

  func commit() async throws {
    let kennel = try GuideKennel()
    let (store, dog) = (kennel.store, kennel.dog)
    switch self {
    case .assignment: dog.age = 4
    case .key: try store.write { dog.id = 2 }
    case .deleted:
      try store.write { store.delete(dog) }
      _ = dog.name
    case .rolledBack: _ = kennel.rolledBack().name
    case .closed:
      store.close()
      _ = dog.name
    case .frozen: dog.freeze().age = 4
    case .backlinks: try store.write { dog.friends = Dog().friends }
    case .thread: elsewhere(dog) { _ = $0.age }
    case .queue: _ = try objectOfAQueue().age
    case .actor:
      // Of an actor that was released, whose `deinit` may end its observers, nobody else can use the store.
      let keeper = Keeper()
      _ = try await keeper.leak().object.age
      withExtendedLifetime(keeper) {}
    case .store: elsewhere(store) { _ = $0.objects(Dog.self) }
    case .collection: dog.tags.append("old")
    case .add: store.add(Dog())
    case .create: store.create(Dog.self)
    case .delete: store.delete(dog)
    case .deleteAll: store.deleteAll()
    case .index: _ = dog.tags[3]
    case .insertion: try store.write { dog.tags.insert("old", at: 3) }
    case .removal: try store.write { dog.tags.removeLast(2) }
    case .sum: _ = List<Int8>([100, 100]).sum()
    case .row: _ = store.objects(Dog.self)[3]
    case .localIndex: _ = Dog().tags[0]
    case .predicate: _ = store.objects(Dog.self).filter("age >")
    case .unknownClass: _ = store.objects(TwoKeys.self).count
    case .closedResults:
      let dogs = store.objects(Dog.self).where { $0.age > 1 }
      _ = dogs.map(\.age)
      store.close()
      _ = dogs.count
    case .reference: _ = ThreadSafeReference(to: Dog())
    case .freezing: _ = Dog().freeze()
    }
  }
}

/// What a program passes on though it must not.
private struct Leaked<Object>: @unchecked Sendable { let object: Object }

private func elsewhere<Object>(_ object: Object, _ use: @escaping @Sendable (Object) -> Void) {
  let leaked = Leaked(object: object)
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    use(leaked.object)
    done.signal()
  }
  done.wait()
}

private func objectOfAQueue() throws -> Dog {
  let queue = DispatchQueue(label: "kennel")
  return try queue.sync {
    let store = try Store(on: queue)
    let dog = GuideKennel.dog(1)
    try store.write { store.add(dog) }
    return Leaked(object: dog)
  }.object
}

private actor Keeper {
  var store: Store?

  func leak() throws -> Leaked<Dog> {
    let store = try Store(on: self)
    self.store = store
    let dog = GuideKennel.dog(1)
    try store.write { store.add(dog) }
    return Leaked(object: dog)
  }
}
