import TestSupport
import Testing

@testable import HeraldShell

@Suite struct UpsertImportTests {
  /// The objects of a class `T { id: int primary; n: string?; w: int = 0; tags: list<int> }`.
  private struct Model {
    struct Row: Equatable {
      var name: String?
      var weight = 0
      var tags: [Int] = []
    }
    var ids: [Int] = []
    var rows: [Int: Row] = [:]

    var text: String {
      ids.map { id in
        let row = rows[id, default: Row()]
        let tags = row.tags.map(String.init).joined(separator: ", ")
        return "T#\(id) {id: \(id), n: \(row.name.map { "\"\($0)\"" } ?? "nil"), w: \(row.weight), "
          + "tags: [\(tags)]}\n"
      }.joined()
    }
  }

  private static let classes =
    "class T { id: int primary; n: string?; w: int = 0; tags: list<int> }\n"

  @Test(arguments: (0..<UInt64(30)).map { firstSeed + $0 })
  func `upsert changes what is there, adds the others, and says how many`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var model = Model()
    var script = Self.classes
    for id in Array(1...12).shuffled(using: &random).prefix(random.below(12)) {
      let row = Model.Row(name: random.pick(["a", "b"]), weight: random.below(3), tags: [1])
      model.ids.append(id)
      model.rows[id] = row
      script += "add T { id: \(id), n: \"\(row.name ?? "")\", w: \(row.weight), tags: [1] }\n"
    }
    let columns = ["n", "w", "tags"].shuffled(using: &random).prefix(1 + random.below(3))
    let isJSON = random.below(2) == 0
    var file = isJSON ? "" : (["id"] + columns).joined(separator: ";") + "\n"
    let records = 1 + random.below(20)
    var (added, changed, unchanged): (Set<Int>, Int, Set<Int>) = ([], 0, [])
    for _ in 0..<records {
      let id = 1 + random.below(14)
      let old = model.rows[id]
      if old == nil {
        model.ids.append(id)
        added.insert(id)
      }
      var row = old ?? Model.Row()
      var fields: [String] = [isJSON ? "\"id\": \(id)" : "\(id)"]
      for column in columns {
        let value: String
        switch column {
        case "n":
          row.name = random.below(4) == 0 ? nil : random.pick(["a", "b", "c"])
          value = row.name.map { "\"\($0)\"" } ?? (isJSON ? "null" : "")
        case "w":
          row.weight = random.below(3)
          value = String(row.weight)
        default:
          row.tags = random.pick([[1], [1, 2], []])
          value = "[\(row.tags.map(String.init).joined(separator: ","))]"
        }
        fields.append(isJSON ? "\"\(column)\": \(value)" : value)
      }
      file +=
        isJSON ? "{\(fields.joined(separator: ", "))}\n" : fields.joined(separator: ";") + "\n"
      model.rows[id] = row
      if old != nil, old == row { unchanged.insert(id) } else if old != nil { changed += 1 }
    }
    try withFile(Array(file.utf8)) { path in
      var options = Interpreter.Options()
      options.isInteractive = true
      let counts = "added \(added.count), changed \(changed), unchanged \(unchanged.count)\n"
      let run = ScriptRun(script + "import \"\(path)\" into T upsert\nprint T", options)
      #expect(run.errors == "", "seed \(seed): \(file)")
      #expect(run.output.hasSuffix(counts + model.text), "seed \(seed): \(run.output)\n\(file)")
    }
  }

  @Test func `an upsert that fails in an open write changes nothing`() throws {
    try withFile(Array("id;w;tags\n1;5;[2]\n9;9;[9]\n2;x;[]\n".utf8)) { path in
      let run = ScriptRun(
        Self.classes
          + """
          add T [ {id: 1, w: 1, tags: [1]}, {id: 2} ]
          write {
            set T#1.w = 3
            expect error "line 4" { import "\(path)" into T upsert }
            print T
          }
          print T
          """)
      let rows = """
        T#1 {id: 1, n: nil, w: 3, tags: [1]}
        T#2 {id: 2, n: nil, w: 0, tags: []}

        """
      #expect(run.errors == "")
      #expect(run.output == rows + rows)
    }
  }

  @Test func `what upsert needs is said`() throws {
    try withFile(Array("n\nx\n".utf8)) { path in
      let run = ScriptRun(
        Self.classes
          + """
          class U { n: string }
          expect error "class 'U' has no primary key" { import "\(path)" into U upsert }
          expect error "upsert finds objects by 'id', which is missing here" \
          { import "\(path)" into T upsert }
          """)
      #expect(run.errors == "")
    }
  }

  @Test func `links that lead nowhere are nil where the statement says so`() throws {
    let classes =
      "class A { id: int primary; b: B; c: B }\nclass B { id: int primary }\nadd B {id: 1}\n"
    try withFile(Array("id;b;c\n1;1;2\n2;3;1\n3;;\n".utf8)) { path in
      let run = ScriptRun(
        classes
          + """
          expect error "no such object of class 'B': \\"2\\"" \
          { import "\(path)" into A with columns { b: or nil } }
          import "\(path)" into A with columns { b: or nil, c: c or nil }
          print A
          expect error "'or nil' is for links, and 'id' is none" \
          { import "\(path)" into A with columns { id: or nil } }
          add B { id: 3 }
          set A#1 { b: B#3 }
          import "\(path)" into A upsert with columns { b: or nil, c: or nil }
          print A
          """)
      #expect(run.errors.contains("note: 2 links lead nowhere, and are nil"), "\(run.errors)")
      #expect(
        run.output == """
          A#1 {id: 1, b: B#1, c: nil}
          A#2 {id: 2, b: nil, c: B#1}
          A#3 {id: 3, b: nil, c: nil}
          A#1 {id: 1, b: B#1, c: nil}
          A#2 {id: 2, b: B#3, c: B#1}
          A#3 {id: 3, b: nil, c: nil}

          """)
    }
  }

  @Test func `embedded objects that say the same stay`() throws {
    let script = """
      embedded class F { w: list<int> }
      embedded class E { v: int; f: F }
      class T { id: int primary; e: E; es: list<E>; em: map<E>; x: int? }
      add T { id: 1, e: { v: 1, f: { w: [1] } }, es: [{ v: 1 }, { v: 2 }], em: { k: { v: 1 } } }
      observe T as t
      observe T#1 as o
      observe T#1.es as es
      observe T#1.e as e
      """
    let same =
      "{\"id\":1,\"e\":{\"v\":1,\"f\":{\"w\":[1]}},\"es\":[{\"v\":1},{\"v\":2}],\"em\":{\"k\":{\"v\":1}}}"
    try withFile(Array(same.utf8)) { path in
      let begin = "\(script)\nprint \"begin\"\n"
      let literal =
        "upsert T { id: 1, e: { v: 1, f: { w: [1] } }, es: [{ v: 1 }, { v: 2 }], em: { k: { v: 1 } } }"
      for statement in ["import \"\(path)\" into T upsert", literal] {
        let run = ScriptRun(
          "\(begin)\(statement)\nprint \"end\"\nlog version version\ncount E\ncount F")
        #expect(run.errors == "")
        #expect(run.output.contains("begin\nend\n"), "\(statement): \(run.output)")
        #expect(run.output.hasSuffix("\n4\n1\n"), "\(run.output)")
      }
      let changed = ScriptRun(
        begin
          + "upsert T { id: 1, e: { v: 1, f: { w: [2] } }, es: [{ v: 1 }, { v: 2 }], x: 5 }\nprint T#1\ncount E"
      )
      #expect(changed.output.contains("o: change e ") && !changed.output.contains("es: del"))
      #expect(
        changed.output.contains("w: [2]") && changed.output.hasSuffix("\n4\n"), "\(changed.output)")
    }
  }

  @Test func `an unknown column is named by the name that the statement gives it`()
    throws
  {
    for text in ["a;b\n1;x\n", "{\"a\":1,\"b\":\"x\"}\n"] {
      try withFile(Array(text.utf8)) { path in
        let run = ScriptRun(
          "class T { id: int primary; b: string? }\n"
            + "import \"\(path)\" into T with columns { a: id, b: label }")
        #expect(run.errors.contains("class 'T' has no property 'label'"), "\(run.errors)")
      }
    }
  }
}
