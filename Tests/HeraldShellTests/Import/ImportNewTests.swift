import Foundation
import TestSupport
import Testing

@testable import HeraldShell

/// The columns of CSV, one to a case, and their types.
private let columns: [(cells: [String], type: String)] = [
  (["1", "-2", "0"], "int"), (["0", "1"], "int"), (["1", ""], "int?"), ([""], "string?"),
  (["9007199254740993", "1"], "int"), (["9223372036854775807", "-9223372036854775808"], "int"),
  (["9223372036854775808", "1"], "decimal"), (["1234567890123456789012345678901234"], "decimal"),
  (["12345678901234567890123456789012345"], "string"),
  (["1", "2.5"], "double"), (["1e5", "-.5", "5."], "double"), (["-0"], "double"),
  (["9007199254740993", "0.5"], "decimal"), (["1e400"], "decimal"),
  (["1.5", "nan", "-inf"], "double"), (["1", "NaN", "Infinity", "-Infinity", "Inf"], "double"),
  (["1.5", "Nan"], "string"),
  (["nan"], "string"), (["007", "1"], "string"), (["+5"], "string"), (["1_000"], "string"),
  (["0x10"], "string"), (["1,5"], "string"), ([" 5", "6 "], "int"), (["-"], "string"),
  (["true", "FALSE"], "bool"), (["yes", "No"], "bool"), (["yes", ""], "bool?"),
  (["true", "0", "1"], "bool"), (["true", "2"], "string"), (["y", "n"], "string"),
  (["2020-01-01"], "date"), (["2020-01-01 10:00", "2020-01-01T10:00:00.5Z"], "date"),
  (["2020-01-01T10:00:00+02:00", ""], "date?"), (["2020-13-01"], "string"),
  (["2020-1-1"], "string"), (["2020-01-01", "5"], "string"),
  (["9f2c1a52-6a5b-4b0e-8c1d-0123456789ab", "0f2c1a52-6a5b-4b0e-8c1d-0123456789ab"], "uuid"),
  (["9f2c1a52-6a5b-4b0e-8c1d-0123456789ab", "9F2C1A52-6A5B-4B0E-8C1D-0123456789AB"], "string"),
  (["A52C1A52-6A5B-4B0E-8C1D-0123456789AB"], "string"), (["NO"], "string"),
  (["no", "1"], "string"),
  (["no", "true"], "bool"), (["no", "yes", ""], "bool?"),
  (["-23456789.12345678901234567890123456", "2.5"], "decimal"), (["1e-400"], "decimal"),
  (["1200340056.0070080090"], "decimal"), (["0.29999999999999998890"], "double"),
  (["0.1000000000000000055511151231257827021181583404541015625"], "double"),
  (["12345678901234567890123456789012345.5"], "string"), (["2.2250738585072014e-308"], "double"),
  (["0.00000000000000000000000000"], "double"), (["0.12345678901234568"], "double"),
  (["0.12345678901234567"], "decimal"), (["9007199254740993.0"], "decimal"),
  (["562949953421312.13"], "decimal"), (["562949953421312.12"], "double"),
  (["9999999999999999.0", "1"], "decimal"), (["-0.8414709848078965", "1"], "double"),
  (["0.10000000000000001", "0.30000000000000004"], "double"),
  (["1.0000000000000000", "0.00012345678901234"], "double"),
  (["9f2c1a52-6a5b-4b0e-8c1d-0123456789ab", "x"], "string"), (["1", "x"], "string"),
]

