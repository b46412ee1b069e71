import Herald
import OtherProcess
import TestSupport
import Testing

@testable import TestModel

/// What a rolled-back write gave out is nobody's: no other object, class or property gets its number,
/// and handles of it are invalid (observation 10).
@Suite struct RolledBackTests {
  private struct Failure: Error {}

  private func withStore(_ body: (DynamicStore) throws -> Void) throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(name: "Part", isEmbedded: true, properties: [.init(name: "n", element: .int)])
    )
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "name", element: .string, defaultValue: .value(.string(""))),
          .init(name: "friend", element: .link("Dog")),
          .init(name: "tags", element: .string, shape: .list),
          .init(name: "any", element: .any), .init(name: "part", element: .link("Part")),
        ]))
    try store.declare(
      ClassDefinition(
        name: "Key", properties: [.init(name: "id", element: .int, isPrimaryKey: true)]))
    try body(store)
    if !store.isClosed { #expect(store.check().isEmpty) }
  }

  private func named(_ name: String) -> [NamedContent] { [("name", .value(.string(name)))] }

  /// Adds a dog in a write that is rolled back.
  private func rolledBack(_ store: DynamicStore, _ name: String = "Ann") throws -> ObjectHandle {
    try store.beginWrite()
    let dog = try store.add("Dog", named(name))
    #expect(dog.isValid)
    try store.rollbackWrite()
    return dog
  }

  @Test func `an object whose addition was rolled back becomes no other`() throws {
    try withStore { store in
      let ann = try rolledBack(store)
      let zoe = try store.write { try store.add("Dog", named("Zoe")) }
      #expect(!ann.isValid && ann.isRolledBack && zoe.isValid)
      #expect(zoe.id != ann.id)
      let gone = HeraldError.objectDeleted("Dog#1")
      #expect(throws: gone) { try ann.value("name") }
      #expect(throws: gone) { try ann.collection("tags") }
      #expect(throws: gone) { try ann.nested("any") }
      #expect(throws: gone) { try ann.observe { _, _ in } }
      #expect(throws: gone) { try ann.observeProperty("name") { _ in } }
      #expect(try ann.finder(store.newSession()) == nil)
      try store.write {
        #expect(throws: gone) { try ann.set("name", to: .value(.string("x"))) }
        #expect(throws: gone) { try store.delete(ann) }
        #expect(throws: gone) { try zoe.set("friend", to: .value(.link(ann.id))) }
        #expect(throws: gone) { try zoe.set("any", to: .value(.list([.link(ann.id)]))) }
      }
      #expect(try zoe.value("friend") == .null)
      #expect(try store.objects("Dog").objects == [zoe])
    }
  }

  @Test func `a list of an object whose addition was rolled back is empty and refuses elements`()
    throws
  {
    try withStore { store in
      try store.beginWrite()
      let ann = try store.add("Dog", named("Ann") + [("any", .value(.list([.int(1)])))])
      let (tags, nested) = (try ann.collection("tags"), try ann.nested("any"))
      try tags.append([.string("x")])
      try store.rollbackWrite()
      #expect(!tags.isValid && tags.count == 0 && tags.values.isEmpty)
      #expect(!nested.isValid && nested.count == 0)
      try store.write {
        let gone = HeraldError.objectDeleted("Dog#1")
        #expect(throws: gone) { try tags.append([.string("y")]) }
        #expect(throws: gone) { try nested.append([.int(2)]) }
      }
    }
  }

  @Test func `numbers are not given again, however a write ends`() throws {
    try withStore { store in
      var seen: Set<ObjectID> = []
      func isNew(_ object: ObjectHandle) -> Bool { seen.insert(object.id).inserted }
      // By hand, by an error, by an interrupted statement's rollback within a write.
      #expect(isNew(try rolledBack(store)))
      #expect(throws: Failure.self) {
        try store.write {
          #expect(isNew(try store.add("Dog", [])))
          #expect(isNew(try store.add("Dog", [])))
          throw Failure()
        }
      }
      // By a session that is closed, or released, in the middle.
      let closed = try store.newSession()
      try closed.beginWrite()
      #expect(isNew(try closed.add("Dog", [])))
      closed.close()
      var dropped: DynamicStore? = try store.newSession()
      try dropped?.beginWrite()
      #expect(isNew(try #require(dropped).add("Dog", [])))
      dropped = nil
      #expect(isNew(try store.write { try store.add("Dog", []) }))
      // Embedded objects, and those that an upsert adds.
      try store.beginWrite()
      let part = try store.addEmbeddedObject("Part", [("n", .value(.int(1)))])
      #expect(isNew(part))
      #expect(isNew(try store.add("Dog", [("part", .value(.link(part.id)))])))
      #expect(isNew(try store.upsert("Key", [("id", .value(.int(1)))])))
      try store.rollbackWrite()
      // In another session of the process.
      let other = try store.newSession()
      try other.write {
        let part = try other.addEmbeddedObject("Part", [("n", .value(.int(1)))])
        #expect(isNew(part))
        #expect(isNew(try other.add("Dog", [("part", .value(.link(part.id)))])))
        #expect(isNew(try other.upsert("Key", [("id", .value(.int(1)))])))
      }
      #expect(try other.objects("Dog").count == 2)
    }
  }

  @Test func `a new object is removed with its rolled back write, and can be added again`() throws {
    try withStore { store in
      let new = try NewObject("Dog", named("Ann"), in: store)
      try store.beginWrite()
      let first = try store.add(new)
      try store.rollbackWrite()
      let zoe = try store.write { try store.add("Dog", named("Zoe")) }
      #expect(new.added == first && !first.isValid)
      #expect(new.link != .link(zoe.id))
      let again = try store.write { try store.add(new) }
      #expect(try again.value("name") == .string("Ann"))
      #expect(!first.isValid && again.isValid && again.id != zoe.id)
      #expect(new.link == .link(again.id))
    }
  }

  @Test func `a handle stays what it is after the commit of its write`() throws {
    try withStore { store in
      let ann = try store.write { try store.add("Dog", named("Ann")) }
      _ = try rolledBack(store)
      #expect(ann.isValid && !ann.isRolledBack)
      #expect(try ann.value("name") == .string("Ann"))
      let found = try store.write { try #require(store.object(ann.id)) }
      #expect(throws: Failure.self) { try store.write { throw Failure() } }
      #expect(found.isValid)
    }
  }

  @Test func `another process may give the number, and the handle is not taken in`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let store = try DynamicStore(path: path)
      try store.declare(
        ClassDefinition(name: "Dog", properties: [.init(name: "name", element: .string)]))
      let new = try NewObject("Dog", named("Eve"), in: store)
      try store.beginWrite()
      let ann = try store.add("Dog", named("Ann"))
      let find = ann.finder
      _ = try store.add(new)
      try store.rollbackWrite()
      let other = try RemoteSession(path) { _ in .goOn }
      _ = try other.perform(.begin)
      let given = [ModelGiven("name", .value(.string("Zoe")))]
      for _ in 0..<2 { _ = try other.perform(.add(className: "Dog", given)) }
      _ = try other.perform(.commit(without: []))
      try store.refresh()
      #expect(try store.objects("Dog").count == 2)
      #expect(store.object(ann.id) != nil)
      #expect(!ann.isValid && new.added?.isValid == false)
      #expect(try find(store) == nil)
      #expect(throws: HeraldError.self) { try ann.value("name") }
      let third = try store.write { try store.add("Dog", named("Bo")) }
      #expect(third.id.number == 3)
      other.leave()
    }
  }
}

