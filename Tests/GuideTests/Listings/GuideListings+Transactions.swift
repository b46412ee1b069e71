// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfTransactions() async throws {
    class Dog: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var age = 0
    }

    let store = try Store()
    let max = try store.write { store.create(Dog.self, value: ["id": 1, "name": "Max"]) }
    try store.write {
      max.age = 6
      print(store.objects(Dog.self).where { $0.age > 5 }.count)  // prints "1"
    }

    do {
      try store.write {
        max.name = "Rex"
        store.create(Dog.self, value: ["id": 1])
      }
    } catch {
      print(error)  // prints "an object of class 'Dog' with id 1 exists already"
    }
    print(max.name)  // prints "Max"

    let update = Dog()
    update.id = 1
    update.name = "Maximilian"
    try store.write { store.add(update, update: .modified) }
    print(max.name, max.age)  // prints "Maximilian 0"
    try store.write { store.create(Dog.self, value: ["id": 1, "age": 7], update: .modified) }
    print(max.name, max.age)  // prints "Maximilian 7"

    let token = store.objects(Dog.self).observe { change in print(change.modifications) }
    store.refresh()  // prints "[]"
    try store.write(withoutNotifying: [token]) { max.age = 8 }
    store.refresh()
    try store.write { max.age = 9 }
    store.refresh()  // prints "[0]"
    withExtendedLifetime(store) {}
    withExtendedLifetime(max) {}
    withExtendedLifetime(update) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      1
      an object of class 'Dog' with id 1 exists already
      Max
      Maximilian 0
      Maximilian 7
      []
      [0]
      """)
  }
}
