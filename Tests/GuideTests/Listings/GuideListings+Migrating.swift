// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfMigrating() async throws {
    class Dog: Object {
      @Persisted var name = ""
    }

    @MainActor final class Screen {
      let store: Store
      let dog = Dog()
      private var token: NotificationToken?

      init() throws {
        store = try Store()
        try store.write { store.add(dog) }
        token = dog.observe { change in
          guard case .change(_, let properties) = change else { return }
          print("'\(properties[0].name)' changed to '\(properties[0].newValue!)'")
        }
      }
    }

    let screen = try Screen()
    try screen.store.write { screen.dog.name = "Wolfie" }
    screen.store.refresh()  // prints "'name' changed to 'Wolfie'"
    withExtendedLifetime(screen) {}
    try await Transcript.expect(
      """
      'name' changed to 'Wolfie'
      """)
  }
}
