import TestSupport
import Testing

@testable import HeraldShell

private func flat(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    .split(separator: ";").joined()
}

/// What an import as a new class keeps of a file, or says that it has changed.
@Suite struct KeptContentTests {
  @Test func `a number with more digits than a decimal has keeps them`() throws {
    let digits = "-1234567890123456789012345678901234567890"
    try withFile(Array("[{\"a\": \(digits), \"l\": [\(digits), 2]}]".utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nprint T")
      #expect(run.output == "T#1 {a: \"\(digits)\", l: [\"\(digits)\", 2]}\n", "\(run.errors)")
    }
  }

  @Test func `where every field is in quotes, an empty one is nil unless the column is text`()
    throws
  {
    let content =
      "id;ok;u;n;at;s;t\n"
      + "\"1\";\"true\";\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\";\"1.5\";\"2020-01-01\";\"x\";\"\"\n"
      + "\"2\";\"\";\"\";\"\";\"\";\"\";\"\"\n"
    try withFile(Array(content.utf8)) { path in
      let run = ScriptRun(
        "import \"\(path)\" as new T\nschema T\nprint T#2\nimport \"\(path)\" as new U\nprint U#2")
      let values = "#2 {id: 2, ok: nil, u: nil, n: nil, at: nil, s: \"\", t: \"\"}\n"
      #expect(run.output.hasSuffix("T\(values)U\(values)"), "\(run.output)\(run.errors)")
      #expect(
        flat(run.output).hasPrefix(
          "class T { id: int primary ok: bool? u: uuid? n: double? at: date? s: string t: string }"),
        "\(run.output)")
      let known = ScriptRun(
        "class V { id: int; ok: bool?; u: uuid?; n: decimal?; at: date?; s: string; t: list<int> }\n"
          + "import \"\(path)\" into V\nprint V#2")
      #expect(
        known.output == "V#2 {id: 2, ok: nil, u: nil, n: nil, at: nil, s: \"\", t: []}\n",
        "\(known.errors)")
    }
  }

  @Test func `long names that begin alike stay what they are when they are exported and imported`()
    throws
  {
    let question = String(repeating: "What do you think, in general, of it? ", count: 4)
    let header = (1...3).map { "\"\(question)\($0)\"" }.joined(separator: ",")
    try withFile(Array("\(header)\n1,2,3\n".utf8)) { path in
      let run = ScriptRun(
        """
        import "\(path)" as new T
        export T to "\(path).csv"
        import "\(path).csv" as new U
        import "\(path)" into T
        export T to - as csv
        export U to - as csv
        """)
      let lines = run.output.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines[0] == lines[3])
      #expect(lines[1] == "1,2,3" && lines[2] == "1,2,3" && lines[4] == "1,2,3")
      let names = lines[0].split(separator: ",")
      #expect(Set(names).count == 3 && names.allSatisfy { $0.count <= 100 }, "\(names)")
      let notes = run.errors.split(separator: "\n").map { $0.split(separator: "' is property")[0] }
      #expect(Set(notes).count == 3, "\(run.errors)")
    }
  }

  @Test func `a later import knows the names that were changed`() throws {
    for content in [
      "a b,a_b,a-b,,\n1,2,3,4,5\n", "a_b,,a b,,1x\n1,2,3,4,5\n", "\u{301}x,not\n1,2\n",
    ] {
      try withFile(Array(content.utf8)) { path in
        let run = ScriptRun(
          "import \"\(path)\" as new T\nimport \"\(path)\" into T\nexport T to - as csv")
        #expect(!run.errors.contains("error:"), "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        let values = content.utf8.split(separator: 10).last.map { String($0) ?? "" }
        #expect(lines.dropFirst().map(String.init) == [values, values])
      }
    }
  }

  @Test func `what differs from the file is noted: members' names, and nil for a list`() throws {
    let content = "[{\"x\": {\"c-d\": 1}, \"l\": [1]}, {\"x\": {\"c-d\": 1}, \"l\": null}]"
    try withFile(Array(content.utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nprint T", named: "x")
      #expect(run.output == "T#1 {x: {c_d: 1}, l: [1]}\nT#2 {x: {c_d: 1}, l: []}\n")
      #expect(
        run.errors == """
          x:1:8: note: \(path): "c-d" in an object is property 'c_d' of class 'TX'
          x:1:8: note: \(path): null in 'T.l' is an empty list

          """)
    }
  }
}
