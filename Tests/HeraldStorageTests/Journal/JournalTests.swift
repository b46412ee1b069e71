import CLMDB
import Glibc
import HeraldMaintenance
import TestSupport
import Testing

@testable import HeraldStorage

/// Commits that are in the journal only, as after a power cut, and those that never were acknowledged.
@Suite struct JournalTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  /// Runs a test with a store of one object, and the path of a copy. `hasCompany`: whether the store is open elsewhere,
  /// so that each commit is in the pages, too.
  private func withStores(
    hasCompany: Bool = true,
    _ body: (_ environment: StorageEnvironment, _ path: String, _ copy: String) throws -> Void
  ) throws {
    try withOpenStore { path, environment in
      let other = hasCompany ? try Elsewhere(path) : nil
      try body(environment, path, path + ".copy")
      withExtendedLifetime(other) {}
    }
  }

  private func set(_ environment: StorageEnvironment, _ value: Int) throws {
    try environment.write { try $0.setInteger(column, 1, value) }
  }

  private func value(_ path: String, readOnly: Bool = false) throws -> Int? {
    let environment = try StorageEnvironment.open(.file(path), readOnly: readOnly)
    let read = try environment.beginRead()
    try #require(read.check().isEmpty)
    return read.integer(column, 1)
  }

  /// The record in an area of a file, which must have one.
  private func record(in bytes: [UInt8], at area: Int) -> JournalRecord? {
    let record = bytes.withUnsafeBytes { JournalRecord(in: .init(rebasing: $0[area...])) }
    if record == nil { Issue.record("no record") }
    return record
  }

  // MARK: After a power cut

  @Test func `a commit without its meta page is applied, once`() throws {
    try withStores { environment, path, copy in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let state = try environment.newestState
      try cut.copy(path, to: copy, withoutMetasOf: [state.transaction])
      #expect(try FileTree.pendingRecord(copy)?.base == state.transaction - 1)
      #expect(try value(copy) == 2)
      #expect(try StorageEnvironment.open(.file(copy)).newestState.fingerprint == state.fingerprint)
      #expect(try FileTree.pendingRecord(copy) == nil)
      let before = FileTree.read(copy)
      #expect(try value(copy) == 2)
      #expect(FileTree.read(copy) == before)
      // The next commit of the store does not follow from its own record, nor from this one's.
      try set(StorageEnvironment.open(.file(copy)), 3)
      #expect(try value(copy) == 3)
    }
  }

  @Test func `two commits without their meta pages are applied in order`() throws {
    try withStores { environment, path, copy in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      try set(environment, 3)
      let state = try environment.newestState
      try cut.copy(
        path, to: copy, withoutMetasOf: [state.transaction - 1, state.transaction])
      #expect(try value(copy) == 3)
      #expect(try StorageEnvironment.open(.file(copy)).newestState.fingerprint == state.fingerprint)
    }
  }

  @Test func `the pages of an older meta page may be overwritten`() throws {
    try withStores { environment, path, copy in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let state = try environment.newestState
      // The next commit was being written: it uses the pages that nobody needs.
      try cut.copy(path, to: copy, withoutMetasOf: [state.transaction]) { bytes in
        let pages = bytes.withUnsafeBytes { bytes -> [Int] in
          let old = 4096 * Int(state.transaction & 1)
          let root = bytes.littleEndian(at: old + 128, as: UInt64.self)
          return root == .max ? [] : [Int(root)]
        }
        #expect(pages.count == 1)
        for page in pages {
          for offset in page * 4096 + 16..<(page + 1) * 4096 { bytes[offset] = 0xAA }
        }
      }
      #expect(try value(copy) == 2)
    }
  }

  @Test(arguments: 1...8)
  func `every commit in the journal leads to the same state`(seed: Int) throws {
    print("JournalTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    try withStores(hasCompany: seed % 2 == 0) { environment, path, copy in
      var commits = RandomCommits()
      var journaled = 0
      for _ in 0..<80 {
        let cut = PowerCut(of: path)
        let before = try environment.newestState
        let write = try environment.beginWrite()
        try commits.change(write, &random)
        _ = try write.commit()
        let after = try environment.newestState
        try cut.copy(path, to: copy, withoutMetasOf: [after.transaction])
        let isPending = try FileTree.pendingRecord(copy) != nil
        if isPending { journaled += 1 }
        let copied = try StorageEnvironment.open(.file(copy))
        let expected = isPending ? after : before
        #expect(try copied.newestState.fingerprint == expected.fingerprint)
        try expectSound(copied)
      }
      #expect(journaled > 40)
    }
  }

  @Test(arguments: 1...3)
  func `a torn record is ignored`(seed: Int) throws {
    print("JournalTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    try withStores { environment, path, copy in
      let bytes = (0..<2000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try environment.write { try $0.setMetadata("long", bytes) }
      try set(environment, 2)
      let cut = PowerCut(of: path)
      let old = FileTree.read(path)
      try environment.write {
        try $0.setInteger(column, 1, 3)
        try $0.setMetadata("long", bytes.reversed())
      }
      let state = try environment.newestState
      let area = JournalArea.offset(after: state.transaction - 1, pageSize: 4096)
      let length = try #require(
        FileTree.read(path).withUnsafeBytes { JournalRecord(in: .init(rebasing: $0[area...])) }
      ).bytes.count
      #expect(length > 2000)
      for end in stride(from: 0, to: length, by: 1 + random.below(90)) {
        try cut.copy(path, to: copy, withoutMetasOf: [state.transaction]) {
          $0.replaceSubrange(area + end..<area + length, with: old[area + end..<area + length])
        }
        #expect(try FileTree.pendingRecord(copy) == nil)
        #expect(try value(copy) == 2)
      }
    }
  }

  @Test(arguments: 1...40)
  func `whatever is in the journal, a commit is the last one or the one in it`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withStores { environment, path, copy in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let transaction = try environment.newestState.transaction
      try cut.copy(path, to: copy, withoutMetasOf: [transaction]) { bytes in
        let area = JournalArea.offset(after: transaction - 1, pageSize: 4096)
        for _ in 0...random.below(4) {
          let start = area + random.below(random.chance(50) ? 110 : 3584)
          for offset in start..<min(start + 1 + random.below(40), area + 3584) {
            bytes[offset] = random.chance(30) ? 0xFF : UInt8(truncatingIfNeeded: random.next())
          }
        }
      }
      // The newest meta page leads to the first commit, and nothing says that there was another.
      let found = try value(copy)
      #expect(found == 1 || found == 2, "seed \(seed)")
    }
  }

  /// Records with a correct checksum, but changes that nobody made.
  @Test(arguments: 1...40)
  func `changes that do not lead to the state are refused`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withStores { environment, path, copy in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let transaction = try environment.newestState.transaction
      let area = JournalArea.offset(after: transaction - 1, pageSize: 4096)
      try cut.copy(path, to: copy, withoutMetasOf: [transaction]) { bytes in
        guard let record = record(in: bytes, at: area) else { return }
        var body = record.body
        for _ in 0...random.below(3) {
          body[random.below(body.count)] ^= 1 << UInt8(random.below(8))
        }
        if random.chance(30) { body.removeLast(1 + random.below(body.count - 1)) }
        if random.chance(20) { body += [UInt8](repeating: 0xFF, count: random.below(20)) }
        let forged = JournalRecord(
          base: record.base, from: record.from, to: record.to, body: body)
        if forged == record { return }
        bytes.replaceSubrange(area..<area + forged.bytes.count, with: forged.bytes)
      }
      let before = FileTree.read(copy)
      do {
        #expect(try value(copy) == 2, "seed \(seed)")
      } catch let error as StorageError {
        guard case .damaged(copy, _) = error else {
          Issue.record("seed \(seed): \(error)")
          return
        }
        // Refused, and otherwise unchanged.
        #expect(FileTree.read(copy)[0..<8192] == before[0..<8192])
      }
    }
  }

  @Test func `a record of another base or another store is ignored`() throws {
    try withStores { environment, path, copy in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let transaction = try environment.newestState.transaction
      let area = JournalArea.offset(after: transaction - 1, pageSize: 4096)
      for isOtherBase in [true, false] {
        try cut.copy(path, to: copy, withoutMetasOf: [transaction]) { bytes in
          guard let record = record(in: bytes, at: area) else { return }
          let changed = JournalRecord(
            base: record.base + (isOtherBase ? 2 : 0), from: record.from ^ (isOtherBase ? 0 : 1),
            to: record.to, body: record.body)
          bytes.replaceSubrange(area..<area + changed.bytes.count, with: changed.bytes)
        }
        #expect(try value(copy) == 1)
      }
    }
  }
}
