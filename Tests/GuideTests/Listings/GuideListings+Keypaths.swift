// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfKeypaths() async throws {
    class Person: Object {
      @Persisted var name = ""
    }

    class Dog: Object {
      @Persisted var name = ""
      @Persisted var toy = ""
      @Persisted var owner: Person?
      @Persisted var siblings: List<Dog>
      var isNamed: Bool { !name.isEmpty }
    }

    let store = try Store()
    let max = Dog()
    max.owner = Person()
    try store.write { store.add(max) }
    let dogs = store.objects(Dog.self)
    let byName = dogs.observe(keyPaths: ["toy", "owner.name"]) { change in
      print("by name", change.modifications)
    }
    store.refresh()  // prints "by name []"
    try store.write { max.name = "Max" }
    store.refresh()
    try store.write { max.owner?.name = "Ann" }
    store.refresh()  // prints "by name [0]"
    byName.invalidate()
    let byPath = dogs.observe(keyPaths: [\.toy]) { change in
      print("by path", change.modifications)
    }
    store.refresh()  // prints "by path []"
    try store.write { max.toy = "ball" }
    store.refresh()  // prints "by path [0]"
    byPath.invalidate()

    let computed = dogs.observe(keyPaths: [\.isNamed]) { change in
      if case .error(let error) = change { print(error is KeyPathError) }
    }
    store.refresh()  // prints "true"
    computed.invalidate()
    withExtendedLifetime(store) {}
    withExtendedLifetime(max) {}
    withExtendedLifetime(dogs) {}
    withExtendedLifetime(byName) {}
    withExtendedLifetime(byPath) {}
    withExtendedLifetime(computed) {}
    try await Transcript.expect(
      """
      by name []
      by name [0]
      by path []
      by path [0]
      true
      """)
  }
}
