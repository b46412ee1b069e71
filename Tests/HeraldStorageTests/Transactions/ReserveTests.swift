import Glibc
import HeraldMaintenance
import TestSupport
import Testing

@testable import HeraldStorage

private let column = ColumnID(classID: 1, propertyID: 2)

/// A store without room lets one delete, and what that frees is used again.
@Suite struct ReserveTests {
  /// Adds objects, one a commit, until the store refuses one; returns how many there are.
  private static func fill(_ environment: StorageEnvironment) throws -> Int {
    while true {
      do {
        try add(environment)
      } catch StorageError.full {
        return try environment.beginRead().objectCount(1)
      }
    }
  }

  private static func add(_ environment: StorageEnvironment) throws {
    try environment.write { write in
      let text = [UInt8](repeating: 1, count: 3000)
      try write.set(column, .bytes, try write.create(1), .bytes(text))
    }
  }

  /// Deletes from a full store until there is room again; returns what is wrong.
  fileprivate static func deleteAndAdd(_ environment: StorageEnvironment) throws -> String? {
    let count = try fill(environment)
    guard count > 20 else { return "no more than \(count) objects" }
    for number in 1...20 { try environment.write { try $0.delete(1, number) } }
    guard try environment.beginRead().objectCount(1) == count - 20 else { return "not deleted" }
    for _ in 0..<5 { try add(environment) }
    let read = try environment.beginRead()
    guard read.objectCount(1) == count - 15 else { return "not added" }
    return read.check().first
  }

  @Test func `a store in memory at its limit lets one delete`() throws {
    let environment = try StorageEnvironment.open(.memory, mapSize: 1 << 20)
    #expect(try Self.deleteAndAdd(environment) == nil)
  }

  @Test func `a store in a file at its limit lets one delete`() throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"), mapSize: 1 << 20)
      #expect(try Self.deleteAndAdd(environment) == nil)
    }
  }

  @Test func `a store whose file may not grow lets one delete`() async {
    await #expect(processExitsWith: .success) {
      try withFolder { folder in
        let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"))
        var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        guard try ReserveTests.deleteAndAdd(environment) == nil else { exit(1) }
      }
    }
  }

  @Test func `a full store deletes more than its log has space for`() throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"), mapSize: 2 << 20)
      try environment.write { $0.setLogEntry([1]) }
      let count = try Self.fill(environment)
      try #require(count > 100)
      let entry = [UInt8](repeating: 7, count: count * 3000)
      try environment.write { write in
        for number in 1...(count - 1) { try write.delete(1, number) }
        write.setLogEntry(entry)
      }
      let read = try environment.beginRead()
      #expect(read.objectCount(1) == 1)
      #expect(read.oldestLogVersion == nil, "a session that is behind compares versions")
      #expect(read.check() == [])
      try environment.write { $0.setLogEntry([2]) }
      #expect(try environment.beginRead().logEntry(read.version + 1) == [2])
    }
  }

  @Test func `a transaction that adds may not use what is kept for deleting`() throws {
    let environment = try StorageEnvironment.open(.memory, mapSize: 1 << 20)
    let count = try Self.fill(environment)
    #expect(throws: StorageError.full(path: "")) {
      try environment.write { write in
        try write.delete(1, 1)
        for _ in 0..<20 {
          let text = [UInt8](repeating: 1, count: 3000)
          try write.set(column, .bytes, try write.create(1), .bytes(text))
        }
      }
    }
    #expect(try environment.beginRead().objectCount(1) == count)
  }
}
