import Herald
import Testing

@testable import TestModel

/// Observation §10: errors, each raised before anything is changed.
@Suite struct ErrorRuleTests {
  /// Tries something in a write of its own, which must fail with this error and change nothing.
  private func expect(
    _ expected: HeraldError, _ kennel: Kennel, _ body: @escaping (Kennel) throws -> Void
  ) throws {
    let before = try contents(kennel)
    try kennel.store.beginWrite()
    do {
      try body(kennel)
      Issue.record("no error instead of \(expected)")
    } catch let error as HeraldError {
      #expect(error == expected)
    }
    let inside = try contents(kennel)
    #expect(inside == before)
    try kennel.store.commitWrite()
    let after = try contents(kennel)
    #expect(after == before)
  }

  private func contents(_ kennel: Kennel) throws -> [String] {
    try kennel.dogs().objects.map { dog in
      let values = try ["id", "name", "age", "toy", "owner"].map { try dog.value($0).literal }
      return
        "\(values) \(try dog.collection("tags").values.text) \(try dog.collection("siblings").values.text)"
    }
  }

  @Test func `10 a change outside a write`() throws {
    try withKennel(dogs: 1) { (kennel) throws in
      #expect(throws: HeraldError.notInWrite) { try kennel.addDog(2) }
      #expect(throws: HeraldError.notInWrite) { try kennel.dog(1).set("age", .int(4)) }
      #expect(throws: HeraldError.notInWrite) { try kennel.store.delete(try kennel.dog(1)) }
      #expect(throws: HeraldError.notInWrite) {
        try kennel.dog(1).collection("tags").append([.string("x")])
      }
      #expect(throws: HeraldError.noOpenWrite) { try kennel.store.commitWrite() }
      #expect(throws: HeraldError.noOpenWrite) { try kennel.store.rollbackWrite() }
      #expect(try kennel.dogs().count == 1)
    }
  }

  @Test func `10 a write within a write`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.write {
        #expect(throws: HeraldError.writeInProgress) { try kennel.write {} }
        #expect(throws: HeraldError.writeInProgress) { try kennel.store.beginWrite() }
        try kennel.addDog(2)
      }
      #expect(try kennel.dogs().count == 2)
    }
  }

  @Test func `10 unknown names, with the nearest`() throws {
    try withKennel(dogs: 1) { kennel in
      #expect(throws: HeraldError.unknownClass("Dgo", nearest: "Dog")) {
        _ = try kennel.store.objects("Dgo")
      }
      let unknown = HeraldError.unknownProperty("agee", className: "Dog", nearest: "age")
      #expect(throws: unknown) { _ = try kennel.dog(1).value("agee") }
      try expect(unknown, kennel) { try $0.dog(1).set("agee", .int(1)) }
      let named: [NamedContent] = [("agee", .value(.int(1)))]
      try expect(unknown, kennel) { try $0.addDog(2, named) }
      try expect(unknown, kennel) {
        try $0.dog(1).set([("age", .value(.int(7))), ("agee", .value(.int(1)))])
      }
      #expect(throws: QueryError.self) { _ = try kennel.dogs("where agee > 1") }
      #expect(throws: QueryError.self) { _ = try kennel.dogs("sort(agee)") }
    }
  }

  @Test(
    arguments: [
      ("age", PropertyContent.value(.string("four"))), ("age", .value(.bool(true))),
      ("age", .value(.null)), ("age", .list([.int(1)])), ("name", .value(.int(4))),
      ("name", .value(.null)), ("tags", .value(.string("x"))), ("tags", .list([.int(1)])),
      ("tags", .list([.string("x"), .null])), ("toy", .value(.int(1))),
      ("owner", .value(.string("Ann"))), ("siblings", .list([.null])),
    ] as [(String, PropertyContent)])
  func `10 a wrong type or a missing value`(property: String, content: PropertyContent) throws {
    let other = property == "siblings" ? "tags" : "siblings"
    let keyed: [NamedContent] = [("id", .value(.int(1))), (property, content)]
    let tries: [(Kennel) throws -> Void] = [
      { try $0.dog(1).set(property, to: content) },
      { try $0.dog(1).set([(other, .list([])), (property, content)]) },
      { _ = try $0.addDog(3, [(property, content)]) },
      { _ = try $0.store.upsert("Dog", keyed) },
    ]
    for attempt in tries {
      let error = try self.error(attempt)
      switch error {
      case .wrongType(property, "Dog", _, _), .missingValue(property, "Dog"): break
      default: Issue.record("\(property) of \(content): \(String(describing: error))")
      }
    }
  }

  /// What a change fails with, which must have changed nothing.
  private func error(_ attempt: (Kennel) throws -> Void) throws -> HeraldError? {
    var found: HeraldError?
    try withKennel(dogs: 2) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("siblings").append(try kennel.links([2]))
      }
      let before = try contents(kennel)
      try kennel.write {
        do { try attempt(kennel) } catch let error as HeraldError { found = error }
      }
      let after = try contents(kennel)
      #expect(after == before)
    }
    return found
  }

  @Test func `10 a link to an object of another class, deleted, or of another session`() throws {
    try withKennel(dogs: 2) { kennel in
      let dog = try kennel.dog(2)
      try kennel.write {
        #expect(throws: HeraldError.self) { try kennel.dog(1).set("owner", .link(dog.id)) }
        try kennel.store.delete(dog)
        #expect(throws: HeraldError.self) {
          try kennel.dog(1).collection("siblings").append([.link(dog.id)])
        }
      }
      #expect(try kennel.dog(1).collection("siblings").values == [])
    }
  }

  @Test func `10 primary keys are unique and do not change`() throws {
    try withKennel(dogs: 2) { kennel in
      try expect(.duplicateKey("1", className: "Dog", property: "id"), kennel) {
        try $0.addDog(1)
      }
      try expect(.keyCannotChange(property: "id", className: "Dog"), kennel) {
        try $0.dog(1).set("id", .int(9))
      }
      try expect(.missingValue(property: "id", className: "Dog"), kennel) {
        _ = try $0.store.add("Dog", [])
      }
      // A key is free again once its object is deleted, also in one transaction.
      try kennel.write {
        try kennel.store.delete(try kennel.dog(1))
        try kennel.addDog(1, [("age", .value(.int(3)))])
      }
      #expect(try kennel.dog(1).value("age") == .int(3))
    }
  }

  @Test func `10 an object that was deleted`() throws {
    try withKennel(dogs: 2) { kennel in
      let dog = try kennel.dog(1)
      let tags = try dog.collection("tags")
      try kennel.write { try kennel.store.delete(dog) }
      #expect(!dog.isValid)
      #expect(!tags.isValid)
      let deleted: (any Error) -> Bool = {
        if case HeraldError.objectDeleted = $0 { true } else { false }
      }
      #expect(performing: { _ = try dog.value("age") }, throws: deleted)
      #expect(performing: { _ = try dog.collection("tags") }, throws: deleted)
      #expect(performing: { _ = try dog.observe { _, _ in } }, throws: deleted)
      #expect(performing: { _ = try tags.observe { _, _ in } }, throws: deleted)
      try kennel.write {
        #expect(performing: { try dog.set("age", .int(1)) }, throws: deleted)
        #expect(performing: { try tags.append([.string("x")]) }, throws: deleted)
        #expect(performing: { try kennel.store.delete(dog) }, throws: deleted)
      }
    }
  }

  @Test func `10 rows out of range`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("tags").append([.string("a"), .string("b"), .string("c")])
      }
      let tags = try kennel.dog(1).collection("tags")
      #expect(throws: HeraldError.rowOutOfRange(3, count: 3)) { _ = try tags[3] }
      #expect(throws: HeraldError.rowOutOfRange(-1, count: 3)) { _ = try tags[-1] }
      #expect(throws: HeraldError.rowOutOfRange(1, count: 1)) { _ = try kennel.dogs()[1] }
      try expect(.rowOutOfRange(7, count: 3), kennel) { _ in try tags.remove(at: 7) }
      try expect(.rowOutOfRange(4, count: 3), kennel) { _ in try tags.insert([.string("x")], at: 4)
      }
      try expect(.rowOutOfRange(3, count: 3), kennel) { _ in
        try tags.replace(at: 3, with: .string("x"))
      }
      try expect(.rowOutOfRange(3, count: 3), kennel) { _ in try tags.move(from: 0, to: 3) }
      try expect(.rowOutOfRange(-1, count: 3), kennel) { _ in try tags.move(from: -1, to: 0) }
    }
  }

  @Test func `10 observing within a write after its first change`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.write {
        try kennel.addDog(2)
        #expect(throws: HeraldError.observeAfterChange) {
          try kennel.observe(kennel.dogs(), as: "t")
        }
        #expect(throws: HeraldError.observeAfterChange) { try kennel.observeStore(as: "s") }
      }
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `10 use after close`() throws {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      let dogs = try kennel.dogs()
      try kennel.observe(dogs, as: "t")
      let bg = try kennel.another()
      kennel.store.close()
      kennel.store.close()
      #expect(kennel.store.isClosed)
      #expect(!dog.isValid)
      #expect(kennel.tokens["t"]?.isLive == false)
      #expect(throws: HeraldError.closed) { _ = try dogs.count }
      #expect(throws: HeraldError.closed) { _ = try dogs.objects }
      #expect(throws: HeraldError.closed) { _ = try dog.value("age") }
      #expect(throws: HeraldError.closed) { try kennel.write {} }
      #expect(throws: HeraldError.closed) { try kennel.store.beginWrite() }
      #expect(throws: HeraldError.closed) { try kennel.store.refresh() }
      #expect(throws: HeraldError.closed) { try kennel.store.endTurn() }
      #expect(throws: HeraldError.closed) { _ = try kennel.store.newSession() }
      #expect(throws: HeraldError.closed) { try kennel.store.writeAsync {} }
      kennel.tokens["t"]?.invalidate()
      // Another session of the same store continues.
      try bg.write { try bg.addDog(2) }
      #expect(try bg.dogs().count == 2)
      #expect(kennel.delivered() == [])
      bg.store.close()
    }
  }

  @Test func `10 closing within an open write rolls it back and frees the writer lock`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try bg.store.beginWrite()
      try bg.addDog(2)
      bg.store.close()
      try kennel.write { #expect(throws: Never.self) { try kennel.addDog(3) } }
      #expect(try kennel.dogs().count == 2)
    }
  }

  @Test func `10 what belongs to another session`() throws {
    try withKennel(dogs: 2) { kennel in
      let bg = try kennel.another()
      let far = try bg.dog(1)
      try kennel.write {
        #expect(throws: HeraldError.wrongSession) { try kennel.store.delete(far) }
        #expect(throws: HeraldError.wrongSession) { try kennel.store.delete(try bg.dogs()) }
      }
      #expect(try kennel.dogs().count == 2)
    }
  }

  @Test func `10 a class that was named and not declared yet`() throws {
    let store = try DynamicStore()
    defer { store.close() }
    try store.declare(
      ClassDefinition(
        name: "Bee", properties: [.init(name: "hive", element: .link("Hive"), shape: .list)]))
    #expect(throws: HeraldError.undeclaredClass("Hive")) { _ = try store.objects("Hive") }
    try store.write {
      #expect(throws: HeraldError.undeclaredClass("Hive")) { _ = try store.add("Hive", []) }
      #expect(throws: HeraldError.undeclaredClass("Hive")) { _ = try store.add("Bee", []) }
    }
    try store.declare(ClassDefinition(name: "Hive", properties: []))
    try store.write { _ = try store.add("Bee", []) }
    #expect(try store.objects("Hive").count == 0)
    #expect(store.check().isEmpty)
  }
}
