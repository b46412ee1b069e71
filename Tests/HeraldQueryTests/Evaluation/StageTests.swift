import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import TestModel

@Suite struct StageTests {
  static let stages: [(String, [Int])] = [
    ("sort(age)", [4, 5, 1, 2, 3]), ("sort(age desc)", [2, 3, 1, 5, 4]),
    ("sort(age ASCENDING)", [4, 5, 1, 2, 3]),
    ("sort(name)", [5, 2, 1, 4, 3]), ("sort(age desc, name desc)", [3, 2, 1, 5, 4]),
    ("sort(owner.name, name)", [4, 2, 1, 5, 3]), ("sort(owner.name desc)", [3, 5, 1, 2, 4]),
    ("sort(age) limit(2)", [4, 5]), ("limit(2) sort(age desc)", [2, 1]), ("limit(0)", []),
    ("limit(99)", [1, 2, 3, 4, 5]),
    ("distinct(age)", [1, 2, 4, 5]), ("sort(name desc) distinct(age)", [3, 4, 1, 5]),
    ("distinct(owner)", [1, 3, 4]),
    ("distinct(owner.name, age)", [1, 2, 3, 4, 5]),
    ("sort(name) sort(owner.age desc)", [2, 1, 5, 3, 4]),
    ("sort(age desc) limit(4) sort(name) limit(2)", [5, 2]),
    ("sort(height desc)", [1, 3, 5, 2, 4]),
    ("sort(isGood, name)", [5, 4, 3, 2, 1]), ("sort(born)", [3, 4, 5, 2, 1]),
    ("sort(chip)", [2, 3, 4, 5, 1]),
    ("limit($n)", [1, 2, 3, 4]), ("where age > 5 sort(name desc)", [3, 2]),
  ]

  @Test(arguments: stages)
  func `sorts, limits and leaves out equals, in the order written`(
    text: String, rows: [Int]
  ) throws {
    let kennel = KennelStore()
    let query = try kennel.query(text)
    #expect(query.rows(kennel.store) == rows, "\(text)")
    #expect(query.count(kennel.store) == rows.count, "\(text)")
  }

