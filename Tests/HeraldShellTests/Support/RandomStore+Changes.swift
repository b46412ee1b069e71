import TestSupport

// Changes of the objects, some of which fail: of an object that was deleted, or beyond the end of a list.
extension RandomStore {
  /// One statement that is a commit of its own.
  mutating func change() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      var changes: [String] = []
      for _ in 0..<Int.random(in: 0...6, using: &random) { changes.append(plainChange()) }
      return "write message \(string()) { \(changes.joined(separator: "; ")) }"
    case 1: return "delete \(one([node(), row(), row() + ".nodes", "Row where i == 0"]))"
    case 2: return "add Row { key: \(one(rows)), \(plainProperties()) }"
    case 3: return "add Node { name: \(string()), v: \(any(2)), next: \(node()) } as \(node())"
    case _: return plainChange()
    }
  }

  private mutating func row() -> String { "Row#" + (rows.isEmpty ? "\"\"" : one(rows)) }

  private mutating func plainChange() -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: assignment()
    case 1: change(ofList: row() + ".nodes", node())
    case 2: change(ofList: row() + ".parts", part())
    case 3:
      change(ofList: one([row() + ".all", row() + ".v", row() + ".v[0]", row() + ".by.x"]), any(2))
    case 4: changeOfMapOrSet()
    case 5: changeOfEmbedded()
    case _:
      one([
        "set \(node()).next = \(node())", "insert \(node()) into \(node()).peers",
        "remove \(node()) from \(node()).peers", "set \(node()).row = \(row())",
        "set \(node()).v = \(any(3))", "set \(row()).node = \(one(["nil", node()]))",
      ])
    }
  }

  private mutating func assignment() -> String {
    let values = [
      "b: \(one(["true", "false"]))", "i: \(integer())", "f: \(double())", "d: \(double())",
      "c: \(decimal())", "s: \(one(["nil", string()]))", "raw: \(one(["nil", data()]))",
      "at: \(one(["nil", date()]))", "u: \(one(["nil", uuid()]))", "o: \(one(["nil", "oid()"]))",
      "v: \(any(3))", "tags: [\(list { $0.string() })]", "scores: { key: \(integer()) }",
      "all: [\(list { $0.any(2) })]", "by: { x: \(any(2)) }", "dates: [\(list { $0.date() })]",
      "us: [\(list { $0.one(["nil", $0.uuid()]) })]", "v: [[1, 2], {x: 3}]",
      "v: { x: [1, { y: 2 }] }",
      "nodes: [\(list { $0.node() })]", "node: \(node())",
    ]
    let chosen = values.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
    return "set \(row()) { \(chosen.joined(separator: ", ")) }"
  }

  private mutating func change(ofList list: String, _ value: String) -> String {
    one([
      "append \(value) to \(list)", "insert \(value) into \(list) at 0", "move \(list)[0] to 1",
      "move \(list)[1] to 0", "remove \(list)[0]", "remove \(list)[1]", "set \(list)[0] = \(value)",
      "clear \(list)",
    ])
  }

  private mutating func changeOfMapOrSet() -> String {
    one([
      "insert \(string()) into \(row()).tags", "remove \(string()) from \(row()).tags",
      "insert \(date()) into \(row()).dates", "clear \(row()).dates",
      "set \(row()).scores[\"key\"] = \(integer())", "remove \(row()).scores[\"key\"]",
      "set \(row()).by[\"x\"] = \(any(2))", "set \(row()).by.x.y = \(any(1))",
      "remove \(row()).by[\"x\"]", "set \(row()).v.x[1].y = \(any(1))",
      "append \(any(1)) to \(row()).v.x", "clear \(row()).by",
    ])
  }

  private mutating func changeOfEmbedded() -> String {
    one([
      "set \(row()).part = \(one(["nil", part()]))", "set \(row()).part.n = \(decimal())",
      "append \(grain()) to \(row()).part.inner", "set \(row()).part.inner[0].text = \(string())",
      "set \(row()).part.to = \(node())", "set \(row()).named[\"a\"] = \(part())",
      "remove \(row()).named[\"a\"]", "set \(row()).parts[0].n = \(decimal())",
    ])
  }
}
