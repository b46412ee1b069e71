import HeraldMaintenance
import HeraldStorage
import TestSupport
import Testing

@Suite struct ListTwinTests {
  /// Changes a list and its twin alike.
  private static func change(
    _ twin: inout [StoredValue], _ list: ListID, _ kind: ColumnKind,
    _ write: inout WriteTransaction, _ random: inout SplitMix64
  ) throws {
    func value() -> StoredValue {
      random.chance(0.1) ? .null : FlatBlockTests.value(kind, &random)
    }
    switch random.below(100) {
    case 0:
      try write.clear(list)
      twin = []
    case 1...2:
      twin = (0..<random.below(random.chance(0.3) ? 2500 : 200)).map { _ in value() }
      try write.assign(list, kind, twin)
    case 3...50:
      let position = random.chance(0.3) ? twin.count : random.below(twin.count + 1)
      let value = value()
      try write.insert(value, into: list, kind, at: position)
      twin.insert(value, at: position)
    case _ where twin.isEmpty: break
    case 51...70:
      let position = random.below(twin.count)
      let removed = try write.remove(from: list, at: position)
      #expect(removed == twin.remove(at: position))
    case 71...74:
      // A whole stretch, so that runs grow short and join.
      let start = random.below(twin.count)
      for _ in start..<min(twin.count, start + 400) {
        try write.remove(from: list, at: start)
        twin.remove(at: start)
      }
    case 75...85:
      let position = random.below(twin.count)
      let value = value()
      try write.replace(in: list, at: position, with: value)
      twin[position] = value
    default:
      let origin = random.below(twin.count)
      let target = random.below(twin.count)
      try write.move(in: list, from: origin, to: target)
      twin.insert(twin.remove(at: origin), at: target)
    }
  }

  private static func expectEqual(
    _ reader: StorageSnapshot, _ list: ListID, _ kind: ColumnKind,
    _ twin: [StoredValue], _ comment: Comment
  ) {
    #expect(reader.listCount(list) == twin.count, comment)
    var found: [StoredValue] = []
    reader.forEachListElement(list, kind) {
      found.append($0)
      return true
    }
    #expect(found == twin, comment)
    for position in stride(from: 0, to: twin.count, by: 1 + twin.count / 40) {
      #expect(reader.listElement(list, kind, at: position) == twin[position], comment)
    }
    var visited = 0
    reader.forEachListElement(list, kind) { _ in
      visited += 1
      return visited < 3
    }
    #expect(visited == min(3, twin.count), comment)
  }

  /// Searches positions as in a plain array.
  private static func expectPlaces(
    _ reader: StorageSnapshot, _ list: ListID, _ twin: [Int],
    _ random: inout SplitMix64
  ) {
    for _ in 0..<40 {
      let bound = random.below(3_000)
      var denied: StoredValue?
      let place = reader.listPartition(list, .integers) { element in
        guard case .integer(let integer) = element, integer < bound else {
          denied = element
          return false
        }
        return true
      }
      let expected = twin.firstIndex { $0 >= bound }
      #expect(place == expected ?? twin.count, "\(bound) among \(twin.count)")
      #expect(denied == expected.map { .integer(twin[$0]) }, "\(bound) among \(twin.count)")
    }
  }

  @Test(arguments: 1...12)
  func `positions in ordered lists are those in plain arrays`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let list = ListID(column: ColumnID(classID: 1, propertyID: 2), owner: 1)
    try withFolder { folder in
      try withStore(.file("\(folder)/places.hdb")) { environment in
        var twin: [Int] = []
        try environment.write { write in _ = try write.create(1) }
        for _ in 0..<12 {
          try environment.write { write in
            for _ in 0..<random.below(random.chance(0.5) ? 900 : 20) {
              let value = random.below(3_000)
              let place = twin.firstIndex { $0 >= value } ?? twin.count
              if random.chance(0.7) || place == twin.count {
                twin.insert(value, at: place)
                try write.insert(.integer(value), into: list, .integers, at: place)
              } else {
                twin.remove(at: place)
                try write.remove(from: list, at: place)
              }
            }
            Self.expectPlaces(write.snapshot, list, twin, &random)
          }
          Self.expectPlaces(try environment.beginRead(), list, twin, &random)
        }
      }
    }
  }

  @Test(arguments: ColumnKind.allCases, [1, 2, 3])
  func `lists agree with plain arrays`(_ kind: ColumnKind, seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let path = "\(folder)/lists.hdb"
      var twins = [[StoredValue]](repeating: [], count: 3)
      let lists = (1...3).map {
        ListID(column: ColumnID(classID: 1, propertyID: 2), owner: $0)
      }
      try withStore(.file(path)) { environment in
        try environment.write { write in
          for _ in lists { _ = try write.create(1) }
        }
      }
      for round in 0..<12 {
        try withStore(.file(path)) { environment in
          let comment: Comment = "seed \(seed) round \(round)"
          var attempts = twins
          var write = try environment.beginWrite()
          for _ in 0..<random.below(400) {
            let index = random.below(lists.count)
            try Self.change(&attempts[index], lists[index], kind, &write, &random)
          }
          for (list, twin) in zip(lists, attempts) {
            Self.expectEqual(write.snapshot, list, kind, twin, comment)
          }
          if random.chance(0.2) {
            write.abort()
          } else {
            _ = try write.commit()
            twins = attempts
          }
          let read = try environment.beginRead()
          for (list, twin) in zip(lists, twins) {
            Self.expectEqual(read, list, kind, twin, comment)
          }
          #expect(read.check().isEmpty, comment)
        }
      }
    }
  }

  @Test func `a long list is changed at its front, and large values cut its runs`() throws {
    let long = ListID(column: ColumnID(classID: 1, propertyID: 1), owner: 1)
    let large = ListID(column: ColumnID(classID: 1, propertyID: 2), owner: 1)
    try withStore { environment in
      try environment.write { write in
        _ = try write.create(1)
        try write.assign(long, .integers, (0..<100_000).map(StoredValue.integer))
        for size in 0..<20 {
          let value = StoredValue.bytes([UInt8](repeating: UInt8(size), count: size * 10_000))
          try write.insert(value, into: large, .bytes, at: size / 2)
        }
      }
      try environment.write { write in
        try write.insert(.integer(-1), into: long, .integers, at: 0)
        try write.remove(from: long, at: 50_000)
      }
      let read = try environment.beginRead()
      #expect(read.listCount(long) == 100_000)
      #expect(read.listElement(long, .integers, at: 0) == .integer(-1))
      #expect(read.listElement(long, .integers, at: 50_000) == .integer(50_000))
      var sizes: [Int] = []
      read.forEachListElement(large, .bytes) { value in
        if case .bytes(let bytes) = value { sizes.append(bytes.count / 10_000) }
        return true
      }
      #expect(sizes.sorted() == Array(0..<20))
    }
  }
}
