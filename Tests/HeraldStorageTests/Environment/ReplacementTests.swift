import Glibc
import HeraldStorage
import Testing

/// A store and its lock file go by their names. Where these lead elsewhere while the store is open,
/// nothing is written, and it is said which file it is.
@Suite struct ReplacementTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  /// A store with one object, and what must be refused because of what `change` does to its files.
  private func expectRefusal(
    _ error: (_ path: String) -> StorageError, sourceLocation: SourceLocation = #_sourceLocation,
    after change: (_ path: String) throws -> Void, andBack undo: (_ path: String) throws -> Void
  ) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try add(7, to: environment)
      let read = try environment.beginRead()
      let write = try environment.beginWrite()
      try write.setInteger(column, 1, 8)
      try change(path)
      let error = error(path)
      #expect(throws: error, sourceLocation: sourceLocation) { try write.commit() }
      write.abort()
      #expect(throws: error, sourceLocation: sourceLocation) { _ = try environment.beginWrite() }
      #expect(throws: error, sourceLocation: sourceLocation) { _ = try environment.beginRead() }
      #expect(throws: error, sourceLocation: sourceLocation) {
        try environment.committedVersion()
      }
      #expect(throws: error, sourceLocation: sourceLocation) {
        try environment.checkWriterLock()
      }
      // What is read already is read as before, and what is at the path has not been touched.
      let value = read.integer(column, 1)
      #expect(value == 7, sourceLocation: sourceLocation)
      try undo(path)
      try expectValues([7], in: environment, sourceLocation)
      try add(9, to: environment)
      try expectValues([7, 9], in: environment, sourceLocation)
      try expectSound(environment, sourceLocation: sourceLocation)
    }
  }

  private func add(_ value: Int, to environment: StorageEnvironment) throws {
    try environment.write { try $0.setInteger(column, try $0.create(1), value) }
  }

  private func expectValues(
    _ values: [Int], in environment: StorageEnvironment, _ sourceLocation: SourceLocation
  ) throws {
    let read = try environment.beginRead()
    let found = (1...read.objectCount(1)).map { read.integer(column, $0) }
    #expect(found == values, sourceLocation: sourceLocation)
  }

  @Test func `a store that another file was moved over is told, and not written to`() throws {
    var before: [UInt8] = []
    try expectRefusal {
      .replaced(path: $0)
    } after: { path in
      try copyFile(path, to: path + ".backup")
      rename(path, path + ".old")
      rename(path + ".backup", path)
      before = contents(of: path)
    } andBack: { path in
      #expect(contents(of: path) == before)
      rename(path + ".old", path)
    }
  }

  @Test func `a store that is gone is told, and not made anew`() throws {
    try expectRefusal {
      .removed(path: $0)
    } after: { path in
      rename(path, path + ".old")
    } andBack: { path in
      #expect(access(path, F_OK) != 0)
      rename(path + ".old", path)
    }
  }

  @Test func `a lock file that is gone is told, and not made anew`() throws {
    try expectRefusal {
      .lockRemoved(path: $0 + "-lock")
    } after: { path in
      rename(path + "-lock", path + ".old")
    } andBack: { path in
      #expect(access(path + "-lock", F_OK) != 0)
      rename(path + ".old", path + "-lock")
    }
  }

  @Test func `a lock file that another was put in the place of is told`() throws {
    try expectRefusal {
      .lockReplaced(path: $0 + "-lock")
    } after: { path in
      rename(path + "-lock", path + ".old")
      try copyFile(path + ".old", to: path + "-lock")
    } andBack: { path in
      rename(path + ".old", path + "-lock")
    }
  }

  @Test func `a link in the place of a store is another file`() throws {
    try expectRefusal {
      .replaced(path: $0)
    } after: { path in
      rename(path, path + ".old")
      symlink(path + ".old", path)
    } andBack: { path in
      rename(path + ".old", path)
    }
  }

  @Test func `a store that an older state was copied into is told`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try add(1, to: environment)
      let old = contents(of: path)
      for value in 2...9 { try add(value, to: environment) }
      // In place, without cutting the file short, which would end every program that reads it.
      let descriptor = open(path, O_WRONLY)
      #expect(pwrite(descriptor, old, old.count, 0) == old.count)
      close(descriptor)
      #expect(throws: StorageError.replaced(path: path)) { _ = try environment.beginRead() }
      #expect(throws: StorageError.replaced(path: path)) { _ = try environment.beginWrite() }
    }
  }
}

/// Two programs that have one store open, and not the same files, would lose each other's commits.
@Suite struct MeetingTests {
  private func withOpenStore(
    _ body: (_ path: String, _ environment: StorageEnvironment) throws -> Void
  ) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try environment.write { _ = try $0.create(1) }
      try body(path, environment)
    }
  }

  @Test func `a program that finds no lock file where another has one is refused`() throws {
    try withOpenStore { path, environment in
      unlink(path + "-lock")
      let before = contents(of: path)
      #expect(throws: StorageError.otherLockInUse(path: path)) { _ = try Elsewhere(path) }
      #expect(access(path + "-lock", F_OK) != 0)
      #expect(contents(of: path) == before)
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
      try copyFile(path, to: path + ".backup")
      rename(path, path + ".old")
      rename(path + ".backup", path)
      let before = contents(of: path)
      #expect(throws: StorageError.otherStoreInUse(path: path)) { _ = try Elsewhere(path) }
      #expect(contents(of: path) == before)
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

  @Test func `a lock file that nobody has open is everybody's to use`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
      try copyFile(path, to: path + ".backup")
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
