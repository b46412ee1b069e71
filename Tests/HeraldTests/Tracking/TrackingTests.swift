import Herald
import TestSupport
import Testing

final class TrackedDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var mother: TrackedDog?
  @Persisted var toys: List<String>
  @Persisted var friends: List<TrackedDog>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var extra: AnyValue
  @Persisted(originProperty: "friends") var likedBy: LinkingObjects<TrackedDog>
}

/// What a closure that is tracked has read decides which commits notify it.
struct TrackingTests {
  private let store: Store
  private let dogs: Results<TrackedDog>

  init() throws {
    store = try Store()
    dogs = store.objects(TrackedDog.self)
    try store.write {
      for (id, name) in ["Ada", "Bo", "Cleo"].enumerated() {
        store.create(TrackedDog.self, value: ["id": id, "name": name, "age": 5 + id])
      }
    }
    store.refresh()
  }

  /// Whether a closure that reads is notified of a change.
  private func notifies(_ read: () -> Void, _ change: () throws -> Void) throws -> Bool {
    let closure = TrackedClosure(read)
    try store.write(change)
    store.refresh()
    #expect(closure.count < 2)
    return closure.isNotified
  }

  @Test func `a property notifies of its changes, and of no other property's or row's`() throws {
    let dog = dogs[0]
    #expect(try notifies({ _ = dog.name }, { dog.name = "Max" }))
    #expect(try !notifies({ _ = dog.name }, { dog.age = 9 }))
    #expect(try !notifies({ _ = dog.name }, { dogs[1].name = "Rex" }))
    #expect(try !notifies({ _ = dog.name }, { dog.name = "Max" }))
    #expect(try notifies({ _ = dog.extra }, { dog.extra = .int(3) }))
  }

  @Test func `a closure is notified once, with the commit's values`() throws {
    let dog = dogs[0]
    nonisolated(unsafe) var seen: [String] = []
    nonisolated(unsafe) let observed = dog
    let closure = TrackedClosure {
      _ = (dog.name, dog.age)
    } then: {
      seen.append("\(observed.name) \(observed.age)")
    }
    try store.write { (dog.name, dog.age) = ("Max", 8) }
    #expect(seen == [])
    store.refresh()
    try store.write { dog.name = "Rex" }
    store.refresh()
    #expect(seen == ["Max 8"])
    #expect(closure.count == 1)
  }

  @Test func `a closure that is tracked again in its notification is notified of the next commit`()
    throws
  {
    nonisolated(unsafe) let dog = dogs[0]
    nonisolated(unsafe) var seen: [Int] = []
    @Sendable func track() {
      _ = TrackedClosure {
        seen.append(dog.age)
      } then: {
        track()
      }
    }
    track()
    for age in 1...5 {
      try store.write { dog.age = age }
      store.refresh()
    }
    #expect(seen == [5, 1, 2, 3, 4, 5])
  }

  @Test func `links are followed as far as they were read`() throws {
    let (child, first, second) = (dogs[0], dogs[1], dogs[2])
    try store.write { child.mother = first }
    store.refresh()
    let read = { _ = child.mother?.name }
    #expect(try notifies(read) { first.name = "Mia" })
    #expect(try !notifies(read) { second.name = "Zoe" })
    #expect(try notifies(read) { child.mother = second })
    #expect(try notifies(read) { store.delete(second) })
    #expect(child.mother == nil)
  }

  @Test func `the first row notifies of another one, not of what comes behind`() throws {
    let byAge = dogs.sorted(by: \.age)
    let read = { _ = byAge.first?.name }
    #expect(try !notifies(read) { dogs[1].name = "Rex" })
    #expect(try !notifies(read) { store.create(TrackedDog.self, value: ["id": 9, "age": 99]) })
    #expect(try notifies(read) { dogs[0].name = "Max" })
    #expect(try notifies(read) { dogs[1].age = 1 })
    #expect(byAge.first?.id == 1)
    #expect(try !notifies(read) { store.delete(dogs[0]) })
    #expect(try notifies(read) { store.delete(byAge[0]) })
  }