/// Files of JSON, and the classes for them.
private let documents: [(content: String, classes: String)] = [
  ("{\"a\": 1}\n{\"a\": 2.5}\n", "class T { a: double }"),
  ("[{\"a\": 1}, {\"b\": true}]", "class T { a: int?; b: bool? }"),
  ("[{\"a\": 12345678901234567890}]", "class T { a: decimal }"),
  ("[{\"a\": 9007199254740993.0}, {\"a\": 1}]", "class T { a: decimal }"),
  ("[{\"a\": -0.30000000000000004}, {\"a\": 1}]", "class T { a: double }"),
  ("[{\"a\": \"7\"}, {\"a\": 7}]", "class T { a: any }"),
  ("[{\"a\": true}, {\"a\": 1}]", "class T { a: any }"),
  ("[{\"a\": [true, 1, 0]}, {\"a\": []}]", "class T { a: list<any> }"),
  ("[{\"a\": {\"1\": true, \"2\": 0}}]", "class T { a: map<any> }"),
  ("[{\"a\": 0}, {\"a\": 1}]", "class T { a: int }"),
  ("[{\"a\": 12345678901234567890123456789012345}]", "class T { a: string }"),
  ("[{\"a\": [-1234567890123456789012345678901234567890, 2]}]", "class T { a: list<any> }"),
  ("[{\"a\": 1200340056.0070080090}]", "class T { a: decimal }"),
  ("[{\"a\": 1.5e-400}]", "class T { a: decimal }"),
  ("[{\"a\": 0.1000000000000000055511151231257827021181583404541015625}]", "class T { a: double }"),
  ("[{\"a\": \"9F2C1A52-6A5B-4B0E-8C1D-0123456789AB\"}]", "class T { a: string }"),
  ("[{\"not\": 1, \"Or\": 2}]", "class T { not_: int; Or_: int }"),
  ("[{\"a\": null}]", "class T { a: string? }"),
  ("[{\"a\": \"2020-01-01\"}, {\"a\": \"x\"}]", "class T { a: string }"),
  ("[{\"a\": [1, 2]}, {\"a\": null}, {}]", "class T { a: list<int> }"),
  ("[{\"a\": [1, null]}]", "class T { a: list<int?> }"),
  ("[{\"a\": []}]", "class T { a: list<any> }"),
  ("[{\"a\": [[1]]}]", "class T { a: list<any> }"),
  ("[{\"a\": {\"b\": 1}}, {\"a\": null}]", "embedded class TA { b: int } class T { a: TA }"),
  (
    "[{\"a\": {\"b\": {\"c\": \"x\"}}}, {\"a\": {}}]",
    "embedded class TA { b: TAB } embedded class TAB { c: string } class T { a: TA }"
  ),
  (
    "[{\"a\": [{\"b\": 1}, {\"c\": 2}]}]",
    "embedded class TA { b: int?; c: int? } class T { a: list<TA> }"
  ),
  ("[{\"a\": {\"1\": 2, \"3\": 4}}]", "class T { a: map<int> }"),
  ("[{\"a\": {}}]", "class T { a: map<any> }"),
  (
    "[{\"a\": {\"1\": {\"b\": 2}}}]", "embedded class TA { b: int } class T { a: map<TA> }"
  ),
  (
    "[{\"_id\": {\"$oid\": \"507f1f77bcf86cd799439011\"}, \"at\": {\"$date\": \"2020-01-01\"}}]",
    "class T { _id: objectid primary; at: date }"
  ),
  ("{\"all\": [{\"a\": 1}, {\"a\": 2}]}", "class T { a: int }"),
  (
    "{\"all\": [{\"a\": 1}], \"n\": 2}",
    "embedded class TAll { a: int } class T { all: list<TAll>; n: int }"
  ),
  (
    "[{\"first name\": \"a\", \"2\": 1, \"\": 2, \"in\": 3}]",
    "class T { first_name: string; _2: int; column3: int; in: int }"
  ),
]

/// Columns with names like those of keys, and the class for them.
private let keys: [(content: String, classes: String)] = [
  ("id,n\n1,a\n2,b\n", "class Dog { id: int primary; n: string }"),
  ("id\n2\n1\n", "class Dog { id: int primary }"), ("id\n1\n2\n1\n", "class Dog { id: int }"),
  ("id,n\n1,a\n,b\n", "class Dog { id: int?; n: string }"),
  ("dog_id\na\nb\n", "class Dog { dog_id: string primary }"),
  ("DogID\n5\n3\n9\n", "class Dog { DogID: int primary }"),
  ("cat_id\n1\n2\n", "class Dog { cat_id: int }"), ("id\n1.5\n2.5\n", "class Dog { id: double }"),
  (
    "uuid,id\n9f2c1a52-6a5b-4b0e-8c1d-0123456789ab,1\n",
    "class Dog { uuid: uuid; id: int primary }"
  ),
]

private func flat(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    .split(separator: ";").joined()
}

/// What a statement prints of a file's classes, on one line.
private func classes(of content: [UInt8], _ name: String) throws -> String {
  var text = ""
  try withFile(content) { path in
    let run = ScriptRun("import \"\(path)\" as new \(name)\nschema")
    #expect(!run.errors.contains("error:"), "\(run.errors)")
    text = flat(run.output)
  }
  return text
}

@Suite struct ImportNewTests {
  @Test(arguments: columns)
  func `the cells of a column decide its type`(cells: [String], type: String) throws {
    let lines = cells.map { $0.contains(",") ? "\"\($0)\"" : $0 }
    let content = "n,v\n" + lines.map { "x,\($0)\n" }.joined()
    #expect(try classes(of: Array(content.utf8), "T") == "class T { n: string v: \(type) }")
    let quoted = "n,v\n" + cells.map { $0.isEmpty ? "x,\n" : "x,\"\($0)\"\n" }.joined()
    if !cells.contains(where: { $0.contains(" ") && !$0.contains("-") }) {
      #expect(try classes(of: Array(quoted.utf8), "T") == "class T { n: string v: \(type) }")
    }
  }

