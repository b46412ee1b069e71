import HeraldMaintenance
import HeraldModel
import HeraldStorage
import TestSupport
import Testing

/// One class in plain dictionaries, against which the columns are held.
private struct ColumnTwin {
  static let classID: UInt32 = 7
  static let kinds = ColumnKind.allCases

  var next = 1
  /// What writes that were rolled back would have given next, as long as the store is open.
  var nextGiven = 1
  var present: Set<Int> = []
  var values: [ColumnKind: [Int: StoredValue]] = [:]

  static func column(_ kind: ColumnKind) -> ColumnID {
    ColumnID(classID: classID, propertyID: UInt32(kind.rawValue) + 1)
  }

  func value(_ kind: ColumnKind, _ number: Int) -> StoredValue {
    values[kind]?[number] ?? .null
  }

  mutating func change(
    _ write: inout WriteTransaction, _ random: inout SplitMix64
  ) throws {
    if present.isEmpty || random.chance(0.2) {
      for _ in 0..<random.below(random.chance(0.1) ? 600 : 3) {
        let created = try write.create(Self.classID)
        next = max(next, nextGiven)
        #expect(created == next)
        present.insert(next)
        next += 1
      }
      return
    }
    let number = present.randomElement(using: &random)!
    if random.chance(0.05) {
      try write.delete(Self.classID, number)
      present.remove(number)
      for kind in Self.kinds { values[kind]?[number] = nil }
      return
    }
    let kind = Self.kinds.randomElement(using: &random)!
    let value: StoredValue =
      random.chance(0.15) ? .null : FlatBlockTests.value(kind, &random)
    try write.set(Self.column(kind), kind, number, value)
    values[kind, default: [:]][number] = value == .null ? nil : value
  }

  func expectEqual(_ reader: StorageSnapshot, _ comment: Comment) {
    #expect(reader.objectCount(Self.classID) == present.count, comment)
    #expect(reader.blockCount(Self.classID) == (next == 1 ? 0 : (next - 1) / 256 + 1), comment)
    for block in 0...next / 256 + 1 {
      let rows = present.filter { $0 / 256 == block }.map { $0 % 256 }
      #expect(reader.presence(Self.classID, block: block) == SIMD4(rows: rows), comment)
    }
    let numbers = Array(-2..<next + 3)
    let found = numbers.filter { reader.isPresent(Self.classID, $0) }
    #expect(found == present.sorted(), comment)
    for kind in Self.kinds {
      let wrong = numbers.filter { number in
        reader.value(Self.column(kind), kind, number) != value(kind, number)
      }
      #expect(wrong.isEmpty, comment)
    }
    expectEqualBlocks(reader, comment)
    #expect(reader.failure == nil, comment)
  }

  private func expectEqualBlocks(
    _ reader: StorageSnapshot, _ comment: Comment
  ) {
    var integers: [Int] = []
    var doubles: [Double] = []
    var dates: [Timestamp] = []
    for block in 0...next / 256 {
      func expect(
        _ kind: ColumnKind, _ nils: SIMD4<UInt64>, _ stored: (Int) -> StoredValue
      ) {
        let wrong = (0..<256).filter { row in
          (nils.has(row) ? .null : stored(row)) != value(kind, block * 256 + row)
        }
        #expect(wrong.isEmpty, comment)
      }
      let all = SIMD4<UInt64>(repeating: .max)
      for kind in Self.kinds {
        let nils = reader.select(.isNull(true), Self.column(kind), block: block, within: all)
        expect(kind, nils) { value(kind, block * 256 + $0) }
      }
      expect(
        .integers, reader.readIntegers(Self.column(.integers), block: block, into: &integers)
      ) { .integer(integers[$0]) }
      expect(.doubles, reader.readDoubles(Self.column(.doubles), block: block, into: &doubles)) {
        .double(doubles[$0])
      }
      expect(.floats, reader.readDoubles(Self.column(.floats), block: block, into: &doubles)) {
        .float(Float(doubles[$0]))
      }
      expect(.dates, reader.readDates(Self.column(.dates), block: block, into: &dates)) {
        .date(dates[$0])
      }
      var wrong: [Int] = []
      reader.forEachBytes(Self.column(.bytes), block: block) { row, bytes in
        let found = bytes.map { StoredValue.bytes([UInt8]($0)) } ?? .null
        if found != value(.bytes, block * 256 + row) { wrong.append(row) }
      }
      #expect(wrong.isEmpty, comment)
      let long = reader.select(
        .bytes(null: false) { $0.count > 20 }, Self.column(.bytes), block: block, within: all)
      let expected = (0..<256).filter { row in
        if case .bytes(let bytes) = value(.bytes, block * 256 + row) {
          bytes.count > 20
        } else {
          false
        }
      }
      #expect(long == SIMD4(rows: expected), comment)
    }
  }
}

