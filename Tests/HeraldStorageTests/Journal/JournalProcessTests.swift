import CLMDB
import Glibc
import HeraldMaintenance
import Synchronization
import TestSupport
import Testing

@testable import HeraldStorage

/// The journal as other openings of the store meet it: for reading only, beside a writer, of older files, and after
/// a commit that failed.
@Suite struct JournalProcessTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  private func set(_ environment: StorageEnvironment, _ value: Int) throws {
    try environment.write { try $0.setInteger(column, 1, value) }
  }

  private func value(_ path: String, readOnly: Bool = false) throws -> Int? {
    try StorageEnvironment.open(.file(path), readOnly: readOnly).beginRead().integer(column, 1)
  }

  /// Runs a test with the path of a file whose last commit, which sets 2 after 1, is in the journal only.
  private func withCutStore(_ body: (String) throws -> Void) throws {
    try withOpenStore { path, environment in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let transaction = try environment.newestState.transaction
      try cut.copy(path, to: path + ".copy", withoutMetasOf: [transaction])
      try body(path + ".copy")
    }
  }

  @Test(arguments: [true, false])
  func `a reader applies the commit if it may write`(hasLock: Bool) throws {
    try withCutStore { path throws in
      if hasLock { try FileTree.save([UInt8](), to: path + "-lock") }
      #expect(try value(path, readOnly: true) == 2)
      #expect(try FileTree.pendingRecord(path) == nil)
    }
  }

  @Test func `a reader that may not write says what to do`() throws {
    try withCutStore { path in
      let before = FileTree.read(path)
      try #require(chmod(path, 0o444) == 0)
      #expect(throws: StorageError.commitInJournal(path: path)) { try value(path, readOnly: true) }
      #expect(FileTree.read(path) == before)
      #expect(throws: StorageError.readOnly) { try value(path) }
      try #require(chmod(path, 0o644) == 0)
      #expect(try value(path) == 2)
      try #require(chmod(path, 0o444) == 0)
      #expect(try value(path, readOnly: true) == 2)
    }
  }

  @Test func `a commit of a killed process is completed, or dropped by those who go on`() throws {
    try withCutStore { path in
      // The record of a commit that was not completed is in the file while others have it open.
      let bytes = FileTree.read(path)
      let record = try #require(try FileTree.pendingRecord(path))
      try #require(try value(path) == 2)
      do {
        let environment = try StorageEnvironment.open(.file(path))
        #expect(try environment.newestState.transaction == record.base + 1)
        // The same record again, as if it followed this commit.
        let state = try environment.newestState
        let left = JournalRecord(
          base: state.transaction, from: state.fingerprint, to: record.to, body: record.body)
        let area = JournalArea.offset(after: state.transaction, pageSize: 4096)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        #expect(JournalArea.write(left.bytes, descriptor, area))
        close(descriptor)
        #expect(try FileTree.pendingRecord(path) == left)
        #expect(try value(path) == 2)
      }
      #expect(try FileTree.pendingRecord(path) == nil)
      #expect(try value(path) == 2)
      FileTree.removeStore(path)
      try FileTree.save(bytes, to: path)
      #expect(try value(path) == 2)
    }
  }

  @Test func `a larger commit does not leave a record of one that it replaces`() throws {
    try withOpenStore { path, environment in
      let state = try environment.newestState
      let left = JournalRecord(
        base: state.transaction, from: state.fingerprint, to: 0, body: [1, 2, 3])
      let area = JournalArea.offset(after: state.transaction, pageSize: 4096)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(JournalArea.write(left.bytes, descriptor, area))
      #expect(try FileTree.pendingRecord(path) == left)
      try environment.write { try $0.setMetadata("large", [UInt8](repeating: 1, count: 60_000)) }
      let found = FileTree.read(path)
      #expect(found.withUnsafeBytes { JournalRecord(in: .init(rebasing: $0[area...])) } == nil)
      #expect(try environment.newestState.transaction == state.transaction + 1)
    }
  }

  @Test func `a commit that failed is erased from the journal`() throws {
    try withOpenStore { path, environment in
      let cut = PowerCut(of: path)
      try set(environment, 2)
      let state = try environment.newestState
      let record = JournalRecord(base: state.transaction - 1, from: 0, to: 0, body: [])
      #expect(environment.file.eraseFailed(record, used: 0))
      try cut.copy(path, to: path + ".copy", withoutMetasOf: [state.transaction])
      #expect(try FileTree.pendingRecord(path + ".copy") == nil)
      #expect(try value(path + ".copy") == 1)
    }
  }

  @Test func `a commit that the disk refuses does not come back`() async {
    await #expect(processExitsWith: .success) {
      try withFolder { folder in
        let (path, copy) = ("\(folder)/store.hdb", "\(folder)/copy.hdb")
        let column = ColumnID(classID: 1, propertyID: 1)
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { try $0.setInteger(column, try $0.create(1), 1) }
        // From now on there are free pages, and the file does not grow.
        for _ in 0..<10 { try environment.write { try $0.setInteger(column, 1, 1) } }
        let before = FileTree.read(path)
        var unlimited = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &unlimited)
        // The journal and the meta pages may be written, nothing else.
        var limit = rlimit(rlim_cur: 8192, rlim_max: unlimited.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        var refusal: StorageError?
        do {
          try environment.write { try $0.setInteger(column, 1, 2) }
        } catch {
          refusal = error as? StorageError
        }
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &unlimited)
        guard refusal == .full(path: path) else { exit(1) }
        let after = FileTree.read(path)
        guard after[8192...] == before[8192...] else { exit(2) }
        try FileTree.save(after, to: copy)
        let copied = try StorageEnvironment.open(.file(copy))
        guard try copied.beginRead().integer(column, 1) == 1 else { exit(4) }
        try environment.write { try $0.setInteger(column, 1, 3) }
        guard try environment.beginRead().integer(column, 1) == 3 else { exit(5) }
      }
    }
  }

  @Test func `a file of the earlier format gets the journal with its next commit`() throws {
    try withOpenStore { path, environment in
      let copy = path + ".copy"
      var bytes = FileTree.read(path)
      for start in positions(of: [UInt8]("HERALD".utf8), in: bytes) { bytes[start + 8] = 4 }
      try FileTree.save(bytes, to: copy)
      let old = try StorageEnvironment.open(.file(copy))
      #expect(old.file.journalSize == 0)
      let cut = PowerCut(of: copy)
      try set(old, 2)
      // This commit does not need the journal.
      let first = try old.newestState.transaction
      try cut.copy(copy, to: path + ".cut", withoutMetasOf: [first])
      #expect(try FileTree.pendingRecord(path + ".cut") == nil)
      #expect(old.file.journalSize == 3584)
      let later = PowerCut(of: copy)
      try set(old, 3)
      try later.copy(copy, to: path + ".cut", withoutMetasOf: [try old.newestState.transaction])
      #expect(try value(path + ".cut") == 3)
      try expectSound(old)
    }
  }

  @Test func `two programs commit in turn, and a third opens the store meanwhile`() throws {
    try withOpenStore { path, environment in
      let other = try Elsewhere(path)
      for number in 1...40 {
        let cut = PowerCut(of: path)
        let writer = number % 3 == 0 ? other.environment : environment
        try set(writer, number)
        let state = try environment.newestState
        try cut.copy(path, to: path + ".copy", withoutMetasOf: [state.transaction])
        #expect(try value(path + ".copy") == number)
        if number % 10 == 0 {
          let reader = try Elsewhere(path, readOnly: true)
          #expect(try reader.environment.beginRead().integer(column, 1) == number)
        }
      }
    }
  }

  @Test func `a closed file does not need the journal, and copies have none`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      do {
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { try $0.setInteger(column, try $0.create(1), 1) }
        for number in 1...9 { try set(environment, number) }
        try environment.checkpoint()
        let isUnsynced = environment.file.hasUnsyncedMeta.load(ordering: .relaxed)
        #expect(isUnsynced)
        environment.file.syncMeta()
        let isSynced = !environment.file.hasUnsyncedMeta.load(ordering: .relaxed)
        #expect(isSynced)
        _ = try environment.backup(to: "\(folder)/b.hdb") { _, _ in true }
        #expect(try value("\(folder)/b.hdb") == 9)
      }
      #expect(try FileTree.pendingRecord(path) == nil)
      #expect(try value(path, readOnly: true) == 9)
    }
  }
}
