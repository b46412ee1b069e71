import Glibc
import TestSupport
import Testing

@testable import HeraldRepair
@testable import HeraldStorage

/// A salvage of a damaged file, record by record, beside what was written.
@Suite struct SalvageTests {
  /// What a store holds.
  private struct Twin {
    var numbers: [Int: Int] = [:]
    var texts: [Int: [UInt8]] = [:]
    var lists: [Int: [Int]] = [:]
    var present: Set<Int> = []
  }

  private static let numbers = ColumnID(classID: 1, propertyID: 1)
  private static let texts = ColumnID(classID: 1, propertyID: 2)
  private static let lists = ColumnID(classID: 1, propertyID: 3)

  private func makeStore(_ path: String, seed: Int) throws -> Twin {
    var random = SplitMix64(seed: seed)
    var twin = Twin()
    let environment = try StorageEnvironment.open(.file(path))
    for round in 0..<12 {
      try environment.write { write in
        for _ in 0..<60 {
          let number = try write.create(1)
          twin.present.insert(number)
          try write.addToIndex(Self.numbers, .integer(number), number)
        }
        for _ in 0..<80 {
          guard let number = twin.present.sorted().randomElement(using: &random)
          else { continue }
          let value = random.below(1 << 30)
          try write.setInteger(Self.numbers, number, value)
          twin.numbers[number] = value
          let size = random.below(20) == 0 ? 2000 + random.below(9000) : random.below(30)
          let text = [UInt8](repeating: UInt8(random.below(256)), count: size)
          try write.set(Self.texts, .bytes, number, .bytes(text))
          twin.texts[number] = text
          let list = (0..<(random.below(30) == 0 ? 1200 : random.below(6))).map { _ in
            random.below(1000)
          }
          let id = ListID(column: Self.lists, owner: number)
          try write.assign(id, .integers, list.map { .integer($0) })
          twin.lists[number] = list.isEmpty ? nil : list
        }
        if round > 3 {
          for number in twin.present.sorted().prefix(4) {
            try write.clear(ListID(column: Self.lists, owner: number))
            try write.removeFromIndex(Self.numbers, .integer(number), number)
            try write.delete(1, number)
            twin.present.remove(number)
            twin.numbers[number] = nil
            twin.texts[number] = nil
            twin.lists[number] = nil
          }
        }
        try write.setMetadata("note", [1, 2, 3])
        write.setLogEntry([UInt8](repeating: 7, count: 500))
      }
    }
    return twin
  }

  /// Nothing that counts as current differs from what was written.
  private func expect(_ salvage: Salvage, _ twin: Twin, _ words: String) {
    var wrong: [String] = []
    func check(_ holds: Bool, _ what: String) { if !holds { wrong.append(what) } }
    if case .found(let note, nil) = salvage.metadata("note") { check(note == [1, 2, 3], "note") }
    for block in 0...3 {
      let rows = Set(twin.present.lazy.filter { $0 >> 8 == block }.map { $0 & 255 })
      switch salvage.presence(1, block: block) {
      case .found(let mask, nil): check(mask == SIMD4(rows: rows), "objects of \(block)")
      case .absent: check(rows.isEmpty, "objects of \(block)")
      case .found, .lost: check(!salvage.isExact, "objects of \(block), lost")
      }
      let numbers = salvage.block(Self.numbers, .integers, block)
      let texts = salvage.block(Self.texts, .bytes, block)
      for row in rows {
        let number = block << 8 | row
        switch numbers {
        case .found(let values, nil):
          let expected = twin.numbers[number].map { StoredValue.integer($0) } ?? .null
          check(values.value(row) == expected, "number \(number)")
        case .absent: check(twin.numbers[number] == nil, "number \(number)")
        case .found, .lost: check(!salvage.isExact, "number \(number), lost")
        }
        if case .found(let values, nil) = texts, values.isLarge(row) {
          if case .found(let text, nil) = salvage.largeValue(Self.texts, number) {
            check(text == twin.texts[number], "text \(number)")
          }
        } else if case .found(let values, nil) = texts {
          let expected = twin.texts[number].map { StoredValue.bytes($0) } ?? .null
          check(values.value(row) == expected, "text \(number)")
        }
        let list = salvage.list(ListID(column: Self.lists, owner: number), .integers)
        check(isRight(list, twin.lists[number] ?? [], salvage.isExact), "list \(number)")
      }
    }
    #expect(wrong == [], "\(words)")
  }

  private func isRight(
    _ list: Salvage.Record<SalvagedList>, _ expected: [Int], _ isExact: Bool
  ) -> Bool {
    switch list {
    case .absent: return expected.isEmpty
    case .lost, .found(_, .some): return !isExact
    case .found(let list, nil):
      guard list.count == expected.count, list.isWhole || !isExact else { return false }
      return list.runs.allSatisfy { run in
        let part = expected[run.start..<min(expected.count, run.start + run.elements.count)]
        return run.elements == part.map { .integer($0) }
          && list.element(at: run.start) == run.elements.first
      }
    }
  }

  private func salvage(_ bytes: [UInt8], _ path: String) throws -> Salvage? {
    try FileTree.save(bytes, to: path)
    do {
      return try Salvage(path: path)
    } catch StorageError.notAStore {
      return nil
    }
  }

