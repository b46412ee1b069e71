import HeraldModel
import HeraldStorage
import TestSupport
import Testing

@Suite struct LinkAndIndexTwinTests {
  private struct Link: Hashable {
    let column: ColumnID
    let target: Int
  }

  @Test(arguments: 1...4)
  func `reverse links agree with counted dictionaries`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let columns = [(1, 1), (1, 2), (2, 1)].map {
      ColumnID(classID: UInt32($0.0), propertyID: UInt32($0.1))
    }
    try withStore { environment in
      var twin: [Link: [Int: Int]] = [:]
      for _ in 0..<20 {
        var attempt = twin
        let write = try environment.beginWrite()
        for _ in 0..<random.below(600) {
          let link = Link(
            column: columns.randomElement(using: &random)!,
            target: random.chance(0.5) ? 1 : 1 + random.below(5))
          let origin = 1 + random.below(random.chance(0.5) ? 5 : 2000)
          let count = attempt[link]?[origin] ?? 0
          if random.chance(0.6) || count == 0 {
            try write.addLink(from: origin, through: link.column, toClass: 9, number: link.target)
            attempt[link, default: [:]][origin] = count + 1
          } else {
            try write.removeLink(
              from: origin, through: link.column, toClass: 9, number: link.target)
            attempt[link]?[origin] = count == 1 ? nil : count - 1
          }
        }
        expect(write.snapshot, attempt)
        if random.chance(0.2) {
          write.abort()
        } else {
          _ = try write.commit()
          twin = attempt
        }
        let read = try environment.beginRead()
        expect(read, twin)
      }
    }

    func expect(_ reader: StorageSnapshot, _ twin: [Link: [Int: Int]]) {
      for column in columns {
        for target in 1...5 {
          let expected = twin[Link(column: column, target: target)] ?? [:]
          var found: [Int: Int] = [:]
          var order: [Int] = []
          reader.forEachOrigin(ofClass: 9, number: target, through: column) { origin, links in
            found[origin] = links
            order.append(origin)
            return true
          }
          #expect(found == expected, "seed \(seed)")
          #expect(order == expected.keys.sorted(), "seed \(seed)")
          for origin in 1...6 {
            let count = reader.linkCount(
              from: origin, through: column, toClass: 9, number: target)
            #expect(count == expected[origin] ?? 0, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test func `a link that was never counted cannot be removed`() throws {
    try withStore { environment in
      let write = try environment.beginWrite()
      #expect(throws: StorageError.self) {
        try write.removeLink(
          from: 1, through: ColumnID(classID: 1, propertyID: 1), toClass: 1, number: 1)
      }
      write.abort()
    }
  }

  /// Values of every kind, with long ones that differ only where keys are cut.
  private static let values: [StoredValue] = {
    let long = [UInt8](repeating: 65, count: 600)
    var values: [StoredValue] = [.null, .bytes([]), .bytes([0]), .bytes([0, 0]), .bytes(long)]
    values += [500, 501, 502, 503].map { .bytes(Array(long.prefix($0))) }
    values.append(.bytes(long.dropLast() + [66]))
    values += [Int.min, -1, 0, 1, Int.max].map(StoredValue.integer)
    values += [-Double.infinity, -1.5, 0, 1.5, .infinity].map(StoredValue.double)
    values += [-Float.infinity, -1.5, 0, 1.5, .infinity].map(StoredValue.float)
    values += [(-2, 5), (-1, 0), (0, 0), (0, 1)].map {
      .date(Timestamp(seconds: $0, nanoseconds: $1))
    }
    return values
  }()

  @Test(arguments: 1...4)
  func `indexes agree with dictionaries of sets`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let columns = [1, 2].map { ColumnID(classID: 1, propertyID: $0) }
    try withStore { environment in
      var twin: [[StoredValue: Set<Int>]] = [[:], [:]]
      for _ in 0..<10 {
        try environment.write { write in
          for _ in 0..<1000 {
            let column = random.below(2)
            let value = Self.values.randomElement(using: &random)!
            let number = 1 + random.below(random.chance(0.3) ? 3 : 1000)
            if twin[column][value, default: []].remove(number) != nil {
              try write.removeFromIndex(columns[column], value, number)
            } else {
              try write.addToIndex(columns[column], value, number)
              twin[column][value, default: []].insert(number)
            }
          }
        }
        let read = try environment.beginRead()
        for column in 0..<2 {
          for value in Self.values {
            let expected = twin[column][value, default: []].sorted()
            #expect(read.indexed(columns[column], value) == expected, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test func `zero has one key whatever its sign`() throws {
    let column = ColumnID(classID: 1, propertyID: 1)
    try withStore { environment in
      try environment.write { try $0.addToIndex(column, .double(-0.0), 5) }
      #expect(try environment.beginRead().indexed(column, .double(0)) == [5])
    }
  }
}
