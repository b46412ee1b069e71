import Glibc
import HeraldMaintenance
import TestSupport
import Testing

@testable import HeraldStorage

/// A store where there is no file: its first commit makes that, and nothing is left without one.
@Suite struct FirstCommitTests {
  private func names(_ folder: String) -> [String] { FileTree.names(in: folder).sorted() }

  @Test func `the first commit makes the file and the lock file`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try withStore(.file(path)) { environment in
        #expect(!environment.hasFile && !environment.isReadOnly)
        #expect(environment.path == path)
        #expect(try environment.beginRead().objectCount(1) == 0)
        #expect(try environment.committedVersion() == 0)
        let write = try environment.beginWrite()
        _ = try write.create(1)
        write.abort()
        #expect(try environment.beginRead().check() == [])
        #expect(throws: StorageError.self) { try environment.compact { _, _ in true } }
        #expect(names(folder) == [])
        #expect(try environment.write { _ = try $0.create(1) } == 1)
        #expect(environment.hasFile)
        #expect(names(folder) == ["store.hdb", "store.hdb-lock"])
        for version in 2...40 {
          #expect(try environment.write { _ = try $0.create(1) } == version)
        }
        #expect(try environment.compact { _, _ in true }.after > 0)
      }
      try withStore(.file(path)) { environment in
        let count = try environment.beginRead().objectCount(1)
        #expect(count == 40)
      }
    }
  }

  @Test func `leaving without a commit leaves nothing behind`() throws {
    try withFolder { folder in
      for _ in 0..<3 {
        try withStore(.file("\(folder)/store.hdb")) { environment in
          let write = try environment.beginWrite()
          _ = try write.create(1)
          write.abort()
        }
        #expect(names(folder) == [])
      }
    }
  }

  @Test func `openings of one path are one store, by whatever path`() throws {
    try withFolder { folder in
      mkdir("\(folder)/real", 0o755)
      symlink("\(folder)/real", "\(folder)/link")
      let one = try StorageEnvironment.open(.file("\(folder)/real/store.hdb"))
      let two = try StorageEnvironment.open(.file("\(folder)/link/../real/./store.hdb"))
      #expect(one === two)
      #expect(try StorageEnvironment.open(.file("\(folder)/link/store.hdb")) === one)
      #expect(try StorageEnvironment.open(.file("\(folder)/real/other.hdb")) !== one)
      #expect(StorageEnvironment.isOpen(fileAt: "\(folder)/link/store.hdb"))
      #expect(StorageEnvironment.isOpen(fileAt: "\(folder)/link/store.hdb-lock"))
      #expect(!StorageEnvironment.isOpen(fileAt: "\(folder)/link/none.hdb"))
      try one.write { _ = try $0.create(1) }
      #expect(try StorageEnvironment.open(.file("\(folder)/link/store.hdb")) === one)
    }
  }

  @Test func `a store without a file cannot be opened for reading only`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      let missing = StorageError.cannotOpen(path: path, reason: "No such file or directory")
      #expect(throws: missing) { try StorageEnvironment.open(.file(path), readOnly: true) }
      try environment.write { _ = try $0.create(1) }
      #expect(try StorageEnvironment.open(.file(path), readOnly: true) === environment)
    }
  }

  @Test func `a store is not opened where the lock file of another will be`() throws {
    for (first, second) in [("", "-lock"), ("-lock", "")] {
      try withFolder { folder in
        let path = "\(folder)/store.hdb"
        let environment = try StorageEnvironment.open(.file(path + first))
        #expect(throws: StorageError.self) { try StorageEnvironment.open(.file(path + second)) }
        try environment.write { _ = try $0.create(1) }
      }
    }
  }

  @Test func `what cannot be a lock file is refused at opening, and by the first commit`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      mkdir(path + "-lock", 0o755)
      #expect(throws: StorageError.self) { try StorageEnvironment.open(.file(path)) }
      rmdir(path + "-lock")
      let environment = try StorageEnvironment.open(.file(path))
      mkdir(path + "-lock", 0o755)
      #expect(throws: StorageError.self) { try environment.write { _ = try $0.create(1) } }
      #expect(names(folder) == ["store.hdb-lock"])
      rmdir(path + "-lock")
      // What a store that was deleted has left is none.
      try FileTree.save([1, 2, 3], to: path + "-lock")
      #expect(try environment.write { _ = try $0.create(1) } == 1)
      #expect(throws: StorageError.self) {
        try StorageEnvironment.open(.file("\(folder)/" + String(repeating: "n", count: 252)))
      }
      #expect(names(folder) == ["store.hdb", "store.hdb-lock"])
    }
  }

  @Test func `where no file is without a name, opening makes the file`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let settings = FileOpening.Settings(mapSize: 1 << 30)
      let file = try FileOpening(path: path, settings: settings).atOnce.open(FileOpening.Taken())
      #expect(!file.isNameless && names(folder) == ["store.hdb", "store.hdb-lock"])
      file.close()
    }
  }

  @Test func `snapshots of the empty store outlive the first commits`() throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"))
      let held = try environment.beginRead()
      let renewed = try environment.beginRead()
      for version in 1...60 {
        try environment.write { write in
          for _ in 0..<300 { _ = try write.create(1) }
          try write.setMetadata("text", [UInt8](repeating: UInt8(version), count: 20_000))
        }
        try renewed.renew()
        #expect(renewed.version == version && renewed.objectCount(1) == version * 300)
        #expect(held.version == 0 && held.objectCount(1) == 0 && held.metadata("text") == nil)
      }
      #expect(held.check() == [])
      held.end()
      try environment.write { _ = try $0.create(1) }
      try expectSound(environment)
    }
  }
}

