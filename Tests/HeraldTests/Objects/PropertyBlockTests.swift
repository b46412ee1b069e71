import HeraldEngine
import Testing

@testable import Herald

/// Rule 8.1: what blocks of property observers may do where they are notified.
@Suite struct PropertyBlockTests {
  @Test func `8.1: a block that assigns what it observes is stopped and the write rolled back`()
    throws
  {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var notified = 0
      let token = try dog.observeProperty("age") { _ in
        notified += 1
        try dog.set("age", to: .value(.int(notified)))
      }
      #expect(throws: HeraldError.tooManyNestedNotifications(64)) {
        try kennel.write { try dog.set("age", to: .value(.int(-1))) }
      }
      // Once for each nested block, and once for the value that came back.
      #expect(notified == 65)
      #expect(try dog.value("age") == .int(0))
      token.invalidate()
      try kennel.write { try dog.set("age", to: .value(.int(7))) }
      #expect(notified == 65)
    }
  }

  @Test func `8.4: so it is for an object that is still to be added`() throws {
    try withKennel(dogs: 0) { kennel in
      let dog = try NewObject("Dog", [("id", .value(.int(1)))], in: kennel.store)
      var notified = 0
      let token = try dog.observeProperty("age") { _ in
        notified += 1
        try dog.set("age", to: .value(.int(notified)))
      }
      #expect(throws: HeraldError.tooManyNestedNotifications(64)) {
        try dog.set("age", to: .value(.int(-1)))
      }
      #expect(notified == 64)
      token.invalidate()
      try dog.set("age", to: .value(.int(7)))
      #expect(notified == 64)
    }
  }

  @Test func `8.1: a block runs when the whole statement is done`() throws {
    try withKennel(dogs: 2) { kennel in
      let dog = try kennel.dog(1)
      try kennel.write { try kennel.addPerson(1) }
      var notified: [PropertyEvent] = []
      let age = try dog.observeProperty("age") { event in
        notified.append(event)
        try kennel.store.delete(kennel.person(1))
      }
      let owner = try dog.observeProperty("owner") { notified.append($0) }
      let person = Value.link(try kennel.person(1).id)
      try kennel.write {
        try dog.set([("age", .value(.int(5))), ("owner", .value(person))])
      }
      #expect(try dog.value("owner") == .null)
      // What a statement of a block does is delivered when that is done, after what was done before
      // it.
      #expect(
        notified == [
          .changed(name: "age", old: .int(0), new: .int(5)),
          .changed(name: "owner", old: .null, new: person),
          .changed(name: "owner", old: person, new: .null),
        ])
      for token in [age, owner] { token.invalidate() }
    }
  }

  @Test func `8.1: every observer receives assignments in the order in which they were made`()
    throws
  {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var received: [[PropertyEvent]] = [[], []]
      let first = try dog.observeProperty("age") { event in
        received[0].append(event)
        if received[0].count == 1 {
          try dog.set("age", to: .value(.int(6)))
          #expect(received[1].count == 2)
        }
      }
      let second = try dog.observeProperty("age") { received[1].append($0) }
      try kennel.write { try dog.set("age", to: .value(.int(5))) }
      let events: [PropertyEvent] = [
        .changed(name: "age", old: .int(0), new: .int(5)),
        .changed(name: "age", old: .int(5), new: .int(6)),
      ]
      #expect(received == [events, events])
      for token in [first, second] { token.invalidate() }
    }
  }

  @Test func `1.10: a token that is released in its own block is not notified again`() throws {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var notified = 0
      var token: ObservationToken?
      token = try dog.observeProperty("age") { _ in
        notified += 1
        token = nil
      }
      #expect(token?.isLive == true)
      try kennel.write { for age in 1...3 { try dog.set("age", to: .value(.int(age))) } }
      #expect(notified == 1)
    }
  }
}