/// The same of the schema.
@Suite struct RolledBackSchemaTests {
  private func dogs(_ more: [ClassDefinition.Property]) -> ClassDefinition {
    ClassDefinition(name: "Dog", properties: [.init(name: "name", element: .string)] + more)
  }

  @Test func `results of a class whose declaration was rolled back are of no other`() throws {
    let store = try DynamicStore()
    try store.beginWrite()
    try store.declare(dogs([]))
    let results = try store.objects("Dog")
    let dog = try store.add("Dog", [("name", .value(.string("Ann")))])
    try store.rollbackWrite()
    try store.declare(
      ClassDefinition(name: "Cat", properties: [.init(name: "name", element: .string)]))
    let cat = try store.write { try store.add("Cat", [("name", .value(.string("Tom")))]) }
    #expect(cat.id.classID != dog.id.classID && !dog.isValid)
    #expect(throws: HeraldError.droppedFromSchema("class 'Dog'")) { try results.count }
    #expect(store.check().isEmpty)
  }

  @Test func `results by a property whose addition was rolled back read no other`() throws {
    let store = try DynamicStore()
    try store.declare(dogs([]))
    try store.write {
      _ = try store.add("Dog", [("name", .value(.string("Ann")))])
    }
    try store.beginWrite()
    try store.alter("Dog", [.add(.init(name: "age", element: .int, isOptional: true))])
    let results = try store.results("Dog", asking: "age == 7")
    // The counter of object numbers is dropped with the class, yet no number is given again.
    try store.drop("Dog")
    try store.rollbackWrite()
    try store.alter("Dog", [.add(.init(name: "weight", element: .int, isOptional: true))])
    try store.write { try store.objects("Dog")[0].set("weight", to: .value(.int(7))) }
    #expect(throws: HeraldError.droppedFromSchema("property 'age' of class 'Dog'")) {
      try results.count
    }
    #expect(store.check().isEmpty)
  }

  @Test func `a class that others name is declared anew with other properties`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(name: "Box", properties: [.init(name: "dog", element: .link("Dog"))]))
    try store.beginWrite()
    try store.declare(dogs([]))
    let results = try store.results("Dog", asking: "name == 'Ann'")
    try store.rollbackWrite()
    try store.declare(
      ClassDefinition(name: "Dog", properties: [.init(name: "breed", element: .string)]))
    try store.write { _ = try store.add("Dog", [("breed", .value(.string("Ann")))]) }
    #expect(throws: HeraldError.droppedFromSchema("property 'name' of class 'Dog'")) {
      try results.count
    }
    #expect(try store.results("Dog", asking: "breed == 'Ann'").count == 1)
    #expect(store.check().isEmpty)
  }

  @Test func `a class that is dropped in the write that is rolled back keeps what it gave`() throws
  {
    let store = try DynamicStore()
    try store.declare(dogs([]))
    try store.beginWrite()
    let ann = try store.add("Dog", [("name", .value(.string("Ann")))])
    try store.drop("Dog")
    try store.rollbackWrite()
    let zoe = try store.write { try store.add("Dog", [("name", .value(.string("Zoe")))]) }
    #expect(zoe.id != ann.id && !ann.isValid && zoe.isValid)
  }
}
