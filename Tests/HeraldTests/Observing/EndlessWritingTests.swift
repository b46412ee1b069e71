import HeraldEngine
import Testing

@testable import Herald

/// Blocks that write because of what blocks have written, without end.
@Suite struct EndlessWritingTests {
  @Test func `a block that writes what it observes is refused after a thousand writes`() throws {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var notified = 0
      let token = try dog.observe { _, _ in
        notified += 1
        try kennel.store.write { try dog.set("age", to: .value(.int(notified))) }
      }
      try kennel.write { try dog.set("age", to: .value(.int(-1))) }
      #expect(throws: HeraldError.endlessWrites(1000)) { try kennel.store.endTurn() }
      #expect(notified == 1001)
      #expect(try dog.value("age") == .int(1000))
      // The session continues, and what was refused is not pending any more.
      #expect(try !kennel.store.endTurn())
      token.invalidate()
      try kennel.write { try dog.set("age", to: .value(.int(7))) }
      #expect(try !kennel.store.endTurn())
      #expect(try dog.value("age") == .int(7))
    }
  }

  @Test func `so is one that queues its writes`() throws {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var notified = 0
      let token = try dog.observe { _, _ in
        notified += 1
        try kennel.store.writeAsync { try dog.set("age", to: .value(.int(notified))) }
      }
      try kennel.write { try dog.set("age", to: .value(.int(-1))) }
      #expect(throws: HeraldError.endlessWrites(1000)) { try kennel.store.endTurn() }
      #expect(notified > 400)
      #expect(try !kennel.store.endTurn())
      token.invalidate()
    }
  }

  @Test func `a queued write that queues itself again is refused too`() throws {
    try withKennel(dogs: 1) { kennel in
      var count = 0
      func again() throws {
        count += 1
        try kennel.store.writeAsync { try again() }
      }
      try kennel.store.writeAsync { try again() }
      #expect(throws: HeraldError.endlessWrites(1000)) { try kennel.store.endTurn() }
      #expect(count == 1000)
      #expect(try !kennel.store.endTurn())
    }
  }

  @Test func `many writes that were queued at once are no chain`() throws {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var notified = 0
      let token = try dog.observe { _, _ in notified += 1 }
      for age in 1...1_500 {
        try kennel.store.writeAsync { try dog.set("age", to: .value(.int(age))) }
      }
      #expect(try kennel.store.endTurn())
      #expect(notified == 1_500)
      token.invalidate()
    }
  }

  @Test func `a block that reacts a hundred times and then stops is not refused`() throws {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      let token = try dog.observe { _, _ in
        guard case .int(let age) = try dog.value("age"), age < 900 else { return }
        try kennel.store.write { try dog.set("age", to: .value(.int(age + 1))) }
      }
      try kennel.write { try dog.set("age", to: .value(.int(1))) }
      #expect(try kennel.store.endTurn())
      #expect(try dog.value("age") == .int(900))
      token.invalidate()
    }
  }
}
