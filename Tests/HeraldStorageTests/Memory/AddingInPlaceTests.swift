import HeraldMaintenance
import HeraldModel
import TestSupport
import Testing

@testable import HeraldStorage

/// A write in memory that adds objects: it changes the records of their blocks in place if these have room for them,
/// and keeps the entries of its indexes of integers until the next transaction of LMDB.
@Suite struct AddingInPlaceTests {
  private static let ages = ColumnID(classID: 1, propertyID: 1)
  private static let names = ColumnID(classID: 1, propertyID: 2)
  private static let weights = ColumnID(classID: 1, propertyID: 3)

  private struct Dog: Equatable {
    var age: Int
    var name: String
    var weight: Double
  }

  @discardableResult
  private static func add(_ dog: Dog, _ write: borrowing WriteTransaction) throws -> Int {
    let number = try write.create(1)
    try write.setInteger(ages, number, dog.age)
    try write.addToIndex(ages, .integer(dog.age), number)
    try write.set(names, .bytes, number, .bytes(Array(dog.name.utf8)))
    try write.setDouble(weights, number, dog.weight)
    return number
  }

  private static func dog(_ number: Int, _ reader: StorageSnapshot) -> Dog? {
    guard reader.isPresent(1, number), let age = reader.integer(ages, number),
      let weight = reader.double(weights, number)
    else { return nil }
    let name = reader.withBytes(names, number) {
      String(decoding: $0 ?? .init(start: nil, count: 0), as: UTF8.self)
    }
    return Dog(age: age, name: name, weight: weight)
  }

  /// Runs a test on a store with some objects, and its only snapshot.
  private func withDogs(
    _ count: Int = 3, _ body: (StorageEnvironment, StorageSnapshot) throws -> Void
  ) throws {
    try withStore { environment in
      for number in 1...count {
        try environment.write { write in
          try Self.add(Dog(age: number * 100, name: "dog", weight: 1), write)
        }
      }
      try body(environment, try environment.beginRead())
    }
  }

