import Glibc
import HeraldMaintenance
import TestSupport
import Testing

@testable import HeraldStorage

/// A store in memory must refuse a write that there is no room for, and never end the program.
@Suite struct MemoryFileTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  @Test func `a store in memory leaves nothing behind in a folder`() throws {
    try withFolder { folder in
      if let file = MemoryFile.make(inFolder: folder) {
        let path = file.path
        #expect(access(path, W_OK) == 0)
        #expect(access(path + "-lock", W_OK) == 0)
        // The path holds as long as the value.
        _ = consume file
      }
      #expect(FileTree.names(in: folder) == [])
    }
  }

  @Test func `no memory file is made where its folder cannot be`() {
    switch MemoryFile.make(inFolder: "/nowhere") {
    case .none: break
    case .some: Issue.record("a file was made")
    }
  }

  @Test func `a limit on the size of files is a full store in memory`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 4 << 20, rlim_max: 4 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let environment = try StorageEnvironment.open(.memory)
      try expectFullAndWhole(environment)
    }
  }

  @Test func `a file without a name that cannot grow is a full store`() async {
    await #expect(processExitsWith: .success) {
      var options = OpenFile.Options(mapSize: 1 << 30)
      options.isTemporary = true
      options.isNew = true
      let file = try StorageEnvironment.openNameless("/tmp", options)
      let environment = StorageEnvironment(OpenStore(file), isInMemory: true, isReadOnly: false)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4 << 20, rlim_max: 4 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try expectFullAndWhole(environment)
    }
  }

  @Test func `a transaction that has ended neither changes nor finds anything`() throws {
    try withStore { environment in
      let write = try environment.beginWrite()
      let number = try write.create(1)
      try write.setInteger(column, number, 3)
      _ = try write.commit()
      #expect(throws: StorageError.self) { try write.create(1) }
      #expect(throws: StorageError.self) { try write.commit() }
      #expect(throws: StorageError.self) { try write.setMetadata("name", [1]) }
      #expect(throws: StorageError.self) { try write.addToIndex(column, .integer(1), 1) }
      let late = (write.snapshot.integer(column, number), write.snapshot.isPresent(1, number))
      #expect(late == (nil, false))
      let read = try environment.beginRead()
      let kept = (read.integer(column, number), read.objectCount(1), read.version)
      #expect(kept == (3, 1, 1))
    }
  }

  @Test(arguments: [300, 3_000, 20_000])
  func `values are found however many blocks were read before`(blocks: Int) throws {
    let environment = try StorageEnvironment.open(.memory)
    try environment.write { write in
      for block in 0..<blocks { try write.setInteger(column, block * 256 + 1, block + 1) }
    }
    let read = try environment.beginRead()
    var wrong: [Int] = []
    for _ in 0..<2 {
      for block in 0..<blocks where read.integer(column, block * 256 + 1) != block + 1 {
        wrong.append(block)
      }
    }
    #expect(wrong == [])
  }
}

/// Fills the store until it refuses; what was committed before must be all that it has.
private func expectFullAndWhole(_ environment: StorageEnvironment) throws {
  let column = ColumnID(classID: 1, propertyID: 2)
  try environment.write { write in try write.set(column, .bytes, try write.create(1), .bytes([7])) }
  var refusal: StorageError?
  do {
    try environment.write { write in
      for _ in 0..<100_000 {
        try write.set(
          column, .bytes, try write.create(1), .bytes([UInt8](repeating: 1, count: 900)))
      }
    }
  } catch {
    refusal = error as? StorageError
  }
  guard refusal == .full(path: "") else { exit(1) }
  do {
    let read = try environment.beginRead()
    guard read.objectCount(1) == 1, read.value(column, .bytes, 1) == .bytes([7]),
      read.check().isEmpty
    else { exit(2) }
  }
  // What the write gave out that failed is not given again.
  var given = 0
  try environment.write { write in
    try write.set(column, .bytes, 1, .bytes([8]))
    given = try write.create(1)
  }
  guard given > 1_000 else { exit(4) }
  let read = try environment.beginRead()
  guard read.value(column, .bytes, 1) == .bytes([8]) else { exit(3) }
}
