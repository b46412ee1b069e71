import CLMDB
import Glibc
import TestSupport
import Testing

@testable import HeraldStorage

/// A file whose bytes were changed while nobody had it open is refused, or reads as it was written.
@Suite struct DamageTests {
  private static let columns = (1...4).map { ColumnID(classID: 1, propertyID: UInt32($0)) }

  /// Makes a store of every kind of record, and returns what a reader sees of it.
  private func makeStore(_ path: String, seed: Int) throws -> [String] {
    var random = SplitMix64(seed: seed)
    let environment = try StorageEnvironment.open(.file(path))
    for _ in 0..<6 {
      let write = try environment.beginWrite()
      for _ in 0..<100 {
        let number = try write.create(1)
        try write.setInteger(Self.columns[0], number, random.below(1 << 40))
        try write.addToIndex(Self.columns[0], .integer(number / 3), number)
        let text = [UInt8](repeating: 65, count: random.below(30) == 0 ? 5000 : random.below(20))
        try write.set(Self.columns[1], .bytes, number, .bytes(text))
        try write.addLink(
          from: number, through: Self.columns[2], toClass: 1, number: 1 + random.below(number))
        let list = ListID(column: Self.columns[3], owner: number)
        for _ in 0..<random.below(4) {
          try write.insert(.integer(random.below(100)), into: list, .integers, at: 0)
        }
      }
      try write.setMetadata("note", [1, 2, 3])
      write.setLogEntry([UInt8](repeating: 7, count: 100 + random.below(3000)))
      _ = try write.commit()
    }
    return try content(of: environment)
  }

  private func content(of environment: StorageEnvironment) throws -> [String] {
    let read = try environment.beginRead()
    var lines = ["\(read.objectCount(1)) \(read.metadata("note") ?? [])"]
    for number in 1...read.objectCount(1) {
      var line = "\(number): \(read.integer(Self.columns[0], number) ?? -1)"
      line += " \(read.value(Self.columns[1], .bytes, number).hashValueForTests)"
      read.forEachListElement(ListID(column: Self.columns[3], owner: number), .integers) {
        line += " \($0)"
        return true
      }
      read.forEachOrigin(ofClass: 1, number: number, through: Self.columns[2]) {
        line += " \($0)x\($1)"
        return true
      }
      line += " \(read.indexed(Self.columns[0], .integer(number)))"
      lines.append(line)
    }
    if let failure = read.failure { throw failure }
    return lines
  }

