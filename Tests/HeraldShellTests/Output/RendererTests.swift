import Herald
import Testing

@testable import HeraldShell

/// What statements print, as text and as JSON.
private let outputs: [(text: String, plain: String, json: String)] = [
  ("print \"a\\n\\\"\"", "a\n\"", "{\"result\":\"a\\n\\\"\"}"),
  ("print 1, \"a b\", nil, true", "1 a b nil true", "{\"result\":[1,\"a b\",null,true]}"),
  ("print 1.0, 0.1, 1e21, -2.5", "1.0 0.1 1e+21 -2.5", "{\"result\":[1.0,0.1,1e+21,-2.5]}"),
  ("print inf, nan", "inf nan", "{\"result\":[\"inf\",\"nan\"]}"),
  ("print [1, \"x\"]", "[1, \"x\"]", "{\"result\":[1,\"x\"]}"),
  (
    "print 2026-11-21@10:30:00.25", "2026-11-21@10:30:00.25",
    "{\"result\":\"2026-11-21T10:30:00.25Z\"}"
  ),
  ("print binary(\"AQI=\")", "binary(\"AQI=\")", "{\"result\":\"AQI=\"}"),
  (
    "class A { a: int }; class B { k: string primary; a: A; l: list<A> }; add A { a: 1 }\n"
      + "add B { k: \"x\\\"y\", a: A#1, l: [A#1] } as $b; print $b",
    "B#\"x\\\"y\" {k: \"x\\\"y\", a: A#1, l: [A#1]}",
    "{\"result\":{\"class\":\"B\",\"key\":\"x\\\"y\",\"properties\":{\"k\":\"x\\\"y\","
      + "\"a\":{\"class\":\"A\",\"key\":1},\"l\":[{\"class\":\"A\",\"key\":1}]}}}"
  ),
  ("class A { a: int }; count A", "0", "{\"result\":0}"),
  ("class A { a: int }; show A", "", "{\"result\":[]}"),
  ("class A { a: list<int> }; add A { a: [1] } as $a; show $a.a", "0  1", "{\"result\":[1]}"),
  ("tokens", "", "{\"tokens\":[]}"),
  (
    "sessions", "* main  version 0",
    "{\"sessions\":[{\"session\":\"main\",\"version\":0,\"current\":true,"
      + "\"autorefresh\":true,\"inWrite\":false}]}"
  ),
  (
    "class A { a: int? = 3 indexed }; schema A", "class A {\n  a: int? = 3 indexed\n}",
    "{\"schema\":[{\"class\":\"A\",\"properties\":[{\"name\":\"a\",\"type\":\"int?\","
      + "\"indexed\":true,\"default\":3}]}]}"
  ),
]

@Suite struct RendererTests {
  @Test(arguments: outputs)
  func `output is written as text and as JSON`(text: String, plain: String, json: String) {
    let run = ScriptRun(text)
    #expect(run.errors == "")
    #expect(run.output == (plain.isEmpty ? "" : plain + "\n"))
    var options = Interpreter.Options()
    options.mode = .json
    #expect(ScriptRun(text, options).output == json + "\n")
  }

