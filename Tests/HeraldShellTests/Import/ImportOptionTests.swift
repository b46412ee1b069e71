import TestSupport
import Testing

@testable import HeraldShell

/// Files, the words behind `with`, and what `print T` shows after their import into a new class.
private let files: [(content: String, options: String, output: String)] = [
  ("a\r\nb\rid,n\n1,x\n", "skip 2", "T#1 {id: 1, n: \"x\"}\n"),
  ("id,n", "skip 1", ""),
  ("x\n[{\"id\": 1}]", "skip 1", "T#1 {id: 1}\n"),
  (
    "// made\nid,n\n//1,a\n2,b\n//", "comment \"//\"",
    "T#2 {id: 2, n: \"b\"}\n"
  ),
  ("id,n\n1,\"a\n#b\"\n#\n", "comment \"#\"", "T#1 {id: 1, n: \"a\\n#b\"}\n"),
  (
    "id,n,m\n1\n2,b\n3,c,d\n", "short rows",
    """
    T#1 {id: 1, n: nil, m: nil}
    T#2 {id: 2, n: "b", m: nil}
    T#3 {id: 3, n: "c", m: "d"}

    """
  ),
  (
    "id,n\n1,\"a\\\"b\\\\c\\d\"\n2,\"\"\"\"\n", "escape \"\\\\\"",
    """
    T#1 {id: 1, n: "a\\"b\\\\c\\\\d"}
    T#2 {id: 2, n: "\\""}

    """
  ),
  (
    "id,n,w\n1,NA,-\n2,\"NA\",2\n3,NAN,\"-\"\n", "nil \"NA\", \"-\"",
    """
    T#1 {id: 1, n: nil, w: nil}
    T#2 {id: 2, n: nil, w: 2}
    T#3 {id: 3, n: "NAN", w: nil}

    """
  ),
  (
    "id;w\n1;1.250,75\n2;-7,5\n3;1.000.000\n4;1e3\n", "decimal \",\", thousands \".\"",
    """
    T#1 {id: 1, w: 1250.75}
    T#2 {id: 2, w: -7.5}
    T#3 {id: 3, w: 1000000.0}
    T#4 {id: 4, w: 1000.0}

    """
  ),
  ("id;w\n1;1 234 567\n2;5\n", "thousands \" \"", "T#1 {id: 1, w: 1234567}\nT#2 {id: 2, w: 5}\n"),
  ("id;w\n1;12,34,567\n", "thousands \",\"", "T#1 {id: 1, w: 1234567}\n"),
  // A point that is none makes a text of the column.
  ("id;w\n1;1.25\n2;3,5\n", "decimal \",\"", "T#1 {id: 1, w: \"1.25\"}\nT#2 {id: 2, w: \"3,5\"}\n"),
  (
    "id,d\n1,31.12.99\n2,2020-01-02\n", "dates \"dd.MM.yy\"",
    "T#1 {id: 1, d: 1999-12-31@00:00:00}\nT#2 {id: 2, d: 2020-01-02@00:00:00}\n"
  ),
  // A spreadsheet names the delimiter.
  ("sep=;\r\nid;w\r\n1;2,5\r\n", "header yes", "T#1 {id: 1, w: \"2,5\"}\n"),
  ("x\nSEP=|\n1|a,b\n", "skip 1, header no", "T#1 {column1: 1, column2: \"a,b\"}\n"),
  ("sep=\t\nid\tw\n1\t5", "header yes", "T#1 {id: 1, w: 5}\n"),
  ("sep=;\nid,w\n1,5\n", "delimiter \",\"", "T#1 {id: 1, w: 5}\n"),
  ("sep=;", "header yes", ""),
]

/// Rows for a class with a number and a date, the words behind `with`, and what is wrong with the file.
private let mistakes: [(row: String, options: String, reason: String)] = [
  (
    "1.25,", "decimal \",\"",
    "property 'w': expected a number with decimal \",\", found \"1.25\""
  ),
  (
    "\"1.25,5\",", "decimal \",\", thousands \".\"",
    "property 'w': expected a number with decimal \",\" and thousands \".\", found \"1.25,5\""
  ),
  (
    ",31.02.2020", "dates \"dd.MM.yyyy\"",
    "property 'd': expected a date in the form \"dd.MM.yyyy\", found \"31.02.2020\""
  ),
  ("x,", "nil \"NA\"", "property 'w': expected a number, found \"x\""),
  ("1", "nil \"NA\"", "1 field where the header has 2"),
  ("1,,", "short rows", "3 fields where the header has 2"),
  (
    "0.123,", "decimal \",\", thousands \".\"",
    "property 'w': expected a number with decimal \",\" and thousands \".\", found \"0.123\""
  ),
]

