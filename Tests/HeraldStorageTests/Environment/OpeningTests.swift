import CLMDB
import Dispatch
import Glibc
import HeraldStorage
import Synchronization
import TestSupport
import Testing

@Suite struct OpeningTests {
  /// Opening must fail in this way, and leave the folder and the file as they were.
  private func expectRefusal(
    of path: String, in folder: String, readOnly: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ isExpected: (StorageError) -> Bool
  ) {
    let namesBefore = FileTree.names(in: folder)
    let bytesBefore = FileTree.read(path)
    var status = stat()
    stat(path, &status)
    let changedBefore = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    do {
      _ = try StorageEnvironment.open(.file(path), readOnly: readOnly)
      Issue.record("\(path) was opened", sourceLocation: sourceLocation)
    } catch {
      #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
    }
    stat(path, &status)
    #expect(FileTree.names(in: folder) == namesBefore, sourceLocation: sourceLocation)
    #expect(FileTree.read(path) == bytesBefore, sourceLocation: sourceLocation)
    #expect(
      (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) == changedBefore,
      sourceLocation: sourceLocation)
  }

  /// Lends the path and the bytes of a store with some content that nobody has open.
  private func withClosedStore(_ body: (_ folder: String, _ path: String) throws -> Void) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try withStore(.file(path)) { environment in
        try environment.write { write in
          for number in 1...1000 {
            _ = try write.create(1)
            try write.setInteger(ColumnID(classID: 1, propertyID: 1), number, number)
          }
          try write.setMetadata("schema", [UInt8](repeating: 1, count: 10_000))
        }
      }
      unlink(path + "-lock")
      try body(folder, path)
    }
  }

  @Test func `threads open and close stores at the same time`() throws {
    try withFolder { folder in
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { thread in
        for _ in 0..<150 {
          do {
            let store = StorageEnvironment.Location.file("\(folder)/\(thread).hdb")
            _ = try StorageEnvironment.open(store).committedVersion()
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(failures.withLock(\.self) == [])
    }
  }

  @Test func `a missing and an empty file become stores`() throws {
    try withFolder { folder in
      try withStore(.file("\(folder)/missing.hdb")) { environment in
        let version = try environment.committedVersion()
        #expect(version == 0)
      }
      try FileTree.save([], to: "\(folder)/empty.hdb")
      try withStore(.file("\(folder)/empty.hdb")) { environment in
        let version = try environment.write { _ = try $0.create(1) }
        #expect(version == 1)
      }
      #expect(!FileTree.read("\(folder)/empty.hdb").isEmpty)
    }
  }

  @Test func `a directory, a missing folder and a missing file to read are refused`() throws {
    try withFolder { folder in
      mkdir("\(folder)/directory", 0o755)
      expectRefusal(of: "\(folder)/directory", in: folder) { error in
        error == .cannotOpen(path: "\(folder)/directory", reason: "it is a directory")
      }
      expectRefusal(of: "\(folder)/none/store.hdb", in: folder) { error in
        error
          == .cannotOpen(path: "\(folder)/none/store.hdb", reason: "No such file or directory")
      }
      expectRefusal(of: "\(folder)/missing.hdb", in: folder, readOnly: true) { error in
        error == .cannotOpen(path: "\(folder)/missing.hdb", reason: "No such file or directory")
      }
    }
  }

  @Test(arguments: [1, 15, 16, 20, 151, 4096, 100_000], [false, true])
  func `a file that is something else is refused`(_ count: Int, readOnly: Bool) throws {
    try withFolder { folder in
      var random = SplitMix64(seed: count)
      let path = "\(folder)/other.txt"
      try FileTree.save((0..<count).map { _ in UInt8(random.below(256)) }, to: path)
      expectRefusal(of: path, in: folder, readOnly: readOnly) { $0 == .notAStore(path: path) }
    }
  }

  @Test func `an LMDB file without our entry is refused`() throws {
    try withClosedStore { folder, path in
      var bytes = FileTree.read(path)
      for start in positions(of: [UInt8]("HERALD".utf8), in: bytes) { bytes[start] = 0 }
      try FileTree.save(bytes, to: path)
      expectRefusal(of: path, in: folder) { $0 == .notAStore(path: path) }
    }
  }

  /// Makes an LMDB file with one named database, or with nothing in it.
  private func makeForeign(_ path: String, database: String?) throws {
    var handle: OpaquePointer?
    mdb_env_create(&handle)
    defer { mdb_env_close(handle) }
    mdb_env_set_maxdbs(handle, 1)
    try #require(mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o644) == 0)
    guard let database else { return }
    var transaction: OpaquePointer?
    try #require(mdb_txn_begin(handle, nil, 0, &transaction) == 0)
    var opened: MDB_dbi = 0
    try #require(mdb_dbi_open(transaction, database, UInt32(MDB_CREATE), &opened) == 0)
    try #require(mdb_txn_commit(transaction) == 0)
  }

  @Test func `an LMDB file of somebody else is refused, one just begun becomes a store`() throws {
    try withFolder { folder in
      for database in ["other", "meta"] {
        let path = "\(folder)/\(database).mdb"
        try makeForeign(path, database: database)
        expectRefusal(of: path, in: folder) { $0 == .notAStore(path: path) }
      }
      let path = "\(folder)/begun.mdb"
      try makeForeign(path, database: nil)
      expectRefusal(of: path, in: folder, readOnly: true) { $0 == .notAStore(path: path) }
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
    }
  }

  @Test func `a writer of another process is waited for or not`() throws {
    try withClosedStore { _, path in
      let environment = try StorageEnvironment.open(.file(path))
      let other = Glibc.open(path, O_RDWR)
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_len = 1
      try #require(fcntl(other, 37, &lock) == 0)
      #expect(throws: StorageError.locked(path: path)) {
        _ = try environment.beginWrite(waiting: false)
      }
      #expect(throws: StorageError.locked(path: path)) { try environment.checkWriterLock() }
      close(other)
      try environment.checkWriterLock()
      let write = try environment.beginWrite(waiting: false)
      _ = try write.create(1)
      let made = try write.commit()
      #expect(made == 2)
    }
  }

  @Test func `a store opened and closed on several threads at once is one store`() async throws {
    try await TemporaryFolder.lend { folder in
      let path = "\(folder)/store.hdb"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<100 {
              let environment = try StorageEnvironment.open(.file(path))
              _ = try environment.committedVersion()
              _ = try environment.beginRead().objectCount(1)
            }
          }
        }
        try await group.waitForAll()
      }
      try expectSound(StorageEnvironment.open(.file(path)))
    }
  }

  @Test(arguments: [9, 1])
  func `a store of a version that is not ours is refused`(version: Int) throws {
    try withClosedStore { folder, path in
      var bytes = FileTree.read(path)
      for start in positions(of: [UInt8]("HERALD".utf8), in: bytes) {
        bytes[start + 8] = UInt8(version)
      }
      try FileTree.save(bytes, to: path)
      expectRefusal(of: path, in: folder) { error in
        error
          == (version == 9
            ? .newerFormat(path: path, found: 9, supported: 6)
            : .olderFormat(path: path, found: 1, oldest: 4))
      }
    }
  }

  @Test func `a store that is cut short is refused`() throws {
    try withClosedStore { folder, path in
      let bytes = FileTree.read(path)
      for pages in [1, 2, 3, bytes.count / 4096 - 1] {
        try FileTree.save(Array(bytes.prefix(pages * 4096)), to: path)
        expectRefusal(of: path, in: folder) { error in
          if case .damaged(path: path, reason: _) = error { true } else { false }
        }
      }
    }
  }

  @Test(arguments: 1...20)
  func `a store whose pages are garbled opens or is refused, and stays as it is`(
    seed: Int
  ) throws {
    try withClosedStore { folder, path in
      var random = SplitMix64(seed: seed)
      var bytes = FileTree.read(path)
      // The pages on the way to the format entry, wherever they are: those with a key of ours.
      for start in positions(of: [UInt8]("meta".utf8) + [0], in: bytes)
        + positions(of: [UInt8]("HERALD".utf8), in: bytes)
      {
        let page = start / 4096 * 4096
        for _ in 0..<10 { bytes[page + random.below(4096)] = UInt8(random.below(256)) }
      }
      try FileTree.save(bytes, to: path)
      let before = FileTree.names(in: folder)
      do {
        _ = try StorageEnvironment.open(.file(path))
      } catch {
        #expect(FileTree.read(path) == bytes, "\(error)")
        #expect(FileTree.names(in: folder) == before, "\(error)")
      }
    }
  }

  @Test func `a file without write permission opens for reading only`() throws {
    try withClosedStore { folder, path in
      chmod(path, 0o444)
      expectRefusal(of: path, in: folder) { $0 == .readOnly }
      let environment = try StorageEnvironment.open(.file(path), readOnly: true)
      #expect(environment.isReadOnly)
      #expect(try environment.beginRead().objectCount(1) == 1000)
      #expect(throws: StorageError.readOnly) { _ = try environment.beginWrite() }
      #expect(throws: StorageError.readOnly) { _ = try StorageEnvironment.open(.file(path)) }
    }
  }

  @Test func `a file has one environment, by whatever path`() throws {
    try withClosedStore { folder, path in
      symlink(path, "\(folder)/link.hdb")
      let first = try StorageEnvironment.open(.file(path), readOnly: true)
      #expect(throws: StorageError.readOnly) { _ = try first.beginWrite() }
      let second = try StorageEnvironment.open(.file("\(folder)/link.hdb"))
      #expect(first === second)
      #expect(first.path == path)
      #expect(!first.isReadOnly)
      try second.write { _ = try $0.create(1) }
      #expect(try first.committedVersion() == 2)
      try expectSound(first)
    }
  }

  @Test func `a file that replaces an open one is refused`() throws {
    try withClosedStore { folder, path in
      let environment = try StorageEnvironment.open(.file(path))
      let read = try environment.beginRead()
      rename(path, "\(folder)/moved.hdb")
      try FileTree.save([], to: path)
      expectRefusal(of: path, in: folder) { error in
        if case .cannotOpen(path: path, reason: _) = error { true } else { false }
      }
      let count = read.objectCount(1)
      #expect(count == 1000)
    }
  }

  @Test func `a store in memory leaves no file behind`() throws {
    let before = FileTree.names(in: "/dev/shm").filter { $0.hasPrefix("herald-") }
    let environment = try StorageEnvironment.open(.memory)
    #expect(environment.isInMemory)
    #expect(environment.path == nil)
    let after = FileTree.names(in: "/dev/shm").filter { $0.hasPrefix("herald-") }
    // Other tests open stores beside this one: their files are there for a moment.
    var suspects = Set(after).subtracting(before)
    for _ in 0..<100_000 where !suspects.isEmpty {
      suspects = suspects.filter { access("/dev/shm/\($0)", F_OK) == 0 }
    }
    #expect(suspects.isEmpty)
  }

}
