import Herald

/// Dogs of four properties without a key or an index, in a store and in an SQLite database.
struct PeerDogs {
  private static let tables =
    "CREATE TABLE dog (name TEXT NOT NULL, age INTEGER NOT NULL, weight REAL NOT NULL, breed TEXT NOT NULL)"
  static let insertion = "INSERT INTO dog VALUES (?, ?, ?, ?)"

  let store: DynamicStore
  let database: SQLiteDatabase
  /// The objects in order; object `index` is row `index + 1`.
  let objects: [ObjectHandle]
  /// The folder of the files, if they are not in memory.
  private let folder: TemporaryFolder?

  struct Dog {
    let name: String
    let age: Int
    let weight: Double
    let breed: String

    init(_ index: Int) {
      name = "Dog \(index % 10_000)"
      age = index * 7 % 20
      weight = Double(index * 7919 % 100_003) / 16
      breed = Kennel.breeds[index % Kennel.breeds.count]
    }

    var properties: [NamedContent] {
      [
        ("name", .value(.string(name))), ("age", .value(.int(age))),
        ("weight", .value(.double(weight))), ("breed", .value(.string(breed))),
      ]
    }

    func bind(to statement: SQLiteStatement) {
      statement.bind(name, at: 1)
      statement.bind(age, at: 2)
      statement.bind(weight, at: 3)
      statement.bind(breed, at: 4)
    }
  }

  /// In memory, or in files of `folder`.
  init(_ count: Int, in folder: TemporaryFolder? = nil) throws {
    self.folder = folder
    let dogs = (0..<count).map(Dog.init)
    store = try folder.map { try DynamicStore(path: $0.file("dogs.hdb")) } ?? DynamicStore()
    database = try SQLiteDatabase(folder?.file("dogs.sqlite"))
    objects = try Self.fill(store, dogs)
    try Self.fill(database, dogs)
  }

  static func fill(_ store: DynamicStore, _ dogs: [Dog]) throws -> [ObjectHandle] {
    try store.declare(Kennel.definition)
    return try store.write { try dogs.map { try store.add(Kennel.className, $0.properties) } }
  }

  static func fill(_ database: SQLiteDatabase, _ dogs: [Dog]) throws {
    try database.execute(tables)
    try database.execute("BEGIN")
    let statement = try database.prepare(insertion)
    for dog in dogs {
      dog.bind(to: statement)
      try statement.run()
    }
    try database.execute("COMMIT")
  }
}
