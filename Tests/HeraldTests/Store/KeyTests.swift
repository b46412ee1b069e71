import Herald
import TestSupport
import Testing

/// The keys of a class, smallest first, as many as are requested.
@Suite struct KeyTests {
  private func store(_ element: ValueType<String>?) throws -> DynamicStore {
    let store = try DynamicStore()
    let key = element.map {
      ClassDefinition.Property(name: "key", element: $0, isPrimaryKey: true)
    }
    try store.declare(
      ClassDefinition(
        name: "Row",
        properties: [key, .init(name: "n", element: .int, defaultValue: .value(.int(0)))]
          .compactMap(\.self)))
    return store
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whole numbers in a range, in a write and after it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store(.int)
    var keys: Set<Int> = []
    func check() throws {
      for _ in 0..<20 {
        let ends = [
          Int.random(in: -300...300, using: &random), .random(in: -300...300, using: &random),
        ]
        let (low, high) = (ends.min() ?? 0, ends.max() ?? 0)
        let limit = Int.random(in: 1...40, using: &random)
        let found = try store.smallestKeys("Row", in: .between(.int(low), .int(high)), limit: limit)
        let expected = keys.filter { (low...high).contains($0) }.sorted().prefix(limit)
        #expect(found == expected.map { .int($0) })
      }
      let all = try store.smallestKeys("Row", in: .between(nil, nil), limit: 1_000)
      #expect(all == keys.sorted().map { .int($0) })
    }
    for _ in 0..<4 {
      try store.beginWrite()
      for _ in 0..<60 {
        let key = Int.random(in: -250...250, using: &random)
        if keys.insert(key).inserted {
          _ = try store.add("Row", [("key", .value(.int(key)))])
        } else if Bool.random(using: &random), let row = try store.object("Row", key: .int(key)) {
          try store.delete(row)
          keys.remove(key)
        }
      }
      try check()
      try store.commitWrite()
      try check()
    }
  }

  @Test func `a write finds by an index what it has just added, in whatever order`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Row", properties: [.init(name: "n", element: .int, isIndexed: true)]))
    func rows(_ predicate: String) throws -> [ObjectNumber] {
      let tail = try QueryParser.parseTail(Array("where \(predicate)".utf8), from: 0).tail
      return try store.results("Row", tail, names: NoNames()).objects.map(\.id.number)
    }
    for predicate in ["n == 2", "n <= 2", "n IN {2}"] {
      try store.beginWrite()
      for n in [9, 2, 7, 2, 5] { _ = try store.add("Row", [("n", .value(.int(n)))]) }
      let first = try rows("TRUEPREDICATE").first ?? 0
      #expect(try rows(predicate) == [first + 1, first + 3], "\(predicate)")
      try store.rollbackWrite()
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `strings that begin so`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store(.string)
    func text(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
          ["a", "b", "é", "日"].randomElement(using: &random) ?? "a"
        }.joined())
    }
    let keys = Set((0..<80).map { _ in text(6) })
    try store.beginWrite()
    for key in keys { _ = try store.add("Row", [("key", .value(.string(key)))]) }
    try store.commitWrite()
    for _ in 0..<40 {
      let (begun, limit) = (text(2), Int.random(in: 1...30, using: &random))
      let found = try store.smallestKeys("Row", in: .prefix(Array(begun.utf8)), limit: limit)
      let expected = keys.filter { $0.utf8.starts(with: begun.utf8) }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(found == expected.prefix(limit).map { .string($0) })
    }
  }

  @Test func `numbers of objects where there is no key`() throws {
    let store = try store(nil)
    try store.beginWrite()
    for number in 1...600 {
      let row = try store.add("Row", [("n", .value(.int(number)))])
      if number % 3 == 0 { try store.delete(row) }
    }
    try store.commitWrite()
    let keys = { (low: Int?, high: Int?, limit: Int) in
      try store.smallestKeys(
        "Row", in: .between(low.map { .int($0) }, high.map { .int($0) }), limit: limit)
    }
    #expect(try keys(nil, nil, 4) == [.int(1), .int(2), .int(4), .int(5)])
    #expect(try keys(254, 260, 9) == [.int(254), .int(256), .int(257), .int(259), .int(260)])
    #expect(try keys(598, nil, 9) == [.int(598), .int(599)])
    #expect(try keys(-5, 0, 9) == [])
    #expect(try keys(601, nil, 9) == [])
  }
}
