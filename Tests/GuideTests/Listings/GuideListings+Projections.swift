// Written by scripts/listings from the article; change the listings there.

import Foundation
import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfProjections() async throws {
    class Address: EmbeddedObject {
      @Persisted var city = ""
    }

    class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var address: Address?
      @Persisted var friends: List<Person>
    }

    class PersonProjection: Projection<Person> {
      @Projected(\Person.firstName) var firstName
      @Projected(\Person.address?.city) var homeCity
      @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
    }

    let store = try Store()
    try store.write {
      let address = ["city": "Bree"]
      store.create(
        Person.self, value: ["firstName": "Jason", "address": address, "friends": [Person()]])
    }
    let jason = store.objects(PersonProjection.self).first { $0.firstName == "Jason" }!
    print(jason.homeCity ?? "none", jason.friends.count)  // prints "Bree 1"
    let token = jason.observe { change in
      guard case .change(_, let properties) = change else { return }
      print(properties[0].name, properties[0].newValue!)
    }
    try store.write { jason.rootObject.lastName = "Black" }
    store.refresh()
    try store.write { jason.firstName = "David" }
    store.refresh()  // prints "firstName David"
    token.invalidate()

    class NameProjection: Projection<Person> {
      @Projected(\Person.lastName.localizedUppercase) var capitals
    }

    print(NameProjection(projecting: jason.rootObject).capitals)  // prints "BLACK"
    withExtendedLifetime(store) {}
    withExtendedLifetime(jason) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      Bree 1
      firstName David
      BLACK
      """)
  }
}
