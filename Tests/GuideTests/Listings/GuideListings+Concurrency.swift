// Written by scripts/listings from the article; change the listings there.

import Dispatch
import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfConcurrency() async throws {
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var age = 0
    }

    struct DogRecord: Decodable, Sendable {
      let name: String
      let age: Int
    }

    let store = try Store()
    let dog = try store.write { store.create(Dog.self, value: ["name": "Max", "age": 3]) }
    let frozen = dog.frozen
    let records = try store.objects(Dog.self).decoded(as: DogRecord.self)
    try store.write { dog.age = 4 }
    let read = await Task.detached { "\(frozen.name) \(frozen.age), \(records[0].age)" }.value
    print(read, dog.age)  // prints "Max 3, 3 4"

    actor Screen {
      private(set) var rows = 0
      func show(_ count: Int) { rows = count }
    }

    let screen = Screen()
    let token = await store.objects(Dog.self).observe(on: screen) { screen, change in
      screen.show(change.collection?.count ?? 0)
    }
    print(await screen.rows)  // prints "1"
    token.invalidate()

    for await change in store.objects(Dog.self).changes() {
      guard case .initial(let dogs) = change else { continue }
      print(dogs.count)  // prints "1"
      break
    }
    withExtendedLifetime(store) {}
    withExtendedLifetime(dog) {}
    withExtendedLifetime(frozen) {}
    withExtendedLifetime(records) {}
    withExtendedLifetime(read) {}
    withExtendedLifetime(screen) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      Max 3, 3 4
      1
      1
      """)
  }
}
