import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// What is printed of schemas, and of stores with alters in their history, is read back the same.
@Suite struct AlterRoundTripTests {
  @Test(arguments: (0..<100).map { firstSeed + $0 })
  func `a schema that is printed can be typed back`(seed: UInt64) {
    var maker = RandomSchema(seed: seed)
    let first = ScriptRun(maker.script() + "schema\n")
    #expect(first.errors == "", "seed \(seed)")
    let second = ScriptRun(first.output + "schema\n")
    #expect(second.errors == "", "seed \(seed)")
    #expect(second.output == first.output, "seed \(seed)")
    // In one more session of the store, class by class.
    let third = ScriptRun(first.output + first.output + "@bg schema\n")
    #expect(third.output == first.output, "seed \(seed)")
  }

  @Test(arguments: (0..<60).map { firstSeed + $0 })
  func `a store that was altered dumps what rebuilds it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var store = RandomStore(seed: seed)
    var options = Interpreter.Options()
    options.keepsGoing = true
    let sink = CollectingSink()
    let interpreter = Interpreter(options: options, sink: sink)
    let script = RandomStore.classes + store.addingNodes() + store.addingRows() + store.linking()
    interpreter.run(Source(name: "test", text: script))
    #expect(sink.errors == "")
    for step in 0..<6 {
      // What does not fit the data is refused, and changes nothing.
      let alter = alters.randomElement(using: &random) ?? ""
      interpreter.run(Source(name: "test", text: alter))
      #expect(interpreter.main.store?.check() == [], "seed \(seed), step \(step): \(alter)")
    }
    let before = sink.output
    interpreter.run(Source(name: "test", text: "dump"))
    interpreter.finish()
    let dumped = String(sink.output.dropFirst(before.count))
    let again = ScriptRun(dumped + "dump\n")
    #expect(again.errors == "", "seed \(seed)")
    #expect(again.output == dumped, "seed \(seed)")
  }
}

/// Alters of the classes of `RandomStore`.
let alters = [
  "alter Row { add x: int = 3; add y: list<string> = [\"a\", \"b\"]; add z: map<any> = { k: [1] } }",
  "alter Row { drop i; rename s to text }", "alter Row { i: double?; f: double; d: decimal? }",
  "alter Row { i: string? indexed; text: string? = \"none\" }", "alter Row { nodes: set<Node> }",
  "alter Row { tags: list<string>; dates: list<date> }", "alter Row { scores: map<any> }",
  "alter Row { node: any; nodes: list<any> }", "alter Node { rename row to home }",
  "alter Row { drop part; drop named }", "alter Part { drop to; n: string? }",
  "alter Grain { text: data }", "alter Row { key: string; b: int }", "alter Row { u: string? }",
  "alter Row { at: string?; o: any }", "alter Row { all: any; by: any }",
  "alter Row { raw: any; c: string?; us: list<string?> }",
  "alter Row { drop back; drop parts }; alter Node { drop row }; drop Row",
  "alter Node { peers: list<Node>; next: list<Node> }", "alter Row { add key2: uuid = uuid() }",
  "alter Row { key: string primary; add n: any = decimal(\"1.50\") }", "alter Node { v: string? }",
  "alter Node { name: list<string>; add at: date = 2026-11-21@10:30:00 }",
  "alter Row { v: list<any> }", "alter Row { part: any; parts: list<any>; named: map<any> }",
  "alter Row { part: any; named: any }; alter Row { part: Part; named: map<Part> }",
  "alter Row { parts: any; part: list<Part> }; alter Row { parts: list<Part> }",
  "alter Part { inner: list<any> }; alter Part { inner: list<Grain> }",
  "begin; alter Row { drop v; add v: any = {a: [nil, 2.5]} }; alter Node { drop v }; commit",
]

/// Makes classes with properties of every type, with every attribute that fits.
private struct RandomSchema {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func script() -> String {
    let count = Int.random(in: 1...4, using: &random)
    var text = ""
    for number in 0..<count { text += declaration(number, of: count) }
    if Bool.random(using: &random) { text += "projection View of C0 { a: v; b: next.v }\n" }
    return text
  }

  private mutating func declaration(_ number: Int, of count: Int) -> String {
    var properties = ["next: C\(number)", "v: any", "from: backlinks<C\(number).next>"]
    for place in 0..<Int.random(in: 0...8, using: &random) {
      properties.append("p\(place): " + property(among: count))
    }
    properties.shuffle(using: &random)
    if Bool.random(using: &random) {
      properties.append("key: \(one(["int", "string?", "uuid", "objectid"])) primary")
    }
    return "class C\(number) {\n\(properties.joined(separator: "; "))\n}\n"
  }

  private mutating func property(among count: Int) -> String {
    let types = [
      ("bool", "true"), ("int", "-3"), ("float", "1.1"), ("double", "1e20"), ("decimal", "1.50"),
      ("string", "\"a\\n\\\"é\""), ("data", "binary(\"AAEC\")"), ("date", "2026-11-21@10:30:00"),
      ("uuid", "uuid(\"9f2c1a52-6a5b-4b0e-8c1d-000000000001\")"),
      ("objectid", "oid(\"507f1f77bcf86cd799439011\")"),
      ("any", "{ x: [1, decimal(\"1.50\"), float(\"1.1\"), date(\"-0044-03-15T12:00:00Z\")] }"),
      ("date", "date(\"12026-01-01T00:00:00Z\")"), ("double", "-inf"), ("float", "nan"),
      ("C\(Int.random(in: 0..<count, using: &random))", ""),
    ]
    guard let (type, value) = types.randomElement(using: &random) else { return "int" }
    let mayBeMarked = !value.isEmpty && type != "any"
    let marked = mayBeMarked && Bool.random(using: &random) ? type + "?" : type
    let hasDefault = !value.isEmpty && Bool.random(using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "list<\(marked)>" + (hasDefault ? " = [\(value), \(value)]" : "")
    case 1: return "set<\(marked)>" + (hasDefault ? " = [\(value)]" : "")
    case 2: return "map<\(marked)>" + (hasDefault ? " = { \"a b\": \(value), c: \(value) }" : "")
    case _:
      let canBeIndexed = ["bool", "int", "string", "date", "uuid", "objectid", "any"].contains(type)
      let isIndexed = canBeIndexed && Bool.random(using: &random)
      return marked + (hasDefault ? " = \(value)" : "") + (isIndexed ? " indexed" : "")
    }
  }

  private mutating func one(_ texts: [String]) -> String {
    texts.randomElement(using: &random) ?? ""
  }
}
