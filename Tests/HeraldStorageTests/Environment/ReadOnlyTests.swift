import Glibc
import HeraldMaintenance
import TestSupport
import Testing

@testable import HeraldStorage

/// A store that is opened for reading only is left alone, and so is everything beside it.
@Suite struct ReadOnlyTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  private func makeStore(_ path: String, objects: Int = 100) throws {
    try withStore(.file(path)) { environment in
      try environment.write { write in
        for number in 1...objects { try write.setInteger(column, try write.create(1), number) }
      }
    }
    unlink(path + "-lock")
  }

  private func withClosedStore(_ body: (_ folder: String, _ path: String) throws -> Void) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try makeStore(path)
      try body(folder, path)
    }
  }

  @Test func `a store without a lock file is read without one`() throws {
    try withClosedStore { folder, path in
      let before = FileTree.read(path)
      do {
        let environment = try StorageEnvironment.open(.file(path), readOnly: true)
        #expect(environment.isReadOnly)
        #expect(try environment.committedVersion() == 1)
        #expect(try environment.beginRead().objectCount(1) == 100)
        #expect(throws: StorageError.readOnly) { _ = try environment.beginWrite() }
        #expect(FileTree.names(in: folder) == ["store.hdb"])
      }
      #expect(FileTree.names(in: folder) == ["store.hdb"])
      #expect(FileTree.read(path) == before)
    }
  }

  @Test func `a store with a lock file is read with a slot in its reader table`() throws {
    try withClosedStore { _, path in
      let writer = try Elsewhere(path).environment
      let environment = try StorageEnvironment.open(.file(path), readOnly: true)
      #expect(environment.file.table != nil)
      let read = try environment.beginRead()
      for round in 0..<30 {
        try writer.write { for number in 1...100 { try $0.setInteger(column, number, -round) } }
      }
      let values = (1...100).map { read.integer(column, $0) }
      #expect(values == (1...100).map { $0 })
      #expect(try environment.committedVersion() == 31)
    }
  }

  @Test func `a store needs no other file in its folder`() throws {
    try withClosedStore { folder, path in
      chmod(path, 0o444)
      chmod(folder, 0o555)
      defer { chmod(folder, 0o755) }
      let environment = try StorageEnvironment.open(.file(path), readOnly: true)
      #expect(try environment.beginRead().objectCount(1) == 100)
      #expect(FileTree.names(in: folder) == ["store.hdb"])
    }
  }

  @Test func `what is read without a slot is kept by the writer`() throws {
    try withClosedStore { folder, path in
      // The reader first: once somebody writes, a reader needs a slot.
      let reader = try Elsewhere(path, readOnly: true)
      #expect(reader.file.table == nil)
      let read = try reader.environment.beginRead()
      let writer = try StorageEnvironment.open(.file(path))
      #expect(throws: StorageError.lockNeeded(path: "\(folder)/link.hdb")) {
        rename(path + "-lock", path + ".aside")
        defer { rename(path + ".aside", path + "-lock") }
        symlink(path, "\(folder)/link.hdb")
        _ = try Elsewhere("\(folder)/link.hdb", readOnly: true)
      }
      for round in 0..<30 {
        try writer.write { for number in 1...100 { try $0.setInteger(column, number, -round) } }
      }
      let values = (1...100).map { read.integer(column, $0) }
      #expect(values == (1...100).map { $0 })
      #expect(read.check().isEmpty)
      #expect(try reader.environment.committedVersion() == 31)
    }
  }

  @Test(arguments: [false, true])
  func `a store that is read can be opened for writing besides`(hasLock: Bool) throws {
    try withClosedStore { _, path in
      if hasLock { try withStore(.file(path)) { _ in } }
      let environment = try StorageEnvironment.open(.file(path), readOnly: true)
      #expect((environment.file.table != nil) == hasLock)
      let read = try environment.beginRead()
      let again = try StorageEnvironment.open(.file(path))
      #expect(again === environment)
      #expect(!environment.isReadOnly)
      for round in 0..<30 {
        try again.write { for number in 1...100 { try $0.setInteger(column, number, -round) } }
      }
      let values = (1...100).map { read.integer(column, $0) }
      #expect(values == (1...100).map { $0 })
      #expect(try environment.committedVersion() == 31)
      let now = try environment.beginRead().integer(column, 7)
      #expect(now == -29)
      try expectSound(environment)
    }
  }

  @Test func `the pages of a closed reader are reused`() throws {
    try withClosedStore { _, path in
      let environment = try StorageEnvironment.open(.file(path), readOnly: true)
      var read: StorageSnapshot? = try environment.beginRead()
      _ = try StorageEnvironment.open(.file(path))
      func write(_ times: Int) throws -> Int {
        for round in 0..<times {
          try environment.write { write in
            for number in 1...100 { try write.setInteger(column, number, round) }
          }
        }
        return FileTree.read(path).count
      }
      let whileRead = try write(50)
      let count = read?.objectCount(1)
      #expect(count == 100)
      read = nil
      _ = try write(5)
      let after = try write(1)
      let later = try write(100)
      #expect(later == after)
      #expect(whileRead <= after)
    }
  }
}
