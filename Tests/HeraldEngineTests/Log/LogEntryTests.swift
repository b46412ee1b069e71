import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// The log says of each commit who made it, when, and what changed; in memory and in a file alike.
@Suite struct LogEntryTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "name", element: .string, isPrimaryKey: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
    ])

  /// Runs a test on a store in memory, or in a file, with one dog.
  private func withStore(
    isFile: Bool, _ body: (_ session: Session, _ dog: ObjectID) throws -> Void
  ) throws {
    try withFolder { folder in
      let session = try Session.made(Self.dog, at: isFile ? "\(folder)/a.hdb" : nil)
      let dog = try session.write { try session.add("Dog", ("name", .string("Max"))) }
      try body(session, dog)
    }
  }

  /// Commits some ages, the last one 10 + `count`.
  private func age(_ session: Session, _ dog: ObjectID, by count: Int) throws {
    for step in 1...count { try session.write { try session.set(dog, ("age", .int(10 + step))) } }
  }

  @Test(arguments: [false, true])
  func `an entry has the session, the process, the message and the changes`(isFile: Bool) throws {
    try withStore(isFile: isFile) { session, dog in
      session.name = "first"
      let before = Timestamp.now
      try session.write(message: "older") { try session.set(dog, ("age", .int(1))) }
      session.name = "second"
      try session.write { try session.set(dog, ("age", .int(2))) }
      let entries = try [3, 4].map { try session.loggedCommit($0) }
      #expect(entries.map(\.info.session) == ["first", "second"])
      #expect(entries.map(\.info.message) == ["older", nil])
      #expect(entries.map(\.info.process) == [processNumber, processNumber])
      #expect(entries.map(\.info.reversal) == [nil, nil])
      #expect(before <= entries[0].info.time && entries[0].info.time <= entries[1].info.time)
      #expect(
        entries.map { $0.record.text(session.schema) } == ["Dog#1.age was 0", "Dog#1.age was 1"])
      #expect(try session.loggedInfo(3) == entries[0].info)
      #expect(session.loggedSize(3) > 0 && session.loggedSize(5) == 0)
    }
  }

  @Test(arguments: [false, true])
  func `a version that is not there, or not kept, is an error`(isFile: Bool) throws {
    try withStore(isFile: isFile) { session, dog in
      func text(_ version: Int) -> String { errorText { _ = try session.loggedCommit(version) } }
      #expect(text(3) == "there is no version 3; the newest is 2")
      #expect(text(-1) == "there is no version -1; the newest is 2")
      #expect(text(0) == "version 0 has no commit: it is the new store")
      #expect(try session.oldestVersion == 0)
      #expect(try session.oldestLogVersion == 1)
      try session.keep(.commits(2))
      #expect(try session.retention == .commits(2))
      try age(session, dog, by: 3)
      #expect(session.version == 5)
      #expect(try session.oldestVersion == 3)
      #expect(text(3) == "version 3 is not kept; the oldest version that is kept is 4")
      #expect(text(4) == "no error")
      #expect(errorText { try session.checkKept(3) } == "no error")
      #expect(
        errorText { try session.checkKept(2) }
          == "version 2 is not kept; the oldest version that is kept is 3")
    }
  }

  @Test(arguments: [false, true])
  func `the retention cannot be set during a write, or by who may not write`(isFile: Bool) throws {
    try withStore(isFile: isFile) { session, _ in
      #expect(try session.retention == .standard)
      try session.beginWrite(byHand: true)
      #expect(errorText { try session.keep(.all) } == "a write is already in progress")
      if isFile {
        let other = try session.sibling()
        #expect(
          errorText { try other.keep(.all) } == "another session has a write transaction open")
      }
      try session.rollback()
      let frozen = try session.freeze()
      #expect(errorText { try frozen.keep(.all) } == "frozen objects and results cannot be changed")
      try session.keep(.seconds(3_600))
      #expect(try session.retention == .seconds(3_600))
    }
  }

  @Test func `a setting of the log makes no version`() throws {
    try withStore(isFile: true) { session, _ in
      let version = session.version
      try session.keep(.bytes(1_000))
      _ = try session.refresh()
      #expect(session.version == version)
      #expect(try session.newestVersion == version)
      #expect(try session.sibling().retention == .bytes(1_000))
    }
  }

  @Test(arguments: [false, true])
  func `the version at a time is the last one committed by then`(isFile: Bool) throws {
    try withStore(isFile: isFile) { session, dog in
      for age in 1...40 {
        let last = try session.loggedCommit(session.version).info.time
        // Times are in microseconds: each commit has its own.
        while Timestamp.now <= last {}
        try session.write { try session.set(dog, ("age", .int(age))) }
      }
      for version in 1...session.version {
        let time = try session.loggedCommit(version).info.time
        #expect(try session.version(at: time) == version)
      }
      #expect(try session.version(at: Timestamp(seconds: .max)) == session.version)
      #expect(try session.version(at: Timestamp(seconds: 0)) == 0)
      try session.keep(.commits(3))
      try age(session, dog, by: 1)
      let oldest = try session.oldestVersion
      #expect(
        errorText { _ = try session.version(at: Timestamp(seconds: 0)) }
          == "no version of 1970-01-01T00:00:00Z is kept; the oldest version that is kept is \(oldest)"
      )
      #expect(try session.version(at: Timestamp.now) == session.version)
    }
  }

  @Test(arguments: [false, true])
  func `the key of a deleted object is found in the log, as far as that reaches back`(
    isFile: Bool
  ) throws {
    try withStore(isFile: isFile) { session, dog in
      let reader = try session.sibling()
      let other = try session.write { try session.add("Dog", ("name", .string("Rex"))) }
      try session.write { try session.delete(dog) }
      try age(session, other, by: 3)
      try session.write { try session.delete(other) }
      _ = try session.endTurn()
      _ = try reader.refresh()
      #expect(reader.loggedKey(of: other) == .string("Rex"))
      #expect(reader.loggedKey(of: dog) == .string("Max"))
      #expect(reader.loggedKey(of: ObjectID(dog.classID, 9)) == nil)
      let late = try session.sibling()
      try session.keep(.commits(1))
      _ = try session.write { try session.add("Dog", ("name", .string("Kim"))) }
      _ = try late.refresh()
      #expect(late.loggedKey(of: dog) == nil)
      // What a session knows of the log it does not forget.
      _ = try reader.refresh()
      #expect(reader.loggedKey(of: dog) == .string("Max"))
    }
  }
}