  @Test func `of a sound file everything is current`() throws {
    try withFolder { folder in
      let twin = try makeStore("\(folder)/store.hdb", seed: 1)
      let salvage = try Salvage(path: "\(folder)/store.hdb")
      #expect(salvage.isExact && !salvage.isOutdated && salvage.version == 12)
      #expect(salvage.classes == [1] && salvage.blocks(of: 1) == [0, 1, 2])
      expect(salvage, twin, "sound")
    }
  }

  @Test(arguments: 0..<4)
  func `whatever becomes of a page, what counts as current is right`(kind: Int) throws {
    try withFolder { folder in
      let seed = environmentNumber("HERALD_SEED") ?? 2
      let twin = try makeStore("\(folder)/store.hdb", seed: seed)
      let bytes = FileTree.read("\(folder)/store.hdb")
      var random = SplitMix64(seed: kind + seed - 2)
      // Every page in 4 runs, or in one that `HERALD_TIMES` makes as long.
      let step = 4 / min(4, environmentNumber("HERALD_TIMES") ?? 1)
      for page in stride(from: kind % step, to: bytes.count / 4096, by: step) {
        var damaged = bytes
        let places = page * 4096..<page * 4096 + 4096
        let other = random.below(bytes.count / 4096) * 4096
        switch kind {
        case 0: damaged.replaceSubrange(places, with: [UInt8](repeating: 0, count: 4096))
        case 1: for place in places { damaged[place] = UInt8(random.below(256)) }
        case 2:
          damaged.replaceSubrange(places, with: bytes[other..<other + 4096])
          damaged.replaceSubrange(other..<other + 4096, with: bytes[places])
        default: for _ in 0..<9 { damaged[places.lowerBound + random.below(4096)] ^= 8 }
        }
        let words = "seed \(seed) kind \(kind) page \(page)"
        guard let salvage = try salvage(damaged, "\(folder)/damaged.hdb") else {
          Issue.record("\(words): nothing found")
          continue
        }
        if !salvage.isOutdated { expect(salvage, twin, words) }
      }
    }
  }

  @Test func `a lost page of the tree loses no data`() throws {
    try withFolder { folder in
      let twin = try makeStore("\(folder)/store.hdb", seed: 3)
      let bytes = FileTree.read("\(folder)/store.hdb")
      let file = try SalvageFile(open("\(folder)/store.hdb", O_RDONLY))
      let branches = (2..<file.pageCount).filter { file.page($0)?.isBranch == true }
      #expect(!branches.isEmpty)
      for branch in branches {
        var damaged = bytes
        let start = Int(branch) * 4096
        damaged.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
        let salvage = try #require(try salvage(damaged, "\(folder)/damaged.hdb"))
        #expect(salvage.isExact, "page \(branch)")
        expect(salvage, twin, "page \(branch)")
      }
    }
  }

  @Test func `a file without its first pages, or cut anywhere, gives what it has`() throws {
    try withFolder { folder in
      let twin = try makeStore("\(folder)/store.hdb", seed: 4)
      let bytes = FileTree.read("\(folder)/store.hdb")
      var damaged = bytes
      damaged.replaceSubrange(0..<8192, with: [UInt8](repeating: 0, count: 8192))
      let whole = try #require(try salvage(damaged, "\(folder)/damaged.hdb"))
      #expect(whole.isExact && whole.version == 12)
      expect(whole, twin, "without first pages")
      var random = SplitMix64(seed: 4)
      for _ in 0..<40 {
        let size = random.below(bytes.count)
        guard let salvage = try salvage(Array(bytes[..<size]), "\(folder)/damaged.hdb") else {
          continue
        }
        if salvage.version == 12 { expect(salvage, twin, "cut to \(size)") }
      }
    }
  }

  @Test func `random bytes are no store`() throws {
    try withFolder { folder in
      var random = SplitMix64(seed: 5)
      for size in [0, 1, 100, 4096, 8192, 70_000] {
        let bytes = (0..<size).map { _ in UInt8(random.below(256)) }
        let found = try salvage(bytes, "\(folder)/damaged.hdb")
        #expect(found == nil, "\(size)")
      }
    }
  }

  @Test func `a repair finds the commits that are in the journal only`() throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"))
      try environment.write { try $0.setInteger(Self.numbers, try $0.create(1), 1) }
      try environment.checkpoint()
      try environment.write { try $0.setInteger(Self.numbers, 1, 2) }
      let bytes = FileTree.read("\(folder)/store.hdb")
      let salvage = try #require(try salvage(bytes, "\(folder)/copy.hdb"))
      #expect(salvage.isExact && salvage.version == 2)
      guard case .found(let block, _) = salvage.block(Self.numbers, .integers, 0) else {
        Issue.record("no block")
        return
      }
      #expect(block.value(1) == .integer(2))
    }
  }
}

extension StorageEnvironment {
  fileprivate func write(_ body: (inout WriteTransaction) throws -> Void) throws {
    var transaction = try beginWrite()
    try body(&transaction)
    _ = try transaction.commit()
  }
}

extension SIMD4<UInt64> {
  fileprivate init(rows: some Sequence<Int>) {
    self = .zero
    for row in rows { self[row >> 6] |= 1 << UInt64(row & 63) }
  }
}
