import Foundation
import Herald
import Testing

enum Breed: String, PersistableEnum { case collie, dachshund }

class Animal: Object {
  @Persisted var name = ""
}

class Dog: Animal {
  @Persisted var age: Int?
  @Persisted(indexed: true) var weight = 1.5
  @Persisted var breed = Breed.collie
  @Persisted var siblings: List<Dog>
  @Persisted var scores: Map<String, Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var extra: AnyValue
  @Persisted var born: Date
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  var isOld: Bool { (age ?? 0) > 5 }
  var doubled: Int? { age.map { 2 * $0 } }
}

class Address: EmbeddedObject {
  @Persisted var city = ""
}

class Person: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var firstName = ""
  @Persisted var address: Address?
  @Persisted var best: Dog?
  @Persisted var dogs: List<Dog>
}

@Suite(.serialized) struct TypedObjectTests {
  @Test func `an object keeps its properties when it is added`() throws {
    let store = try Store()
    let dog = Dog()
    dog.name = "Max"
    dog.age = 3
    dog.siblings.append(Dog())
    dog.scores["go"] = 4
    dog.tags.insert("good")
    dog.extra = .list([.int(1), .string("x")])
    dog.born = Date(timeIntervalSince1970: 12.5)
    try store.write { store.add(dog) }
    #expect(dog.name == "Max" && dog.age == 3 && dog.weight == 1.5 && dog.breed == .collie)
    #expect(dog.siblings.count == 1 && dog.siblings[0].name == "")
    #expect(dog.scores["go"] == 4 && dog.tags.contains("good"))
    #expect(dog.extra == .list([.int(1), .string("x")]))
    #expect(dog.born == Date(timeIntervalSince1970: 12.5))
    #expect(store.objects(Dog.self).count == 2)
    let again = try #require(store.objects(Dog.self).first { $0.name == "Max" })
    #expect(again == dog && again !== dog && again.hashValue == dog.hashValue)
    try store.write {
      again.age = 4
      again.breed = .dachshund
      again.name = "Wolfie"
    }
    #expect(dog.age == 4 && dog.breed == .dachshund)
    #expect(dog.description.hasPrefix("Dog { name = Wolfie; age = 4; weight = 1.5;"))
    try store.write { store.delete(again) }
    #expect(dog.isInvalidated)
  }

  @Test func `links, embedded objects and backlinks, and cycles of new objects`() throws {
    let store = try Store()
    let person = Person()
    person.firstName = "Jason"
    let (a, b) = (Dog(), Dog())
    a.siblings.append(b)
    b.siblings.append(a)
    person.dogs.append(a)
    person.dogs.append(b)
    person.best = b
    person.address = Address()
    person.address?.city = "Berlin"
    try store.write { store.add(person) }
    #expect(person.dogs.count == 2 && person.best == b)
    #expect(person.address?.city == "Berlin")
    #expect(a.owners.count == 1 && a.owners[0] == person)
    #expect(a.siblings[0] == b && b.siblings[0] == a)
    #expect(store.object(ofType: Person.self, forPrimaryKey: person.id) == person)
  }

  @Test func `what a method that cannot throw finds wrong fails the write`() throws {
    let store = try Store()
    let (first, second) = (Person(), Person())
    second.id = first.id
    #expect(throws: HeraldError.self) {
      try store.write {
        store.add(first)
        store.add(second)
        store.add(Dog())
      }
    }
    #expect(store.objects(Person.self).count == 0 && store.objects(Dog.self).isEmpty)
    #expect(first.isInvalidated)
    let other = try Store()
    let dog = Dog()
    try other.write { other.add(dog) }
    #expect(throws: HeraldError.wrongSession) { try store.write { store.add(dog) } }
    store.beginWrite()
    store.add(Person(value: "a"))
    store.cancelWrite()
    #expect(store.objects(Person.self).count == 0)
  }

  @Test
  @MainActor func `the object listener of the documents prints its line`() async throws {
    let store = try Store()
    let dog = Dog()
    dog.name = "Max"
    try store.write { store.add(dog) }
    var lines: [String] = []
    let token = dog.observe { change in
      switch change {
      case .change(_, let properties):
        for property in properties {
          lines.append("Property '\(property.name)' changed to '\(property.newValue!)'")
        }
      case .error(let error): lines.append("\(error)")
      case .deleted: lines.append("deleted")
      }
    }
    try store.write { dog.name = "Wolfie" }
    for _ in 0..<1000 where lines.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    #expect(lines == ["Property 'name' changed to 'Wolfie'"])
    try store.write { store.delete(dog) }
    for _ in 0..<1000 where lines.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(lines.last == "deleted")
    token.invalidate()
  }

  @Test func `observers of results, lists, maps and properties`() throws {
    let store = try Store()
    let person = Person()
    try store.write { store.add(person) }
    var log: [String] = []
    let results = store.objects(Dog.self).observe(keyPaths: [\.name, \.siblings]) { change in
      switch change {
      case .initial(let dogs): log.append("initial \(dogs.count)")
      case .update(let dogs, let deletions, let insertions, let modifications):
        log.append(
          "\(dogs.count) \(deletions) \(insertions) \(modifications) \(change.changes.modificationsNew)"
        )
      case .error(let error): log.append("\(error)")
      }
    }
    let list = person.dogs.observe { change in
      if case .update(let dogs, _, let insertions, _) = change {
        log.append("list \(dogs.count) \(insertions)")
      }
    }
    store.refresh()
    let dog = Dog()
    try store.write { person.dogs.append(dog) }
    store.refresh()
    try store.write { dog.age = 1 }
    store.refresh()
    #expect(log == ["initial 0", "1 [] [0] [] []", "list 1 [0]", "list 1 []"])
    log = []
    let map = dog.scores.observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change {
        log.append("map \(deletions) \(insertions) \(modifications)")
      }
    }
    let age = dog.observe(\.age) { log.append("age \($0.oldValue!) \($0.newValue!)") }
    results.invalidate()
    list.invalidate()
    store.refresh()
    try store.write {
      dog.scores["a"] = 1
      dog.age = 2
    }
    store.refresh()
    #expect(log == ["age 1 2", #"map [] ["a"] []"#])
    withExtendedLifetime((map, age)) {}
    let bad = store.objects(Dog.self).observe(keyPaths: [\.isOld]) { log.append("\($0)") }
    let worse = dog.observe(keyPaths: [\.doubled]) { log.append("\($0)") }
    store.refresh()
    #expect(log.count == 4 && log[2].contains("'Bool'") && log[3].contains("'Optional<Int>'"))
    withExtendedLifetime((bad, worse)) {}
    var paths: [String] = []
    let path = person.observe(keyPaths: [\.best?.name, \.dogs[0].age, \.address?.city]) {
      paths.append("\($0)")
    }
    store.refresh()
    #expect(paths == [])
    try store.write { dog.age = 7 }
    store.refresh()
    #expect(paths.count == 1)
    path.invalidate()
  }

  @Test func `property observers of an unmanaged object, which cannot be added meanwhile`() throws {
    let dog = Dog()
    var log: [String] = []
    let token = dog.observe(\.name) { log.append("\($0.oldValue!)-\($0.newValue!)") }
    dog.name = "A"
    dog.name = "B"
    dog["name"] = "C"
    #expect(log == ["-A", "A-B", "B-C"])
    let store = try Store()
    #expect(throws: HeraldError.self) { try store.write { store.add(dog) } }
    token.invalidate()
    try store.write { store.add(dog) }
    #expect(dog.name == "C")
  }
}

extension Person {
  convenience init(value name: String) {
    self.init()
    firstName = name
  }
}
