import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// Blocks are called at the ends of turns, at refreshes and where writes begin, and nowhere else (observation 1.2).
@Suite struct TurnTests {
  private static let dog = ClassDefinition(
    name: "Dog", properties: [.init(name: "age", element: .int, defaultValue: .value(.int(0)))])

  private final class Log {
    var lines: [String] = []

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private let session: Session
  private let other: Session
  private let dog: ObjectID
  private let log = Log()

  init() throws {
    session = try Session.made(Self.dog)
    let session = session
    dog = try session.write { try session.add("Dog") }
    other = try session.sibling()
  }

  private func age(_ session: Session, _ age: Int, silencing tokens: [TokenID] = []) throws {
    try session.write(silencing: tokens) { try session.set(dog, ("age", .int(age))) }
  }

  /// Observes the store in `session`; the block notes `name`, and then runs.
  @discardableResult
  private func observeStore(_ name: String, _ block: @escaping () throws -> Void = {}) throws
    -> TokenID
  {
    try session.observe(
      .store,
      BlockReceiver { [log] report in
        log.lines.append("\(name) \(report)")
        try block()
      })
  }

  /// Observes the dog in `session`.
  @discardableResult
  private func observeDog(_ name: String, _ block: @escaping () throws -> Void = {}) throws
    -> TokenID
  {
    try session.observe(
      .object(dog, .everything),
      BlockReceiver { [log] report in
        if case .change(let changes) = report {
          let texts = changes.map { "\($0.name) \($0.old.text) \($0.new.text)" }
          log.lines.append("\(name) \(texts)")
        }
        try block()
      })
  }

  // MARK: Delivery points

  @Test
  func `an own commit is delivered to store tokens at once, to others at the end of the turn`()
    throws
  {
    try observeStore("store")
    try observeDog("dog")
    try age(session, 1)
    #expect(log.take() == ["store changed"])
    #expect(try session.endTurn())
    #expect(log.take() == ["dog [\"age 0 1\"]"])
    #expect(try !session.endTurn())
  }

  @Test func `what others commit is delivered by a turn, a refresh, or a write that begins`() throws
  {
    try observeDog("dog")
    try age(other, 1)
    #expect(log.take() == [] && session.version == other.version - 1)
    #expect(try session.refresh())
    #expect(log.take() == ["dog [\"age 0 1\"]"])
    #expect(try !session.refresh())
    try age(other, 2)
    try age(other, 3)
    #expect(try session.endTurn())
    #expect(log.take() == ["dog [\"age 1 3\"]"])
    try age(other, 4)
    try session.write { #expect(log.take() == ["dog [\"age 3 4\"]"]) }
    #expect(session.version == other.version + 1)
  }

  @Test func `in a write and in a delivery a refresh has no effect`() throws {
    let (session, other, dog) = (session, other, dog)
    var results: [Bool] = []
    try observeStore("store") {
      try other.write { try other.set(dog, ("age", .int(9))) }
      results.append(try session.refresh())
      results.append(try session.endTurn())
    }
    try session.write { results.append(try session.refresh()) }
    #expect(results == [false, false, false])
    #expect(try session.freeze().refresh() == false)
    #expect(try session.freeze().endTurn() == false)
  }

  @Test func `without autorefresh a turn only notifies store tokens that there is more`() throws {
    session.autorefresh = false
    try observeStore("store")
    try observeDog("dog")
    let version = session.version
    try age(other, 1)
    try age(other, 2)
    _ = try session.endTurn()
    #expect(log.take() == ["store refreshRequired"] && session.version == version)
    #expect(try session.read("age", of: dog) == .int(0))
    _ = try session.refresh()
    #expect(log.take().contains("dog [\"age 0 2\"]"))
  }

  @Test func `a token that a commit silences receives nothing of it`() throws {
    let token = try observeDog("a")
    try observeDog("b")
    try age(session, 1, silencing: [token])
    _ = try session.endTurn()
    #expect(log.take() == ["b [\"age 0 1\"]"])
    try age(session, 2)
    _ = try session.endTurn()
    #expect(log.take().count == 2)
    session.dropped.note(token)
    _ = try session.endTurn()
    #expect(
      errorText { try session.checkSilenced([token]) } == "token '#\(token.rawValue)' is dead")
  }