@Suite struct ImportOptionTests {
  @Test(arguments: files)
  func `a file is read as the statement says`(
    content: String, options: String, output: String
  ) throws {
    try withFile(Array(content.utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T with \(options)\nprint T")
      if output.isEmpty {
        #expect(run.errors.contains("there is nothing to infer a class from"))
      } else {
        #expect(run.errors == "")
        #expect(run.output == output)
      }
    }
  }

  @Test(
    arguments: [
      "nil \"NA\"", "dates \"dd.MM.yyyy\"", "decimal \",\"", "thousands \".\"", "comment \"#\"",
      "short rows",
    ])
  func `an option of CSV is an error of JSON and of logs`(options: String) throws {
    let word = options.prefix { $0 != " " }
    for (content, found) in [
      ("{\"id\": 1, \"a\": \"NA\"}\n{\"id\": 2}\n", "JSON"), ("[{\"a\": 1}]", "JSON"),
      ("t=1 u=2\nt=3 u=4\n", "a log"),
    ] {
      try withFile(Array(content.utf8)) { path in
        let form = found == "JSON" ? "" : "form logfmt, "
        let run = ScriptRun("import \"\(path)\" as new T with \(form)\(options)\nschema")
        #expect(run.errors.contains("'\(word)' is of CSV, and this is \(found)"), "\(run.errors)")
        #expect(run.output == "")
      }
    }
    try withFile(Array("{a,b\n1,2\n".utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T with header yes, \(options)\ncount T")
      #expect(run.output == "1\n", "\(run.errors)")
    }
  }

  @Test(arguments: mistakes)
  func `a mistake says what the form wants, and nothing is added`(
    row: String, options: String, reason: String
  ) throws {
    try withFile(Array("w,d\n1,2020-01-01\n\(row)\n".utf8)) { path in
      let run = ScriptRun(
        "class T { w: double?; d: date? }\n"
          + "expect error \"line 3\" { import \"\(path)\" into T with \(options) }\ncount T\n"
          + "import \"\(path)\" into T with \(options)")
      #expect(run.output == "0\n")
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
  }

  @Test(arguments: (0..<UInt64(20)).map { firstSeed + $0 })
  func `numbers of any notation are those of the usual one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (decimal, thousands) = random.pick([(",", "."), (".", ","), (",", " "), (",", "'")])
    var usual = "id;w\n"
    var other = usual
    for id in 1...30 {
      let whole = random.below(2) == 0 ? random.below(2_000) : random.below(2_000_000_000)
      let fraction = random.below(3) == 0 ? "" : String(random.below(1_000))
      let sign = random.below(4) == 0 ? "-" : ""
      var groups = String(whole)
      if random.below(2) == 0 {
        for (index, place) in stride(from: 3, to: groups.count, by: 3).enumerated() {
          let end = groups.index(groups.endIndex, offsetBy: -place - index)
          groups.insert(contentsOf: thousands, at: end)
        }
      }
      usual += "\(id);\(sign)\(whole)\(fraction.isEmpty ? "" : ".\(fraction)")\n"
      other += "\(id);\(sign)\(groups)\(fraction.isEmpty ? "" : decimal + fraction)\n"
    }
    try withFile(Array(usual.utf8)) { first in
      try withFile(Array(other.utf8)) { second in
        let script = "\nprint T\nschema T\nclass U { id: int primary; w: decimal? }\n"
        let expected = ScriptRun(
          "import \"\(first)\" as new T\(script)import \"\(first)\" into U\nprint U")
        let with = "with decimal \"\(decimal)\", thousands \"\(thousands)\""
        let run = ScriptRun(
          "import \"\(second)\" as new T \(with)\(script)import \"\(second)\" into U \(with)\n"
            + "print U")
        #expect(run.errors == "", "seed \(seed)")
        #expect(run.output == expected.output, "seed \(seed): \(other)")
      }
    }
  }

  @Test func `files that a pattern fits are one import, whose class fits all of them`() throws {
    try withFolder { folder in
      for (name, content) in [("2026-2", "n\nx\n"), ("2026-1", "n\n2\n"), ("2025-1", "m\n1\n")] {
        #expect(FileTree.write(content, to: "\(folder)/\(name).csv"))
      }
      let run = ScriptRun(
        """
        import "\(folder)/2026-*.csv" as new T
        print T
        expect error "'m' is not in all of them" { import "\(folder)/*.csv" as new U }
        expect error "no file has such a name" { import "\(folder)/*.json" as new U }
        import "\(folder)/2026-?.csv" into T
        count T
        """)
      #expect(run.errors == "")
      #expect(run.output == "T#1 {n: \"2\"}\nT#2 {n: \"x\"}\n4\n")
    }
  }
}
