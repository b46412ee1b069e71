import Glibc
import HeraldMaintenance
import HeraldStorage
import TestSupport
import Testing

/// A store and its lock file go by their names. Where these lead elsewhere while the store is open,
/// nothing is written, and the error names the file.
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

  @Test func `a store that was replaced by another file is an error, and not written to`() throws {
    var before: [UInt8] = []
    try expectRefusal {
      .replaced(path: $0)
    } after: { path in
      FileTree.copy(path, to: path + ".backup")
      rename(path, path + ".old")
      rename(path + ".backup", path)
      before = FileTree.read(path)
    } andBack: { path in
      #expect(FileTree.read(path) == before)
      rename(path + ".old", path)
    }
  }

  @Test func `a store that was removed is an error, and not made anew`() throws {
    try expectRefusal {
      .removed(path: $0)
    } after: { path in
      rename(path, path + ".old")
    } andBack: { path in
      #expect(access(path, F_OK) != 0)
      rename(path + ".old", path)
    }
  }

  @Test func `a lock file that was removed is an error, and not made anew`() throws {
    try expectRefusal {
      .lockRemoved(path: $0 + "-lock")
    } after: { path in
      rename(path + "-lock", path + ".old")
    } andBack: { path in
      #expect(access(path + "-lock", F_OK) != 0)
      rename(path + ".old", path + "-lock")
    }
  }

  @Test func `a lock file that was replaced is an error`() throws {
    try expectRefusal {
      .lockReplaced(path: $0 + "-lock")
    } after: { path in
      rename(path + "-lock", path + ".old")
      FileTree.copy(path + ".old", to: path + "-lock")
    } andBack: { path in
      rename(path + ".old", path + "-lock")
    }
  }

  @Test func `a link instead of a store is another file`() throws {
    try expectRefusal {
      .replaced(path: $0)
    } after: { path in
      rename(path, path + ".old")
      symlink(path + ".old", path)
    } andBack: { path in
      rename(path + ".old", path)
    }
  }

  @Test(arguments: 0...3)
  func `a store that its backup was copied into is an error`(commits: Int) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      for value in 1...5 { try add(value, to: environment) }
      _ = try environment.backup(to: "\(folder)/backup.hdb") { _, _ in true }
      let read = try environment.beginRead()
      for value in 0..<commits { try add(value, to: environment) }
      if commits > 1 { try read.renew() }
      let backup = FileTree.read("\(folder)/backup.hdb")
      let descriptor = open(path, O_WRONLY)
      #expect(pwrite(descriptor, backup, backup.count, 0) == backup.count)
      close(descriptor)
      let error = StorageError.replaced(path: path)
      #expect(throws: error) { try read.renew() }
      #expect(throws: error) { _ = try environment.beginRead() }
      #expect(throws: error) { _ = try environment.beginWrite() }
    }
  }

  @Test(arguments: [2, 3, 9])
  func `a store that an older state was copied into is an error`(values: Int) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try add(1, to: environment)
      let old = FileTree.read(path)
      for value in 2...values {
        try add(value, to: environment)
        try environment.checkpoint()
      }
      // In place, without cutting the file short, which would end every program that reads it.
      let descriptor = open(path, O_WRONLY)
      #expect(pwrite(descriptor, old, old.count, 0) == old.count)
      close(descriptor)
      #expect(throws: StorageError.replaced(path: path)) { _ = try environment.beginRead() }
      #expect(throws: StorageError.replaced(path: path)) { _ = try environment.beginWrite() }
    }
  }
}
