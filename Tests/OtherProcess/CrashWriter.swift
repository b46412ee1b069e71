import Herald

/// Makes commits whose content follows from their number, so that a store can be checked from the number of
/// commits alone.
///
/// After commit `n` there is one `Counter`, with `n`, and the `Item`s from `n - 39` to `n`, each with
/// its number, a text made of it and a link to the one before; the counter's list `items` holds them
/// in order, and `log` the last 700 numbers.
final class CrashWriter: Writer {
  static let kept = 40
  static let logged = 700

  private let store: DynamicStore
  private let counter: ObjectHandle
  private var number: Int

  init(path: String) throws {
    store = try DynamicStore(path: path)
    try store.declare(
      ClassDefinition(
        name: "Item",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "text", element: .string, isIndexed: true),
          .init(name: "before", element: .link("Item")),
        ]))
    try store.declare(
      ClassDefinition(
        name: "Counter",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "n", element: .int),
          .init(name: "items", element: .link("Item"), shape: .list),
          .init(name: "log", element: .int, shape: .list),
        ]))
    if let found = try store.object("Counter", key: .int(1)) {
      counter = found
    } else {
      counter = try store.write { [store] in
        try store.add("Counter", [("id", .value(.int(1))), ("n", .value(.int(0)))])
      }
    }
    guard case .int(let number) = try counter.value("n") else {
      throw HeraldError.noSuchObject("Counter#1")
    }
    self.number = number
  }

  func commit() throws -> Int {
    let next = number + 1
    try store.write {
      let before = try store.object("Item", key: .int(number))
      let item = try store.add(
        "Item",
        [
          ("id", .value(.int(next))), ("text", .value(.string("item \(next)"))),
          ("before", .value(before.map { .link($0.id) } ?? .null)),
        ])
      try counter.set("n", to: .value(.int(next)))
      try counter.collection("items").append([.link(item.id)])
      let log = try counter.collection("log")
      try log.append([.int(next)])
      if log.count > Self.logged { try log.remove(at: 0) }
      if let old = try store.object("Item", key: .int(next - Self.kept)) { try store.delete(old) }
    }
    number = next
    try store.endTurn()
    return next
  }
}
