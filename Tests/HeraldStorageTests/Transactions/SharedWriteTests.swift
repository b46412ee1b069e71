import TestSupport
import Testing

@testable import HeraldStorage

/// Writes that share a transaction: each is a version of its own, as if it had been committed alone.
@Suite struct SharedWriteTests {
  private final class Held {
    let write: WriteTransaction

    init(_ write: consuming WriteTransaction) { self.write = write }
  }

  private let column = ColumnID(classID: 1, propertyID: 1)

  @Test(arguments: seeds(30))
  func `writes in one transaction leave what they leave one by one`(seed: UInt64) throws {
    try withFolder { folder in
      let path = "\(folder)/shared.hdb"
      let shared = try StorageEnvironment.open(.file(path))
      let alone = try StorageEnvironment.open(.file("\(folder)/alone.hdb"))
      for environment in [shared, alone] { try environment.write { _ = try $0.create(1) } }
      /// The sums of all records of the stores, which differ by their ids alone.
      func difference() throws -> [UInt64] {
        let (one, other) = (try shared.newestState.digest, try alone.newestState.digest)
        return RecordSpace.allCases.map { one[$0] &- other[$0] }
      }
      let ids = try difference()
      var run = GroupRun(seed: seed, alone)
      var round = 0
      while round < 20 || run.continuedAlone == 0 && round < 200 {
        round += 1
        let cut = PowerCut(of: path)
        let transactions = try shared.newestState.transaction
        try run.group(shared)
        let state = try shared.newestState
        #expect(state.version == (try alone.newestState.version), "seed \(seed), round \(round)")
        #expect(try difference() == ids, "seed \(seed), round \(round)")
        // One record of the journal has the whole group.
        guard state.transaction == transactions + 1 else { continue }
        let copy = path + ".copy"
        try cut.copy(path, to: copy, withoutMetasOf: [state.transaction])
        guard try FileTree.pendingRecord(copy) != nil else { continue }
        run.cuts += 1
        let found = try StorageEnvironment.open(.file(copy)).newestState
        #expect(found.fingerprint == state.fingerprint, "seed \(seed), round \(round)")
      }
      #expect(run.joined > 0 && run.continuedAlone > 0 && run.cuts > 0, "seed \(seed)")
      try expectSound(shared)
      try expectSound(alone)
    }
  }

  /// Random groups, of which each write is also made alone in another store.
  private struct GroupRun {
    private var random: SplitMix64
    private var model = RandomCommits()
    private let alone: StorageEnvironment
    var joined = 0
    var continuedAlone = 0
    var cuts = 0

    init(seed: UInt64, _ alone: StorageEnvironment) {
      random = SplitMix64(seed: seed)
      self.alone = alone
    }

    /// Makes the same change in a write and in one of the other store; returns false if both were rolled back.
    private mutating func change(
      _ write: borrowing WriteTransaction, mayEnd: Bool
    ) throws -> Bool {
      var (sameRandom, sameModel) = (random, model)
      let before = model
      let other = try alone.beginWrite()
      try model.change(write, &random)
      try sameModel.change(other, &sameRandom)
      if mayEnd, random.oneIn(4) {
        model = before
        other.abort()
        return false
      }
      _ = try other.commit()
      return true
    }

    /// One leader, and up to four writes that join.
    mutating func group(_ environment: StorageEnvironment) throws {
      let leader = Held(try environment.beginWrite())
      _ = try change(leader.write, mayEnd: false)
      guard let group = try leader.write.share() else {
        _ = try leader.write.commit()
        return
      }
      var isOpen = true
      var members: [Held] = []
      let complete = { () throws(StorageError) in
        isOpen = false
        try leader.write.commit(group, keepsLock: true)
      }
      for _ in 0..<random.below(5) where isOpen {
        let reader = try #require(StorageSnapshot(joining: group))
        let member = Held(WriteTransaction(joining: reader, complete))
        #expect(member.write.nextVersion == group.version + 1)
        if try change(member.write, mayEnd: true) {
          if try member.write.commitShared({}) {
            members.append(member)
            joined += 1
          } else {
            _ = try member.write.commit()
            continuedAlone += 1
          }
        } else {
          member.write.abort()
        }
        if reader.leaveShared() { #expect(!isOpen) }
      }
      if isOpen { try leader.write.commit(group, keepsLock: false) }
      for member in members { member.write.endShared(isCommitted: true) }
    }
  }

  @Test func `a write that joins reads what those before it have written`() throws {
    try withOpenStore { path, environment in
      let leader = try environment.beginWrite()
      try leader.setInteger(column, 1, 2)
      let group = try #require(try leader.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in }
      #expect(member.snapshot.integer(column, 1) == 2)
      #expect(try environment.beginRead().integer(column, 1) == 1)
      try member.setInteger(column, 1, 3)
      // What it has changed is not in the version that it began at.
      #expect(reader.integer(column, 1) == 2)
      #expect(member.snapshot.integer(column, 1) == 3)
      #expect(try member.commitShared {})
      #expect(try environment.beginRead().integer(column, 1) == 1)
      try leader.commit(group, keepsLock: false)
      member.endShared(isCommitted: true)
      #expect(!reader.leaveShared())
      #expect(reader.integer(column, 1) == nil)
      #expect(try environment.beginRead().integer(column, 1) == 3)
      #expect(try environment.beginRead().version == 3)
    }
  }

