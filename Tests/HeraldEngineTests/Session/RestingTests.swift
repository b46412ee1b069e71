import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// A session that waits holds no version, unless it must; it is at the newest one as soon as it is used.
@Suite struct RestingTests {
  private static let dog = ClassDefinition(
    name: "Dog", properties: [.init(name: "age", element: .int, defaultValue: .value(.int(0)))])

  /// A store in a file with a dog, and a second session.
  private func withStore(
    _ body: (_ writer: Session, _ waiting: Session, _ dog: ObjectID) throws -> Void
  ) throws {
    try withFolder { folder in
      let writer = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      let dog = try writer.write { try writer.add("Dog") }
      try body(writer, try writer.sibling(), dog)
    }
  }

  private func age(_ session: Session, _ dog: ObjectID, _ age: Int) throws {
    try session.write { try session.set(dog, ("age", .int(age))) }
  }

  /// What keeps a session at its version.
  struct Hold: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let begin: @Sendable (Session, ObjectID) throws -> AnyObject?
  }

  static let holds = [
    Hold(testDescription: "no autorefresh") { session, _ in
      session.autorefresh = false
      return nil
    },
    Hold(testDescription: "a write") { session, _ in
      try session.beginWrite(byHand: true)
      return nil
    },
    Hold(testDescription: "a queued write") { session, _ in
      try session.queueWrite(silencing: []) {}
      return nil
    },
    Hold(testDescription: "a pending delivery") { session, dog in
      _ = try session.observe(.object(dog, .everything), BlockReceiver { _ in })
      try session.write { try session.set(dog, ("age", .int(9))) }
      return nil
    },
    Hold(testDescription: "something frozen") { session, dog in
      let other = try session.sibling()
      try other.write { try other.set(dog, ("age", .int(9))) }
      return try session.freeze()
    },
    Hold(testDescription: "that it is closed") { session, _ in
      session.close()
      return nil
    },
  ]

  @Test(arguments: holds)
  func `a session does not rest because of`(_ hold: Hold) throws {
    try withStore { _, waiting, dog in
      let held = try hold.begin(waiting, dog)
      waiting.rest()
      #expect(!waiting.position.isResting)
      waiting.restWithoutObservers()
      #expect(!waiting.position.isResting)
      withExtendedLifetime(held) {}
    }
  }

  @Test func `a store in memory is held, unless nobody observes`() throws {
    let session = try Session.made(Self.dog)
    session.rest()
    #expect(!session.position.isResting)
    let token = try session.observe(.store, BlockReceiver { _ in })
    session.restWithoutObservers()
    #expect(!session.position.isResting)
    session.dropped.note(token)
    _ = try session.endTurn()
    session.restWithoutObservers()
    #expect(session.position.isResting)
  }

  /// Uses of a session that end its rest.
  struct Use: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let use: @Sendable (Session, ObjectID) throws -> Void
  }

  static let uses = [
    Use(testDescription: "reading") { _ = try $0.read("age", of: $1) },
    Use(testDescription: "the schema") { session, _ in _ = session.schema },
    Use(testDescription: "a write") { session, _ in try session.write {} },
    Use(testDescription: "a turn") { session, _ in _ = try session.endTurn() },
    Use(testDescription: "a refresh") { session, _ in _ = try session.refresh() },
    Use(testDescription: "freezing") { session, _ in _ = try session.freeze() },
    Use(testDescription: "observing") { session, _ in
      _ = try session.observe(.store, BlockReceiver { _ in })
    },
    Use(testDescription: "no autorefresh") { session, _ in session.autorefresh = false },
  ]

  @Test(arguments: uses)
  func `a session that rests is at the newest version after`(_ use: Use) throws {
    try withStore { writer, waiting, dog in
      for rest in [{ waiting.rest() }, { waiting.restWithoutObservers() }] {
        rest()
        #expect(waiting.position.isResting)
        try writer.write {
          try writer.declare(ClassDefinition(name: "C\(writer.version)", properties: []))
        }
        try age(writer, dog, writer.version)
        let (version, classCount) = (writer.version, writer.schema.classCount)
        try use.use(waiting, dog)
        #expect(!waiting.position.isResting && waiting.version >= version)
        #expect(waiting.schema.classCount == classCount)
        #expect(try waiting.read("age", of: dog) == writer.read("age", of: dog))
        guard waiting.observatory.isEmpty, waiting.autorefresh else { return }
      }
    }
  }

  @Test func `what happened meanwhile is pending for the observers`() throws {
    try withStore { writer, waiting, dog in
      var reports: [Report] = []
      _ = try waiting.observe(.object(dog, .everything), BlockReceiver { reports.append($0) })
      _ = try waiting.endTurn()
      waiting.rest()
      #expect(waiting.position.isResting)
      for number in 1...3 { try age(writer, dog, number) }
      #expect(waiting.isTurnDue(at: writer.version))
      #expect(reports == [])
      _ = try waiting.endTurn()
      guard case .change(let changes)? = reports.first else {
        Issue.record("no change: \(reports)")
        return
      }
      #expect(reports.count == 1)
      #expect(changes.map(\.old) == [.int(0)] && changes.map(\.new) == [.int(3)])
    }
  }

  @Test func `observers end if the log does not reach back to the version that was released`()
    throws
  {
    try withStore { writer, _, dog in
      let waiting = try writer.apart()
      var reports: [Report] = []
      let token = try waiting.observe(
        .object(dog, .everything), BlockReceiver { reports.append($0) })
      _ = try waiting.endTurn()
      let version = waiting.version
      waiting.rest()
      try writer.keep(.commits(1))
      for number in 1...4 { try age(writer, dog, number) }
      let message = "the log no longer reaches back to version \(version); observe again"
      #expect(errorText { _ = try waiting.endTurn() } == message)
      #expect(reports.compactMap(\.failure?.message) == [message])
      #expect(waiting.version == writer.version && !waiting.observatory.isLive(token))
      #expect(try waiting.read("age", of: dog) == .int(4))
      #expect(errorText { _ = try waiting.endTurn() } == "no error")
    }
  }
}