  @Test(arguments: 1...4)
  func `changed bytes, bits, pages and lengths are found or have no effect`(seed: Int) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let expected = try makeStore(path, seed: seed)
      let bytes = FileTree.read(path)
      var random = SplitMix64(seed: seed)
      var found = 0
      for attempt in 0..<150 {
        var damaged = bytes
        damage(&damaged, &random)
        unlink(path + "-lock")
        try FileTree.save(damaged, to: path)
        do {
          let seen = try content(of: StorageEnvironment.open(.file(path)))
          #expect(seen == expected, "attempt \(attempt) of seed \(seed)")
        } catch StorageError.damaged {
          found += 1
        } catch StorageError.notAStore where damaged.count < 4096 + 152 {
          found += 1
        }
      }
      #expect(found > 75, "seed \(seed)")
    }
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let pages = bytes.count / 4096
    let page = random.below(pages) * 4096
    let other = random.below(pages) * 4096
    switch random.below(7) {
    case 0, 1: bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
    case 2:
      for place in page..<page + 4096 { bytes[place] = 0 }
    case 3:
      for place in page..<page + 4096 { bytes[place] = UInt8(random.below(256)) }
    case 4:
      for place in 0..<4096 { bytes.swapAt(page + place, other + place) }
    case 5: bytes.replaceSubrange(page..<page + 4096, with: bytes[other..<other + 4096])
    default: bytes.removeLast(1 + random.below(bytes.count - 1))
    }
  }

  @Test func `a change of any bit of both first pages is found or has no effect`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let expected = try makeStore(path, seed: 9)
      let bytes = FileTree.read(path)
      for page in [0, 4096] {
        for bit in stride(from: 0, to: 152 * 8, by: 3) {
          var damaged = bytes
          damaged[page + bit / 8] ^= 1 << UInt8(bit % 8)
          unlink(path + "-lock")
          try FileTree.save(damaged, to: path)
          do {
            #expect(try content(of: StorageEnvironment.open(.file(path))) == expected)
          } catch StorageError.damaged {
            continue
          }
        }
      }
    }
  }

  @Test func `a version that two commits have followed is no damage`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      _ = try makeStore(path, seed: 4)
      let environment = try StorageEnvironment.open(.file(path))
      let newest = try #require(try newestTransaction(path))
      for older in [1, newest - 2] {
        let verification = try verify(path, older)
        #expect(!verification.problems.isEmpty && verification.isOfAnotherVersion)
      }
      #expect(try verify(path, newest).problems.isEmpty)
      let unknown = try verify(path, newest + 1)
      #expect(!unknown.problems.isEmpty && !unknown.isOfAnotherVersion)
      withExtendedLifetime(environment) {}
    }
  }

  @Test func `a transaction with the trees of a later version has no state`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      _ = try makeStore(path, seed: 5)
      let environment = try StorageEnvironment.open(.file(path))
      let (transaction, file) = try environment.begin(MDB_RDONLY)
      defer {
        mdb_txn_abort(transaction)
        file.files?.endUse()
      }
      let newest = transaction.number
      // As LMDB leaves it when two commits come between its number and its trees.
      let number = UnsafeMutableRawPointer(transaction) + 24
      try #require(number.load(as: UInt64.self) == newest)
      number.storeBytes(of: newest - 2, as: UInt64.self)
      try #require(transaction.number == newest - 2)
      #expect(file.settledState(of: transaction) == nil)
      mdb_txn_reset(transaction)
      try #require(mdb_txn_renew(transaction) == 0)
      #expect(file.settledState(of: transaction)?.transaction == newest)
    }
  }

  private func newestTransaction(_ path: String) throws -> UInt64? {
    try withDescriptor(path) { try PageFile($0).consistentMetas.first?.transaction }
  }

  private func verify(_ path: String, _ transaction: UInt64) throws -> StoreVerification {
    try withDescriptor(path) { try StoreVerification($0, transaction, .records) }
  }

  private func withDescriptor<Result>(
    _ path: String, _ body: (Int32) throws -> Result
  ) throws -> Result {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  @Test func `a page of a later version is found`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      _ = try makeStore(path, seed: 3)
      let older = FileTree.read(path)
      do {
        let environment = try StorageEnvironment.open(.file(path))
        for value in 0..<20 {
          let write = try environment.beginWrite()
          try write.setInteger(Self.columns[0], 5, value)
          _ = try write.commit()
          try environment.checkpoint()
        }
      }
      let newer = FileTree.read(path)
      // As a copy of a file that is written to meanwhile: its first pages are older than the rest.
      try FileTree.save(Array(older.prefix(8192) + newer.dropFirst(8192)), to: path)
      unlink(path + "-lock")
      #expect {
        _ = try StorageEnvironment.open(.file(path))
      } throws: { error in
        if case .damaged = error as? StorageError { true } else { false }
      }
    }
  }
}

@Suite struct ChecksumTests {
  @Test func `hardware and software agree`() {
    var random = SplitMix64(seed: 5)
    for count in [0, 1, 7, 8, 9, 31, 127, 128, 129, 160, 1000, 4096, 5003] {
      let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
      bytes.withUnsafeBytes { bytes in
        #expect(Checksum.of(bytes, after: 77) == Checksum.inSoftware(bytes, after: 77), "\(count)")
      }
    }
  }

  @Test func `short bytes have the checksum that CRC-32C is known for`() {
    // The check value of CRC-32C, 0xE3069283, with its usual complement before and after.
    Array("123456789".utf8).withUnsafeBytes { bytes in
      #expect(~Checksum.of(bytes, after: .max) == 0xE306_9283)
    }
  }

  @Test func `a record is not one of another key, database or content`() {
    let content: [UInt8] = [1, 2, 3, 4, 5]
    let key: [UInt8] = [9, 9]
    func trailer(_ space: RecordSpace, _ key: [UInt8], _ content: [UInt8]) -> UInt32 {
      key.withUnsafeBytes { key in
        content.withUnsafeBytes { RecordTrailer(space, key, $0, version: 4).checksum }
      }
    }
    let known = trailer(.columns, key, content)
    #expect(trailer(.columns, key, content) == known)
    #expect(trailer(.lists, key, content) != known)
    #expect(trailer(.columns, [9, 8], content) != known)
    #expect(trailer(.columns, key, [1, 2, 3, 4, 6]) != known)
  }
}

extension StoredValue {
  /// The length of bytes, which are all alike.
  fileprivate var hashValueForTests: String {
    if case .bytes(let bytes) = self { "\(bytes.count)" } else { "\(self)" }
  }
}