  @Test func `after the first error of a block the others are still called`() throws {
    try observeDog("a") { throw HeraldError.interrupted }
    try observeDog("b") { throw HeraldError.closed }
    try age(other, 1)
    #expect(errorText { _ = try session.endTurn() } == "interrupted")
    #expect(log.take().count == 2)
    #expect(errorText { _ = try session.endTurn() } == "no error")
  }

  // MARK: Queued writes

  @Test
  func `queued writes run at the end of the turn, in their order, each after what is pending`()
    throws
  {
    let (session, dog, log) = (session, dog, log)
    try observeDog("dog")
    for age in 1...3 {
      try session.queueWrite(silencing: []) {
        log.lines.append("write \(age)")
        try session.set(dog, ("age", .int(age)))
      }
    }
    #expect(session.hasQueuedWrites && log.take() == [])
    #expect(try session.endTurn())
    #expect(
      log.take() == [
        "write 1", "dog [\"age 0 1\"]", "write 2", "dog [\"age 1 2\"]", "write 3",
        "dog [\"age 2 3\"]",
      ])
    #expect(!session.hasQueuedWrites)
  }

  @Test func `a queue waits while another session writes, and stops at no error`() throws {
    let (session, dog) = (session, dog)
    try session.queueWrite(silencing: []) { throw HeraldError.interrupted }
    try session.queueWrite(silencing: []) { try session.set(dog, ("age", .int(7))) }
    try other.beginWrite(byHand: true)
    #expect(try !session.endTurn())
    #expect(session.hasQueuedWrites)
    try other.rollback()
    #expect(errorText { _ = try session.endTurn() } == "interrupted")
    #expect(try session.read("age", of: dog) == .int(7))
  }

  @Test func `blocks that write in response to each other come to an end`() throws {
    let (session, dog) = (session, dog)
    var age = 0
    try observeDog("dog") {
      try session.queueWrite(silencing: []) {
        age += 1
        try session.set(dog, ("age", .int(age)))
      }
    }
    try self.age(session, -1)
    let text = errorText { _ = try session.endTurn() }
    #expect(text.hasPrefix("observers have written 1000 times in a row, each in response"))
    // The first delivery queues the first of them.
    #expect(age == chainLimit)
    #expect(!session.hasQueuedWrites)
  }

  @Test func `blocks that write at once nest no deeper than the limit`() throws {
    let (session, dog) = (session, dog)
    var depth = 0
    try observeStore("store") {
      depth += 1
      try session.write { try session.set(dog, ("age", .int(depth))) }
    }
    #expect(errorText { try age(session, -1) } == "more than 64 nested writes")
    #expect(depth == nestedWriteLimit)
    #expect(!session.isInWrite && session.check() == [])
  }

  // MARK: What is due

  @Test func `a turn is due if there is a newer version, or anything pending`() throws {
    #expect(!session.isTurnDue(at: session.version) && session.isTurnDue(at: session.version + 1))
    let token = try observeDog("dog")
    try age(session, 1)
    #expect(session.isTurnDue(at: session.version))
    _ = try session.endTurn()
    #expect(!session.isTurnDue(at: session.version))
    try session.queueWrite(silencing: []) {}
    #expect(session.isTurnDue(at: session.version))
    _ = try session.endTurn()
    try session.beginWrite(byHand: true)
    #expect(session.isTurnDue(at: session.version))
    try session.rollback()
    session.dropped.note(token)
    _ = try session.endTurn()
    // A session that rests without observers needs no turn until it is used.
    session.restWithoutObservers()
    #expect(!session.isTurnDue(at: session.version + 1))
    session.close()
    #expect(session.isTurnDue(at: session.version))
  }
}
