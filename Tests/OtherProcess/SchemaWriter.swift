import Herald

/// Makes commits that each change the schema and its objects; the content of the store follows from their
/// number.
///
/// After commit `n` there is one `Counter`, with `n`, and 700 dogs, numbered from 1, whose class is
/// that of step `n % 6`:
///
///     0  Dog { id: int primary; age: int; name: string indexed; tags: list<int> }
///     1  … and weight: double = 0.5
///     2  … with age: string
///     3  … called years, and without tags
///     4  … and class Toy { id: int primary; dog: Dog }, a toy for each of the first 50 dogs
///     5  … without Toy again, with years: int indexed
///
/// `age` is three times the number of the dog, its name "dog 7", its tags its number and the one
/// after.
final class SchemaWriter: Writer {
  static let dogs = 700
  static let toys = 50
  static let steps = 6

  private let store: DynamicStore
  private let counter: ObjectHandle
  private var number: Int

  init(path: String) throws {
    store = try DynamicStore(path: path)
    if store.schema.classSchema(named: "Counter") == nil { try Self.fill(store) }
    guard let counter = try store.object("Counter", key: .int(1)),
      case .int(let number) = try counter.value("n")
    else { throw HeraldError.noSuchObject("Counter#1") }
    self.counter = counter
    self.number = number
  }

  /// Fills the store in one commit, so that it holds all of this or nothing.
  private static func fill(_ store: DynamicStore) throws {
    try store.write {
      try store.declare(
        ClassDefinition(
          name: "Counter",
          properties: [
            .init(name: "id", element: .int, isPrimaryKey: true), .init(name: "n", element: .int),
          ]))
      try store.declare(
        ClassDefinition(
          name: "Dog",
          properties: [
            .init(name: "id", element: .int, isPrimaryKey: true),
            .init(name: "age", element: .int),
            .init(name: "name", element: .string, isIndexed: true),
            .init(name: "tags", element: .int, shape: .list),
          ]))
      for id in 1...dogs {
        _ = try store.add(
          "Dog",
          [
            ("id", .value(.int(id))), ("age", .value(.int(3 * id))),
            ("name", .value(.string("dog \(id)"))), ("tags", tags(id)),
          ])
      }
      _ = try store.add("Counter", [("id", .value(.int(1))), ("n", .value(.int(0)))])
    }
  }

  private static func tags(_ id: Int) -> PropertyContent { .list([.int(id), .int(id + 1)]) }

  func commit() throws -> Int {
    let next = number + 1
    try store.write {
      try change(to: next % Self.steps)
      try counter.set("n", to: .value(.int(next)))
    }
    number = next
    try store.endTurn()
    return next
  }

  private func change(to step: Int) throws {
    switch step {
    case 1:
      try store.alter(
        "Dog",
        [.add(.init(name: "weight", element: .double, defaultValue: .value(.double(0.5))))])
    case 2: try store.alter("Dog", [.change(.init(name: "age", element: .string))])
    case 3: try store.alter("Dog", [.rename("age", to: "years"), .drop("tags")])
    case 4: try addToys()
    case 5:
      try store.drop("Toy")
      try store.alter("Dog", [.change(.init(name: "years", element: .int, isIndexed: true))])
    case _: try restoreFirstStep()
    }
  }

  private func addToys() throws {
    try store.declare(
      ClassDefinition(
        name: "Toy",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "dog", element: .link("Dog")),
        ]))
    for dog in try store.objects("Dog").objects.prefix(Self.toys) {
      _ = try store.add(
        "Toy", [("id", .value(try dog.value("id"))), ("dog", .value(.link(dog.id)))])
    }
  }

  private func restoreFirstStep() throws {
    try store.alter(
      "Dog",
      [
        .drop("weight"), .rename("years", to: "age"),
        .change(.init(name: "age", element: .int)),
        .add(.init(name: "tags", element: .int, shape: .list)),
      ])
    for dog in try store.objects("Dog").objects {
      guard case .int(let id) = try dog.value("id") else { continue }
      try dog.set("tags", to: Self.tags(id))
    }
  }
}
