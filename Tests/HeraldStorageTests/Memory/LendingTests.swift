import HeraldMaintenance
import HeraldModel
import TestSupport
import Testing

@testable import HeraldStorage

/// A write in memory that begins over its session's snapshot: it changes values in place if nobody else reads them,
/// and is like any other write in all that can be observed.
@Suite struct LendingTests {
  private let ages = ColumnID(classID: 1, propertyID: 1)
  private let names = ColumnID(classID: 1, propertyID: 2)
  private let weights = ColumnID(classID: 1, propertyID: 3)
  private let dates = ColumnID(classID: 1, propertyID: 4)
  private let count = 600

  /// Runs a test on a store of objects with values, and its only snapshot.
  private func withObjects(
    _ body: (StorageEnvironment, StorageSnapshot) throws -> Void
  ) throws {
    try withStore { environment in
      try environment.write { write in
        for number in 1...count {
          _ = try write.create(1)
          try write.setInteger(ages, number, number % 100)
          try write.set(names, .bytes, number, .bytes(Array("dog \(number % 10)".utf8)))
          try write.setDouble(weights, number, Double(number))
          try write.set(dates, .dates, number, .date(Timestamp(seconds: number, nanoseconds: 5)))
        }
      }
      try body(environment, try environment.beginRead())
    }
  }

  @Test func `a value that only the writer reads is replaced in place, as a version`() throws {
    try withObjects { environment, reader in
      let version = reader.version
      let write = try environment.beginWrite(over: reader)
      try write.setInteger(ages, 7, 99)
      #expect(write.snapshot.integer(ages, 7) == 99 && reader.integer(ages, 7) == 7)
      #expect(try write.commit() == version + 1)
      #expect(environment.memory.commitsInPlace == 1)
      #expect(try reader.version == version + 1 && environment.committedVersion() == version + 1)
      #expect(reader.integer(ages, 7) == 99)
      let later = try environment.beginRead()
      #expect(later.version == version + 1 && later.integer(ages, 7) == 99)
    }
  }

  @Test func `a value is not replaced in place while another snapshot reads it`() throws {
    try withObjects { environment, reader in
      let other = try environment.beginRead()
      let write = try environment.beginWrite(over: reader)
      try write.setInteger(ages, 7, 99)
      let version = try write.commit()
      #expect(environment.memory.commitsInPlace == 0)
      #expect(other.integer(ages, 7) == 7 && other.version == version - 1)
      try reader.renew()
      #expect(reader.integer(ages, 7) == 99 && reader.version == version)
      // Once the other one has moved on and has released its version, the writer is alone again.
      try other.renew()
      other.release()
      let next = try environment.beginWrite(over: reader)
      try next.setInteger(ages, 8, 98)
      #expect(try next.commit() == version + 1)
      #expect(environment.memory.commitsInPlace == 1)
      try other.renew()
      #expect(other.integer(ages, 8) == 98 && other.version == version + 1)
    }
  }

  @Test func `an abandoned write leaves every value, and a shared snapshot lends nothing`() throws {
    try withObjects { environment, reader in
      do {
        let write = try environment.beginWrite(over: reader)
        try write.setInteger(ages, 7, 99)
        write.abort()
      }
      #expect(reader.integer(ages, 7) == 7)
      reader.share()
      let write = try environment.beginWrite(over: reader)
      try write.setInteger(ages, 7, 99)
      _ = try write.commit()
      #expect(environment.memory.commitsInPlace == 0 && reader.integer(ages, 7) == 7)
    }
  }

  @Test(arguments: ["release", "renew", "end"])
  func `a write goes on when the snapshot that it reads through is gone`(_ how: String) throws {
    try withObjects { environment, reader in
      let write = try environment.beginWrite(over: reader)
      try write.setInteger(ages, 7, 99)
      switch how {
      case "release": reader.release()
      case "renew": try reader.renew()
      default: reader.end()
      }
      #expect(write.snapshot.integer(ages, 7) == 99 && write.snapshot.integer(ages, 8) == 8)
      try write.setInteger(ages, 300, 98)
      _ = try write.commit()
      let later = try environment.beginRead()
      #expect(later.integer(ages, 7) == 99 && later.integer(ages, 300) == 98)
    }
  }

  @Test func `the first change of a record may be an index that is read`() throws {
    try withObjects { environment, reader in
      let write = try environment.beginWrite(over: reader)
      let number = try write.create(1)
      try write.addToIndex(names, .bytes(Array("new".utf8)), number)
      try write.addToIndex(ages, .integer(1000), number)
      #expect(write.snapshot.indexed(names, .bytes(Array("new".utf8))) == [number])
      #expect(write.snapshot.indexed(ages, .integer(1000)) == [number])
      _ = try write.commit()
      try reader.renew()
      #expect(reader.indexed(names, .bytes(Array("new".utf8))) == [number])
      #expect(reader.objectCount(1) == count + 1)
    }
  }

  @Test(arguments: seeds(5))
  func `random replacements are what a dictionary holds`(_ seed: UInt64) throws {
    try withObjects { environment, reader in
      var random = SplitMix64(seed: seed)
      var model: [ColumnID: [Int: StoredValue]] = [:]
      var other: StorageSnapshot?
      let kinds: [(ColumnID, ColumnKind)] = [
        (ages, .integers), (names, .bytes), (weights, .doubles), (dates, .dates),
      ]
      for _ in 0..<300 {
        if Int.random(in: 0..<10, using: &random) == 0 {
          other = other == nil ? try environment.beginRead() : nil
        }
        let write = try environment.beginWrite(over: reader)
        var changed = model
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          let (column, kind) = kinds.randomElement(using: &random) ?? kinds[0]
          let number = Int.random(in: 1...count, using: &random)
          let value = Self.value(kind, &random)
          try write.set(column, kind, number, value)
          changed[column, default: [:]][number] = value
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
          write.abort()
          continue
        }
        let version = try write.commit()
        model = changed
        if reader.version != version { try reader.renew() }
        #expect(reader.version == version)
        for (column, kind) in kinds {
          for (number, value) in model[column] ?? [:] {
            #expect(reader.value(column, kind, number) == value)
          }
        }
      }
      #expect(environment.memory.commitsInPlace > 0)
      #expect(reader.check().isEmpty)
      withExtendedLifetime(other) {}
    }
  }

  private static func value(_ kind: ColumnKind, _ random: inout SplitMix64) -> StoredValue {
    let number = Int.random(in: -120...120, using: &random)
    if number == 0 { return .null }
    return switch kind {
    case .integers: .integer(number)
    case .doubles, .floats: .double(Double(number) / 4)
    case .dates: .date(Timestamp(seconds: number, nanoseconds: 9))
    case .bytes: .bytes(Array("dog \(Swift.abs(number) % 12)".utf8))
    }
  }
}
