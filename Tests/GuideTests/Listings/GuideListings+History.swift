// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfHistory() async throws {
    class Dog: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var age = 0
    }

    let store = try Store(objectTypes: [Dog.self])
    let max = try store.write(message: "a puppy") {
      store.create(Dog.self, value: ["id": 1, "name": "Max"])
    }
    let born = store.version
    try store.write { max.age = 3 }
    print(try store.log(of: Dog.self).compactMap(\.message))  // prints "["a puppy"]"
    for change in try store.commit(store.version).changes {
      guard case .modified(let properties) = change.change else { continue }
      print(change.label.key, properties[0].name)  // prints "int(1) age"
    }

    let before = try store.frozen(at: born)
    print(before.objects(Dog.self).first?.age ?? -1)  // prints "0"
    let changes = try store.difference(
      from: before.objects(Dog.self), to: store.frozen(at: store.version).objects(Dog.self))
    print(changes.modifications)  // prints "[0]"

    try store.undo()
    print(max.age)  // prints "0"
    try store.redo()
    print(max.age)  // prints "3"
    try store.write { store.delete(max) }
    try store.undo()
    print(store.objects(Dog.self).map(\.name))  // prints "["Max"]"
    withExtendedLifetime(store) {}
    withExtendedLifetime(max) {}
    withExtendedLifetime(born) {}
    withExtendedLifetime(before) {}
    withExtendedLifetime(changes) {}
    try await Transcript.expect(
      """
      ["a puppy"]
      int(1) age
      0
      [0]
      0
      3
      ["Max"]
      """)
  }
}
