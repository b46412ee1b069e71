import CLMDB
import Glibc
import HeraldMaintenance
import TestSupport
import Testing

@testable import HeraldStorage

/// An environment of LMDB that is of no more use is replaced, and what it reads is read on.
@Suite struct ReopeningTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  /// Has LMDB refuse everything, as it does when the disk has failed to take a commit's last page.
  private func fail(_ environment: StorageEnvironment) {
    let flags = UnsafeMutableRawPointer(environment.file.handle) + 12
    flags.storeBytes(
      of: flags.load(as: UInt32.self) | 0x8000_0000, as: UInt32.self)
    var transaction: OpaquePointer?
    #expect(
      mdb_txn_begin(environment.file.handle, nil, UInt32(MDB_RDONLY), &transaction) == MDB_PANIC)
  }

  @Test func `a store continues after a failure of the disk`() throws {
    try withOpenStore { _, environment in
      let read = try environment.beginRead()
      for value in 2...5 {
        fail(environment)
        try environment.write { try $0.setInteger(column, try $0.create(1), value) }
        fail(environment)
        #expect(try environment.committedVersion() == value)
        fail(environment)
        #expect(try environment.beginRead().objectCount(1) == value)
      }
      let count = read.objectCount(1)
      #expect(count == 1)
      try expectSound(environment)
    }
  }

  @Test func `a store continues after any number of failures`() throws {
    try withOpenStore { _, environment in
      let read = try environment.beginRead()
      for _ in 0..<200 {
        fail(environment)
        #expect(try environment.beginRead().objectCount(1) == 1)
      }
      #expect(read.objectCount(1) == 1)
      try expectSound(environment)
    }
  }

  @Test func `a store whose disk fails at every long read reports it`() throws {
    try withOpenStore { path, environment in
      var reads: [StorageSnapshot] = []
      var refusal: StorageError?
      for _ in 0..<1000 where refusal == nil {
        do throws(StorageError) {
          reads.append(try environment.beginRead())
        } catch {
          refusal = error
        }
        fail(environment)
      }
      withExtendedLifetime(reads) {}
      guard case .diskFailed(path: path, reason: _) = refusal else {
        Issue.record("\(refusal as Any)")
        return
      }
    }
  }

  @Test func `a failed opening for writing does not disturb readers`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let value = 0x1122_3344_5566_7788
      try withStore(.file(path)) { environment in
        try environment.write { try $0.setInteger(column, try $0.create(1), value) }
      }
      let environment = try StorageEnvironment.open(.file(path), readOnly: true)
      let read = try environment.beginRead()
      let table = try #require(environment.file.table)
      try #require(table.readers.count == 1)
      let bytes = FileTree.read(path)
      let place = try #require(
        bytes.firstRange(of: withUnsafeBytes(of: value) { Array($0) })?.lowerBound)
      func put(_ byte: UInt8) {
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        #expect(pwrite(descriptor, [byte], 1, off_t(place)) == 1)
      }
      put(bytes[place] ^ 1)
      #expect(throws: StorageError.self) { _ = try StorageEnvironment.open(.file(path)) }
      put(bytes[place])
      #expect(table.readers.count == 1)
      let lock = try #require(environment.file.files?.lockIdentity)
      #expect(hasProcessLock(inode: Int(lock.inode)))
      #expect(try environment.beginRead().objectCount(1) == read.objectCount(1))
      // Now it can be opened for writing, and reads continue.
      let writing = try StorageEnvironment.open(.file(path))
      try writing.write { _ = try $0.create(1) }
      #expect(read.objectCount(1) == 1)
      #expect(try environment.beginRead().objectCount(1) == 2)
    }
  }

  @Test func `the lock file of an open store is never opened as a store`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try environment.write { _ = try $0.create(1) }
      let read = try environment.beginRead()
      let lock = try #require(environment.file.files?.lockIdentity)
      #expect(hasProcessLock(inode: Int(lock.inode)))
      let second = "\(folder)/second.hdb"
      #expect(link(path + "-lock", second) == 0)
      // Closing a second descriptor of the lock file would drop LMDB's locks.
      for other in [path + "-lock", second] {
        #expect(throws: StorageError.self) { _ = try StorageEnvironment.open(.file(other)) }
        #expect(throws: StorageError.self) {
          _ = try StorageEnvironment.open(.file(other), readOnly: true)
        }
        #expect(DamagedFile(other, metadata: "") == nil)
        #expect(hasProcessLock(inode: Int(lock.inode)))
      }
      withExtendedLifetime(read) {}
    }
  }

  @Test func `who waits for the writer lock is next, however often another program commits`() throws
  {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
      let here = try StorageEnvironment.open(.file(path))
      let there = try Elsewhere(path).environment
      try here.write { write in
        #expect(throws: StorageError.locked(path: path)) { try there.checkWriterLock() }
        there.joinQueue()
      }
      #expect(throws: StorageError.locked(path: path)) {
        _ = try here.beginWrite(waiting: false)
      }
      let write = try there.beginWrite(waiting: false)
      _ = try write.create(1)
      _ = try write.commit()
      there.leaveQueue()
      try here.write { _ = try $0.create(1) }
      #expect(try here.beginRead().objectCount(1) == 3)
    }
  }

  @Test func `the names of a failure's reasons`() {
    #expect(
      StorageError.explaining(EIO, "commit", path: "a.hdb")
        == .diskFailed(path: "a.hdb", reason: "Input/output error"))
    #expect(StorageError.explaining(EFBIG, "commit", path: "a.hdb") == .full(path: "a.hdb"))
  }

  @Test func `a file that another program made larger than the map is followed`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
      let here = try StorageEnvironment.open(.file(path), mapSize: 1 << 20)
      let read = try here.beginRead()
      let there = try Elsewhere(path).environment
      let text = [UInt8](repeating: 7, count: 1 << 16)
      for round in 1...6 {
        try there.write { write in
          for _ in 0..<100 { try write.set(column, .bytes, try write.create(1), .bytes(text)) }
        }
        #expect(try here.committedVersion() == round + 1)
        #expect(try here.beginRead().objectCount(1) == round * 100 + 1)
      }
      try here.write { try $0.set(column, .bytes, 1, .bytes([1])) }
      #expect(try there.beginRead().value(column, .bytes, 1) == .bytes([1]))
      let count = read.objectCount(1)
      #expect(count == 1)
      try expectSound(here)
    }
  }

  @Test func `a store that may not grow further is full, and continues`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path), mapSize: 1 << 20)
      #expect(throws: StorageError.full(path: path)) {
        try environment.write { write in
          let text = [UInt8](repeating: 7, count: 1 << 21)
          try write.set(column, .bytes, try write.create(1), .bytes(text))
        }
      }
      try environment.write { _ = try $0.create(1) }
      #expect(try environment.committedVersion() == 1)
    }
  }

  @Test func `a limit on the size of files is a full store, and no signal`() async {
    await #expect(processExitsWith: .success) {
      try withFolder { folder in
        let path = "\(folder)/store.hdb"
        let column = ColumnID(classID: 1, propertyID: 2)
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { try $0.set(column, .bytes, try $0.create(1), .bytes([7])) }
        // Threads of the concurrency runtime hold back every signal.
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGXFSZ)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        var refusal: StorageError?
        do {
          try environment.write { write in
            for _ in 0..<4000 {
              let text = [UInt8](repeating: 1, count: 900)
              try write.set(column, .bytes, try write.create(1), .bytes(text))
            }
          }
        } catch {
          refusal = error as? StorageError
        }
        guard refusal == .full(path: path) else { exit(1) }
        // The signal is neither blocked nor waiting afterwards.
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        guard sigismember(&mask, SIGXFSZ) == 0 else { exit(2) }
        try environment.write { try $0.set(column, .bytes, 1, .bytes([8])) }
        guard try environment.beginRead().value(column, .bytes, 1) == .bytes([8]) else { exit(3) }
      }
    }
  }

  @Test func `a lock file shows whether a writer ended without closing`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      for _ in 0..<2 {
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { _ = try $0.create(1) }
        #expect(!environment.file.isUnclean)
      }
      // As if the machine had stopped.
      FileTree.copy(path, to: path + ".copy")
      do {
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { _ = try $0.create(1) }
        FileTree.copy(path + "-lock", to: path + ".copy-lock")
      }
      #expect(try StorageEnvironment.open(.file(path + ".copy")).file.isUnclean)
      #expect(try isLeftClean(path + ".copy"))
      #expect(try isLeftClean(path))
    }
  }

  /// Whether a store that was written and closed is found so: a process that another test starts just then has this
  /// one's descriptors, and their locks, for a moment.
  private func isLeftClean(_ path: String) throws -> Bool {
    for _ in 0..<10 {
      do {
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { _ = try $0.create(1) }
      }
      if try !StorageEnvironment.open(.file(path)).file.isUnclean { return true }
    }
    return false
  }
}
