import Herald

/// Dogs with a primary key, and one number in an indexed and an unindexed property, for read benchmarks.
final class Registry {
  static let className = "Entry"

  let store: DynamicStore
  /// The entries in order of creation; the primary key of the one at index i is 3i.
  let entries: [ObjectHandle]

  static let definition = ClassDefinition(
    name: className,
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string), .init(name: "age", element: .int),
      .init(name: "weight", element: .double), .init(name: "breed", element: .string),
      .init(name: "chip", element: .int, isIndexed: true), .init(name: "plate", element: .int),
    ])

  init(_ count: Int) throws {
    store = try DynamicStore()
    try store.declare(Self.definition)
    var litter = Litter(seed: 1)
    var entries: [ObjectHandle] = []
    try store.write { [store] in
      for index in 0..<count {
        let number = PropertyContent.value(.int(Self.number(of: index)))
        var properties = litter.dog()
        properties += [("id", .value(.int(3 * index))), ("chip", number), ("plate", number)]
        entries.append(try store.add(Self.className, properties))
      }
    }
    self.entries = entries
  }

  /// Returns the number of the entry at an index. Ten entries share each, spread over the blocks.
  static func number(of index: Int) -> Int { index * 7919 % 1_000_003 / 10 }

  /// Returns the registry of a size, and caches the last one for consecutive benchmarks.
  static func of(_ count: Int) throws -> Registry {
    if let last = Cache.shared.registry, last.entries.count == count { return last }
    Cache.shared.registry = nil
    let registry = try Registry(count)
    Cache.shared.registry = registry
    return registry
  }
}

/// The registry that one benchmark leaves for the next.
private final class Cache {
  /// Benchmarks run one after another on one thread.
  nonisolated(unsafe) static let shared = Cache()
  var registry: Registry?
}