  @Test func `an added object is a version, whose index entry is in no tree`() throws {
    try withDogs { environment, reader in
      let version = reader.version
      let write = try environment.beginWrite(over: reader)
      let dog = Dog(age: 1234, name: "a longer name", weight: 7.5)
      let number = try Self.add(dog, write)
      #expect(try write.commit() == version + 1)
      #expect(environment.memory.commitsInPlace == 1 && reader.memtable != nil)
      let later = try environment.beginRead()
      for snapshot in [reader, later] {
        #expect(snapshot.version == version + 1 && snapshot.objectCount(1) == number)
        #expect(Self.dog(number, snapshot) == dog)
        #expect(snapshot.indexed(Self.ages, .integer(1234)) == [number])
        #expect(snapshot.firstIndexed(Self.ages, .integer(1234)) == number)
        #expect(snapshot.indexEntryCount(Self.ages) == number)
        #expect(
          snapshot.indexed(Self.ages, .integers, in: .between(.integer(150), nil))
            == [2, 3, number])
      }
    }
  }

  @Test func `an object that is rolled back leaves nothing, and its number is not given again`()
    throws
  {
    try withDogs { environment, reader in
      let dog = Dog(age: 1, name: "never", weight: 1)
      do {
        let write = try environment.beginWrite(over: reader)
        #expect(try Self.add(dog, write) == 4)
        write.abort()
      }
      #expect(!reader.isPresent(1, 4) && reader.indexed(Self.ages, .integer(1)).isEmpty)
      let write = try environment.beginWrite(over: reader)
      #expect(try Self.add(dog, write) == 5)
      _ = try write.commit()
      #expect(environment.memory.commitsInPlace == 1)
      #expect(reader.objectCount(1) == 4 && !reader.isPresent(1, 4))
    }
  }

  @Test func `a snapshot keeps the entries of its version while LMDB commits them`() throws {
    try withDogs { environment, reader in
      let write = try environment.beginWrite(over: reader)
      let number = try Self.add(Dog(age: 1, name: "kept", weight: 1), write)
      _ = try write.commit()
      let other = try environment.beginRead()
      let removing = try environment.beginWrite(over: reader)
      try removing.removeFromIndex(Self.ages, .integer(1), number)
      try removing.addToIndex(Self.ages, .integer(2), number)
      try removing.setInteger(Self.ages, number, 2)
      #expect(removing.snapshot.indexed(Self.ages, .integer(1)).isEmpty)
      _ = try removing.commit()
      try reader.renew()
      #expect(reader.indexed(Self.ages, .integer(1)).isEmpty && reader.memtable == nil)
      #expect(reader.indexed(Self.ages, .integer(2)) == [number])
      #expect(other.indexed(Self.ages, .integer(1)) == [number])
      #expect(other.indexed(Self.ages, .integer(2)).isEmpty)
      try other.renew()
      #expect(other.indexed(Self.ages, .integer(2)) == [number])
    }
  }

  @Test func `a backup has the entries that are in no tree, and no unused bytes`() throws {
    try withFolder { folder in
      try withDogs { environment, reader in
        let write = try environment.beginWrite(over: reader)
        let dog = Dog(age: 1, name: "copied", weight: 1)
        let number = try Self.add(dog, write)
        _ = try write.commit()
        #expect(environment.memory.commitsInPlace == 1)
        _ = try environment.backup(to: "\(folder)/copy.hdb") { _, _ in true }
        let copy = try StorageEnvironment.open(.file("\(folder)/copy.hdb"))
        try expectSound(copy)
        let snapshot = try copy.beginRead()
        #expect(snapshot.indexed(Self.ages, .integer(1)) == [number])
        #expect(Self.dog(number, snapshot) == dog && snapshot.objectCount(1) == number)
      }
    }
  }

  @Test(arguments: seeds(6))
  func `random additions are what a dictionary holds`(_ seed: UInt64) throws {
    try withDogs { environment, reader in
      var random = SplitMix64(seed: seed)
      var model: [Int: Dog] = [:]
      for number in 1...3 { model[number] = Self.dog(number, reader) }
      var other: StorageSnapshot?
      for _ in 0..<700 {
        if random.chance(0.03) { other = other == nil ? try environment.beginRead() : nil }
        let write = try environment.beginWrite(over: reader)
        var changed = model
        for _ in 0..<(random.chance(0.1) ? random.below(5) : 1) {
          try Self.change(&changed, write, &random)
        }
        try Self.compare(changed, write.snapshot, &random)
        if random.chance(0.1) {
          write.abort()
          try Self.compare(model, reader, &random)
          continue
        }
        let version = try write.commit()
        model = changed
        if reader.version != version { try reader.renew() }
        #expect(reader.version == version)
        try Self.compare(model, reader, &random)
      }
      #expect(environment.memory.commitsInPlace > 100)
      for (number, dog) in model { #expect(Self.dog(number, reader) == dog) }
      #expect(reader.check().isEmpty)
      withExtendedLifetime(other) {}
    }
  }

  private static func change(
    _ model: inout [Int: Dog], _ write: borrowing WriteTransaction, _ random: inout SplitMix64
  ) throws {
    let age = random.below(40) - 20
    let name = String(repeating: "d", count: random.below(random.chance(0.1) ? 2000 : 30))
    guard random.chance(0.2), let (number, old) = model.randomElement(using: &random) else {
      let dog = Dog(age: age, name: name, weight: Double(age) / 4)
      model[try add(dog, write)] = dog
      return
    }
    switch random.below(4) {
    case 0:
      try write.removeFromIndex(ages, .integer(old.age), number)
      try write.delete(1, number)
      model[number] = nil
    case 1:
      try write.removeFromIndex(ages, .integer(old.age), number)
      try write.addToIndex(ages, .integer(age), number)
      try write.setInteger(ages, number, age)
      model[number]?.age = age
    case 2:
      try write.set(names, .bytes, number, .bytes(Array(name.utf8)))
      model[number]?.name = name
    default:
      try write.setDouble(weights, number, 0.25)
      model[number]?.weight = 0.25
    }
  }

  private static func compare(
    _ model: [Int: Dog], _ reader: StorageSnapshot, _ random: inout SplitMix64
  ) throws {
    #expect(reader.objectCount(1) == model.count)
    if let (number, dog) = model.randomElement(using: &random) {
      #expect(Self.dog(number, reader) == dog)
    }
    if let newest = model.keys.max() { #expect(Self.dog(newest, reader) == model[newest]) }
    guard random.chance(0.3) else { return }
    let age = random.below(42) - 21
    let equal = model.filter { $0.value.age == age }.keys.sorted()
    #expect(reader.indexed(ages, .integer(age)) == equal)
    #expect(reader.firstIndexed(ages, .integer(age)) == equal.first)
    let range = IndexRange<StoredValue>.between(.integer(age), .integer(age + 9))
    let between = model.filter { age...age + 9 ~= $0.value.age }.sorted {
      ($0.value.age, $0.key) < ($1.value.age, $1.key)
    }.map(\.key)
    #expect(reader.indexed(ages, .integers, in: range) == between)
    #expect(reader.firstIndexed(ages, .integers, in: range, limit: 3) == Array(between.prefix(3)))
    #expect(reader.indexedCount(ages, .integers, in: range, limit: 10_000) == between.count)
    #expect(reader.indexEntryCount(ages) == model.count)
  }
}
