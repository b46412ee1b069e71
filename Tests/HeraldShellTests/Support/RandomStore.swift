import TestSupport

/// Makes scripts that fill a store with objects of every type, linked in circles.
struct RandomStore {
  static let classes = """
    embedded class Part { n: decimal?; to: Node; inner: list<Grain> }
    embedded class Grain { text: string }
    class Node { name: string? = "none"; next: Node; peers: set<Node>; row: Row; v: any }
    class Row {
      key: string primary; b: bool; i: int?; f: float; d: double?; c: decimal?; s: string?
      raw: data?; at: date?; u: uuid?; o: objectid?; v: any; part: Part; parts: list<Part>
      named: map<Part>; node: Node; nodes: list<Node>; tags: set<string>; scores: map<int?>
      all: list<any>; by: map<any>; back: backlinks<Node.row>; dates: set<date>; us: list<uuid?>
    }

    """

  var random: SplitMix64
  let nodes: Int
  let rows: [String]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    nodes = Int.random(in: 1...6, using: &random)
    let keys = ["k", "a b", "é", "1", "\\\"", "日本"].shuffled(using: &random)
    rows = keys.prefix(Int.random(in: 0...6, using: &random)).map { "\"\($0)\"" }
  }

  /// Adds the objects without a primary key.
  mutating func addingNodes() -> String {
    let statements = (0..<nodes).map { number in
      let name = one(["nil", "\"a\"", "\"\\n'\\\"\"", "\"\""])
      return "add Node { name: \(name), v: \(any(2)) } as $n\(number)"
    }
    return joined(statements)
  }

  /// Takes one of them away, so that their numbers have a gap.
  mutating func deleting() -> String {
    nodes < 2 ? "" : "delete $n0\nlet $n0 = $n1\n"
  }

  /// Adds the objects with one, which link to those above.
  mutating func addingRows() -> String {
    joined(
      rows.map { key in
        "add Row { key: \(key), \(plainProperties()) }"
      }
        + rows.map { key in
          "set Row#\(key) { node: \(node()), nodes: [\(list { $0.node() })], part: \(part()), "
            + "parts: [\(list { $0.part() })], named: { a: \(part()), \"b c\": \(part()) } }"
        })
  }

  /// Links that close circles.
  mutating func linking() -> String {
    joined(
      (0..<nodes).map { number in
        let row = rows.randomElement(using: &random).map { "Row#\($0)" } ?? "nil"
        return "set $n\(number) { next: \(node()), peers: [\(list { $0.node() })], row: \(row) }"
      })
  }

  private func joined(_ statements: [String]) -> String {
    statements.map { $0 + "\n" }.joined()
  }
}

// MARK: Literals

extension RandomStore {
  mutating func one(_ texts: [String]) -> String {
    texts.randomElement(using: &random) ?? "nil"
  }

  mutating func list(_ element: (inout RandomStore) -> String) -> String {
    var texts: [String] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) { texts.append(element(&self)) }
    return texts.joined(separator: ", ")
  }

  mutating func node() -> String { "$n\(Int.random(in: 0..<nodes, using: &random))" }

  mutating func part() -> String {
    "{ n: \(decimal()), to: \(one(["nil", node()])), inner: [\(list { $0.grain() })] }"
  }

  mutating func grain() -> String { "{ text: \(string()) }" }

  mutating func plainProperties() -> String {
    "b: \(one(["true", "false"])), i: \(integer()), f: \(double()), d: \(double()), c: \(decimal()), "
      + "s: \(one(["nil", string()])), raw: \(one(["nil", data()])), at: \(one(["nil", date()])), "
      + "u: \(one(["nil", uuid()])), o: \(one(["nil", "oid()"])), v: \(any(3)), "
      + "tags: [\(list { $0.string() })], scores: { key: \(integer()), \(string()): \(integer()) }, "
      + "all: [\(list { $0.any(2) })], by: { x: \(any(2)), \"$y\": \(any(2)) }, "
      + "dates: [\(list { $0.date() })], us: [\(list { $0.one(["nil", $0.uuid()]) })]"
  }

  mutating func integer() -> String {
    one(["nil", "0", "-7", "9223372036854775807", "-9223372036854775808"])
  }

  mutating func double() -> String {
    one(["0.0", "-0.0", "1.1", "3", "-2.5e-10", "1e20", "inf", "-inf", "nan", "0.1"])
  }

  mutating func decimal() -> String {
    one(["0", "1.00", "-0.1", "12345678901234567890.123456789", "1e30", "inf", "nan", "7"])
  }

  mutating func string() -> String {
    one([
      "\"\"", "\"a\"", "\"a,b\"", "\"\\\"q\\\"\"", "\"\\n\\t\\u0001\"", "\"é日🐶\"", "\"nil\"",
      "\"3\"",
    ])
  }

  mutating func data() -> String { one(["binary(\"\")", "binary(\"AAEC\")"]) }

  mutating func date() -> String {
    one([
      "2026-11-21@10:30:00", "1969-12-31@23:59:59.999999999", "date(\"-0044-03-15T12:00:00Z\")",
      "date(\"12026-01-01T00:00:00Z\")", "T0:0",
    ])
  }

  mutating func uuid() -> String {
    one(["uuid()", "uuid(\"9f2c1a52-6a5b-4b0e-8c1d-000000000001\")"])
  }

  mutating func any(_ depth: Int) -> String {
    let plain = [
      "nil", "true", integer(), double(), "decimal(\"1.50\")", "float(\"1.1\")", string(), data(),
      date(), uuid(), "oid()",
    ]
    if depth == 0 || Bool.random(using: &random) { return one(plain) }
    if Bool.random(using: &random) { return "[\(list { $0.any(depth - 1) })]" }
    return "{ \"$date\": \(any(depth - 1)) }"
  }
}
