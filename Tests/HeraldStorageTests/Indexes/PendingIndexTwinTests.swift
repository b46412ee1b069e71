import HeraldMaintenance
import HeraldModel
import TestSupport
import Testing

@testable import HeraldStorage

/// An open write is queried by its indexes between its changes, so that the results are made of
/// entries of the tree and of those that wait for the commit.
@Suite struct PendingIndexTwinTests {
  private struct Entry: Hashable, Comparable {
    let value: Int
    let number: Int

    static func < (one: Entry, other: Entry) -> Bool {
      (one.value, one.number) < (other.value, other.number)
    }
  }

  /// Of three columns, whose values rise, are few, and are anything.
  private static let columns = [(1, 2), (1, 3), (2, 1)].map {
    ColumnID(classID: UInt32($0.0), propertyID: UInt32($0.1))
  }

  private static func value(_ column: Int, _ number: Int, _ random: inout SplitMix64) -> Int {
    switch column {
    case 0: number * 3 - 900
    case 1: random.below(7) - 3
    default: Int(truncatingIfNeeded: random.next()) >> random.below(64)
    }
  }

  @Test func `the first keys of a range are read of what the write itself added`() throws {
    try withStore { environment in
      let write = try environment.beginWrite()
      let column = ColumnID(classID: 1, propertyID: 1)
      for (number, key) in ["b", "c", "a"].enumerated() {
        try write.addToIndex(column, .bytes(Array(key.utf8)), number + 1)
      }
      #expect(
        write.snapshot.firstIndexed(column, .bytes, in: .between(nil, nil), limit: 2) == [3, 1])
    }
  }

  @Test(arguments: 1...6)
  func `a write reads the index entries that it added`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withStore { environment in
      var twin: [Set<Entry>] = [[], [], []]
      var next = 1
      for _ in 0..<12 {
        var attempt = twin
        let write = try environment.beginWrite()
        for _ in 0..<random.below(12) {
          // Short runs are sorted by comparing, long ones by their digits.
          for _ in 0..<(random.chance(0.1) ? 2500 : random.below(60)) {
            let column = random.below(3)
            if random.chance(0.2), let old = attempt[column].randomElement(using: &random) {
              try write.removeFromIndex(Self.columns[column], .integer(old.value), old.number)
              attempt[column].remove(old)
            } else {
              let number = random.chance(0.9) ? next : 1 + random.below(next)
              next += 1
              let entry = Entry(value: Self.value(column, number, &random), number: number)
              guard !attempt[column].contains(entry) else { continue }
              try write.addToIndex(Self.columns[column], .integer(entry.value), number)
              attempt[column].insert(entry)
            }
          }
          expect(write.snapshot, attempt, &random)
        }
        if random.chance(0.2) {
          write.abort()
        } else {
          _ = try write.commit()
          twin = attempt
        }
        expect(try environment.beginRead(), twin, &random)
      }
    }

    func expect(
      _ reader: StorageSnapshot, _ twin: [Set<Entry>],
      _ random: inout SplitMix64
    ) {
      for column in 0..<3 where random.chance(0.7) {
        let entries = twin[column].sorted()
        let id = Self.columns[column]
        let values = (0..<3).map { _ in Self.value(column, random.below(2000), &random) }
        for value in values + [entries.first?.value, entries.last?.value].compactMap(\.self) {
          let expected = entries.filter { $0.value == value }.map(\.number)
          let range = IndexRange.equal(StoredValue.integer(value))
          #expect(reader.indexed(id, .integer(value)) == expected, "seed \(seed)")
          #expect(reader.firstIndexed(id, .integer(value)) == expected.first, "seed \(seed)")
          let count = reader.indexedCount(id, .integers, in: range, limit: .max)
          #expect(count == expected.count, "seed \(seed)")
        }
        let low = random.chance(0.3) ? nil : values[0]
        let high = random.chance(0.3) ? nil : values[1]
        let expected = entries.filter { $0.value >= low ?? .min && $0.value <= high ?? .max }
        let range = IndexRange.between(
          low.map(StoredValue.integer), high.map(StoredValue.integer))
        #expect(
          reader.indexed(id, .integers, in: range) == expected.map(\.number), "seed \(seed)")
        let count = reader.indexedCount(id, .integers, in: range, limit: .max)
        #expect(count == expected.count, "seed \(seed)")
        #expect(reader.indexEntryCount(id) == entries.count, "seed \(seed)")
      }
    }
  }

  /// Of columns of doubles, dates and bytes, the latter with long common beginnings, zeros and cut
  /// keys; some values of each are nil.
  private static func stored(_ column: Int, _ random: inout SplitMix64) -> StoredValue {
    if random.chance(0.1) { return .null }
    let number = random.below(random.chance(0.5) ? 5 : 2_000) - 3
    switch column {
    case 0: return .double(Double(number) / 4)
    case 1: return .date(Timestamp(seconds: number, nanoseconds: Int32(random.below(3))))
    default:
      let prefix = [UInt8](repeating: 97, count: [0, 3, 8, 17, 520][random.below(5)])
      let digits = Array("\(number)".utf8)
      return .bytes(prefix + digits + [UInt8](repeating: 0, count: random.below(3) * 5))
    }
  }

  @Test(arguments: 1...6)
  func `a write reads the entries of other kinds that it added`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withStore { environment in
      var twin = [[StoredValue: Set<Int>]](repeating: [:], count: 3)
      for _ in 0..<10 {
        var attempt = twin
        let write = try environment.beginWrite()
        for _ in 0..<(random.chance(0.3) ? 2_500 : random.below(60)) {
          let (column, number) = (random.below(3), 1 + random.below(3_000))
          let value = Self.stored(column, &random)
          if random.chance(0.1), let old = attempt[column].keys.first,
            let member = attempt[column][old]?.first
          {
            try write.removeFromIndex(Self.columns[column], old, member)
            attempt[column][old]?.remove(member)
          } else {
            try write.addToIndex(Self.columns[column], value, number)
            attempt[column][value, default: []].insert(number)
          }
          if random.chance(0.02) {
            let found = write.snapshot.indexed(Self.columns[column], value)
            #expect(found == attempt[column][value, default: []].sorted(), "seed \(seed)")
          }
        }
        if random.chance(0.2) {
          write.abort()
        } else {
          _ = try write.commit()
          twin = attempt
        }
        let read = try environment.beginRead()
        for column in 0..<3 {
          let id = Self.columns[column]
          for (value, numbers) in twin[column] {
            #expect(read.indexed(id, value) == numbers.sorted(), "seed \(seed)")
            #expect(read.firstIndexed(id, value) == numbers.min(), "seed \(seed)")
          }
          let count = twin[column].values.reduce(0) { $0 + $1.count }
          #expect(read.indexEntryCount(id) == count, "seed \(seed)")
        }
      }
    }
  }

  @Test func `an entry added twice is one`() throws {
    let column = Self.columns[0]
    try withStore { environment in
      try environment.write { write in
        for number in [1, 1, 2, 2] {
          try write.addToIndex(column, .integer(7), number)
          try write.addToIndex(column, .bytes([7]), number)
        }
      }
      #expect(try environment.beginRead().indexed(column, .integer(7)) == [1, 2])
      #expect(try environment.beginRead().indexed(column, .bytes([7])) == [1, 2])
    }
  }

  @Test func `an entry that was never added cannot be removed`() throws {
    let column = Self.columns[0]
    try withStore { environment in
      let write = try environment.beginWrite()
      try write.addToIndex(column, .integer(7), 1)
      #expect(throws: StorageError.self) {
        try write.removeFromIndex(column, .integer(8), 1)
      }
      write.abort()
    }
  }

  /// A bulk insert of unique keys searches for each before it adds it.
  @Test(arguments: [false, true])
  func `a search for a key that is not there leaves the entries to be written together`(
    isText: Bool
  ) throws {
    let column = Self.columns[0]
    func key(_ number: Int) -> StoredValue {
      let scattered = number &* 7919 % 10_007
      return isText ? .bytes(Array("key \(scattered)".utf8)) : .integer(scattered)
    }
    try withStore { environment in
      try environment.write { try $0.addToIndex(column, key(1), 1) }
      let write = try environment.beginWrite()
      for number in 2...5000 {
        #expect(write.snapshot.firstIndexed(column, key(number)) == nil)
        try write.addToIndex(column, key(number), number)
      }
      let pending =
        isText
        ? write.changes.keys(column)?.entries.count : write.changes.index(column)?.entries.count
      #expect(pending == 4999)
      for number in [1, 5000, 2, 2500, 4999] {
        #expect(write.snapshot.firstIndexed(column, key(number)) == number)
        #expect(write.snapshot.firstIndexed(column, key(number + 5000)) == nil)
      }
      try write.removeFromIndex(column, key(77), 77)
      #expect(write.snapshot.firstIndexed(column, key(77)) == nil)
      try write.addToIndex(column, key(77), 78)
      #expect(write.snapshot.firstIndexed(column, key(77)) == 78)
      _ = try write.commit()
      let read = try environment.beginRead()
      #expect(read.firstIndexed(column, key(5000)) == 5000)
      #expect(read.indexEntryCount(column) == 5000)
    }
  }

  @Test func `more entries than are kept go to the tree early`() throws {
    let column = Self.columns[0]
    let count = PendingIndex.limit + 1000
    try withStore { environment in
      let write = try environment.beginWrite()
      for number in 1...count {
        try write.addToIndex(column, .integer(number ^ 0x5555), number)
      }
      for number in [1, 2, count - 1, count] {
        #expect(write.snapshot.firstIndexed(column, .integer(number ^ 0x5555)) == number)
      }
      _ = try write.commit()
      let read = try environment.beginRead()
      let all = read.indexed(column, .integers, in: .between(nil, nil))
      #expect(all.count == count)
      let values = all.map { $0 ^ 0x5555 }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  /// The numbers under a value are one entry, a page within the page of their key, or a tree of their own.
  @Test(arguments: [false, true])
  func `any number of objects under one value goes into the tree`(isInMemory: Bool) throws {
    let column = Self.columns[0]
    let counts = [1, 2, 63, 64, 65, 128, 129, 1, 300, 5000, 2, 70_000]
    try withFolder { folder in
      try withStore(isInMemory ? .memory : .file("\(folder)/store.hdb")) { environment in
        let write = try environment.beginWrite()
        var numbers: [[Int]] = []
        var next = 1
        for count in counts {
          numbers.append(Array(next..<next + count))
          next += count
        }
        for number in 1..<next {
          let value = numbers.partitionPoint { $0[0] <= number }
          try write.addToIndex(column, .integer(value), number)
          // An entry that is there already is no other one.
          if number % 1000 == 0 { try write.addToIndex(column, .integer(value), number) }
        }
        _ = try write.commit()
        let read = try environment.beginRead()
        #expect(read.indexEntryCount(column) == next - 1)
        for (index, expected) in numbers.enumerated() {
          #expect(read.indexed(column, .integer(index + 1)) == expected)
        }
      }
    }
  }

  @Test func `the memory of what is kept does not grow with the number of indexes`() throws {
    let columns = (1...8).map { ColumnID(classID: 1, propertyID: UInt32($0)) }
    let padding = String(repeating: "x", count: 480)
    func value(_ column: Int, _ number: Int) -> StoredValue {
      let scattered = number &* 0x9E37_79B1 & 0xFFFF_FFFF
      return column % 4 == 0 ? .integer(scattered) : .bytes(Array("\(scattered) \(padding)".utf8))
    }
    let count = 24_000
    try withStore { environment in
      let write = try environment.beginWrite()
      var peak = 0
      for number in 1...count {
        for (index, column) in columns.enumerated() {
          try write.addToIndex(column, value(index, number), number)
        }
        if number % 100 == 0 { peak = max(peak, write.changes.indexByteCount) }
      }
      #expect(peak > WriteBuffer.indexByteLimit / 2)
      #expect(peak < WriteBuffer.indexByteLimit * 2)
      _ = try write.commit()
      let read = try environment.beginRead()
      for (index, column) in columns.enumerated() {
        #expect(read.indexEntryCount(column) == count)
        for number in [1, 2, 777, count] {
          #expect(read.firstIndexed(column, value(index, number)) == number)
        }
      }
    }
  }
}