  @Test func `a sample has rows in their order, the same for equal seeds, each as often as any`() {
    let kennel = KennelStore()
    func rows(_ count: Int, seed: UInt64, after order: SortOrder? = nil) -> [Int] {
      BoundQuery(
        classID: ClassID(1),
        stages: (order.map { [.sort($0)] } ?? []) + [.sample(count, .shuffled(seed: seed))]
      ).rows(kennel.store)
    }
    var counts: [Int: Int] = [:]
    for seed in 1...500 as ClosedRange<UInt64> {
      let chosen = rows(2, seed: seed)
      #expect(chosen.count == 2 && chosen.sorted() == chosen)
      #expect(rows(2, seed: seed) == chosen)
      for row in chosen { counts[row, default: 0] += 1 }
    }
    // 200 of each would be even; six standard deviations are 66.
    #expect(counts.count == 5 && counts.values.allSatisfy { (134...266).contains($0) }, "\(counts)")
    #expect(rows(0, seed: 1) == [])
    #expect(rows(9, seed: 1) == [1, 2, 3, 4, 5])
    let byAge = try? kennel.query("sort(age)")
    guard case .sort(let order)? = byAge?.stages.first else { return #expect(Bool(false)) }
    let sorted = [4, 5, 1, 2, 3]
    for seed in 1...20 as ClosedRange<UInt64> {
      let chosen = Set(rows(3, seed: seed))
      #expect(rows(3, seed: seed, after: order) == sorted.filter(chosen.contains))
    }
  }

  @Test func `a sample of a collection has its duplicates`() {
    let kennel = KennelStore()
    let query = BoundQuery(classID: ClassID(1), stages: [.sample(4, .shuffled(seed: 3))])
    let rows = query.rows(among: [3, 1, 3, 2, 3, 1], kennel.store)
    #expect(rows.count == 4)
    #expect(query.rows(among: [3, 1, 3, 2], kennel.store) == [3, 1, 3, 2])
  }

  @Test func `ties in a collection keep its order, and duplicates stay`() throws {
    let kennel = KennelStore()
    let query = try kennel.query("sort(age desc)")
    #expect(query.rows(among: [1, 3, 2, 3, 4, 1], kennel.store) == [3, 2, 3, 1, 1, 4])
    #expect(try kennel.query("distinct(age)").rows(among: [3, 2, 1, 1], kennel.store) == [3, 1])
  }

  @Test(arguments: [0, 1, 2, 3]) func `many rows sort as by comparison`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let store = ModelReader(KennelStore.schema)
    for _ in 0..<3_000 {
      let letters = (0..<random.below(30)).map { _ in random.pick(["a", "a", "a", "é"]) }.joined()
      store.add(
        "Dog",
        [
          "name": [.string(letters)],
          "age": [random.chance(10) ? .null : .int(random.below(1_000) - 500)],
          "height": [random.chance(10) ? .null : .double(Double(random.below(90)) / 7 - 5)],
          "weight": [.float(random.chance(5) ? .nan : Float(random.below(9)))],
          "born": [.date(Timestamp(seconds: random.below(9), nanoseconds: Int32(random.below(3))))],
        ])
    }
    for _ in 0..<12 {
      let keys = (0..<(1 + random.below(3))).map { _ in
        random.pick(["name", "age", "height", "weight", "born"]) + random.pick([" asc", " desc"])
      }
      let text = "sort(\(keys.joined(separator: ", ")))"
      let (tail, _) = try QueryParser.parseTail(Array(text.utf8), from: 0)
      let query = try BoundQuery.bind(
        tail, root: ClassID(1), schema: KennelStore.schema, names: KennelNames(variables: [:]))
      guard case .sort(let order)? = query.stages.first else { continue }
      let given = store.numbers(of: ClassID(1))
      let expected = given.sorted { a, b in
        let difference = order.compare(a, b, store)
        return difference == 0 ? a < b : difference < 0
      }
      #expect(query.rows(store) == expected, "\(text)")
      for prefix in [0, 1, 10, 700, 2_999, 5_000] {
        #expect(
          order.sorted(given, store, prefix: prefix) == Array(expected.prefix(prefix)), "\(text)")
      }
    }
  }

  @Test func `reads no further than the query`() throws {
    let ends = [
      ("where age > 5 as x", "where age > 5"), ("where age > 5 keypaths a", "where age > 5"),
      ("where age > 5; x", "where age > 5"), ("where age > 5 } x", "where age > 5"),
      ("where age > 5 { x", "where age > 5"), ("where age > 5\nsort(name)", "where age > 5"),
      ("where age > 5 # sort(name)", "where age > 5"), ("sort(name) do { }", "sort(name)"),
      ("where age IN {1,\n2}\nx", "where age IN {1,\n2}"), ("as x", ""), ("", ""), (" depth 3", ""),
      ("where $max.age == Dog#3.age on a", "where $max.age == Dog#3.age"),
      ("sort(name) limit(3)) + 1", "sort(name) limit(3)"), ("where age > 5)", "where age > 5"),
    ]
    for (text, read) in ends {
      let (tail, end) = try QueryParser.parseTail(Array(text.utf8), from: 0)
      #expect(String(decoding: Array(text.utf8)[..<end], as: UTF8.self) == read)
      #expect(tail.isEmpty == read.isEmpty)
      if !read.isEmpty { #expect(tail.span == SourceSpan(start: 0, end: end)) }
    }
  }

  @Test func `an equality on an indexed property uses the index`() throws {
    let kennel = KennelStore()
    #expect(try kennel.rows("where breed == 'husky' and age > 5") == [3])
    #expect(kennel.store.lookups == 1)
    #expect(try kennel.rows("where name == 'Bob'", root: "Person") == [2])
    #expect(kennel.store.lookups == 2)
    #expect(
      try kennel.query("where breed IN {'mops', 'husky'}").members(kennel.store)[0].bitCount == 3)
    #expect(kennel.store.lookups == 4)
    #expect(try kennel.rows("where NOT breed == 'husky'") == [2, 4, 5])
    #expect(try kennel.rows("where breed == 'husky' or age == 7") == [1, 2, 3])
    #expect(kennel.store.lookups == 4)
  }
}