@Suite struct ColumnTwinTests {
  @Test(arguments: 1...6)
  func `columns agree with plain dictionaries`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let path = "\(folder)/twin.hdb"
      var twin = ColumnTwin()
      for round in 0..<4 {
        twin.nextGiven = 1
        try withStore(.file(path)) { environment in
          for transaction in 0..<4 {
            let comment: Comment = "seed \(seed) round \(round) transaction \(transaction)"
            var attempt = twin
            var write = try environment.beginWrite()
            for _ in 0..<random.below(300) {
              try attempt.change(&write, &random)
            }
            attempt.expectEqual(write.snapshot, comment)
            for _ in 0..<random.below(30) { try attempt.change(&write, &random) }
            if random.chance(0.25) {
              write.abort()
              twin.nextGiven = max(twin.nextGiven, attempt.next)
            } else {
              _ = try write.commit()
              twin = attempt
            }
            let read = try environment.beginRead()
            twin.expectEqual(read, comment)
            #expect(read.check().isEmpty, comment)
          }
        }
      }
    }
  }

  @Test func `point reads of each kind return the value, and nil where there is none`() throws {
    try withStore { environment in
      try environment.write { write in
        for kind in ColumnKind.allCases { try set(&write, kind) }
        try expect(write.snapshot)
      }
      try expect(environment.beginRead())
    }

    func set(_ write: inout WriteTransaction, _ kind: ColumnKind) throws {
      let number = try write.create(1)
      let column = ColumnID(classID: 1, propertyID: UInt32(kind.rawValue) + 1)
      switch kind {
      case .integers: try write.setInteger(column, number, -3)
      case .doubles: try write.setDouble(column, number, -0.5)
      case .floats: try write.set(column, kind, number, .float(1.25))
      case .dates:
        try write.set(column, kind, number, .date(Timestamp(seconds: -1, nanoseconds: 999_999_999)))
      case .bytes: try [1, 2].withUnsafeBytes { try write.setBytes(column, number, $0) }
      }
    }

    func expect(_ reader: StorageSnapshot) throws {
      let columns = (1...5).map { ColumnID(classID: 1, propertyID: $0) }
      #expect(reader.integer(columns[0], 1) == -3)
      #expect(reader.integer(columns[0], 2) == nil)
      #expect(reader.double(columns[1], 2) == -0.5)
      #expect(reader.double(columns[1], 1) == nil)
      #expect(reader.float(columns[2], 3) == 1.25)
      #expect(reader.float(columns[2], 300) == nil)
      let date = reader.date(columns[3], 4)
      #expect(date == Timestamp(seconds: -1, nanoseconds: 999_999_999))
      #expect(reader.date(columns[3], -4) == nil)
      #expect(reader.withBytes(columns[4], 5) { $0?.count } == 16)
      #expect(reader.withBytes(columns[4], 1 << 60) { $0 == nil })
    }
  }

  @Test func `more blocks than a transaction keeps decoded all arrive`() throws {
    let count = 5_000_000
    try withStore { environment in
      let column = ColumnID(classID: 1, propertyID: 1)
      try environment.write { write in
        for number in stride(from: 1, to: count, by: 256) {
          try write.setInteger(column, number, number)
        }
        var wrong = 0
        for number in stride(from: 1, to: count, by: 256) {
          if write.snapshot.integer(column, number) != number { wrong += 1 }
          try write.setInteger(column, number, nil)
        }
        #expect(wrong == 0)
      }
      let value = try environment.beginRead().integer(column, 1)
      #expect(value == nil)
    }
  }
}
