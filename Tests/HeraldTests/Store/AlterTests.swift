import Herald
import TestSupport
import Testing

/// Alters and drops through the library, and stores that are opened for other classes than theirs.
@Suite struct AlterTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string),
      .init(name: "age", element: .int),
    ])

  private static func dog(_ change: (inout ClassDefinition) -> Void) -> ClassDefinition {
    var definition = dog
    change(&definition)
    return definition
  }

  /// A store file with two dogs in it.
  private func withStore(_ body: (String) throws -> Void) throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try fill(try DynamicStore(path: path, classes: [Self.dog]))
      try body(path)
    }
  }

  private func fill(_ store: DynamicStore) throws {
    try store.write {
      for id in [1, 2] {
        _ = try store.add(
          "Dog",
          [
            ("id", .value(.int(id))), ("name", .value(.string("d\(id)"))),
            ("age", .value(.int(id * 3))),
          ])
      }
    }
    store.close()
  }

  @Test func `a store with the program's classes is taken as it is`() throws {
    try withStore { path in
      let store = try DynamicStore(path: path, readOnly: true, classes: [Self.dog])
      #expect(try store.objects("Dog").count == 2)
    }
  }

  @Test func `results continue where a property of theirs becomes optional, or required`() throws {
    let store = try DynamicStore()
    try store.declare(Self.dog { $0.properties.remove(at: 1) })
    try store.write {
      for id in [1, 2] {
        _ = try store.add("Dog", [("id", .value(.int(id))), ("age", .value(.int(id * 3)))])
      }
    }
    let (tail, _) = try QueryParser.parseTail(Array("where age != 3 sort(age)".utf8), from: 0)
    let results = try store.results("Dog", tail, names: NoNames())
    var notified: [DynamicCollectionChange] = []
    let token = try results.observe { _, change in notified.append(change) }
    try store.endTurn()
    let optional = ClassDefinition.Property(name: "age", element: .int, isOptional: true)
    try store.alter("Dog", [.change(optional)])
    let added = try store.write { try store.add("Dog", [("id", .value(.int(3)))]) }
    try store.endTurn()
    #expect(try results.objects.map { try $0.value("id") } == [.int(3), .int(2)])
    #expect(
      notified == [.initial(count: 1), .update(ChangeSet(insertions: [0]), ownerDeleted: false)])
    try store.write { try added.set("age", to: .value(.int(9))) }
    try store.alter("Dog", [.change(.init(name: "age", element: .int))])
    #expect(try results.objects.map { try $0.value("id") } == [.int(2), .int(3)])
    try store.alter("Dog", [.change(.init(name: "age", element: .double))])
    expectError("property 'age' of class 'Dog' was dropped, or has another type now") {
      _ = try results.objects
    }
    token.invalidate()
  }

  @Test func `an older store gets what a newer program adds`() throws {
    try withStore { path in
      let newer = Self.dog {
        $0.properties[1].isIndexed = true
        $0.properties[2].defaultValue = .value(.int(1))
        $0.properties.append(
          .init(name: "weight", element: .double, defaultValue: .value(.double(2))))
        $0.properties.append(.init(name: "owner", element: .link("Person")))
        $0.properties.append(.init(name: "tags", element: .string, shape: .set))
      }
      let person = ClassDefinition(
        name: "Person",
        properties: [
          .init(name: "name", element: .string),
          .init(name: "dogs", element: .link("Dog"), shape: .backlinks("owner")),
        ])
      expectError("the store is read-only") {
        _ = try DynamicStore(path: path, readOnly: true, classes: [newer, person])
      }
      let store = try DynamicStore(path: path, classes: [newer, person])
      let first = try #require(try store.object("Dog", key: .int(1)))
      #expect(try first.value("weight") == .double(2))
      #expect(try first.value("owner") == .null)
      #expect(try first.collection("tags").count == 0)
      let added = try store.write {
        try store.add("Dog", [("id", .value(.int(3))), ("name", .value(.string("")))])
      }
      #expect(try added.value("age") == .int(1))
      #expect(store.check().isEmpty)
      store.close()
      // The older program still finds all that it knows.
      let older = try DynamicStore(path: path, classes: [Self.dog])
      #expect(try older.object("Dog", key: .int(2))?.value("age") == .int(6))
      #expect(older.schema.classSchema(named: "Dog")?.properties.count == 6)
      #expect(older.version == store.version)
    }
  }

  @Test func `differences other than additions are errors that say what to do`() throws {
    try withStore { path in
      let bytes = FileTree.read(path)
      expectError(
        "class 'Dog' differs in the store: its property 'age' is int, the program's double?; "
          + "run: alter Dog { age: double? }"
      ) {
        let other = Self.dog {
          $0.properties[2].element = .double
          $0.properties[2].isOptional = true
        }
        _ = try DynamicStore(path: path, classes: [other])
      }
      expectError(
        "class 'Dog' differs in the store: its property 'name' is string, the program's "
          + "string primary; run: alter Dog { name: string primary }"
      ) {
        let other = Self.dog {
          $0.properties[0].isPrimaryKey = false
          $0.properties[1].isPrimaryKey = true
          $0.properties.removeFirst()
        }
        _ = try DynamicStore(path: path, classes: [other])
      }
      expectError(
        "class 'Dog' differs in the store: it is not embedded; "
          + "that cannot be changed: give the class another name"
      ) {
        let other = ClassDefinition(name: "Dog", isEmbedded: true, properties: [])
        _ = try DynamicStore(path: path, classes: [other])
      }
      expectError(
        "the new property 'x' of class 'Dog' needs a default, or '?': Dog#1 would have no value"
      ) {
        let cat = ClassDefinition(name: "Cat", properties: [])
        let other = Self.dog { $0.properties.append(.init(name: "x", element: .int)) }
        _ = try DynamicStore(path: path, classes: [cat, other])
      }
      #expect(FileTree.read(path) == bytes)
    }
  }

  @Test func `references from before an alter follow it or fail with an error`() throws {
    try withKennel(dogs: 3) { kennel in
      let store = kennel.store
      let old = try kennel.dogs("where age >= 0 sort(name)")
      let tags = try kennel.dog(1).collection("tags")
      let siblings = try kennel.dog(1).collection("siblings")
      try store.alter("Dog", [.rename("age", to: "years"), .rename("tags", to: "labels")])
      #expect(try old.count == 3)
      try store.write { try tags.append([.string("1")]) }
      #expect(tags.property.name == "labels")
      try store.alter(
        "Dog",
        [
          .change(.init(name: "years", element: .string)),
          .change(.init(name: "labels", element: .int, shape: .set)), .drop("siblings"),
        ])
      expectError("property 'years' of class 'Dog' was dropped, or has another type now") {
        _ = try old.count
      }
      try store.write { try tags.insert(.int(2)) }
      #expect(tags.values == [.int(1), .int(2)])
      expectError("property 'siblings' of class 'Dog' was dropped, or has another type now") {
        try store.write { try siblings.append([]) }
      }
      #expect(siblings.count == 0)
      let dogs = try store.objects("Dog")
      try store.alter("Person", [.drop("dogs")])
      try store.drop("Dog")
      expectError("class 'Dog' was dropped, or has another type now") { _ = try dogs.count }
    }
  }

  @Test func `a rolled back alter changes nothing`() throws {
    try withKennel(dogs: 2) { kennel in
      let store = kennel.store
      try kennel.observe(try kennel.dogs("where age >= 0"), as: "dogs")
      _ = try kennel.turn()
      let schema = store.schema
      try store.beginWrite()
      try store.alter("Dog", [.drop("toy"), .change(.init(name: "age", element: .string))])
      try store.drop("Trigger")
      try store.rollbackWrite()
      #expect(store.schema == schema)
      #expect(try kennel.turn() == [])
      try kennel.write { try kennel.dog(1).set("age", .int(4)) }
      #expect(try kennel.turn() == ["dogs: modifications [0]"])
    }
  }

  @Test func `objects may change in the same write, before and after`() throws {
    try withKennel(dogs: 2) { kennel in
      let store = kennel.store
      try kennel.observe(kennel.dog(1), as: "one")
      try kennel.observe(kennel.dog(2), as: "two")
      try kennel.observe(try kennel.dogs("where name == \"x\""), as: "named")
      _ = try kennel.turn()
      try kennel.write {
        try kennel.dog(1).set("age", .int(4))
        try kennel.dog(1).set("tags", to: .list([.string("7")]))
        try kennel.dog(2).set("toy", .string("ball"))
        try store.alter(
          "Dog",
          [
            .change(.init(name: "age", element: .double)), .drop("toy"),
            .change(.init(name: "tags", element: .int, shape: .list)),
          ])
        try kennel.dog(2).set("age", .double(1.5))
        try kennel.dog(2).set("name", .string("x"))
      }
      let notified = try kennel.turn()
      #expect(
        notified == [
          "one: change age 0 -> 4.0, tags", "two: change name \"\" -> \"x\", age 0.0 -> 1.5",
          "named: insertions [0]",
        ])
    }
  }

  @Test func `a write that silences an alter ends its tokens too`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.observe(try kennel.dogs("where age >= 0"), as: "old")
      try kennel.observe(try kennel.dogs("where name == \"\""), as: "named")
      _ = try kennel.turn()
      try kennel.write(without: ["old", "named"]) {
        try kennel.store.alter("Dog", [.change(.init(name: "age", element: .double))])
      }
      #expect(try kennel.turn() == [])
      #expect(kennel.tokens["old"]?.isLive == false)
      #expect(kennel.tokens["named"]?.isLive == true)
    }
  }
}
