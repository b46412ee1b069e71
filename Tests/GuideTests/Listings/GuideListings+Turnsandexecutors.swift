// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfTurnsandexecutors() async throws {
    class Dog: Object {
      @Persisted var name = ""
    }

    let store = try Store()
    let dog = Dog()
    try store.write { store.add(dog) }
    let token = dog.observe { change in
      guard case .change(_, let properties) = change else { return }
      for property in properties { print(property.name, property.newValue!) }
    }
    try store.write { dog.name = "Wolfie" }
    // The main actor's next turn calls the block; so does the next write:
    try store.write {}  // prints "name Wolfie"

    try store.write { dog.name = "Ace" }
    store.refresh()  // prints "name Ace"
    withExtendedLifetime(store) {}
    withExtendedLifetime(dog) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      name Wolfie
      name Ace
      """)
  }
}
