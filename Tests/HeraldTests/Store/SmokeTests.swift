import Herald
import Testing

/// One object and its observer, from the declaration of the class to the deletion of the object.
struct SmokeTests {
  @Test func `an object is added, changed, observed and deleted`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "name", element: .string),
          .init(name: "age", element: .int, defaultValue: .value(.int(0))),
        ]))
    var notified: [String] = []
    let token = try store.objects("Dog").observe { dogs, change in
      notified.append("\(change)")
    }
    let max = try store.write { try store.add("Dog", [("name", .value(.string("Max")))]) }
    try store.endTurn()
    try store.write { try max.set("age", to: .value(.int(3))) }
    try store.endTurn()
    try store.write { try store.delete(max) }
    try store.endTurn()
    #expect(notified.count == 4, "\(notified)")
    #expect(token.isLive)
    #expect(store.check() == [])
  }
}
