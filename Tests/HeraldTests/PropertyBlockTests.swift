import HeraldEngine
import Testing

@testable import Herald

/// Rule 8.1: what blocks of property observers may do where they are told.
@Suite struct PropertyBlockTests {
  @Test func `8.1: a block that assigns what it observes is stopped and the write taken back`()
    throws
  {
    try withKennel(dogs: 1) { kennel in
      let dog = try kennel.dog(1)
      var told = 0
      let token = try dog.observeProperty("age") { _ in
        told += 1
        try dog.set("age", to: .value(.int(told)))
      }
      #expect(throws: HeraldError.tooManyNestedTellings(64)) {
        try kennel.write { try dog.set("age", to: .value(.int(-1))) }
      }
      // Once for each block inside the others, and once for the value that came back.
      #expect(told == 65)
      #expect(try dog.value("age") == .int(0))
      token.invalidate()
      try kennel.write { try dog.set("age", to: .value(.int(7))) }
      #expect(told == 65)
    }
  }

  @Test func `8.4: so it is for an object that is still to be added`() throws {
    try withKennel(dogs: 0) { kennel in
      let dog = try NewObject("Dog", [("id", .value(.int(1)))], in: kennel.store)
      var told = 0
      let token = try dog.observeProperty("age") { _ in
        told += 1
        try dog.set("age", to: .value(.int(told)))
      }
      #expect(throws: HeraldError.tooManyNestedTellings(64)) {
        try dog.set("age", to: .value(.int(-1)))
      }
      #expect(told == 64)
      token.invalidate()
      try dog.set("age", to: .value(.int(7)))
      #expect(told == 64)
    }
  }
}
