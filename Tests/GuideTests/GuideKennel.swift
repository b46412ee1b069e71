import Herald

class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var friend: Dog?
  @Persisted var collar: Collar?
  @Persisted var tags: List<String>
  @Persisted var scores: Map<String, Int>
  @Persisted(originProperty: "friend") var friends: LinkingObjects<Dog>
  var isOld: Bool { age > 5 }
}

class Collar: EmbeddedObject {
  @Persisted var color = ""
}

class Cat: Object {
  @Persisted var name = ""
}

class TwoKeys: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(primaryKey: true) var code = ""
}

class DoubleKey: Object {
  @Persisted(primaryKey: true) var weight = 1.5
}

class LostOrigin: Object {
  @Persisted var dogs: LinkingObjects<Dog>
}

enum Previous {
  class Dog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var age = ""
  }
}

enum Elsewhere {
  class Dog: Object { @Persisted var name = "" }
}

/// A store with the dogs of the guide's tables.
struct GuideKennel {
  let store: Store
  let dog: Dog

  init() throws {
    store = try Store()
    dog = Self.dog(1)
    try store.write { store.add(dog) }
  }

  static func dog(_ id: Int) -> Dog {
    let dog = Dog()
    dog.id = id
    dog.tags.append("good")
    return dog
  }

  /// Adds an object in a write that is rolled back.
  func rolledBack() -> Dog {
    let dog = Self.dog(2)
    store.beginWrite()
    store.add(dog)
    store.cancelWrite()
    return dog
  }
}
