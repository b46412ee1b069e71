// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfHerald() async throws {
    class Dog: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var age = 0
    }

    let store = try Store()
    let token = store.objects(Dog.self).where { $0.age > 5 }.observe { change in
      print(change.insertions)
    }
    store.refresh()  // prints "[]"
    try store.write { store.create(Dog.self, value: ["id": 1, "name": "Max", "age": 6]) }
    store.refresh()  // prints "[0]"
    withExtendedLifetime(store) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      []
      [0]
      """)
  }
}
