import Herald

/// An object whose properties hold lists and maps in one another, and two sessions that change it.
struct NestedBox {
  let main: DynamicStore
  let other: DynamicStore
  let box: DynamicObject

  init(_ store: DynamicStore? = nil) throws {
    let main = try store ?? DynamicStore()
    try main.declare(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "n", element: .int, defaultValue: .value(.int(0))),
          .init(name: "a", element: .any), .init(name: "l", element: .any, shape: .list),
          .init(name: "m", element: .any, shape: .map),
          .init(name: "s", element: .any, shape: .set),
        ]))
    let whole = Value.list([.int(1), .list([.int(2)]), .map(["k": .list([.int(3)])])])
    box = try main.write {
      let dog = try main.add("Box", [])
      return try main.add(
        "Box",
        [
          ("a", .value(whole)), ("l", .list([whole, .link(dog.id)])), ("m", .map(["x": whole])),
        ])
    }
    self.main = main
    other = try main.newSession(named: "other")
  }

  /// A collection of an object, or one that is nested in it.
  func collection(
    of box: DynamicObject, _ property: String, _ path: [ValueStep]
  ) throws -> LiveCollection {
    path.isEmpty && property != "a" ? try box.collection(property) : try box.nested(property, path)
  }
}
