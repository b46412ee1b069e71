import Glibc
import HeraldMaintenance
import HeraldModel
import Synchronization
import TestSupport
import Testing

@testable import HeraldStorage

/// Pages that a transaction writes to the file before its commit change neither what it stores nor what others see.
@Suite struct SpillTests {
  private static let texts = ColumnID(classID: 1, propertyID: 5)

  /// Adds objects with texts of a kilobyte, until pages were spilled a few times.
  private func fill(_ write: borrowing WriteTransaction, _ count: Int = 40_000) throws {
    for _ in 0..<count {
      let object = try write.create(1)
      try write.set(Self.texts, .bytes, object, .bytes(Self.text(object)))
    }
  }

  /// Bytes without a pattern: equal texts take little space.
  private static let noise: [UInt8] = {
    var random = SplitMix64(seed: 5)
    return (0..<65_536).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  private static func text(_ number: Int, length: Int = 1000) -> [UInt8] {
    let start = number &* 7919 % (noise.count - length)
    return [UInt8](noise[start..<start + length])
  }

  @Test(arguments: 1...6)
  func `a transaction that spills stores the same records as one that does not`(seed: Int) throws {
    try withFolder { folder in
      let environments = try ["spilling", "whole"].map {
        try StorageEnvironment.open(.file("\(folder)/\($0).hdb"))
      }
      environments[0].dirtyPageLimit = 20
      var workloads = environments.map { _ in SpillWorkload(seed: seed) }
      for round in 0..<5 {
        for index in environments.indices { try workloads[index].run(on: environments[index]) }
        let contents = try environments.map { SpillWorkload.contents(try $0.beginRead()) }
        #expect(contents[0] == contents[1], "round \(round)")
        for environment in environments { try expectSound(environment) }
      }
      #expect(workloads[0].spills > 3)
      #expect(workloads[1].spills == 0)
    }
  }

  @Test func `nobody sees pages that were spilled, and no observer wakes`() throws {
    try withOpenStore { path, environment in
      let elsewhere = try Elsewhere(path)
      let calls = Calls()
      let watch = try elsewhere.environment.watchCommits { calls.add() }
      let before = try environment.beginRead()
      let write = try environment.beginWrite()
      try fill(write)
      #expect(write.changes.dirtyPages.isSpilled)
      #expect(FileTree.size(path) > 8 << 20)
      for other in [environment, elsewhere.environment] {
        let read = try other.beginRead()
        #expect(read.version == 1)
        #expect(read.objectCount(1) == 1)
        #expect(read.check() == [])
        #expect(try other.committedVersion() == 1)
      }
      #expect(throws: StorageError.locked(path: path)) {
        _ = try elsewhere.environment.beginWrite(waiting: false)
      }
      #expect(calls.count == 0)
      #expect(try write.commit() == 2)
      #expect(before.objectCount(1) == 1)
      #expect(try elsewhere.environment.beginRead().objectCount(1) == 40_001)
      try expectSound(environment)
      withExtendedLifetime(watch) {}
    }
  }

  @Test func `a transaction that is rolled back gives back the space of the pages that it spilled`()
    throws
  {
    try withOpenStore { path, environment in
      for _ in 0..<2 {
        let write = try environment.beginWrite()
        try fill(write)
        #expect(FileTree.size(path) > 8 << 20)
        write.abort()
        #expect(FileTree.size(path) < 2 << 20)
        try expectSound(environment)
      }
      try environment.write { try $0.setInteger(ColumnID(classID: 1, propertyID: 2), 1, 7) }
      #expect(try environment.beginRead().objectCount(1) == 1)
      try expectSound(environment)
    }
  }