  @Test func `bars and line breaks end no cell of markdown, whatever stands beside them`() {
    let run = ScriptRun(
      #"""
      class A { id: int; s: string }
      add A [ {id: 1, s: "a\r\nb\rc\nd"}, {id: 2, s: "|\u0301|\u20dd"}, {id: 3, s: "x\\|y\\"} ]
      mode markdown
      show A { s as "p|q\u0301|\u20dd\r\n" }
      """#)
    #expect(run.errors == "")
    #expect(
      run.output == """
        | p\\|q\u{301}\\|\u{20DD}<br> |
        | --- |
        | a<br>b<br>c<br>d |
        | \\|\u{301}\\|\u{20DD} |
        | x\\\\\\|y\\ |

        """)
  }

  @Test func `quotes are doubled and fields split, whatever mark follows`() throws {
    try withFile([]) { path in
      let run = ScriptRun(
        #"""
        class A { id: int primary; s: string; m: map<string> }
        add A [ {id: 1, s: "12\"\u20dd"}, {id: 2, s: "a\r\nb"}, {id: 3, s: ",\u0301"} ]
        add A [ {id: 4, s: "\"\u0301\"\u200d"}, {id: 5, s: "\r\u0308"}, {id: 6, s: "\n\ufe0f"} ]
        set A#6.m = { "k\"\u0301": "\\\u0301" }
        class B { id: int primary; s: string; m: map<string> }

        """#
          + ["csv", "jsonl", "json"].map { format in
            """
            export A to "\(path)" as \(format)
            import "\(path)" into B
            for $a in A { expect (B where id == $a.id AND s == $a.s).@count == 1 }
            for $k in A#6.m { expect B#6.m[$k] == A#6.m[$k] }
            count B
            delete B

            """
          }.joined())
      #expect(run.errors == "")
      #expect(run.output == "6\n6\n6\n")
    }
  }

  @Test func `columns are written in every mode`() {
    let store = """
      class Person { name: string }
      class Dog { name: string; age: int; owner: Person }
      add Person { name: "Ann" } as $ann
      add Dog [ { name: "Max", age: 4, owner: $ann }, { name: "Rex", age: 2 } ]

      """
    let run = ScriptRun(
      store + "mode csv\nshow Dog { name, owner.name }\nmode markdown\nshow Dog { name, age }\n"
        + "mode line\nshow Dog { name, age }")
    #expect(run.errors == "")
    #expect(
      run.output == """
        name,owner.name
        Max,Ann
        Rex,
        | name | age |
        | --- | --: |
        | Max | 4 |
        | Rex | 2 |
          name  Max
          age   4

          name  Rex
          age   2

        """)
  }

  @Test func `what print writes can be typed back`() {
    let declaration =
      "class Dog { id: int primary; name: string?; born: date?; raw: data?; w: float? }\n"
    let first = ScriptRun(
      declaration
        + "add Dog { id: 1, name: \"\\u00e9 \\\\ \\\"\", born: \"1969-12-31T23:59:59.5Z\", "
        + "raw: binary(\"/w==\"), w: 0.1 }\nprint Dog")
    let literal = first.output.dropFirst("Dog#1 ".count)
    #expect(ScriptRun(declaration + "add Dog " + literal + "print Dog").output == first.output)
  }

  @Test(arguments: [
    (
      "line",
      """
      Dog#1
        id    1
        name  a|b
        age   nil

      Dog#2
        id    2
        name  say "hi", you
        age   7

      """
    ),
    ("csv", "id,name,age\n1,a|b,\n2,\"say \"\"hi\"\", you\",7\n"),
    (
      "jsonl",
      """
      {"id": 1, "name": "a|b", "age": null}
      {"id": 2, "name": "say \\"hi\\", you", "age": 7}

      """
    ),
    (
      "markdown",
      """
      | object | id | name | age |
      | --- | --: | --- | --: |
      | Dog#1 | 1 | a\\|b | nil |
      | Dog#2 | 2 | say "hi", you | 7 |

      """
    ),
  ])
  func `a table is written in other forms`(mode: String, text: String) {
    let run = ScriptRun(
      """
      class Dog { id: int primary; name: string; age: int? }
      add Dog [ {id: 1, name: "a|b"}, {id: 2, name: "say \\"hi\\", you", age: 7} ]
      mode \(mode); show Dog
      """)
    #expect(run.errors == "")
    #expect(run.output == text)
  }

  @Test(arguments: [30, 24, 12, 3, 1])
  func `a table fits the window, however narrow`(columns: Int) {
    var options = Interpreter.Options()
    options.window = { Window(columns: columns, rows: 24, isColored: false) }
    let run = ScriptRun(
      """
      class D { n: string; a: int; s: string? }
      add D [ {n: "日本語のとても長い名前です", a: 1}, {n: "a\\nb", a: 20} ]
      show D
      """, options)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The number and the key of a row are never cut.
    for line in lines { #expect(TextWidth.columns(line) <= max(columns, "0  D#1".count)) }
    for (row, line) in lines.dropFirst().prefix(2).enumerated() {
      #expect(line.hasPrefix("\(row)  D#\(row + 1)"))
    }
    let hidden = [30: "1 more column", 24: "2 more columns"][columns] ?? "3 more columns"
    #expect(lines.count == 5 && lines[4] == "")
    #expect(lines[3].prefix(min(columns - 1, hidden.count)) == hidden.prefix(columns - 1))
  }

  @Test(arguments: [
    (68, nil), (67, "1 more column; 'mode line' shows all: sixth"),
    (38, "3 more columns; 'mode line' shows all…"),
  ])
  func `a line says which columns a window has no room for`(columns: Int, note: String?) {
    var options = Interpreter.Options()
    options.window = { Window(columns: columns, rows: 24, isColored: false) }
    let run = ScriptRun(
      """
      class Row { first: string; second: string; third: string; fourth: string; fifth: string; sixth: string }
      add Row { first: "aaaaaaaa", second: "bbbbbbbb", third: "cccccccc", fourth: "dddddddd", fifth: "eeeeeeee",
        sixth: "ffffffff" }
      show Row
      """, options)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == (note == nil ? 2 : 3))
    // Columns are whole, or not there.
    #expect(lines[1].hasPrefix("0  Row#1  aaaaaaaa  bbbbbbbb  cccccccc"))
    #expect(!lines[1].contains("…"))
    if let note { #expect(lines.last == note) }
  }

  @Test func `a table at a terminal has a key once, no midnights, and no cut numbers`() {
    var options = Interpreter.Options()
    options.window = { Window(columns: 60, rows: 24, isColored: false) }
    let run = ScriptRun(
      """
      class Order { id: int primary; note: string; amount: double; created: date; to: Order }
      add Order { id: 1, note: "call first, please", amount: 12345.678, created: 2025-02-08 }
      add Order { id: 2, note: "", amount: 2.0, created: 2025-02-08@10:30:00, to: Order#1 }
      show Order; print Order#1.created
      """, options)
    #expect(
      run.output == """
           id       note                 amount  created
        0  Order#1  call first, ple…  12345.678  2025-02-08
        1  Order#2                          2.0  2025-02-08@10:30:00
        1 more column; 'mode line' shows all: to
        2025-02-08@00:00:00

        """)
  }

  @Test func `wide letters take two columns of a table`() {
    let run = ScriptRun(
      "class D { n: string; a: int }; add D [ {n: \"日本\", a: 10}, {n: \"x\", a: 9} ]; show D")
    #expect(run.output == "        n      a\n0  D#1  日本  10\n1  D#2  x      9\n")
  }
}

@Suite struct ErrorExcerptTests {
  @Test(arguments: [
    "print \"" + String(repeating: "x", count: 60) + "\", ? " + String(repeating: "y", count: 60),
    "print \"" + String(repeating: "日本", count: 40) + "\", ? " + String(repeating: "語", count: 40),
    "print ?" + String(repeating: " z", count: 100), String(repeating: "\t", count: 20) + "print ?",
    "print \"" + String(repeating: "é", count: 50) + "\", ?", "print ?",
  ])
  func `an excerpt fits the window, and the caret is under the mistake`(text: String) throws {
    for columns in [12, 20, 40, 80, 140] {
      let source = Source(name: "prompt", text: text)
      var parser = StatementParser(source)
      let failure = try #require(throws: ShellError.self) { _ = try parser.next() }
      let lines = ErrorRenderer.text(failure, .text, isShown: true, columns: columns)
        .split(separator: "\n").map { $0.replacing("\t", with: "        ") }
      try #require(lines.count == 3)
      #expect(TextWidth.columns(String(lines[1])) < columns)
      #expect(TextWidth.columns(String(lines[2])) < columns)
      let marked = TextWidth.columns(String(lines[2].dropLast()))
      var column = 0
      let under = lines[1].first { character in
        defer { column += TextWidth.columns(character) }
        return column == marked
      }
      #expect(under == "?", "\(lines)")
    }
  }
}
