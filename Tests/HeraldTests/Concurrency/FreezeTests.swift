import Dispatch
import HeraldEngine
import Synchronization
import Testing

@testable import Herald

/// Rules 9.2 and 10: what is frozen stays as it was, is readable anywhere and never notifies.
@Suite struct FreezeTests {
  @Test func `9.2: a frozen object keeps its values, and those of what it links to`() throws {
    try withKennel(dogs: 3) { kennel in
      try kennel.write {
        let owner = try kennel.addPerson(1, [("dogs", .list(try kennel.links([1, 2])))])
        try kennel.dog(1).set("owner", to: .value(.link(owner.id)))
      }
      let person = try kennel.person(1)
      let object = try person.frozen
      let list = try person.collection("dogs").frozen
      let results = try kennel.dogs("where age < 5 sort(name)").frozen
      try kennel.write {
        try kennel.dog(1).set("age", to: .value(.int(9)))
        try kennel.store.delete(kennel.dog(2))
        try kennel.store.delete(person)
      }
      #expect(object.isFrozen && object.isValid && list.count == 2)
      #expect(try results.count == 3)
      guard case .link(let first) = try list[0] else { throw HeraldError.frozen }
      #expect(try object.store.object(first)?.value("age") == .int(0))
      #expect(try object.collection("dogs").count == 2)
      #expect(!person.isValid)
    }
  }

  @Test func `9.2: a session that is behind freezes the version that it is at`() throws {
    try withKennel(dogs: 1) { kennel in
      let other = Kennel(try kennel.store.newSession(named: "other"))
      try other.write { try other.dog(1).set("age", to: .value(.int(1))) }
      // This session has not advanced: storage has no second snapshot of its version to give.
      let frozen = try kennel.dog(1).frozen
      let again = try kennel.dog(1).frozen
      #expect(frozen.store.session === again.store.session)
      #expect(try kennel.dog(1).value("age") == .int(0))
      try kennel.store.endTurn()
      #expect(try kennel.dog(1).value("age") == .int(1))
      #expect(try frozen.value("age") == .int(0))
      try kennel.write { try kennel.dog(1).set("age", to: .value(.int(2))) }
      #expect(try frozen.value("age") == .int(0))
      other.store.close()
    }
  }

  @Test func `9.2: threads read what is frozen while others write`() throws {
    try withKennel(dogs: 600) { kennel in
      // Whatever a session is, a frozen one is read by any thread.
      nonisolated(unsafe) let dogs = try kennel.dogs("where age == 0 sort(id desc)").frozen
      let wrong = Mutex(0)
      let group = DispatchGroup()
      for _ in 0..<4 {
        DispatchQueue.global().async(group: group) {
          for _ in 0..<20 where (try? dogs.count) != 600 { wrong.withLock { $0 += 1 } }
        }
      }
      for id in 1...100 { try kennel.write { try kennel.dog(id).set("age", to: .value(.int(7))) } }
      group.wait()
      #expect(wrong.withLock { $0 } == 0)
    }
  }

  @Test func `10: what is frozen can neither be observed nor changed`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.write {
        try kennel.addPerson(1, [("dogs", .list(try kennel.links([1, 2])))])
      }
      let dog = try kennel.dog(1).frozen
      let dogs = try kennel.store.objects("Dog").frozen
      let list = try kennel.person(1).collection("dogs").frozen
      let noObserver = HeraldError.cannotObserve("what is frozen")
      #expect(throws: noObserver) { _ = try dog.observe { _, _ in } }
      #expect(throws: noObserver) { _ = try dogs.observe { _, _ in } }
      #expect(throws: noObserver) { _ = try list.observe { _, _ in } }
      #expect(throws: noObserver) { _ = try dog.observeProperty("age") { _ in } }
      #expect(throws: HeraldError.frozen) { try dog.set("age", to: .value(.int(1))) }
      #expect(throws: HeraldError.frozen) { try list.removeAll() }
      #expect(throws: HeraldError.frozen) { try dog.store.write {} }
      try kennel.write {
        #expect(throws: HeraldError.frozen) { try kennel.store.delete(dog) }
        #expect(throws: HeraldError.frozen) { try kennel.store.delete(dogs) }
        let before = try kennel.dog(1).value("age")
        try kennel.dog(1).set("age", to: .value(.int(77)))
        #expect(try kennel.dog(1).frozen.value("age") == before)
        #expect(try kennel.dog(1).value("age") == .int(77))
      }
      #expect(try dog.store.refresh() == false)
    }
  }

  @Test func `11.3: a frozen object holds its version, and releases it`() throws {
    try withKennel(dogs: 1) { kennel in
      weak var session: Session?
      do {
        let frozen = try kennel.dog(1).frozen
        session = frozen.store.session
        #expect(session != nil)
      }
      #expect(session == nil)
    }
  }

  @Test func `9.2: an object or collection of another session is an error`() throws {
    try withKennel(dogs: 2) { kennel in
      let other = Kennel(try kennel.store.newSession(named: "other"))
      let theirs = try other.dog(1)
      try kennel.write {
        #expect(throws: HeraldError.wrongSession) { try kennel.store.delete(theirs) }
        #expect(throws: HeraldError.notInWrite) { try theirs.set("age", to: .value(.int(1))) }
      }
      #expect(throws: HeraldError.wrongSession) {
        _ = try kennel.store.results(of: other.store.objects("Dog"), nil, names: NoNames())
      }
      other.store.close()
    }
  }
}
