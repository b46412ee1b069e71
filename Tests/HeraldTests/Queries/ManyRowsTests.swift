import HeraldQuery
import TestSupport
import Testing

@testable import Herald

/// Queries of so many objects that several threads scan and sort, compared with plain arrays.
@Suite(.serialized) struct ManyRowsTests {
  private struct Row {
    let number: Int
    let size: Int?
    let name: String
    let code: String?
    let weight: Double
    let born: Timestamp
  }

  /// A store of rows that no test changes.
  private final class Rows: @unchecked Sendable {
    let store: DynamicStore
    let rows: [Row]

    static let shared = Result { try Rows(120_000) }

    private init(_ count: Int) throws {
      var random = SplitMix64(seed: 5)
      let store = try DynamicStore()
      try store.declare(
        ClassDefinition(
          name: "Row",
          properties: [
            .init(name: "size", element: .int, isOptional: true),
            .init(name: "name", element: .string),
            .init(name: "code", element: .string, isOptional: true),
            .init(name: "weight", element: .double), .init(name: "born", element: .date),
          ]))
      var rows: [Row] = []
      try store.write {
        for number in 1...count {
          let row = Row(
            number: number, size: random.chance(10) ? nil : random.below(1 << 40) - 1 << 39,
            name: random.pick(["husky", "collie", "dachshund of Bavaria", "dachshund", ""]),
            code: random.chance(5) ? nil : Self.code(&random),
            weight: random.chance(1) ? .nan : Double(random.below(1 << 30)) / 7 - 5e7,
            born: Timestamp(
              seconds: random.below(50), nanoseconds: random.chance(50) ? 0 : Int32(random.below(9))
            ))
          _ = try store.add(
            "Row",
            [
              ("size", .value(row.size.map(Value.int) ?? .null)),
              ("name", .value(.string(row.name))),
              ("code", .value(row.code.map(Value.string) ?? .null)),
              ("weight", .value(.double(row.weight))), ("born", .value(.date(row.born))),
            ])
          rows.append(row)
        }
      }
      // Some objects are missing.
      try store.write {
        for number in stride(from: 3, to: count, by: 97) {
          if let object = try store.object("Row", key: .int(number)) { try store.delete(object) }
        }
      }
      self.store = store
      self.rows = rows.filter { ($0.number - 3) % 97 != 0 }
    }

    /// Texts that differ in the first eight bytes, in the next eight, later, or by zeros at the end.
    private static func code(_ random: inout SplitMix64) -> String {
      switch random.below(4) {
      case 0: "\(random.below(1_000_000))"
      case 1: "number \(random.below(1_000_000))"
      case 2: "a long beginning, \(random.below(1_000))"
      case _: "a" + String(repeating: "\0", count: random.below(4))
      }
    }
  }

  private func numbers(_ query: String) throws -> [Int] {
    try results(query).objects.map(\.id.number)
  }

  private func results(_ query: String) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array(query.utf8), from: 0)
    return try Rows.shared.get().store.results("Row", tail, names: NoNames())
  }

  private struct Bytes: Comparable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    static func < (a: Bytes, b: Bytes) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
  }

  /// Orders nil before all others, as an ascending sort does.
  private static func isBefore<T: Comparable>(_ a: T?, _ b: T?) -> Bool? {
    guard let a else { return b == nil ? nil : true }
    guard let b else { return false }
    return a == b ? nil : a < b
  }

  private static let orders: [(String, @Sendable (Row, Row) -> Bool?)] = [
    ("size", { isBefore($0.size, $1.size) }),
    ("size desc", { isBefore($1.size, $0.size) }),
    ("name", { isBefore(Bytes($0.name), Bytes($1.name)) }),
    ("code", { isBefore($0.code.map(Bytes.init), $1.code.map(Bytes.init)) }),
    ("code desc", { isBefore($1.code.map(Bytes.init), $0.code.map(Bytes.init)) }),
    ("weight", { isBefore($0.weight.isNaN ? nil : $0.weight, $1.weight.isNaN ? nil : $1.weight) }),
    (
      "weight desc",
      { isBefore($1.weight.isNaN ? nil : $1.weight, $0.weight.isNaN ? nil : $0.weight) }
    ),
    ("born", { $0.born == $1.born ? nil : $0.born < $1.born }),
  ]

  @Test(arguments: [[1], [3], [4], [5], [2, 6], [7, 0], [2, 7, 5]])
  func `sorts stably by every kind of key`(keys: [Int]) throws {
    let orders = keys.map { Self.orders[$0] }
    let query = "sort(\(orders.map(\.0).joined(separator: ", ")))"
    let expected = try Rows.shared.get().rows.sorted { a, b in
      for (_, isBefore) in orders {
        if let order = isBefore(a, b) { return order }
      }
      return a.number < b.number
    }.map(\.number)
    #expect(try numbers(query) == expected)
    #expect(try numbers(query + " limit(20)") == Array(expected.prefix(20)))
    #expect(try numbers(query + " offset(7) limit(9)") == Array(expected.dropFirst(7).prefix(9)))
    let heavy = try Rows.shared.get().rows.filter { $0.weight > 0 }.map(\.number)
    let set = Set(heavy)
    #expect(
      try numbers("where weight > 0 " + query + " limit(50)")
        == Array(expected.filter(set.contains).prefix(50)))
  }

  private static let conditions: [(String, @Sendable (Row) -> Bool)] = [
    ("size > 5", { $0.size.map { $0 > 5 } ?? false }), ("size == nil", { $0.size == nil }),
    ("NOT size > 5", { !($0.size.map { $0 > 5 } ?? false) }),
    ("weight < 0 AND name == 'husky'", { $0.weight < 0 && $0.name == "husky" }),
    ("code BEGINSWITH[c] 'NUMBER 1'", { $0.code?.hasPrefix("number 1") ?? false }),
    ("name MATCHES '.*of.*'", { $0.name.contains("of") }),
    ("size < size + 1 AND name != ''", { $0.size != nil && $0.name != "" }),
  ]

  @Test(arguments: conditions.indices)
  func `scans find what each object says`(index: Int) throws {
    let (text, holds) = Self.conditions[index]
    let expected = try Rows.shared.get().rows.filter(holds).map(\.number)
    let results = try results("where \(text)")
    #expect(try results.objects.map(\.id.number) == expected)
    #expect(try results.count == expected.count)
    let frozen = try results.frozen
    #expect(try frozen.count == expected.count)
  }

  @Test func `sums and averages are exact`() throws {
    for (query, isRow) in [
      ("", { _ in true }), ("where weight > 0", { (row: Row) in row.weight > 0 }),
    ] {
      let sizes = try Rows.shared.get().rows.filter(isRow).compactMap(\.size)
      let results = try results(query)
      let column = try results.column("size")
      let sum = sizes.reduce(0, +)
      #expect(try results.aggregate(.sum, of: column) == .int(sum))
      #expect(
        try results.aggregate(.average, of: column) == .double(Double(sum) / Double(sizes.count)))
    }
  }

  @Test func `a scan and a sort that are interrupted throw`() throws {
    let store = try Rows.shared.get().store
    let interruption = Interruption()
    store.interruption = interruption
    defer { store.interruption = nil }
    for query in ["where code CONTAINS 'x'", "sort(name, code)", "sort(weight) limit(3)"] {
      for checks in [0, 1, 7, 40] {
        interruption.request(afterChecks: checks)
        #expect(throws: HeraldError.interrupted) {
          _ = try results(query).objects
        }
        interruption.clear()
      }
      #expect(throws: Never.self) { _ = try results(query).objects }
    }
  }
}