  @Test func `a process that was killed leaves pages that the next writer cuts off`() throws {
    try withOpenStore { path, environment in
      // What it leaves: pages after those that the store uses.
      let file = open(path, O_WRONLY | O_APPEND)
      let pages = [UInt8](repeating: 7, count: 1 << 22)
      #expect(Glibc.write(file, pages, pages.count) == pages.count)
      close(file)
      let read = try environment.beginRead()
      let elsewhere = try Elsewhere(path)
      try elsewhere.environment.write { write in
        try write.setInteger(ColumnID(classID: 1, propertyID: 1), 1, 2)
      }
      #expect(FileTree.size(path) < 2 << 20)
      #expect(read.check() == [])
      try expectSound(environment)
    }
  }

  @Test func `a transaction that spills into a full disk fails and leaves nothing`() async {
    await #expect(processExitsWith: .success) {
      try withFolder { folder in
        let path = "\(folder)/store.hdb"
        let environment = try StorageEnvironment.open(.file(path))
        try environment.write { _ = try $0.create(1) }
        var limit = rlimit(rlim_cur: 8 << 20, rlim_max: 8 << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        do {
          let write = try environment.beginWrite()
          try SpillTests().fill(write)
          exit(1)
        } catch {
          guard error as? StorageError == .full(path: path) else { exit(2) }
        }
        try environment.write { _ = try $0.create(1) }
        let read = try environment.beginRead()
        guard read.objectCount(1) == 2, read.check().isEmpty else { exit(3) }
        guard FileTree.size(path) < 2 << 20 else { exit(4) }
      }
    }
  }

  @Test func `the memory of a transaction does not grow with what it adds`() async {
    await #expect(processExitsWith: .success) {
      try withFolder { folder in
        let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"))
        let write = try environment.beginWrite()
        let key = ColumnID(classID: 1, propertyID: 2)
        let number = ColumnID(classID: 1, propertyID: 3)
        var early = 0
        for count in 1...600_000 {
          let object = try write.create(1)
          try write.set(Self.texts, .bytes, object, .bytes(Self.text(object, length: 200)))
          try write.setInteger(number, object, count &* 0x9E37_79B9)
          try write.addToIndex(key, .bytes([UInt8]("key \(count * 7919 % 600_000)".utf8)), object)
          if count == 200_000 { early = Self.memory }
        }
        // 150 MB later.
        let late = Self.memory
        guard late < early + 60 << 20 else { exit(1) }
        _ = try write.commit()
        guard Self.memory < early + 60 << 20 else { exit(2) }
        guard try environment.beginRead().check().isEmpty else { exit(3) }
      }
    }
  }

  /// The bytes of memory that this process has to itself.
  fileprivate static var memory: Int {
    guard let file = fopen("/proc/self/status", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("RssAnon:") else { continue }
      return (text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
        << 10
    }
    return 0
  }

  @Test
  func `values longer than the limit of a write's memory are refused, many shorter ones are not`()
    throws
  {
    try withOpenStore { _, environment in
      environment.writeLimit = 1 << 20
      let long = [UInt8](repeating: 1, count: 100_000)
      try environment.write { write in
        for _ in 0..<100 { try write.set(Self.texts, .bytes, try write.create(1), .bytes(long)) }
      }
      let tooLong = [UInt8](repeating: 1, count: 2 << 20)
      #expect(throws: StorageError.writeTooLarge(limit: 1 << 20)) {
        try environment.write { try $0.set(Self.texts, .bytes, 1, .bytes(tooLong)) }
      }
      #expect(try environment.beginRead().objectCount(1) == 101)
      try expectSound(environment)
    }
  }
}

private final class Calls: Sendable {
  private let number = Atomic(0)
  var count: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}

/// Random transactions with every kind of record, the same for the same seed.
private struct SpillWorkload {
  private var random: SplitMix64
  private var present: [Int] = []
  private var links: [Int: Int] = [:]
  private var entries: [Int: StoredValue] = [:]
  private var elements: [Int: Int] = [:]
  /// The objects that have lists.
  private var firstOwner = 0
  private static let owners = 30
  /// The transactions that spilled.
  private(set) var spills = 0

  init(seed: Int) { random = SplitMix64(seed: seed) }

