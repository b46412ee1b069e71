// Written by scripts/listings from the article; change the listings there.

import Foundation
import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfGettingstarted() async throws {
    enum Breed: String, PersistableEnum { case collie, dachshund }

    class Collar: EmbeddedObject {
      @Persisted var color = "red"
    }

    class Dog: Object {
      @Persisted(primaryKey: true) var id: ObjectId
      @Persisted(indexed: true) var name = ""
      @Persisted var age: Int?
      @Persisted var breed = Breed.collie
      @Persisted var born = Date()
      @Persisted var collar: Collar?
      @Persisted var friend: Dog?
      @Persisted var toys: List<String>
      @Persisted var scores: Map<String, Int>
      @Persisted(originProperty: "friend") var admirers: LinkingObjects<Dog>
    }

    let store = try Store()  // Store(path: "dogs.hdb") keeps it in a file
    let max = Dog()
    max.name = "Max"
    max.age = 6
    max.toys.append("ball")
    try store.write {
      store.add(max)
      store.create(Dog.self, value: ["name": "Rex", "age": 3, "friend": max])
    }
    print(max.admirers.count)  // prints "1"

    let dogs = store.objects(Dog.self)
    let old = dogs.where { $0.age > 5 && $0.name.starts(with: "M") }
    print(old.count, old.first?.name ?? "none")  // prints "1 Max"
    print(dogs.sorted(by: \.name).map(\.name).joined(separator: ", "))  // prints "Max, Rex"
    print(dogs.filter("age < %@", 5).count)  // prints "1"
    print(store.object(ofType: Dog.self, forPrimaryKey: max.id) == max)  // prints "true"

    let token = old.observe { change in
      guard case .update(let dogs, let deletions, let insertions, let modifications) = change else {
        return
      }
      print(dogs.count, deletions, insertions, modifications)
    }
    store.refresh()
    try store.write { max.age = 4 }
    store.refresh()  // prints "0 [0] [] []"
    withExtendedLifetime(store) {}
    withExtendedLifetime(max) {}
    withExtendedLifetime(dogs) {}
    withExtendedLifetime(old) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      1
      1 Max
      Max, Rex
      1
      true
      0 [0] [] []
      """)
  }
}