  @Test func `a write that fails when it joins takes nobody with it`() throws {
    try withOpenStore { path, environment in
      let leader = try environment.beginWrite()
      try leader.setInteger(column, 1, 2)
      let group = try #require(try leader.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in }
      try member.setInteger(column, 1, 3)
      let failure = StorageError.full(path: path)
      #expect(throws: failure) {
        try member.commitShared { () throws(StorageError) in throw failure }
      }
      member.abort()
      #expect(!reader.leaveShared())
      try leader.commit(group, keepsLock: false)
      #expect(try environment.beginRead().integer(column, 1) == 2)
      try environment.write { try $0.setInteger(column, 1, 4) }
      #expect(try environment.beginRead().integer(column, 1) == 4)
      #expect(try environment.beginRead().version == 3)
    }
  }

  @Test func `a write that is too large for the others continues alone`() throws {
    try withOpenStore { path, environment in
      let leader = Held(try environment.beginWrite())
      try leader.write.setInteger(column, 1, 2)
      let group = try #require(try leader.write.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in
        try leader.write.commit(group, keepsLock: true)
      }
      try member.setInteger(column, 1, 3)
      try member.setMetadata("large", [UInt8](repeating: 7, count: 60_000))
      #expect(try !member.commitShared {})
      #expect(try environment.beginRead().integer(column, 1) == 2)
      _ = try member.commit()
      // Its reader goes on at the version of the others.
      #expect(reader.leaveShared())
      #expect(reader.integer(column, 1) == 2 && reader.version == 2)
      #expect(try environment.beginRead().integer(column, 1) == 3)
      #expect(try environment.beginRead().version == 3)
      try expectSound(environment)
    }
  }

  @Test func `settings are stored with the last version, whose write is another one`() throws {
    try withOpenStore { path, environment in
      let leader = Held(try environment.beginWrite())
      try leader.write.setInteger(column, 1, 2)
      leader.write.setLogEntry([1, 2, 3])
      let group = try #require(try leader.write.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in
        Issue.record("it is too large")
      }
      try member.setInteger(column, 1, 3)
      member.setLogEntry([4, 5])
      #expect(try member.commitShared {})
      try leader.write.setMetadata("position", [9])
      try leader.write.commit(group, keepsLock: false)
      member.endShared(isCommitted: true)
      let newest = try environment.beginRead()
      #expect(newest.version == 3 && newest.integer(column, 1) == 3)
      #expect(newest.metadata("position") == [9] && newest.state.loggedBytes == 5)
      try environment.checkpoint()
      #expect(try environment.beginRead().version == 3)
      try expectSound(environment)
    }
  }

  @Test func `settings alone make no version`() throws {
    try withOpenStore { path, environment in
      let version = try environment.beginRead().version
      for value in 1...3 {
        try environment.write { write in
          write.keepVersion()
          try write.setMetadata("position", [UInt8(value)])
        }
        let newest = try environment.beginRead()
        #expect(newest.version == version && newest.metadata("position") == [UInt8(value)])
      }
      try environment.write { try $0.setInteger(column, 1, 4) }
      try environment.checkpoint()
      let newest = try environment.beginRead()
      #expect(newest.version == version + 1 && newest.metadata("position") == [3])
      try expectSound(environment)
    }
  }

  @Test func `a write that is too large for others that fail fails once`() throws {
    try withOpenStore { path, environment in
      let leader = Held(try environment.beginWrite())
      try leader.write.setInteger(column, 1, 2)
      let group = try #require(try leader.write.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let failure = StorageError.full(path: path)
      var calls = 0
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in
        calls += 1
        leader.write.abort()
        throw failure
      }
      try member.setInteger(column, 1, 3)
      #expect(throws: failure) {
        try member.setMetadata("large", [UInt8](repeating: 7, count: 60_000))
      }
      #expect(calls == 1)
      member.abort()
      #expect(try environment.beginRead().integer(column, 1) == 1)
      try environment.write { try $0.setInteger(column, 1, 4) }
      #expect(try environment.beginRead().integer(column, 1) == 4)
      try expectSound(environment)
    }
  }

  @Test func `if the first write is rolled back, nobody's version is there`() throws {
    try withOpenStore { path, environment in
      let leader = try environment.beginWrite()
      try leader.setInteger(column, 1, 2)
      let group = try #require(try leader.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in }
      try member.setInteger(column, 1, 3)
      #expect(try member.commitShared {})
      leader.abort()
      member.endShared(isCommitted: false)
      #expect(!reader.leaveShared())
      #expect(try environment.beginRead().integer(column, 1) == 1)
      try environment.write { try $0.setInteger(column, 1, 4) }
      #expect(try environment.beginRead().integer(column, 1) == 4)
      #expect(try environment.beginRead().version == 2)
    }
  }

  @Test func `numbers of objects that a joined write adds in vain are not used again`() throws {
    try withOpenStore { path, environment in
      let leader = try environment.beginWrite()
      let first = try leader.create(1)
      let group = try #require(try leader.share())
      let reader = try #require(StorageSnapshot(joining: group))
      let member = WriteTransaction(joining: reader) { () throws(StorageError) in }
      let second = try member.create(1)
      #expect(second > first)
      member.abort()
      #expect(!reader.leaveShared())
      try leader.commit(group, keepsLock: false)
      let next = try environment.beginWrite()
      #expect(try next.create(1) > second)
    }
  }
}
