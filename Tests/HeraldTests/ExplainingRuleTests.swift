import Herald
import Testing

/// The answers to why a commit reached a token, and to what stands behind one (language §2).
@Suite struct ExplainingRuleTests {
  /// A person whose dog is observed through them, and the token.
  private func observed(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> (store: Store, person: Object, dog: Object, token: ObservationToken) {
    let store = try Store()
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

  private func grow(_ dog: Object, _ store: Store, silencing: [ObservationToken] = []) throws {
    let age = try dog.value("age")
    let older = if case .int(let years) = age { years + 1 } else { 1 }
    try store.write(without: silencing) { try dog.set("age", to: .value(.int(older))) }
    _ = try store.endTurn()
  }

  @Test func `a token that was told answers of what`() throws {
    let (store, _, dog, token) = try observed()
    #expect(try token.why() == .observedLater)
    try grow(dog, store)
    #expect(
      try token.why() == .told(.update(deletions: 0, insertions: 0, modifications: 1)))
  }

  @Test func `3.2 a key path that was not touched is named with what changed`() throws {
    let (store, _, dog, token) = try observed(keyPaths: ["name", "dog.name"])
    try grow(dog, store)
    #expect(
      try token.why()
        == .keyPathNotTouched(
          keyPaths: ["Person.name", "Person.dog.name"], changed: ["Dog.age"]))
  }

  @Test func `2.4 a change that is too deep is told with its distance`() throws {
    let (store, _, dog, token) = try observed(depth: 0)
    try grow(dog, store)
    #expect(try token.why() == .tooDeep(limit: 0, distance: 1, changed: ["Dog.age"]))
  }

  @Test func `5.1 a silenced token knows it, and a dead one why`() throws {
    let (store, person, dog, token) = try observed()
    try grow(dog, store, silencing: [token])
    #expect(try token.why() == .silenced)
    let object = try person.observe { _, _ in }
    _ = try store.endTurn()
    try store.write { try store.delete(person) }
    _ = try store.endTurn()
    #expect(try object.why() == .ended(.objectDeleted(isSilenced: false)))
    #expect(try token.why() == .told(.update(deletions: 1, insertions: 0, modifications: 0)))
    token.invalidate()
    #expect(try token.why() == .ended(.invalidated))
    #expect(try token.explanation() == nil)
  }

  @Test func `1.1 a session that was not refreshed says so`() throws {
    let (store, _, _, token) = try observed()
    let other = try store.newSession(named: "other")
    try other.write { _ = try other.add("Person", [("name", .value(.string("Bob")))]) }
    #expect(try token.why() == .notRefreshed(newestVersion: other.version))
    _ = try store.endTurn()
    #expect(
      try token.why() == .told(.update(deletions: 0, insertions: 1, modifications: 0)))
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

  @Test func `1.5 of several commits that were told as one the last is asked about`() throws {
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
      try token.why() == .told(.update(deletions: 0, insertions: 0, modifications: 1)))
    // Nothing of it was told: the last commit is what is named.
    try addDog()
    try other.write {}
    #expect(try !store.endTurn())
    #expect(try token.why() == .untouched(changed: []))
    other.close()
  }

  @Test func `4.4 a row that the last of several commits took away was told by it`() throws {
    let (store, _, dog, _) = try observed()
    let other = try store.newSession(named: "other")
    let theirs = try #require(other.object(dog.id))
    let token = try store.objects("Dog").where("age < 10").observe { _, _ in }
    try store.endTurn()
    try other.write { try theirs.set("name", to: .value(.string("Rex"))) }
    try other.write { try theirs.set("age", to: .value(.int(20))) }
    try store.endTurn()
    #expect(
      try token.why() == .told(.update(deletions: 1, insertions: 0, modifications: 0)))
    // A row that comes and goes again between two deliveries is none, neither before nor after.
    try other.write { try theirs.set("age", to: .value(.int(5))) }
    try other.write { try theirs.set("age", to: .value(.int(30))) }
    try store.endTurn()
    #expect(try token.why() == .noRow([dog.id], changed: ["Dog.age"]))
    other.close()
  }

  @Test(arguments: ["list", "nested", "set", "map"])
  func `2.4 a change too deep for rows of any type is told with its distance`(
    _ property: String
  ) throws {
    let store = try Store()
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
      property == "nested"
      ? try box.nested(property).observe(depth: 0) { _, _ in }
      : try box.collection(property).observe(depth: 0) { _, _ in }
    try store.endTurn()
    try store.write { try toy.set("n", to: .value(.int(1))) }
    try store.endTurn()
    #expect(try token.why() == .tooDeep(limit: 0, distance: 1, changed: ["Toy.n"]))
  }

  @Test func `8.1 a property observer was told at the assignment, also of an equal value`() throws {
    let (store, _, dog, _) = try observed()
    let token = try dog.observeProperty("age") { _ in }
    try store.endTurn()
    try store.write { try dog.set("age", to: .value(.int(3))) }
    #expect(try token.why() == .told(.property("age")))
    // What was told of a write that was taken back is of no commit.
    try store.beginWrite()
    try dog.set("age", to: .value(.int(3)))
    try store.rollbackWrite()
    try store.write { try dog.set("name", to: .value(.string("Rex"))) }
    #expect(try token.why() == .untouched(changed: ["Dog.name"]))
  }

  @Test func `2.5 an object that came to a collection and does not match is named`() throws {
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
    #expect(try token.why() == .noRow([dog.id], changed: ["Pack.dogs"]))
    withExtendedLifetime(person) {}
  }
}
