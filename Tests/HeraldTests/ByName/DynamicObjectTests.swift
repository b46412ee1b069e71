import Dispatch
import FoundationEssentials
import Herald
import TestSupport
import Testing

/// Objects of classes that the program knows by their names alone.
@Suite struct DynamicObjectTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "name", element: .string, isPrimaryKey: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(1))),
      .init(name: "serial", element: .uuid, isGenerated: true),
      .init(name: "friends", element: .link("Dog"), shape: .list),
      .init(name: "admirers", element: .link("Dog"), shape: .backlinks("friends")),
      .init(name: "extra", element: .any),
    ])

  private func makeStore() throws -> Store {
    let store = try Store()
    try store.dynamic.declare(Self.dog)
    try store.write {
      store.dynamic.create("Dog", value: ["name": "Rex", "age": 3])
      store.dynamic.create("Dog", value: ["name": "Max", "friends": [["name": "Ada"]]])
    }
    return store
  }

  @Test func `a class that no type stands for is read, changed and deleted`() throws {
    let store = try makeStore()
    let dogs = store.dynamic.objects("Dog")
    #expect(dogs.compactMap { $0["name"] as? String } == ["Rex", "Max", "Ada"])
    #expect(dogs.compactMap { $0["age"] as? Int } == [3, 1, 1])
    #expect(Set(dogs.compactMap { ($0["serial"] as? UUID)?.uuidString }).count == 3)
    let max = try #require(store.dynamic.object("Dog", forKey: "Max"))
    let friends = try #require(max["friends"] as? List<DynamicObject>)
    let rest = "admirers = LinkingObjects<DynamicObject> of 0; extra = nil }"
    let admirers = try #require(friends[0]["admirers"] as? LinkingObjects<DynamicObject>)
    #expect(admirers.first == max && admirers.count == 1)
    #expect(friends.filter("age < 2").count == 1)
    #expect(max.description.hasPrefix("Dog { name = Max; age = 1; serial = "))
    #expect(max.description.hasSuffix("; friends = List<DynamicObject> of 1; \(rest)"))
    try store.write {
      max["age"] = 9
      friends.append(max)
      max["extra"] = AnyValue.object(friends[0])
    }
    guard case .object(let linked)? = max["extra"] as? AnyValue else {
      Issue.record("a link in a value of type any was lost")
      return
    }
    #expect(linked == friends[0] && linked is DynamicObject)
    try store.write { store.delete(dogs.filter("age > 2")) }
    #expect(max.isInvalidated && dogs.count == 1)
    #expect(store.untyped.check().isEmpty)
  }

  @Test func `an object of a class of the program is the same by name`() throws {
    let store = try Store(objectTypes: namedTypes)
    let toy = NamedPet(value: ["id": 1])
    try store.write { store.add(toy) }
    let named = try #require(store.dynamic.object("NamedPet", forKey: 1))
    try store.write { store.dynamic.create("NamedPet", value: ["id": 2, "friend": toy]) }
    let other = try #require(store.dynamic.object("NamedPet", forKey: 2))
    #expect(other["friend"] as? DynamicObject == named && named["id"] as? Int == toy.id)
    let copied = try Store(objectTypes: namedTypes)
    try copied.write {
      copied.dynamic.create("NamedPet", value: ["id": 3, "friend": other])
    }
    #expect(copied.objects(NamedPet.self).map(\.id) == [3, 2, 1])
    #expect(copied.objects(NamedPet.self).first?.friend?.friend?.id == 1)
  }

  @Test func `a changed class has its new properties, also in objects that are held`() throws {
    let store = try makeStore()
    let rex = try #require(store.dynamic.object("Dog", forKey: "Rex"))
    let friends = try #require(rex["friends"] as? List<DynamicObject>)
    let frozen = rex.freeze()
    var changed: [String] = []
    let token = rex.observe { change in
      if case .change(let dog, let properties) = change {
        changed += properties.map { "\($0.name) \($0.newValue ?? "nil") \(dog["years"] ?? "nil")" }
      }
    }
    try store.untyped.alter(
      "Dog",
      [
        .rename("age", to: "years"), .drop("serial"),
        .add(.init(name: "color", element: .string, defaultValue: .value(.string("red")))),
      ])
    #expect(rex["years"] as? Int == 3 && rex["color"] as? String == "red" && friends.isEmpty)
    #expect(frozen["age"] as? Int == 3)
    try store.write {
      rex["years"] = 4
      friends.append(rex)
      store.dynamic.create("Dog", value: ["name": "Bo", "color": "blue"])
    }
    store.refresh()
    #expect(changed == ["years 4 4", "friends \(friends) 4"])
    #expect(store.dynamic.objects("Dog").filter("color == 'blue'").count == 1)
    token.invalidate()
  }

  @Test func `what is wrong fails the write, or reaches the observer`() throws {
    let store = try makeStore()
    let message = HeraldError.unknownClass("Dgo", nearest: "Dog")
    #expect(throws: message) { try store.write { store.dynamic.create("Dgo") } }
    #expect(store.dynamic.object("Dgo", forKey: 1) == nil)
    var errors: [String] = []
    let tokens = [
      store.dynamic.objects("Dgo").observe { if case .error(let e) = $0 { errors.append("\(e)") } },
      store.objects(DynamicObject.self).observe {
        if case .error(let error) = $0 { errors.append("\(error)") }
      },
    ]
    store.refresh()
    #expect(
      errors == [
        "\(message)",
        "'DynamicObject' is no class of its own: 'store.dynamic' has the objects of each class by "
          + "name",
      ])
    #expect(tokens.count == 2)
    #expect(throws: SchemaError.self) { try store.write { store.add(DynamicObject()) } }
  }

  @Test func `a name that no class has stops the program, and says which is near`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store()
      try store.dynamic.declare(ClassDefinition(name: "Dog", properties: []))
      print(store.dynamic.objects("Dgo").count)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the query for 'DynamicObject' cannot be run:"))
    #expect(text.contains("'Dgo'; did you mean 'Dog'?"))
  }

  @Test func `objects by name are frozen, and passed to other sessions`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let store = try Store(path: path)
      try store.dynamic.declare(Self.dog)
      try store.write { store.dynamic.create("Dog", value: ["name": "Rex"]) }
      let rex = try #require(store.dynamic.objects("Dog").first)
      let reference = ThreadSafeReference(to: rex)
      let rows = ThreadSafeReference(to: store.dynamic.objects("Dog").filter("age == 1"))
      let frozen = rex.frozen
      try store.write { rex["age"] = 2 }
      let thread = JoinableThread {
        #expect(frozen.base["age"] as? Int == 1)
        guard let other = try? Store(path: path) else {
          Issue.record("the store cannot be opened")
          return
        }
        #expect((try? other.resolve(reference))??["age"] as? Int == 2)
        #expect((try? other.resolve(rows))??.count == 0)
      }
      thread.join()
      #expect(frozen.base.thaw()?["age"] as? Int == 2)
    }
  }

  @Test @MainActor func `an observer on a queue receives objects of its own session`() async throws
  {
    let store = try makeStore()
    let (events, continuation) = AsyncStream<Int>.makeStream()
    let token = store.dynamic.objects("Dog").observe(on: DispatchQueue(label: "dogs")) { change in
      switch change {
      case .initial: continuation.yield(0)
      case .update(let dogs, _, _, _): continuation.yield(dogs.last?["age"] as? Int ?? -1)
      case .error: continuation.finish()
      }
    }
    var ages = events.makeAsyncIterator()
    // The queue's session has begun, and with it what a later commit is a change of.
    #expect(await ages.next() == 0)
    try store.write { store.dynamic.create("Dog", value: ["name": "Bo", "age": 7]) }
    #expect(await ages.next() == 7)
    token.invalidate()
  }
}
