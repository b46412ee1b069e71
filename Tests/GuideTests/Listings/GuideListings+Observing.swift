// Written by scripts/listings from the article; change the listings there.

import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfObserving() async throws {
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var toys: List<String>
      @Persisted var scores: Map<String, Int>
    }

    let store = try Store()
    let token = store.objects(Dog.self).sorted(by: \.name).observe { change in
      switch change {
      case .initial(let dogs): print("initial", dogs.count)
      case .update(_, let deletions, let insertions, let modifications):
        print(deletions, insertions, modifications, change.changes.moves.count)
      case .error(let error): print(error)
      }
    }
    store.refresh()  // prints "initial 0"
    let max = Dog()
    try store.write {
      max.name = "Max"
      store.add(max)
      store.create(Dog.self, value: ["name": "Rex"])
    }
    store.refresh()  // prints "[] [0, 1] [] 0"
    try store.write { max.age = 7 }
    store.refresh()  // prints "[] [] [0] 0"

    token.invalidate()
    let ages = store.objects(Dog.self).sorted(by: \.name).sectioned(by: \.age)
    print(ages.allKeys, ages[1].map(\.name))  // prints "[0, 7] ["Max"]"
    let sectionToken = ages.observe { change in
      guard case .update(_, let old, let new, _, let inserted, let deleted) = change else { return }
      print(deleted, old.count, inserted, new.map { "\($0.section).\($0.row)" })
    }
    store.refresh()
    try store.write { store.create(Dog.self, value: ["name": "Ada"]) }
    store.refresh()  // prints "[] 0 [] ["0.0"]"
    try store.write { max.age = 8 }
    store.refresh()  // prints "[1] 0 [1] ["1.0"]"
    sectionToken.invalidate()

    let sumToken = store.objects(Dog.self).sum(\.age).observe { old, new in
      print(old.map(String.init) ?? "nil", new)
    }
    store.refresh()  // prints "nil 8"
    try store.write { max.age = 9 }
    store.refresh()  // prints "8 9"
    sumToken.invalidate()

    let objectToken = max.observe { change in
      switch change {
      case .change(_, let properties):
        for property in properties {
          print(property.name, property.oldValue ?? "nil", property.newValue ?? "nil")
        }
      case .deleted: print("deleted")
      case .error(let error): print(error)
      }
    }
    store.refresh()
    try store.write {
      max.name = "Wolfie"
      max.age = 8
    }
    store.refresh()  // prints "name Max Wolfie", "age 9 8"

    objectToken.invalidate()
    let ageToken = max.observe(\.age) { change in print(change.oldValue!, change.newValue!) }
    try store.write { max.age = 9 }  // prints "8 9"
    ageToken.invalidate()

    let storeToken = store.observe { notification, _ in print(notification) }
    try store.write { store.delete(max) }
    store.refresh()  // prints "didChange"
    storeToken.invalidate()
    withExtendedLifetime(store) {}
    withExtendedLifetime(token) {}
    withExtendedLifetime(max) {}
    withExtendedLifetime(ages) {}
    withExtendedLifetime(sectionToken) {}
    withExtendedLifetime(sumToken) {}
    withExtendedLifetime(objectToken) {}
    withExtendedLifetime(ageToken) {}
    withExtendedLifetime(storeToken) {}
    try await Transcript.expect(
      """
      initial 0
      [] [0, 1] [] 0
      [] [] [0] 0
      [0, 7] ["Max"]
      [] 0 [] ["0.0"]
      [1] 0 [1] ["1.0"]
      nil 8
      8 9
      name Max Wolfie
      age 9 8
      8 9
      didChange
      """)
  }
}
