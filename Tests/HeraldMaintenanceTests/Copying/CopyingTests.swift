import CLMDB
import Glibc
import TestSupport
import Testing

@testable import HeraldMaintenance
@testable import HeraldStorage

/// Copies of a store's pages, and what becomes of the files that they are written into.
@Suite struct CopyingTests {
  private let column = ColumnID(classID: 1, propertyID: 1)

  private func fill(_ environment: StorageEnvironment, _ count: Int) throws {
    try environment.write { write in
      for number in 1...count {
        let object = try write.create(1)
        try write.setInteger(column, object, number * 1_000_003)
        try write.addToIndex(column, .integer(number), object)
      }
    }
  }

  /// LMDB leaves no page out where some belong to nobody; then all are copied.
  @Test(arguments: [true, false])
  func `a copy with free pages and one without hold the same version`(isCompact: Bool) throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/a.hdb"))
      for _ in 0..<20 { try fill(environment, 500) }
      let copy = try NewFile("\(folder)/b.hdb")
      var steps: [Int] = []
      let outcome = try environment.copyPages(into: copy, isCompact: isCompact, of: 1 << 20) {
        done, _ in
        steps.append(done)
        return true
      }
      #expect(outcome == 0)
      #expect(steps == steps.sorted())
      try environment.restoreTransaction(of: copy)
      try copy.finish()
      let copied = try StorageEnvironment.open(.file("\(folder)/b.hdb"))
      let version = try copied.committedVersion()
      #expect(version == 20)
      try expectSound(copied)
      let read = try copied.beginRead()
      let (count, last) = (read.objectCount(1), read.integer(column, 10_000))
      #expect(count == 10_000)
      #expect(last == 500 * 1_000_003)
      let size = FileTree.read("\(folder)/b.hdb").count
      #expect((size < FileTree.read("\(folder)/a.hdb").count) == isCompact)
    }
  }

  @Test func `a new file has its name only when it is finished, and is its owner's alone`() throws {
    try withFolder { folder in
      let mask = umask(0)
      defer { umask(mask) }
      let path = "\(folder)/new"
      do {
        let file = try NewFile(path)
        try [UInt8]("abc".utf8).withUnsafeBytes { try file.write($0) }
        #expect(FileTree.names(in: folder).count == 1)
        #expect(access(path, F_OK) != 0)
      }
      #expect(FileTree.names(in: folder) == [])
      let file = try NewFile(path)
      try file.finish()
      #expect(FileTree.names(in: folder) == ["new"])
      #expect(FileTree.permissions(path) == 0o600)
      let late = try NewFile(path)
      #expect(throws: StorageError.cannotWrite(path: path, reason: "it exists already")) {
        try late.finish()
      }
      #expect(FileTree.read(path) == [])
    }
  }

  @Test func `a file replaces another at once`() throws {
    try withFolder { folder in
      let path = "\(folder)/name"
      try FileTree.save([1, 2, 3], to: path)
      let file = try NewFile(path)
      try [UInt8]("abc".utf8).withUnsafeBytes { try file.write($0) }
      #expect(FileTree.read(path) == [1, 2, 3])
      try file.replace()
      #expect(FileTree.read(path) == [UInt8]("abc".utf8))
      #expect(FileTree.names(in: folder) == ["name"])
    }
  }

  /// Whatever the number of commits: the page that the next one writes over is not the only one that leads
  /// to the last. Its number is so far ahead that no commit of the original gets it.
  @Test(arguments: 1...4)
  func `a copy continues with transactions that the original does not have`(commits: Int) throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/a.hdb"))
      for _ in 0..<commits { try fill(environment, 10) }
      _ = try environment.backup(to: "\(folder)/b.hdb") { _, _ in true }
      let file = open("\(folder)/b.hdb", O_RDONLY)
      defer { close(file) }
      let metas = try PageFile(file).metas
      let newest = try environment.beginRead().transaction.number
      #expect(metas.count == 2 && metas[0].transaction == metas[1].transaction)
      #expect(metas[0].main == metas[1].main)
      #expect(metas[0].transaction > newest + 1 << 24)
      for number in 1...3 {
        let copy = try StorageEnvironment.open(.file("\(folder)/b.hdb"))
        try fill(copy, 10)
        try expectSound(copy)
        let version = try copy.committedVersion()
        #expect(version == commits + number)
      }
    }
  }

  @Test func `a store in memory gets its checksums when it is saved`() throws {
    try withFolder { folder in
      try withStore { environment in
        for _ in 0..<3 { try fill(environment, 300) }
        let version = try environment.backup(to: "\(folder)/b.hdb") { _, _ in true }
        let file = open("\(folder)/b.hdb", O_RDONLY)
        defer { close(file) }
        let newest = try PageFile(file).metas[0].transaction
        #expect(try StoreVerification(file, newest, .records).problems == [])
        try environment.write { try $0.setInteger(column, 7, 7) }
        let backup = try environment.openBackup("\(folder)/b.hdb")
        _ = try environment.update(backup, since: version) { _, _ in true }
        let updated = try PageFile(file).metas[0].transaction
        #expect(try StoreVerification(file, updated, .records).problems == [])
        let value = try backup.beginRead().integer(column, 7)
        #expect(value == 7)
      }
    }
  }

  @Test func `damage is neither backed up nor brought into a backup`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      var version = 0
      do {
        let environment = try StorageEnvironment.open(.file(path))
        for _ in 0..<3 { try fill(environment, 300) }
        version = try environment.backup(to: "\(folder)/b.hdb") { _, _ in true }
        try environment.write { try $0.setMetadata("name", [UInt8]("precious".utf8)) }
        try environment.checkpoint()
        // Somebody else writes into the file, behind the back of the store that is open.
        var bytes = FileTree.read(path)
        for start in positions(of: [UInt8]("precious".utf8), in: bytes) { bytes[start] ^= 1 }
        let file = open(path, O_WRONLY)
        defer { close(file) }
        try #require(pwrite(file, bytes, bytes.count, 0) == bytes.count)
        let reason = "the record 'm:name' of the store"
        #expect(throws: StorageError.damaged(path: path, reason: reason + " is damaged")) {
          _ = try environment.backup(to: "\(folder)/c.hdb") { _, _ in true }
        }
        let backup = try environment.openBackup("\(folder)/b.hdb")
        #expect(throws: StorageError.damaged(path: path, reason: reason)) {
          _ = try environment.update(backup, since: version) { _, _ in true }
        }
        let now = try backup.committedVersion()
        #expect(now == version)
        try expectSound(backup)
      }
      #expect(FileTree.names(in: folder) == ["a.hdb", "a.hdb-lock", "b.hdb", "b.hdb-lock"])
    }
  }

  @Test func `bringing a backup up to date writes what differs and nothing else`() throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/a.hdb"))
      for _ in 0..<40 { try fill(environment, 1000) }
      let version = try environment.backup(to: "\(folder)/b.hdb") { _, _ in true }
      let backup = try environment.openBackup("\(folder)/b.hdb")
      // The state and the mark of the backup alone say that a commit changed nothing.
      try environment.write { _ in }
      var update = try environment.update(backup, since: version) { _, _ in true }
      #expect(update.version == version + 1)
      #expect(update.changedRecords == 2)
      try environment.write { write in
        try write.setInteger(column, 300, nil)
        try write.removeFromIndex(column, .integer(300), 300)
        try write.setMetadata("new", [1, 2])
      }
      update = try environment.update(backup, since: version + 1) { _, _ in true }
      // Those two, a block, an entry of the index, and one of the metadata.
      #expect(update.changedRecords == 5)
      try expectSound(backup)
      let read = try backup.beginRead()
      let (value, metadata) = (read.integer(column, 300), read.metadata("new"))
      #expect(value == nil)
      #expect(metadata == [1, 2])
    }
  }
}