/// Two programs that open a store before there is a file.
@Suite struct FirstCommitOfTwoTests {
  @Test func `the second to commit first is refused, and continues in the other's file`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let (here, there) = (try Elsewhere(path).environment, try Elsewhere(path).environment)
      let first = try here.beginWrite()
      let second = try there.beginWrite()
      for _ in 0..<3 { _ = try first.create(1) }
      _ = try second.create(1)
      let snapshot = try there.beginRead()
      #expect(try second.commit() == 1)
      #expect(throws: StorageError.madeMeanwhile(path: path)) { try first.commit() }
      #expect(try here.committedVersion() == 1)
      #expect(try here.beginRead().objectCount(1) == 1)
      #expect(try here.write { _ = try $0.create(1) } == 2)
      #expect(try there.write { _ = try $0.create(1) } == 3)
      try snapshot.renew()
      #expect(snapshot.objectCount(1) == 3)
      try expectSound(here)
    }
  }

  @Test func `a file that another program makes during the commit is not replaced`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let (here, there) = (try Elsewhere(path).environment, try Elsewhere(path).environment)
      // After the check of the path.
      let (transaction, file) = try here.begin(0)
      try there.write { _ = try $0.create(2) }
      #expect(here.store.commitFirst(transaction, of: file) == EEXIST)
      #expect(try here.beginRead().objectCount(2) == 1)
    }
  }

  @Test func `the other's file is found at the next use`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let here = try StorageEnvironment.open(.file(path))
      let snapshot = try here.beginRead()
      let there = try Elsewhere(path).environment
      try there.write { _ = try $0.create(1) }
      #expect(snapshot.objectCount(1) == 0)
      try snapshot.renew()
      #expect(snapshot.version == 1 && snapshot.objectCount(1) == 1)
      #expect(here.hasFile)
      // Another store gets the number that the first file had.
      let other = try StorageEnvironment.open(.file("\(folder)/other.hdb"))
      try other.write { _ = try $0.create(7) }
      #expect(try StorageEnvironment.open(.file(path)) === here)
      #expect(try here.beginRead().objectCount(7) == 0)
    }
  }

  @Test func `something else at the path is an error, and left as it is`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try FileTree.save([UInt8]("no store".utf8), to: path)
      #expect(throws: StorageError.notAStore(path: path)) { try environment.beginRead() }
      #expect(throws: StorageError.notAStore(path: path)) { try environment.write { _ in } }
      #expect(FileTree.text(path) == "no store")
      unlink(path)
      #expect(try environment.write { _ = try $0.create(1) } == 1)
    }
  }

  @Test func `without its folder the first commit fails, and leaves an empty store`() throws {
    try withFolder { folder in
      let path = "\(folder)/inner/store.hdb"
      mkdir("\(folder)/inner", 0o755)
      let environment = try StorageEnvironment.open(.file(path))
      let snapshot = try environment.beginRead()
      rmdir("\(folder)/inner")
      let missing = StorageError.cannotWrite(path: path, reason: "No such file or directory")
      for _ in 0..<3 {
        #expect(throws: missing) { try environment.write { _ = try $0.create(1) } }
        try snapshot.renew()
        #expect(snapshot.version == 0 && snapshot.objectCount(1) == 0)
        #expect(try environment.committedVersion() == 0)
      }
      mkdir("\(folder)/inner", 0o755)
      #expect(try environment.write { _ = try $0.create(1) } == 1)
      try expectSound(environment)
      #expect(FileTree.names(in: "\(folder)/inner").sorted() == ["store.hdb", "store.hdb-lock"])
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a watch is notified of the first commit and of later ones`(
    isHere: Bool, isWatching: Bool
  ) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let (here, there) = (try Elsewhere(path).environment, try Elsewhere(path).environment)
      let bell = try CommitBell()
      let watch = try CommitWatch(here.store, isWatching: isWatching) { bell.ring() }
      for _ in 0..<5 {
        bell.quieten()
        try (isHere ? here : there).write { _ = try $0.create(1) }
        #expect(bell.rings())
      }
      bell.quieten()
      try (isHere ? there : here).write { _ = try $0.create(1) }
      #expect(bell.rings())
      #expect(try here.beginRead().objectCount(1) == 6)
      withExtendedLifetime(watch) {}
    }
  }
}
