import Herald

/// Dogs with a primary key, and one number both indexed and not, for reading only.
final class Registry {
  static let className = "Entry"

  let store: Store
  /// In order of creation; the primary key of the one at place p is 3p.
  let entries: [Object]

  static let definition = ClassDefinition(
    name: className,
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string), .init(name: "age", element: .int),
      .init(name: "weight", element: .double), .init(name: "breed", element: .string),
      .init(name: "chip", element: .int, isIndexed: true), .init(name: "plate", element: .int),
    ])

  init(_ count: Int) throws {
    store = try Store()
    try store.declare(Self.definition)
    var litter = Litter(seed: 1)
    var entries: [Object] = []
    try store.write { [store] in
      for place in 0..<count {
        let number = PropertyContent.value(.int(Self.number(of: place)))
        var properties = litter.dog()
        properties += [("id", .value(.int(3 * place))), ("chip", number), ("plate", number)]
        entries.append(try store.add(Self.className, properties))
      }
    }
    self.entries = entries
  }

  /// Ten entries share each number, spread over the blocks.
  static func number(of place: Int) -> Int { place * 7919 % 1_000_003 / 10 }

  /// The registry of a size: only the last is kept, for benchmarks that follow each other.
  static func of(_ count: Int) throws -> Registry {
    if let last = Shelf.shared.registry, last.entries.count == count { return last }
    Shelf.shared.registry = nil
    let registry = try Registry(count)
    Shelf.shared.registry = registry
    return registry
  }
}

/// What is kept from one benchmark for the next.
private final class Shelf {
  /// Benchmarks run one after another on one thread.
  nonisolated(unsafe) static let shared = Shelf()
  var registry: Registry?
}