  mutating func run(on environment: StorageEnvironment) throws {
    let old = self
    let write = try environment.beginWrite()
    if firstOwner == 0 {
      firstOwner = try write.create(3)
      for _ in 1..<Self.owners { _ = try write.create(3) }
    }
    for _ in 0..<4000 { try change(write) }
    try write.setMetadata("name", [UInt8](repeating: 1, count: random.below(9000)))
    write.setLogEntry([UInt8](repeating: 2, count: random.below(20_000)))
    try write.flushDrafts()
    try write.flushLists()
    try write.flushIndexes()
    if write.changes.dirtyPages.isSpilled { spills += 1 }
    if random.oneIn(4) {
      write.abort()
      (present, links, entries, elements) = (old.present, old.links, old.entries, old.elements)
      firstOwner = old.firstOwner
    } else {
      _ = try write.commit()
    }
  }

  private mutating func change(_ write: borrowing WriteTransaction) throws {
    switch random.below(8) {
    case 0, 1: present.append(try write.create(1))
    case 2: try delete(write)
    case 3, 4: try setValue(write)
    case 5: try changeLink(write)
    case 6: try changeEntry(write)
    default: try changeList(write)
    }
  }

  private mutating func delete(_ write: borrowing WriteTransaction) throws {
    guard !present.isEmpty, random.oneIn(3) else { return }
    try write.delete(1, present.remove(at: random.below(present.count)))
  }

  private mutating func setValue(_ write: borrowing WriteTransaction) throws {
    guard !present.isEmpty else { return }
    let object = random.pick(present)
    if random.oneIn(2) {
      try write.setInteger(ColumnID(classID: 1, propertyID: 1), object, random.below(1 << 40))
    } else {
      let count = random.oneIn(20) ? random.below(20_000) : random.below(300)
      let bytes = [UInt8](repeating: UInt8(random.below(256)), count: count)
      try write.set(ColumnID(classID: 1, propertyID: 2), .bytes, object, .bytes(bytes))
    }
  }

  private mutating func changeLink(_ write: borrowing WriteTransaction) throws {
    let (target, origin) = (1 + random.below(3), 1 + random.below(20_000))
    let key = target * 100_000 + origin
    let column = ColumnID(classID: 2, propertyID: 1)
    if let count = links[key], random.oneIn(2) {
      try write.removeLink(from: origin, through: column, toClass: 9, number: target)
      links[key] = count == 1 ? nil : count - 1
    } else {
      try write.addLink(from: origin, through: column, toClass: 9, number: target)
      links[key, default: 0] += 1
    }
  }

  private mutating func changeEntry(_ write: borrowing WriteTransaction) throws {
    let number = 1 + random.below(4000)
    let column = ColumnID(classID: 2, propertyID: 2)
    if let value = entries.removeValue(forKey: number) {
      try write.removeFromIndex(column, value, number)
    } else {
      let text = [UInt8](repeating: UInt8(random.below(4)), count: random.below(400))
      let value: StoredValue = random.oneIn(2) ? .bytes(text) : .integer(random.below(50))
      try write.addToIndex(column, value, number)
      entries[number] = value
    }
  }

  private mutating func changeList(_ write: borrowing WriteTransaction) throws {
    let owner = firstOwner + random.below(Self.owners)
    let list = ListID(column: ColumnID(classID: 3, propertyID: 1), owner: owner)
    let count = elements[owner, default: 0]
    if count > 0, random.oneIn(4) {
      try write.remove(from: list, at: random.below(count))
      elements[owner] = count - 1
    } else {
      try write.insert(
        .integer(random.below(1000)), into: list, .integers, at: random.below(count + 1))
      elements[owner] = count + 1
    }
  }

  /// Every record but the state, which has the sums of all.
  static func contents(_ read: StorageSnapshot) -> [String: [[UInt8]]] {
    var contents: [String: [[UInt8]]] = [:]
    for space in RecordSpace.allCases where space != .meta {
      read.forEachRecord(space, from: nil) { key, content in
        contents[space.name, default: []].append([UInt8](key) + [0] + [UInt8](content))
        return true
      }
    }
    return contents
  }
}
