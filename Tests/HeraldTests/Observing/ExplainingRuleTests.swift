import Herald
import Testing

/// Explanations of why a commit reached a token, and of what a token depends on (language 2).
@Suite struct ExplainingRuleTests {
  /// A person whose dog is observed through them, and the token.
  private func observed(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> (
    store: DynamicStore, person: ObjectHandle, dog: ObjectHandle, token: ObservationToken
  ) {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [.init(name: "name", element: .string), .init(name: "age", element: .int)]))
    try store.declare(
      ClassDefinition(
        name: "Person",
        properties: [
          .init(name: "name", element: .string),
          .init(name: "dog", element: .link("Dog"), isOptional: true),
        ]))
    let (dog, person) = try store.write {
      let dog = try store.add("Dog", [("name", .value(.string("Max"))), ("age", .value(.int(3)))])
      let person = try store.add(
        "Person", [("name", .value(.string("Ann"))), ("dog", .value(.link(dog.id)))])
      return (dog, person)
    }
    let token = try store.objects("Person").observe(keyPaths: keyPaths, depth: depth) { _, _ in }
    _ = try store.endTurn()
    return (store, person, dog, token)
  }

  private func grow(_ dog: ObjectHandle, _ store: DynamicStore, silencing: [ObservationToken] = [])
    throws
  {
    let age = try dog.value("age")
    let older = if case .int(let years) = age { years + 1 } else { 1 }
    try store.write(without: silencing) { try dog.set("age", to: .value(.int(older))) }
    _ = try store.endTurn()
  }

  @Test func `a token that was notified explains its changes`() throws {
    let (store, _, dog, token) = try observed()
    #expect(try token.why() == .observedLater)
    try grow(dog, store)
    #expect(
      try token.why() == .delivered(.update(deletions: 0, insertions: 0, modifications: 1)))
  }

  @Test func `3.2 a key path that did not match is named with what changed`() throws {
    let (store, _, dog, token) = try observed(keyPaths: ["name", "dog.name"])
    try grow(dog, store)
    #expect(
      try token.why()
        == .keyPathNotTouched(
          keyPaths: ["Person.name", "Person.dog.name"], changed: ["Dog.age"]))
  }

  @Test func `2.4 a change that is too deep is explained with its distance`() throws {
    let (store, _, dog, token) = try observed(depth: 0)
    try grow(dog, store)
    #expect(try token.why() == .tooDeep(limit: 0, distance: 1, changed: ["Dog.age"]))
  }

  @Test func `5.1 a silenced token is explained as such, and an ended one with its reason`() throws
  {
    let (store, person, dog, token) = try observed()
    try grow(dog, store, silencing: [token])
    #expect(try token.why() == .silenced)
    let object = try person.observe { _, _ in }
    _ = try store.endTurn()
    try store.write { try store.delete(person) }
    _ = try store.endTurn()
    #expect(try object.why() == .ended(.objectDeleted(isSilenced: false)))
    #expect(try token.why() == .delivered(.update(deletions: 1, insertions: 0, modifications: 0)))
    token.invalidate()
    #expect(try token.why() == .ended(.invalidated))
    #expect(try token.explanation() == nil)
  }

  @Test func `1.1 a session that was not refreshed is explained as such`() throws {
    let (store, _, _, token) = try observed()
    let other = try store.newSession(named: "other")
    try other.write { _ = try other.add("Person", [("name", .value(.string("Bob")))]) }
    #expect(try token.why() == .notRefreshed(newestVersion: other.version))
    _ = try store.endTurn()
    #expect(
      try token.why() == .delivered(.update(deletions: 0, insertions: 1, modifications: 0)))
  }

  @Test func `an explanation names what the view depends on and what it cost`() throws {
    let (store, _, dog, token) = try observed(keyPaths: ["dog.age"])
    try grow(dog, store)
    let explanation = try #require(try token.explanation())
    #expect(explanation.classes == ["Dog", "Person"])
    #expect(explanation.properties == ["Dog.age", "Person.dog"])
    #expect(explanation.paths == ["Person.dog.age"])
    #expect(explanation.rows == 1 && explanation.deliveries == 2)
    #expect(explanation.memory > 0 && explanation.nanoseconds >= explanation.lastNanoseconds)
  }

  @Test func `1.5 of several commits that were delivered as one the last is explained`() throws {
    let (store, _, dog, token) = try observed()
    let other = try store.newSession(named: "other")
    let theirs = try #require(other.object(dog.id))
    func age(_ years: Int) throws {
      try other.write { try theirs.set("age", to: .value(.int(years))) }
    }
    func addDog() throws {
      try other.write {
        _ = try other.add("Dog", [("name", .value(.string("Rex"))), ("age", .value(.int(1)))])
      }
    }
    try age(4)
    try addDog()
    #expect(try store.endTurn())
    #expect(try token.why() == .untouched(changed: ["Dog added"]))
    try addDog()
    try age(5)
    #expect(try store.endTurn())
    #expect(
      try token.why() == .delivered(.update(deletions: 0, insertions: 0, modifications: 1)))
    // Nothing of it was delivered: the last commit is named.
    try addDog()
    try other.write {}
    #expect(try !store.endTurn())
    #expect(try token.why() == .untouched(changed: []))
    other.close()
  }

  @Test func `4.4 a row that the last of several commits removed is explained by it`() throws {
    let (store, _, dog, _) = try observed()
    let other = try store.newSession(named: "other")
    let theirs = try #require(other.object(dog.id))
    let token = try store.objects("Dog").where("age < 10").observe { _, _ in }
    try store.endTurn()
    try other.write { try theirs.set("name", to: .value(.string("Rex"))) }
    try other.write { try theirs.set("age", to: .value(.int(20))) }
    try store.endTurn()
    #expect(
      try token.why() == .delivered(.update(deletions: 1, insertions: 0, modifications: 0)))
    // A row that comes and goes again between two deliveries is none, neither before nor after.
    try other.write { try theirs.set("age", to: .value(.int(5))) }
    try other.write { try theirs.set("age", to: .value(.int(30))) }
    try store.endTurn()
    #expect(try token.why() == .noRow([AbsentRow(dog.id, .notMatching)], changed: ["Dog.age"]))
    other.close()
  }

  @Test(arguments: ["list", "nested", "set", "map"])
  func `2.4 a change too deep for rows of any type is explained with its distance`(
    _ property: String
  ) throws {
    let store = try DynamicStore()
    let shapes: [(String, PropertyShape)] = [
      ("list", .list), ("nested", .single), ("set", .set), ("map", .map),
    ]
    try store.declare(ClassDefinition(name: "Toy", properties: [.init(name: "n", element: .int)]))
    try store.declare(
      ClassDefinition(name: "Dog", properties: [.init(name: "toy", element: .link("Toy"))]))
    try store.declare(
      ClassDefinition(
        name: "Box",
        properties: shapes.map { .init(name: $0, element: .any, shape: $1) }))
    let (toy, box) = try store.write {
      let toy = try store.add("Toy", [("n", .value(.int(0)))])
      let dog = try store.add("Dog", [("toy", .value(.link(toy.id)))])
      let link = Value.link(dog.id)
      let contents: [NamedContent] = [
        ("list", .list([link])), ("nested", .value(.list([link]))), ("set", .list([link])),
        ("map", .map(["k": link])),
      ]
      return (toy, try store.add("Box", contents))
    }
    let token =
      try (property == "nested" ? box.nested(property) : box.collection(property))
      .observe(depth: 0) { _, _ in }
    try store.endTurn()
    try store.write { try toy.set("n", to: .value(.int(1))) }
    try store.endTurn()
    #expect(try token.why() == .tooDeep(limit: 0, distance: 1, changed: ["Toy.n"]))
  }

  @Test func `8.1 a property observer was notified at the assignment, also of an equal value`()
    throws
  {
    let (store, _, dog, _) = try observed()
    let token = try dog.observeProperty("age") { _ in }
    try store.endTurn()
    try store.write { try dog.set("age", to: .value(.int(3))) }
    #expect(try token.why() == .delivered(.property("age")))
    // What was delivered of a write that was rolled back is of no commit.
    try store.beginWrite()
    try dog.set("age", to: .value(.int(3)))
    try store.rollbackWrite()
    try store.write { try dog.set("name", to: .value(.string("Rex"))) }
    #expect(try token.why() == .untouched(changed: ["Dog.name"]))
  }

  @Test func `2.5 an object that was added to a collection and does not match is named`() throws {
    let (store, person, dog, _) = try observed()
    try store.declare(
      ClassDefinition(
        name: "Pack", properties: [.init(name: "dogs", element: .link("Dog"), shape: .list)]))
    let pack = try store.write { try store.add("Pack", []) }
    let all = try store.results(of: pack.collection("dogs"), nil, names: NoNames())
    let rows = try all.where("age > 9")
    let token = try rows.observe { _, _ in }
    try store.endTurn()
    try store.write { try pack.collection("dogs").append([.link(dog.id)]) }
    try store.endTurn()
    #expect(try token.why() == .noRow([AbsentRow(dog.id, .notMatching)], changed: ["Pack.dogs"]))
    withExtendedLifetime(person) {}
  }

  @Test func `4.9 an object that matches and is no row is named with the clause that excludes it`()
    throws
  {
    let (store, _, max, _) = try observed()
    func add(_ name: String, _ age: Int) throws -> ObjectHandle {
      try store.write {
        try store.add("Dog", [("name", .value(.string(name))), ("age", .value(.int(age)))])
      }
    }
    let (rex, leo) = (try add("Rex", 3), try add("Leo", 9))
    func token(_ question: String, _ condition: String = "TRUEPREDICATE") throws -> ObservationToken
    {
      let (tail, _) = try QueryParser.parseTail(Array(question.utf8), from: 0)
      let results = try store.results("Dog", tail, names: NoNames()).where(condition)
      let token = try results.observe { _, _ in }
      try store.endTurn()
      return token
    }
    let limited = try token("where age < 8 sort(name) limit(1)")
    let distinct = try token("where age < 8 distinct(age)")
    let later = try token("sort(name) limit(2)", "age > 5")
    try store.write {
      for dog in [rex, leo] { try dog.set("name", to: .value(.string("Z"))) }
    }
    try store.endTurn()
    let changed = ["Dog.name"]
    #expect(
      try limited.why()
        == .noRow(
          [AbsentRow(rex.id, .beyondLimit), AbsentRow(leo.id, .notMatching)], changed: changed))
    #expect(
      try distinct.why()
        == .noRow(
          [AbsentRow(rex.id, .notDistinct), AbsentRow(leo.id, .notMatching)], changed: changed))
    #expect(try later.why() == .delivered(.update(deletions: 1, insertions: 0, modifications: 0)))
    try store.write { try rex.set("name", to: .value(.string("Y"))) }
    try store.endTurn()
    #expect(try later.why() == .noRow([AbsentRow(rex.id, .notMatching)], changed: changed))
    try store.write { try store.delete(leo) }
    try store.endTurn()
    let gone = AbsentRow(leo.id, .deleted)
    #expect(try limited.why() == .noRow([gone], changed: ["Dog deleted"]))
    #expect(store.label(of: leo.id).key == .int(leo.id.number))
    withExtendedLifetime(max) {}
  }

  @Test func `4.4 the previous values of a deleted object are known`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Shelf", properties: [.init(name: "tags", element: .string, shape: .list)]))
    func add(_ tag: String) throws -> ObjectHandle {
      try store.write { try store.add("Shelf", [("tags", .list([.string(tag)]))]) }
    }
    let shelves = [try add("a"), try add("a"), try add("b"), try add("b")]
    let token = try store.objects("Shelf").where("ANY tags == 'a'").observe(keyPaths: []) { _, _ in
    }
    try store.endTurn()
    let other = try store.newSession(named: "other")
    func theirs(_ number: Int) throws -> ObjectHandle {
      try #require(other.object(shelves[number].id))
    }
    func tag(_ number: Int, _ text: String) throws {
      try other.write { try theirs(number).collection("tags").append([.string(text)]) }
    }
    func delete(_ number: Int) throws { try other.write { try other.delete(theirs(number)) } }
    // It was a row, and nothing touched it until it was deleted.
    try tag(2, "a")
    try delete(0)
    try store.endTurn()
    #expect(try token.why() == .delivered(.update(deletions: 1, insertions: 1, modifications: 0)))
    // It was none.
    try tag(1, "c")
    try delete(3)
    try store.endTurn()
    #expect(
      try token.why()
        == .noRow([AbsentRow(shelves[3].id, .deleted)], changed: ["Shelf deleted"]))
    // It was still one when it was deleted.
    try tag(1, "d")
    try delete(1)
    try store.endTurn()
    #expect(try token.why() == .delivered(.update(deletions: 1, insertions: 0, modifications: 0)))
    other.close()
  }

  @Test func `4.4 what a commit removed from a list is known, and what it kept`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Shelf", properties: [.init(name: "tags", element: .string, shape: .list)]))
    let (one, two) = try store.write {
      let tags: [Value] = [.string("a"), .string("b")]
      return (
        try store.add("Shelf", [("tags", .list(tags))]),
        try store.add("Shelf", [("tags", .list(tags))])
      )
    }
    let token = try store.objects("Shelf").where("ANY tags == 'a'").observe(keyPaths: []) { _, _ in
    }
    try store.endTurn()
    let other = try store.newSession(named: "other")
    func remove(_ row: Int, of shelf: ObjectHandle) throws {
      let theirs = try #require(other.object(shelf.id))
      try other.write { try theirs.collection("tags").remove(at: row) }
    }
    try remove(0, of: one)
    try remove(1, of: two)
    try store.endTurn()
    #expect(try token.why() == .keyPathNotTouched(keyPaths: [], changed: ["Shelf.tags"]))
    try remove(0, of: one)
    try other.write { try other.declareColour() }
    try remove(0, of: two)
    try store.endTurn()
    #expect(try token.why() == .delivered(.update(deletions: 1, insertions: 0, modifications: 0)))
    other.close()
  }
}

extension DynamicStore {
  /// Changes the schema and no object.
  fileprivate func declareColour() throws {
    try declare(
      ClassDefinition(name: "Colour", properties: [.init(name: "name", element: .string)]))
  }
}