  @Test(arguments: seeds(20))
  func `a number with a point is a double if that has its digits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let digits = (0..<1 + random.below(17)).map { _ in String(random.below(10)) }.joined()
      let point = random.below(digits.count + 1)
      let number = Double.random(in: 0...1, using: &random) * pow(10, Double(random.below(18) - 4))
      let whole = String(digits.prefix(point)).drop { $0 == "0" }
      let text = random.pick([
        "\(whole.isEmpty ? "0" : whole).\(digits.dropFirst(point))0", "\(number)",
        String(format: "%.\(random.below(17))f", number),
      ])
      if !text.contains(".") { continue }
      let kind = Array(text.utf8).withUnsafeBufferPointer { ScalarKinds.kind(of: $0) }
      #expect((kind == .double) == (ExactNumber(text) == .double), "seed \(seed): \(text)")
    }
  }

  @Test(arguments: documents)
  func `nested values of JSON make lists, maps and embedded classes`(
    content: String, classes expected: String
  ) throws {
    #expect(try classes(of: Array(content.utf8), "T") == flat(expected))
  }

  @Test(arguments: keys)
  func `a column of unique values is the primary key if it is named so`(
    content: String, classes expected: String
  ) throws {
    #expect(try classes(of: Array(content.utf8), "Dog") == flat(expected))
  }

  @Test func `values keep everything that the file says`() throws {
    let content =
      "id,s,big,d,when,ok\n1,007,12345678901234567890,1e-3,2020-01-01 10:00+02:00,YES\n"
      + "2,\"\",1,2,2020-01-01,no\n3,,,,,\n"
    try withFile(Array(content.utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nprint T")
      #expect(run.errors == "")
      #expect(
        run.output == """
          T#1 {id: 1, s: "007", big: 12345678901234567890, d: 0.001, when: 2020-01-01@08:00:00, ok: true}
          T#2 {id: 2, s: "", big: 1, d: 2.0, when: 2020-01-01@00:00:00, ok: false}
          T#3 {id: 3, s: nil, big: nil, d: nil, when: nil, ok: nil}

          """)
    }
  }

  @Test func `a dry run shows the class, which can be run, and changes nothing`() throws {
    try withFile(Array("id;full name\n1;Ann\n".utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new P dry run\ncount P")
      #expect(
        run.output == """
          # \(path): column "full name" is property 'full_name'
          class P {
            id: int primary
            full_name: string
          }

          """)
      let script = run.output
      let again = ScriptRun(script + "import \"\(path)\" into P\nprint P")
      #expect(again.errors == "")
      #expect(again.output == "P#1 {id: 1, full_name: \"Ann\"}\n")
      let json = ScriptRun("mode json\nimport \"\(path)\" as new P --dry-run")
      #expect(
        json.output
          == "{\"schema\":[{\"class\":\"P\",\"properties\":[{\"name\":\"id\",\"type\":\"int\","
          + "\"primary\":true},{\"name\":\"full_name\",\"type\":\"string\"}]}]}\n")
    }
  }

  @Test func `columns are chosen, renamed, skipped and taken as text`() throws {
    let content = "id,old name,zip,x,y\n1,Ann,5,6,7\n"
    try withFile(Array(content.utf8)) { path in
      let run = ScriptRun(
        """
        import "\(path)" as new A with columns { old name: name, zip: text, x: skip, y: z text }
        print A
        import "\(path)" as new B with columns { id: number, *: skip }
        print B
        class C { name: string }
        import "\(path)" into C with columns { "old name": name, *: skip }
        print C
        """)
      #expect(run.errors == "")
      #expect(
        run.output
          == "A#1 {id: 1, name: \"Ann\", zip: \"5\", z: \"7\"}\nB#1 {number: 1}\n"
          + "C#1 {name: \"Ann\"}\n")
      let missing = ScriptRun("import \"\(path)\" as new A with columns { od name: name }")
      #expect(missing.errors.contains("has no column 'od name'; did you mean 'old name'?"))
    }
    try withFile(Array("[{\"a\": 5, \"b\": [1]}]".utf8)) { path in
      let run = ScriptRun(
        "import \"\(path)\" as new A with columns { a: text, b: text }\nprint A")
      #expect(run.output == "A#1 {a: \"5\", b: \"[1]\"}\n")
    }
  }

  @Test func `names that change are shown, and columns of one name are numbered`() throws {
    try withFile(Array("a b,,a b,a-b\n1,2,3,4\n".utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nprint T", named: "x")
      #expect(run.output == "T#1 {a_b: 1, column2: 2, a_b_2: 3, a_b_3: 4}\n")
      let notes = run.errors.split(separator: "\n").map { $0.split(separator: "note: ").last! }
      #expect(
        notes == [
          "\(path): column \"a b\" is property 'a_b'", "\(path): column \"\" is property 'column2'",
          "\(path): column \"a b_2\" is property 'a_b_2'",
          "\(path): column \"a-b\" is property 'a_b_3'",
        ])
      #expect(run.status == 0)
    }
  }

  @Test func `a file with a repeated column is imported again into the class that it made`() throws
  {
    try withFile(Array("a,a,b,a_2\n1,2,3,4\n".utf8)) { path in
      let run = ScriptRun(
        """
        import "\(path)" as new T
        import "\(path)" into T
        print T
        class U { a: int; a_3: int? }
        import "\(path)" into U with columns { b: skip, a_2: skip }
        print U
        class V { a: int; b: int }
        import "\(path)" into V
        """, named: "x")
      let row = "{a: 1, a_3: 2, b: 3, a_2: 4}"
      #expect(run.output == "T#1 \(row)\nT#2 \(row)\nU#1 {a: 1, a_3: 2}\n")
      #expect(run.errors.contains("line 1: duplicate column 'a'"))
      #expect(run.status == 1)
    }
  }

  @Test func `a class that is only linked to is new, also in blocks and other sessions`() throws {
    try withFile(Array("id\n1\n".utf8)) { path in
      let run = ScriptRun(
        """
        class Dog { id: int primary; owner: P }
        expect error "'as new P' declares it" { import "\(path)" into P }
        import "\(path)" as new P
        add Dog { id: 1, owner: P#1 }
        print Dog
        write { import "\(path)" as new Q; count Q }
        @bg import "\(path)" as new R
        count R
        """)
      #expect(run.errors == "")
      #expect(run.output == "Dog#1 {id: 1, owner: P#1}\n1\n1\n")
    }
  }

  @Test func `an import that fails declares nothing`() throws {
    try withFile(Array("id,n\n1,a\n2\n".utf8)) { path in
      let run = ScriptRun(
        """
        expect error "line 3: 1 field where the header has 2" { import "\(path)" as new T }
        class Dog { id: int }
        expect error "exists" { import "\(path)" as new Dog }
        begin
        expect error "line 3" { import "\(path)" as new T }
        commit
        schema
        """)
      #expect(run.errors == "")
      #expect(run.output == "class Dog {\n  id: int\n}\n")
    }
  }

  @Test func `in an open transaction a failure drops the class and its objects`() throws {
    try withFile(Array("id\n1\n".utf8)) { path in
      try withFile(Array("{\"id\": 1}\n{\"id\": 1}\n".utf8)) { other in
        let run = ScriptRun(
          """
          class U { id: int primary }
          begin
          expect error "exists already" { import "\(path)" as new T, "\(other)" into U }
          import "\(path)" as new T
          commit
          count T
          count U
          """)
        #expect(run.errors == "")
        #expect(run.output == "1\n0\n")
      }
    }
  }

  @Test func `a class that is not there is proposed at a prompt, and named in a script`() throws {
    try withFile(Array("id\n1\n".utf8)) { path in
      let script = ScriptRun("class Dog { id: int }\nimport \"\(path)\" into Dgo")
      #expect(
        script.errors.contains(
          "unknown class 'Dgo'; did you mean 'Dog'?; 'as new Dgo' declares it from the file"))
      var options = Interpreter.Options()
      options.isInteractive = true
      options.confirms = { _ in true }
      let accepted = ScriptRun("import \"\(path)\" into T\ncount T", options)
      #expect(accepted.output == "class T {\n  id: int primary\n}\nimported 1 object\n1\n")
      options.confirms = { _ in false }
      let refused = ScriptRun("import \"\(path)\" into T\nschema", options)
      #expect(refused.output == "class T {\n  id: int primary\n}\nimported nothing\n")
    }
  }

  @Test func `every kind of file of Debian's iso-codes is imported`() throws {
    let folder = "/usr/share/iso-codes/json"
    for (name, count, first) in [
      ("iso_3166-1", 249, "AW"), ("iso_3166-2", 5127, "AD-02"), ("iso_639-3", 7910, "aaa"),
      ("iso_4217", 181, "AED"), ("iso_15924", 182, "Adlm"),
    ] {
      let run = ScriptRun(
        "import \"\(folder)/\(name).json\" as new Code\nprint Code.@count\nprint Code limit(1)")
      #expect(run.errors == "")
      let lines = run.output.split(separator: "\n")
      #expect(lines.first == "\(count)")
      #expect(lines.last?.contains(first) ?? false)
    }
  }
}
