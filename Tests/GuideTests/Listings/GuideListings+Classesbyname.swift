// Written by scripts/listings from the article; change the listings there.

import Foundation
import Herald
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfClassesbyname() async throws {
    let store = try Store()
    try store.dynamic.declare(
      ClassDefinition(
        name: "Person", properties: [.init(name: "name", element: .string, isPrimaryKey: true)]))
    try store.dynamic.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "name", element: .string),
          .init(name: "age", element: .int, isOptional: true),
          .init(name: "owner", element: .link("Person"), isOptional: true),
          .init(name: "toys", element: .string, shape: .list),
        ]))
    for classSchema in store.dynamic.schema.classes {
      print(classSchema.name, classSchema.properties.map(\.name).joined(separator: " "))
    }
    // prints "Person name", "Dog name age owner toys"

    let rex = try store.write {
      store.dynamic.create("Dog", value: ["name": "Rex", "age": 3, "owner": ["name": "Ann"]])
    }
    let owner = rex["owner"] as? DynamicObject
    print(rex["age"] as? Int ?? 0, owner?["name"] ?? "none")  // prints "3 Ann"
    try store.write {
      rex["age"] = 4
      (rex["toys"] as? List<String>)?.append("ball")
    }
    print(rex["age"] ?? "none", rex["toys"] ?? "none")  // prints "4 [ball]"

    let dogs = store.dynamic.objects("Dog").filter("age > %@", 1).sorted(byKeyPath: "name")
    print(dogs.count, dogs.sum(ofProperty: "age", as: Int.self))  // prints "1 4"
    let token = dogs.observe(keyPaths: ["age"]) { change in
      if case .update(let dogs, _, let insertions, _) = change {
        print(insertions, dogs.map { "\($0["name"] ?? "")" }.joined(separator: " "))
      }
    }
    store.refresh()
    try store.write { store.dynamic.create("Dog", value: ["name": "Bo", "age": 9]) }
    store.refresh()  // prints "[0] Bo Rex"
    withExtendedLifetime(store) {}
    withExtendedLifetime(rex) {}
    withExtendedLifetime(owner) {}
    withExtendedLifetime(dogs) {}
    withExtendedLifetime(token) {}
    try await Transcript.expect(
      """
      Person name
      Dog name age owner toys
      3 Ann
      4 [ball]
      1 4
      [0] Bo Rex
      """)
  }
}
