import Glibc
import HeraldMaintenance
import Synchronization
import TestSupport
import Testing

@testable import HeraldStorage

/// Commits that stay in the journal alone until a checkpoint.
@Suite struct JournaledCommitsTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  /// A session as far as storage is concerned: it writes over the snapshot that it reads.
  private struct Session {
    let environment: StorageEnvironment
    var reader: StorageSnapshot

    init(_ environment: StorageEnvironment) throws {
      self.environment = environment
      reader = try environment.beginRead()
    }

    mutating func write(_ body: (borrowing WriteTransaction) throws -> Void) throws {
      do {
        let write = try environment.beginWrite(over: reader)
        try body(write)
        _ = try write.commit()
      }
      reader = try environment.beginRead()
    }
  }

  private func value(_ path: String) throws -> Int? {
    let environment = try StorageEnvironment.open(.file(path))
    let read = try environment.beginRead()
    try #require(read.check().isEmpty)
    return read.integer(column, 1)
  }

  private func copy(_ path: String) throws -> String {
    FileTree.removeStore(path + ".copy")
    try FileTree.save(FileTree.read(path), to: path + ".copy")
    return path + ".copy"
  }

  /// Copies a file as a power cut may leave its first two pages: each sector is as it was `before` at random, with a
  /// chance of so many percent.
  private func cut(
    _ path: String, _ before: [UInt8], losing percent: Int, _ random: inout SplitMix64
  ) throws -> String {
    var bytes = FileTree.read(path)
    for sector in 0..<16 where random.chance(percent) {
      let range = sector * 512..<(sector + 1) * 512
      bytes.replaceSubrange(range, with: before[range])
    }
    FileTree.removeStore(path + ".copy")
    try FileTree.save(bytes, to: path + ".copy")
    return path + ".copy"
  }

  @Test func `small commits change no page but the journal's`() throws {
    try withOpenStore { path, environment in
      environment.store.journaled.patience.store(1_000_000_000, ordering: .relaxed)
      var session = try Session(environment)
      try session.write { try $0.setInteger(column, 1, 2) }
      let before = FileTree.read(path)
      for number in 3...12 {
        try session.write { try $0.setInteger(column, 1, number) }
        #expect(session.reader.integer(column, 1) == number)
        #expect(session.reader.version == number)
        #expect(try value(copy(path)) == number)
      }
      let after = FileTree.read(path)
      #expect(after[8192...] == before[8192...])
      #expect(after[0..<512] == before[0..<512] && after[4096..<4608] == before[4096..<4608])
    }
  }

  @Test func `the journal is emptied before it is full`() throws {
    try withOpenStore { path, environment in
      var session = try Session(environment)
      let first = try environment.newestState.transaction
      for number in 1...300 { try session.write { try $0.setInteger(column, 1, number) } }
      try environment.checkpoint()
      let state = try environment.newestState
      #expect(state.version == 301)
      #expect((5...60).contains(state.transaction - first))
      #expect(try FileTree.pendingRecord(path) == nil)
      try expectSound(environment)
    }
  }

  @Test func `a commit that does not fit behind the others is in the pages`() throws {
    try withOpenStore { path, environment in
      environment.store.journaled.patience.store(1_000_000_000, ordering: .relaxed)
      var session = try Session(environment)
      for number in 2...6 { try session.write { try $0.setInteger(column, 1, number) } }
      #expect(environment.store.journaled.current != nil)
      // Alone it would fit.
      let bytes = (0..<3400).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
      try session.write { try $0.setMetadata("long", bytes) }
      #expect(environment.store.journaled.current == nil)
      #expect(session.reader.metadata("long") == bytes)
      #expect(try value(copy(path)) == 6)
      try expectSound(environment)
    }
  }

  @Test func `a moment after the last commit everything is in the pages`() throws {
    try withOpenStore { path, environment in
      var session = try Session(environment)
      try session.write { try $0.setInteger(column, 1, 7) }
      for _ in 0..<2000 where environment.store.journaled.current != nil { usleep(5000) }
      #expect(environment.store.journaled.current == nil)
      #expect(try FileTree.pendingRecord(path) == nil)
      // The session reads through what it had.
      #expect(session.reader.integer(column, 1) == 7)
      #expect(try environment.newestState.version == 2)
      try session.write { try $0.setInteger(column, 1, 8) }
      #expect(try value(copy(path)) == 8)
    }
  }

  @Test func `another process sees every commit`() throws {
    try withOpenStore { path, environment in
      var session = try Session(environment)
      for number in 2...5 { try session.write { try $0.setInteger(column, 1, number) } }
      let other = try Elsewhere(path)
      #expect(try other.environment.beginRead().integer(column, 1) == 5)
      for number in 6...20 {
        try session.write { try $0.setInteger(column, 1, number) }
        #expect(try other.environment.beginRead().integer(column, 1) == number)
        if number % 3 == 0 { try other.environment.write { try $0.setInteger(column, 1, -number) } }
        session.reader = try environment.beginRead()
        #expect(session.reader.integer(column, 1) == (number % 3 == 0 ? -number : number))
      }
    }
  }

  @Test func `a closed file needs no journal`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      do {
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { try $0.setInteger(column, try $0.create(1), 1) }
        var session = try Session(environment)
        for number in 1...9 { try session.write { try $0.setInteger(column, 1, number) } }
      }
      #expect(try FileTree.pendingRecord(path) == nil)
      #expect(try value(path) == 9)
    }
  }

  @Test func `a backup, a compacted file and the list of readers have every commit`() throws {
    try withOpenStore { path, environment in
      var session = try Session(environment)
      for number in 2...9 { try session.write { try $0.setInteger(column, 1, number) } }
      #expect(try environment.backup(to: path + ".backup") { _, _ in true } == 9)
      #expect(try value(path + ".backup") == 9)
      for number in 10...12 { try session.write { try $0.setInteger(column, 1, number) } }
      _ = try environment.compact { _, _ in true }
      session.reader = try environment.beginRead()
      #expect(session.reader.integer(column, 1) == 12)
      for number in 13...15 { try session.write { try $0.setInteger(column, 1, number) } }
      #expect(try value(copy(path)) == 15)
    }
  }

  /// Beside the same changes in a file where each is a transaction of LMDB's.
  @Test(arguments: 1...6)
  func `random commits lead to the same state as transactions do`(seed: Int) throws {
    print("JournaledCommitsTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    try withOpenStore { path, environment in
      if seed % 2 == 0 {
        environment.store.journaled.patience.store(1_000_000, ordering: .relaxed)
      }
      let twin = try StorageEnvironment.open(.file(path + ".twin"))
      try twin.write { try $0.setInteger(column, try $0.create(1), 1) }
      var (commits, changes) = (RandomCommits(), 0)
      var session = try Session(environment)
      var old: [(reader: StorageSnapshot, value: Int?)] = []
      var journaled = 0
      for _ in 0..<150 {
        if random.oneIn(15) {
          // Any kind of change, mostly not one for the journal alone.
          var (again, other) = (commits, random)
          try session.write { try commits.change($0, &random) }
          try twin.write { try again.change($0, &other) }
        } else {
          let count = 1 + random.below(3)
          var values: [(ColumnID, Int)] = []
          for _ in 0..<count { values.append((column, random.below(1 << (1 + random.below(40))))) }
          let entry = (0..<40).map { _ in UInt8(truncatingIfNeeded: random.next()) }
          let isAdded = random.oneIn(4)
          func change(_ write: borrowing WriteTransaction) throws {
            for (column, value) in values { try write.setInteger(column, 1, value) }
            if isAdded { _ = try write.create(1) }
            write.setLogEntry(entry, LogLimits(entries: 20))
          }
          try session.write { try change($0) }
          try twin.write { try change($0) }
        }
        changes += 1
        if environment.store.journaled.current != nil { journaled += 1 }
        let (mine, its) = (session.reader.state, try twin.newestState)
        #expect(mine.version == its.version)
        #expect(mine.loggedBytes == its.loggedBytes)
        // Each store has an id of its own.
        let spaces: [RecordSpace] = [.columns, .lists, .links, .index, .log]
        for space in spaces { #expect(mine.digest[space] == its.digest[space]) }
        #expect(session.reader.check().isEmpty)
        for version in 1...mine.version {
          #expect(session.reader.logEntry(version) == (try twin.beginRead().logEntry(version)))
        }
        #expect(session.reader.oldestLogVersion == (try twin.beginRead().oldestLogVersion))
        for (reader, value) in old { #expect(reader.integer(column, 1) == value) }
        if random.oneIn(6) { old.append((session.reader, session.reader.integer(column, 1))) }
        if old.count > 4 { old.removeFirst() }
        if random.oneIn(10) {
          let copied = try StorageEnvironment.open(.file(copy(path)))
          #expect(try copied.newestState.digest == mine.digest)
          #expect(try copied.newestState.version == mine.version)
          try expectSound(copied)
        }
        if random.oneIn(20) { usleep(15_000) }
      }
      #expect(changes == 150)
      let other = try Elsewhere(path, readOnly: seed % 3 == 0)
      let (its, mine) = (try other.environment.newestState, session.reader.state)
      #expect(its.version == mine.version)
      #expect(its.digest == mine.digest)
      #expect(journaled > (seed % 2 == 0 ? 60 : 0))
    }
  }

  /// As `PowerCut` leaves a file: whatever sectors of the journal have reached the disk, the commits that were
  /// acknowledged by then are there.
  @Test(arguments: 1...20)
  func `a torn record ends the journal`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withOpenStore { path, environment in
      var session = try Session(environment)
      let count = 2 + random.below(20)
      for number in 2..<2 + count { try session.write { try $0.setInteger(column, 1, number) } }
      let before = FileTree.read(path)
      try session.write { try $0.setInteger(column, 1, 1000) }
      let found = try value(cut(path, before, losing: 50, &random))
      #expect(found == 1000 || found == 1 + count, "seed \(seed)")
    }
  }

  /// With `sync=normal`, of what is not synced any sectors may be missing.
  @Test(arguments: 1...20)
  func `without syncs a cut leaves the first commits`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withOpenStore { path, environment in
      environment.store.journaled.patience.store(1_000_000, ordering: .relaxed)
      environment.syncsEveryCommit = false
      var session = try Session(environment)
      for number in 2...10 { try session.write { try $0.setInteger(column, 1, number) } }
      let before = FileTree.read(path)
      for number in 11...20 { try session.write { try $0.setInteger(column, 1, number) } }
      let found = try #require(try value(cut(path, before, losing: 30, &random)))
      #expect((10...20).contains(found), "seed \(seed)")
      let copied = try StorageEnvironment.open(.file(path + ".copy"))
      #expect(try copied.newestState.version == found)
    }
  }
}
