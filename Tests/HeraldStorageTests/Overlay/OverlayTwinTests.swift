import HeraldMaintenance
import HeraldModel
import Synchronization
import TestSupport
import Testing

@testable import HeraldStorage

/// Beside a store whose writes are all LMDB's: what a draft and an overlay are read as, while a write is open and after
/// its commit.
@Suite struct OverlayTwinTests {
  private static let number = ColumnID(classID: 1, propertyID: 1)
  private static let name = ColumnID(classID: 1, propertyID: 2)
  private static let key = ColumnID(classID: 1, propertyID: 3)
  private static let link = ColumnID(classID: 1, propertyID: 4)

  @Test(arguments: seeds(12))
  func `drafts and overlays are read as what is in the pages`(seed: UInt64) throws {
    print("OverlayTwinTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let stores = try ["overlay", "pages"].map {
        try StorageEnvironment.open(.file("\(folder)/\($0).hdb"))
      }
      for store in stores {
        store.store.journaled.patience.store(1_000_000_000, ordering: .relaxed)
        try store.write { _ = try $0.create(1) }
      }
      var commits = RandomCommits()
      var (drafts, overlays) = (0, 0)
      for round in 0..<60 {
        let writes = try stores.map { Held(try $0.beginWrite()) }
        try writes[1].write.snapshot.beginOwn()
        let (before, start) = (commits, random)
        for held in writes {
          (commits, random) = (before, start)
          try commits.change(held.write, &random)
        }
        let snapshots = writes.map { $0.write.snapshot }
        if snapshots[0].draft != nil { drafts += 1 }
        try expectSame(snapshots[0], snapshots[1], random, "seed \(seed), round \(round), open")
        if random.oneIn(8) {
          commits = before
          for held in writes { held.write.abort() }
        } else {
          for held in writes { _ = try held.write.commit() }
        }
        if stores[0].store.journaled.current != nil { overlays += 1 }
        let readers = try stores.map { try $0.beginRead() }
        try expectSame(readers[0], readers[1], random, "seed \(seed), round \(round)")
        #expect(readers[0].check().isEmpty, "seed \(seed), round \(round)")
        if random.oneIn(10) { try stores[0].checkpoint() }
      }
      #expect(drafts > 5 && overlays > 5, "seed \(seed)")
    }
  }

  /// The last item that fits is the log's entry, the first that does not is the state.
  @Test(arguments: 240...256)
  func `a draft that is full before its state is in the pages`(count: Int) throws {
    try withOpenStore { path, environment in
      environment.store.journaled.patience.store(1_000_000_000, ordering: .relaxed)
      // On a busy machine the checkpoint of the first commit may still be under way.
      for value in 0..<20 where environment.store.journaled.current == nil {
        try environment.write { try $0.setInteger(Self.number, 1, value) }
      }
      try #require(environment.store.journaled.current != nil)
      try environment.write { write in
        let numbers = try write.create(2, count: count)
        let key = ColumnID(classID: 2, propertyID: 1)
        for number in numbers {
          try write.setInteger(key, number, number)
          try write.addToIndex(key, number, number)
        }
        write.setLogEntry([1, 2, 3])
      }
      let state = try environment.newestState
      #expect(try environment.beginRead().objectCount(2) == count)
      try environment.write { try $0.setInteger(Self.number, 1, 8) }
      #expect(try environment.newestState.version == state.version + 1)
      try environment.checkpoint()
      try expectSound(environment)
    }
  }

  /// An entry that an undo has removed and that the undo of that adds again.
  @Test func `entries that cancel out are those of the tree`() throws {
    try withOpenStore { path, environment in
      environment.store.journaled.patience.store(1_000_000_000, ordering: .relaxed)
      let value = StoredValue.bytes([UInt8]("Rex".utf8))
      try environment.write { write in
        for _ in 0..<12 { _ = try write.create(1) }
        try write.addToIndex(Self.name, value, 12)
      }
      try environment.checkpoint()
      try environment.write { write in
        try write.removeFromIndex(Self.name, value, 12)
        try write.addToIndex(Self.name, value, 9)
      }
      #expect(try environment.beginRead().firstIndexed(Self.name, value) == 9)
      let write = try environment.beginWrite()
      try write.removeFromIndex(Self.name, value, 9)
      try write.addToIndex(Self.name, value, 12)
      #expect(write.snapshot.indexed(Self.name, value) == [12])
      #expect(write.snapshot.firstIndexed(Self.name, value) == 12)
      _ = try write.commit()
      #expect(try environment.beginRead().firstIndexed(Self.name, value) == 12)
      try expectSound(environment)
    }
  }

  /// What a write has changed is not in what its reader has read.
  @Test func `a write and its reader read blocks of their own`() throws {
    try withOpenStore { path, environment in
      let reader = try environment.beginRead()
      let write = try environment.beginWrite(over: reader)
      try write.dropBlock(Self.number, 0)
      #expect(write.snapshot.integer(Self.number, 1) == nil)
      #expect(reader.integer(Self.number, 1) == 1)
      #expect(write.snapshot.integer(Self.number, 1) == nil)
      write.abort()
      #expect(reader.integer(Self.number, 1) == 1)
    }
  }

  private final class Held {
    let write: WriteTransaction

    init(_ write: consuming WriteTransaction) { self.write = write }
  }

  /// Compares whatever can be read of two stores.
  private func expectSame(
    _ one: StorageSnapshot, _ other: StorageSnapshot, _ random: SplitMix64, _ place: Comment
  ) throws {
    for space in RecordSpace.allCases where space != .meta {
      #expect(records(one, space) == records(other, space), place)
      #expect(one.recordCount(space) == other.recordCount(space), place)
      let from = FixedKey.block(Self.number, random.peek(2))
      #expect(records(one, space, from: from) == records(other, space, from: from), place)
    }
    var random = random
    for _ in 0..<6 {
      var copy = random
      #expect(answers(one, &random) == answers(other, &copy), place)
    }
  }

  private func records(
    _ snapshot: StorageSnapshot, _ space: RecordSpace, from key: FixedKey? = nil
  ) -> [[UInt8]] {
    var found: [[UInt8]] = []
    snapshot.forEachRecord(space, from: key) { key, content in
      found.append([UInt8](key) + [0xFF] + [UInt8](content))
      return true
    }
    return found
  }

  /// What random questions about indexes and links find.
  private func answers(_ snapshot: StorageSnapshot, _ random: inout SplitMix64) -> [[Int]] {
    let (low, high) = (random.below(1000), random.below(1000))
    let range = IndexRange<StoredValue>.between(
      .integer(min(low, high)), .integer(max(low, high)))
    let prefix = IndexRange<StoredValue>.prefix([UInt8(97 + random.below(26))])
    let object = 1 + random.below(12)
    var origins: [Int] = []
    snapshot.forEachOrigin(ofClass: 1, number: object, through: Self.link) {
      origins += [$0, $1]
      return true
    }
    let known = snapshot.indexed(Self.key, .integers, in: .between(nil, nil)).first
    let value = known.flatMap { snapshot.integer(Self.key, $0) } ?? 0
    return [
      snapshot.indexed(Self.key, .integers, in: range),
      snapshot.indexed(Self.name, .bytes, in: prefix),
      snapshot.firstIndexed(Self.key, .integers, in: range, limit: 1 + random.below(5)),
      [snapshot.indexedCount(Self.key, .integers, in: range, limit: random.below(9))],
      snapshot.indexed(Self.key, .integer(value)), [snapshot.firstIndexed(Self.key, value) ?? -1],
      [snapshot.indexedCount(Self.key, .integers, in: .equal(.integer(value)), limit: 99)],
      origins,
      [snapshot.linkCount(from: 1, through: Self.link, toClass: 1, number: object)],
      [snapshot.blockCount(1), snapshot.objectCount(1)],
    ]
  }
}

extension SplitMix64 {
  /// A number below `limit` that is the same again.
  fileprivate func peek(_ limit: Int) -> Int {
    var copy = self
    return copy.below(limit)
  }
}
