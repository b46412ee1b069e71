import Herald
import TestSupport
import Testing

/// Objects that are added by columns.
@Suite struct ColumnInsertTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "name", element: .string),
      .init(name: "age", element: .int, isIndexed: true),
      .init(name: "weight", element: .double, defaultValue: .value(.double(1.5))),
      .init(name: "isGood", element: .bool, isOptional: true),
      .init(name: "born", element: .date, isOptional: true),
      .init(name: "toys", element: .string, shape: .list),
    ])

  private static func makeStore() throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(dog)
    return store
  }

  private static func columns(_ count: Int) -> [NamedColumn] {
    [
      ("age", .ints((0..<count).map { $0 % 17 - 5 })),
      ("name", .strings((0..<count).map { "Dog \($0)" })),
      ("isGood", .values((0..<count).map { $0 % 3 == 0 ? .null : .bool($0 % 2 == 0) })),
      ("born", .dates((0..<count).map { Timestamp(seconds: $0, nanoseconds: 7) })),
    ]
  }

  private func values(_ store: DynamicStore) throws -> [[Value?]] {
    try store.objects("Dog").objects.map { dog in
      try ["name", "age", "weight", "isGood", "born"].map { try dog.value($0) }
    }
  }

  @Test(arguments: [1, 255, 256, 600])
  func `columns add what the same objects one by one do`(_ count: Int) throws {
    let (byColumns, byObjects) = (try Self.makeStore(), try Self.makeStore())
    let columns = Self.columns(count)
    let numbers = try byColumns.write {
      _ = try byColumns.add("Dog", [("name", .value(.string("a"))), ("age", .value(.int(1)))])
      return try byColumns.insert("Dog", columns: columns)
    }
    #expect(numbers == 2..<2 + count)
    try byObjects.write {
      _ = try byObjects.add("Dog", [("name", .value(.string("a"))), ("age", .value(.int(1)))])
      for row in 0..<count {
        _ = try byObjects.add("Dog", columns.map { ($0.name, .value($0.content[row])) })
      }
    }
    #expect(try values(byColumns) == values(byObjects))
    #expect(byColumns.check().isEmpty)
  }

  @Test func `an observer receives the objects as insertions, and a rollback leaves none`() throws {
    let store = try Self.makeStore()
    var rows: [Int] = []
    let token = try store.objects("Dog").observe { _, change in
      if case .update(let changes, _) = change { rows = changes.insertions }
    }
    try store.endTurn()
    try store.write { _ = try store.insert("Dog", columns: Self.columns(300)) }
    try store.endTurn()
    #expect(rows == Array(0..<300))
    try store.beginWrite()
    _ = try store.insert("Dog", columns: Self.columns(10))
    try store.rollbackWrite()
    #expect(try store.objects("Dog").count == 300)
    #expect(store.check().isEmpty)
    token.invalidate()
  }

  @Test func `a class with a primary key takes columns, all objects or none`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Chip", properties: [.init(name: "id", element: .int, isPrimaryKey: true)]))
    try store.write { _ = try store.insert("Chip", columns: [("id", .ints([3, 1, 2]))]) }
    try store.write {
      expectError("an object of class 'Chip' with id 1 exists already") {
        _ = try store.insert("Chip", columns: [("id", .ints([7, 1]))])
      }
    }
    #expect(try store.objects("Chip").count == 3)
    #expect(store.check().isEmpty)
  }

  @Test func `what does not fit is named, and nothing is added`() throws {
    let store = try Self.makeStore()
    try store.write {
      expectError("property 'name' of class 'Dog' gets 1 values, and 'age' 2") {
        _ = try store.insert("Dog", columns: [("age", .ints([1, 2])), ("name", .strings(["a"]))])
      }
      expectError("property 'name' of class 'Dog' needs a value") {
        _ = try store.insert("Dog", columns: [("age", .ints([1, 2]))])
      }
      expectError("property 'age' of class 'Dog' is int and cannot hold \"a\"") {
        _ = try store.insert("Dog", columns: [("age", .strings(["a"])), ("name", .strings(["a"]))])
      }
    }
    #expect(try store.objects("Dog").count == 0)
  }

  @Test func `columns of a class of the program add its objects`() throws {
    let store = try Store()
    let owner = try store.write {
      let owner = ShownDog()
      owner.name = "Ada"
      store.add(owner)
      return owner
    }
    let added = try store.write {
      store.insert(
        ShownDog.self,
        columns: .column(\.name, ["a", "b", "c"]), .column(\.age, [1, nil, 3]),
        .column(\.friend, [nil, owner, nil]))
    }
    #expect(added == 3)
    let dogs = store.objects(ShownDog.self)
    #expect(dogs.map(\.name) == ["Ada", "a", "b", "c"])
    #expect(dogs.map(\.age) == [nil, 1, nil, 3])
    #expect(dogs.map(\.weight) == [2.5, 2.5, 2.5, 2.5])
    #expect(dogs.map { $0.friend?.name } == [nil, nil, "Ada", nil])
    expectError("property 'age' of class 'ShownDog' gets 1 values, and 'name' 2") {
      try store.write {
        store.insert(ShownDog.self, columns: .column(\.name, ["d", "e"]), .column(\.age, [1]))
      }
    }
    #expect(dogs.count == 4)
    #expect(store.untyped.check().isEmpty)
  }
}

/// A class of the program.
private final class ShownDog: Object {
  @Persisted var name = ""
  @Persisted var age: Int?
  @Persisted var weight = 2.5
  @Persisted var friend: ShownDog?
}