  @Test func `the last row notifies of another one`() throws {
    #expect(try !notifies({ _ = dogs.last?.id }, { dogs[0].age = 50 }))
    #expect(
      try notifies({ _ = dogs.last?.id }, { store.create(TrackedDog.self, value: ["id": 7]) }))
    #expect(try !notifies({ _ = dogs.last?.id }, { store.delete(dogs[0]) }))
  }

  @Test func `a count notifies of other numbers, and whether there are rows of that`() throws {
    let old = dogs.where { $0.age > 6 }
    #expect(try notifies({ _ = old.count }, { dogs[0].age = 10 }))
    #expect(
      try !notifies(
        { _ = old.count },
        {
          dogs[0].age = 1
          dogs[1].age = 10
        }))
    #expect(try !notifies({ _ = old.isEmpty }, { dogs[1].age = 1 }))
    #expect(try notifies({ _ = old.isEmpty }, { dogs[2].age = 1 }))
    #expect(try notifies({ _ = old.first }, { dogs[2].age = 9 }))
  }

  @Test func `an iteration notifies of every change of rows, and of what it read of them`() throws {
    let read = { for dog in dogs { _ = dog.name } }
    #expect(try notifies(read) { dogs[1].name = "Rex" })
    #expect(try !notifies(read) { dogs[1].age = 1 })
    #expect(try notifies(read) { store.create(TrackedDog.self, value: ["id": 7]) })
    #expect(try notifies({ _ = dogs.map(\.name) }, { store.delete(dogs[0]) }))
    #expect(try notifies({ _ = Array(dogs.sorted(by: \.age)) }, { dogs[0].age = 50 }))
    #expect(try !notifies({ _ = Array(dogs) }, { dogs[0].age = 51 }))
  }

  @Test func `lists notify of the elements that were read`() throws {
    let dog = dogs[0]
    try store.write {
      dog.toys.append(contentsOf: ["ball", "bone", "rope"])
      dog.friends.append(contentsOf: [dogs[1], dogs[2]])
    }
    store.refresh()
    #expect(try !notifies({ _ = dog.toys[0] }, { dog.toys.append("stick") }))
    #expect(try !notifies({ _ = dog.toys[0] }, { dog.toys[1] = "bell" }))
    #expect(try notifies({ _ = dog.toys[0] }, { dog.toys[0] = "bat" }))
    #expect(try notifies({ _ = dog.toys[1] }, { dog.toys.remove(at: 0) }))
    #expect(try notifies({ _ = dog.toys.last }, { dog.toys.append("shoe") }))
    #expect(try !notifies({ _ = dog.toys.count }, { dog.toys.move(from: 0, to: 1) }))
    #expect(try notifies({ _ = dog.toys.contains("bell") }, { dog.toys.removeAll() }))
    #expect(try notifies({ _ = dog.friends.first?.name }, { dogs[1].name = "Rex" }))
    #expect(try notifies({ _ = dog.friends.first?.name }, { dog.friends.swapAt(0, 1) }))
    #expect(try notifies({ _ = dog.friends.count }, { store.delete(dogs[2]) }))
    #expect(try notifies({ _ = dog.friends.where { $0.age > 50 }.count }, { dogs[1].age = 60 }))
  }

  @Test func `sets, maps and backlinks notify likewise`() throws {
    let dog = dogs[0]
    try store.write {
      dog.tags.insert("good")
      dog.scores["go"] = 1
    }
    store.refresh()
    #expect(try notifies({ _ = dog.tags.contains("bad") }, { dog.tags.insert("bad") }))
    #expect(try notifies({ _ = dog.tags.count }, { dog.tags.remove("bad") }))
    #expect(try !notifies({ _ = dog.tags.first }, { dog.tags.insert("zany") }))
    #expect(try notifies({ _ = dog.scores["go"] }, { dog.scores["go"] = 2 }))
    #expect(try !notifies({ _ = dog.scores["go"] }, { dog.scores["chess"] = 2 }))
    #expect(try notifies({ _ = dog.scores["go"] }, { dog.scores["go"] = nil }))
    #expect(try !notifies({ _ = dog.scores.isEmpty }, { dog.scores["tag"] = 2 }))
    #expect(try notifies({ _ = dog.scores.keys }, { dog.scores["run"] = 2 }))
    #expect(try notifies({ _ = dog.likedBy.count }, { dogs[1].friends.append(dog) }))
    #expect(try notifies({ _ = dog.likedBy.first?.name }, { dogs[1].name = "Rex" }))
    #expect(try !notifies({ _ = dog.likedBy.first }, { dogs[2].friends.append(dog) }))
  }

  @Test func `aggregates, values and sections notify if they differ`() throws {
    #expect(try notifies({ _ = dogs.sum(\.age) as Int }, { dogs[0].age += 1 }))
    #expect(
      try !notifies(
        { _ = dogs.sum(\.age) as Int },
        {
          dogs[0].age += 1
          dogs[1].age -= 1
        }))
    #expect(try !notifies({ _ = dogs.max(\.age) as Int? }, { dogs[0].age = 0 }))
    #expect(try notifies({ _ = dogs.max(\.age) as Int? }, { dogs[0].age = 90 }))
    #expect(try notifies({ _ = dogs.values(\.name) }, { dogs[0].name = "Max" }))
    #expect(try !notifies({ _ = dogs.values(\.name) }, { dogs[0].age = 1 }))
    let ages = dogs.sectioned(by: \.age)
    #expect(try notifies({ _ = ages.allKeys }, { dogs[0].age = 2 }))
    #expect(try !notifies({ _ = ages.allKeys }, { dogs[0].name = "Rex" }))
  }

  @Test func `a nested list notifies as the property that has it`() throws {
    let dog = dogs[0]
    try store.write { dog.extra = .list([.int(1)]) }
    store.refresh()
    #expect(try notifies({ _ = dog.extra }, { dog.extra = .list([.int(1), .int(2)]) }))
    #expect(try !notifies({ _ = dog.extra }, { dog.age = 1 }))
  }

  @Test func `a deletion notifies of everything that was read of the object`() throws {
    let (dog, other) = (dogs[0], dogs[1])
    try store.write { dog.toys.append("ball") }
    store.refresh()
    let closures = [
      TrackedClosure { _ = dog.name }, TrackedClosure { _ = dog.isInvalidated },
      TrackedClosure { _ = dog.toys.count }, TrackedClosure { _ = dog.toys[0] },
      TrackedClosure { _ = dog.toys.isInvalidated }, TrackedClosure { _ = dog.friends.isEmpty },
    ]
    let others = TrackedClosure { _ = (other.name, other.isInvalidated) }
    try store.write { store.delete(dog) }
    store.refresh()
    #expect(closures.map(\.count) == [1, 1, 1, 1, 1, 0])
    #expect(!others.isNotified)
  }

  @Test func `a silenced commit notifies too`() throws {
    let token = dogs.observe { _ in }
    store.refresh()
    let closure = TrackedClosure { _ = (dogs.count, dogs[0].name) }
    try store.write(withoutNotifying: [token]) { dogs[0].name = "Max" }
    store.refresh()
    #expect(closure.isNotified)
    token.invalidate()
  }

  @Test func `what was read after a commit does not wait for it`() throws {
    let dog = dogs[0]
    let before = TrackedClosure { _ = (dogs.count, dog.age) }
    try store.write {
      dog.age = 50
      store.create(TrackedDog.self, value: ["id": 7])
    }
    let after = TrackedClosure { _ = (dogs.count, dog.age, Array(dogs)) }
    store.refresh()
    #expect(before.isNotified && !after.isNotified)
    try store.write { dog.age = 51 }
    store.refresh()
    #expect(after.isNotified)
  }

  @Test func `reads in a write, of what is frozen and of unmanaged objects wait for nothing`()
    throws
  {
    let (frozen, frozenDogs) = (dogs[0].freeze(), dogs.freeze())
    let unmanaged = TrackedDog()
    let closure = TrackedClosure {
      _ = (frozen.name, frozenDogs.count, unmanaged.name, unmanaged.toys.count)
      do {
        try store.write { _ = (dogs.count, dogs[0].age) }
      } catch { Issue.record(error) }
    }
    unmanaged.name = "Max"
    unmanaged.toys.append("ball")
    try store.write {
      store.deleteAll()
    }
    store.refresh()
    #expect(!closure.isNotified)
  }
}
