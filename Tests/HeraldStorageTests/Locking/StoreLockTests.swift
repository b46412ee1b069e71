import Glibc
import HeraldStorage
import TestSupport
import Testing

/// Two programs that have one store open, and not the same files, would lose each other's commits.
@Suite struct StoreLockTests {
  @Test func `a program that finds no lock file where another has one is refused`() throws {
    try withOpenStore { path, environment in
      unlink(path + "-lock")
      let before = FileTree.read(path)
      #expect(throws: StorageError.otherLockInUse(path: path)) { _ = try Elsewhere(path) }
      #expect(access(path + "-lock", F_OK) != 0)
      #expect(FileTree.read(path) == before)
      #expect(throws: StorageError.lockRemoved(path: path + "-lock")) {
        _ = try environment.beginWrite()
      }
      // Who only reads cannot be seen without a lock file.
      #expect(throws: StorageError.lockNeeded(path: path)) {
        _ = try Elsewhere(path, readOnly: true)
      }
    }
  }

  @Test func `a program that finds a store by another name is refused`() throws {
    try withOpenStore { path, _ in
      link(path, path + ".second")
      #expect(throws: StorageError.otherLockInUse(path: path + ".second")) {
        _ = try Elsewhere(path + ".second")
      }
      #expect(access(path + ".second-lock", F_OK) != 0)
    }
  }

  @Test func `a program that finds another store where one is open is refused`() throws {
    try withOpenStore { path, environment in
      let read = try environment.beginRead()
      FileTree.copy(path, to: path + ".backup")
      rename(path, path + ".old")
      rename(path + ".backup", path)
      let before = FileTree.read(path)
      #expect(throws: StorageError.otherStoreInUse(path: path)) { _ = try Elsewhere(path) }
      #expect(FileTree.read(path) == before)
      let count = read.objectCount(1)
      #expect(count == 1)
    }
  }

  @Test func `programs with the same files share a store`() throws {
    try withOpenStore { path, here in
      let there = try Elsewhere(path).environment
      for _ in 0..<20 {
        try here.write { _ = try $0.create(1) }
        try there.write { _ = try $0.create(1) }
      }
      #expect(try here.beginRead().objectCount(1) == 41)
      #expect(try there.committedVersion() == 41)
      try expectSound(there)
    }
  }

  @Test func `a lock file that no process has open can be used by any`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
      FileTree.copy(path, to: path + ".backup")
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
      rename(path + ".backup", path)
      try withStore(.file(path)) { environment in
        #expect(try environment.committedVersion() == 1)
        try environment.write { _ = try $0.create(1) }
        #expect(try environment.beginRead().objectCount(1) == 2)
      }
      unlink(path + "-lock")
      try withStore(.file(path)) { environment in
        let version = try environment.committedVersion()
        #expect(version == 2)
      }
    }
  }
}
