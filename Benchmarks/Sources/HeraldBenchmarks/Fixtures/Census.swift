import Herald

/// The same people in a store and in an SQLite database, with the same keys and indexes.
final class Census {
  static let className = "Person"

  static let definition = ClassDefinition(
    name: className,
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true), .init(name: "name", element: .string),
      .init(name: "age", element: .int), .init(name: "weight", element: .double),
      .init(name: "chip", element: .int, isIndexed: true), .init(name: "plate", element: .int),
    ])

  static let tables = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL,
      weight REAL NOT NULL, chip INTEGER NOT NULL, plate INTEGER NOT NULL);
    CREATE INDEX chips ON person (chip);
    """

  static let insertion = "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)"

  struct Person {
    let id: Int
    let name: String
    let age: Int
    let weight: Double
    let number: Int
  }

  let people: [Person]
  let store: DynamicStore
  let database: SQLiteDatabase

  init(_ count: Int) throws {
    people = Self.people(count)
    store = try DynamicStore()
    database = try SQLiteDatabase()
    try Self.fill(store, people)
    try Self.fill(database, people)
  }

  static func people(_ count: Int) -> [Person] {
    var random = SplitMix64(seed: 1)
    return (0..<count).map { index in
      let number = random.next()
      return Person(
        id: 3 * index, name: "Person \((number & 0xFFFF) % 10_000)", age: Int(number >> 32) % 100,
        weight: Double(number >> 11) * 0x1p-53 * 80, number: Registry.number(of: index))
    }
  }

  static func fill(_ store: DynamicStore, _ people: [Person]) throws {
    try store.declare(definition)
    try store.write {
      for person in people {
        let number = PropertyContent.value(.int(person.number))
        _ = try store.add(
          className,
          [
            ("id", .value(.int(person.id))), ("name", .value(.string(person.name))),
            ("age", .value(.int(person.age))), ("weight", .value(.double(person.weight))),
            ("chip", number), ("plate", number),
          ])
      }
    }
  }

  static func fill(_ database: SQLiteDatabase, _ people: [Person]) throws {
    try database.execute(tables)
    try database.execute("BEGIN")
    let statement = try database.prepare(insertion)
    for person in people {
      statement.bind(person.id, at: 1)
      statement.bind(person.name, at: 2)
      statement.bind(person.age, at: 3)
      statement.bind(person.weight, at: 4)
      statement.bind(person.number, at: 5)
      statement.bind(person.number, at: 6)
      try statement.run()
    }
    try database.execute("COMMIT")
  }

  /// Returns the census of a size, and caches the last one for consecutive benchmarks.
  static func of(_ count: Int) throws -> Census {
    if let last = Cache.shared.census, last.people.count == count { return last }
    Cache.shared.census = nil
    let census = try Census(count)
    Cache.shared.census = census
    return census
  }
}

/// The census that one benchmark leaves for the next.
private final class Cache {
  /// Benchmarks run one after another on one thread.
  nonisolated(unsafe) static let shared = Cache()
  var census: Census?
}
