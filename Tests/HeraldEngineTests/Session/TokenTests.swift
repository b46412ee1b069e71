import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// Observers are registered where they can be notified of all that follows, and end when they are released.
@Suite struct TokenTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .string, isPrimaryKey: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
      .init(name: "any", element: .any),
    ])

  private let session: Session
  private let dogs: [ObjectID]

  init() throws {
    session = try Session.made(Self.dog)
    let session = session
    dogs = try session.write { try ["a", "b"].map { try session.add("Dog", ("id", .string($0))) } }
  }

  private func observe(_ session: Session) -> String {
    errorText { _ = try session.observe(.object(dogs[0], .everything), BlockReceiver { _ in }) }
  }

  @Test func `nobody observes what is frozen or closed, or a write that has changed something`()
    throws
  {
    #expect(observe(try session.freeze()) == "what is frozen cannot be observed")
    try session.beginWrite(byHand: true)
    #expect(observe(session) == "no error")
    try session.set(dogs[0], ("age", .int(1)))
    #expect(observe(session) == "observing inside a write is possible only before its first change")
    try session.rollback()
    session.close()
    #expect(observe(session) == "the store is closed")
  }

  @Test func `a closed session has no live tokens, and rolls its write back`() throws {
    var reports: [Report] = []
    let token = try session.observe(
      .object(dogs[0], .everything), BlockReceiver { reports.append($0) })
    let other = try session.sibling()
    try session.beginWrite(byHand: true)
    try session.set(dogs[0], ("age", .int(1)))
    session.close()
    #expect(!session.observatory.isLive(token) && !session.isInWrite && session.isClosed)
    #expect(reports == [])
    #expect(errorText { _ = try session.refresh() } == "the store is closed")
    #expect(errorText { _ = try session.sibling() } == "the store is closed")
    #expect(try other.read("age", of: dogs[0]) == .int(0))
    try other.write(waiting: false) { try other.set(dogs[0], ("age", .int(2))) }
  }

  @Test func `tokens that any thread releases end at the next delivery`() throws {
    var count = 0
    let tokens = try (0..<4).map { _ in
      try session.observe(.object(dogs[0], .everything), BlockReceiver { _ in count += 1 })
    }
    let dropped = session.dropped
    #expect(!dropped.mayBeAny)
    let threads = tokens.dropLast().map { token in JoinableThread { dropped.note(token) } }
    for thread in threads { thread.join() }
    #expect(dropped.mayBeAny)
    try session.write { try session.set(dogs[0], ("age", .int(1))) }
    _ = try session.endTurn()
    #expect(count == 1 && !dropped.mayBeAny && dropped.take() == [])
    #expect(tokens.map(session.observatory.isLive) == [false, false, false, true])
    try session.checkSilenced([tokens[3]])
    #expect(
      errorText { try session.checkSilenced(tokens) } == "token '#\(tokens[0].rawValue)' is dead")
  }

  @Test func `why a token was not notified says that the session is behind`() throws {
    let other = try session.sibling()
    let token = try session.observe(.object(dogs[0], .everything), BlockReceiver { _ in })
    _ = try session.endTurn()
    try other.write { try other.set(dogs[1], ("age", .int(1))) }
    #expect(try session.why(token) == .notRefreshed(newestVersion: other.version))
    _ = try session.endTurn()
    #expect(try session.why(token) == .untouched(changed: ["Dog.age"]))
    #expect(try session.explanation(token) != nil)
    session.dropped.note(token)
    _ = try session.endTurn()
    #expect(try session.explanation(token) == nil)
  }

  @Test func `the key of a deleted object is known in its deliveries`() throws {
    let (session, dogs) = (session, dogs)
    var keys: [Value] = []
    var fates: [Bool] = []
    let other = try session.sibling()
    _ = try session.observe(
      .object(dogs[0], .everything),
      BlockReceiver { _ in
        keys.append(session.key(of: dogs[0]))
        fates.append(session.fate(of: dogs[0]) != nil)
      })
    try other.write { try other.delete(dogs[0]) }
    _ = try session.endTurn()
    #expect(keys == [.string("a")] && fates == [true])
    #expect(session.fate(of: dogs[0]) == nil)
    #expect(session.key(of: dogs[1]) == .string("b"))
    #expect(session.name(of: dogs[0]) == "Dog#\"a\"")
    #expect(session.name(of: ObjectID(dogs[0].classID, 9)) == "number 9 of class 'Dog'")
    #expect(session.name(of: ObjectID(ClassID(9), 9)) == "object#9")
    // Only a delivery knows what was before it.
    #expect(session.previousContents(of: [], of: dogs[0]).isEmpty)
    #expect(session.changes(of: [], of: dogs[0]).isEmpty)
    #expect(session.changes(reachedFrom: dogs[0]).isEmpty)
  }

  @Test func `the values of a token on a nested collection are read through it`() throws {
    try session.write {
      try session.set(dogs[0], ("any", .map(["l": .list([.int(1), .int(2)]), "k": .int(3)])))
    }
    let any = try session.property("any", of: dogs[0]).id
    let list = try #require(session.reader.nestedPlace(at: [.key("l")], of: any, dogs[0]))
    let map = try #require(session.reader.nestedPlace(at: [], of: any, dogs[0]))
    let listToken = try session.observe(.nested(list, .standard), BlockReceiver { _ in })
    let mapToken = try session.observe(.nested(map, .standard), BlockReceiver { _ in })
    _ = try session.endTurn()
    #expect(session.values(of: listToken, at: 0..<9) == [.int(1), .int(2)])
    #expect(session.values(of: listToken, at: 1..<2) == [.int(2)])
    #expect(session.values(of: mapToken, at: 0..<9) == nil)
    #expect(session.value(of: mapToken, forKey: "k") == .int(3))
    #expect(session.value(of: mapToken, forKey: "x") == nil)
  }
}
