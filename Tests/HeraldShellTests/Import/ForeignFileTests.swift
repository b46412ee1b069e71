import TestSupport
import Testing

@testable import HeraldShell

/// What an import prints: the class, its objects, notes and errors.
private func imported(
  _ content: String, as ending: String = "csv", _ options: String = ""
) throws -> String {
  let folder = try TemporaryFolder()
  try FileTree.save(Array(content.utf8), to: "\(folder.path)/x.\(ending)")
  let run = ScriptRun("import \"\(folder.path)/x.\(ending)\" as new T \(options)\nprint T")
  let lines: [Substring] = run.errors.split(separator: "\n")
  var said = ""
  for line in lines where line.contains("note: ") || line.contains("error: ") {
    said += (line.split(separator: "\(folder.path)/").last.map(String.init) ?? "") + "\n"
  }
  return run.output + said
}

/// Files as other programs write them.
@Suite struct ForeignFileTests {
  @Test func `each line of a file of lines is an object`() throws {
    let line = #"{"tags":[{"n":"a"},{"n":"b"}]}"# + "\n"
    let object = #"T#1 {tags: [{n: "a"}, {n: "b"}]}"# + "\n"
    for ending in ["jsonl", "ndjson"] { #expect(try imported(line, as: ending) == object) }
    #expect(try imported(line, as: "json") == "T#1 {n: \"a\"}\nT#2 {n: \"b\"}\n")
  }

  @Test(arguments: [
    (
      "# made by hand, 2020\nid,name\n1,a\n",
      "T#1 {id: 1, name: \"a\"}\nx.csv: line 1 is a comment before the header\n"
    ),
    (
      "# Source: NOAA, 2020\n# Units, mm\nid,name\n1,a\n",
      "T#1 {id: 1, name: \"a\"}\nx.csv: lines 1 to 2 are a comment before the header\n"
    ),
    (
      "# Source, NOAA, 2020\n# Units, mm\nid,name,x\n1,a,3\n",
      "T#1 {id: 1, name: \"a\", x: 3}\nx.csv: lines 1 to 2 are a comment before the header\n"
    ),
    ("#id,name\n1,a\n", "T#1 {id: 1, name: \"a\"}\nx.csv: column \"#id\" is property 'id'\n"),
    (
      "# one, two\n\"an \"\"id\"\"\",n\n\"a \"\"b\"\"\",1\n\"c\",2\n",
      "T#1 {an_id: \"a \\\"b\\\"\", n: 1}\nT#2 {an_id: \"c\", n: 2}\n"
        + "x.csv: column \"an \\\"id\\\"\" is property 'an_id'\n"
        + "x.csv: line 1 is a comment before the header\n"
    ),
    (
      "# one, two\n#id,name\n1,a\n2,b\n",
      "T#1 {id: 1, name: \"a\"}\nT#2 {id: 2, name: \"b\"}\n"
        + "x.csv: column \"#id\" is property 'id'\nx.csv: line 1 is a comment before the header\n"
    ),
  ])
  func `the last line that begins with a number sign may be the header`(
    content: String, said: String
  ) throws {
    #expect(try imported(content) == said)
  }

  @Test func `a header that looks like a record is said`() throws {
    let note = "x.csv: the first line looks like a record; 'with header no' makes it one\n"
    #expect(try imported("2020-01-01,5,a\n2020-01-02,6,b\n").hasSuffix(note))
    #expect(try imported("1,2\n1.5,3\n").hasSuffix(note))
    for content in ["a,b\n1,2\n", "a,2020\n1,2\n", "a,b\nx,y\n", "1,b\nx,2\n", "5,6\n"] {
      #expect(try !imported(content).hasSuffix(note))
    }
    #expect(try !imported("1,2\n3,4\n", "with header no").contains("looks like"))
  }

  @Test func `dates have several forms, and an option is given once`() throws {
    let content = "a,b,c\n31.01.2020,31.01.2020 10:11,1/5/2020 3:04 PM\n"
    #expect(
      try imported(
        content, "with dates \"dd.MM.yyyy\", \"dd.MM.yyyy HH:mm\", \"M/d/yyyy h:mm a\"")
        == "T#1 {a: 2020-01-31@00:00:00, b: 2020-01-31@10:11:00, c: 2020-01-05@15:04:00}\n")
    #expect(
      try imported(content, "with dates \"yyyy\", \"dd.MM.yyyy\", header yes").contains(
        "a: 2020-01-31@00:00:00, b: \"31.01.2020 10:11\""))
    for (options, word) in [
      ("dates \"yyyy\", dates \"yy\"", "dates"), ("skip 0, skip 1", "skip"),
      ("nil \"1\", header yes, nil \"2\"", "nil"),
    ] {
      #expect(try imported(content, "with \(options)").contains("'\(word)' is given twice"))
    }
  }

  @Test func `extended JSON has dates in milliseconds, and numbers as texts`() throws {
    let lines = """
      {"k": "a", "d": {"$date": 1393804800000}, "e": {"$date": {"$numberLong": "-1"}}, \
      "i": {"$numberInt": "5"}, "l": {"$numberLong": "9007199254740993"}, \
      "x": {"$numberDouble": "2.5"}, "y": {"$numberDouble": "-Infinity"}}
      {"k": "b", "d": {"$date": "2020-01-01T00:00:00Z"}, "e": null, "i": 1, "l": 2, "x": 3, "y": 4}

      """
    #expect(
      try imported(lines, as: "jsonl") == """
        T#1 {k: "a", d: 2014-03-03@00:00:00, e: 1969-12-31@23:59:59.999, i: 5, \
        l: 9007199254740993, x: 2.5, y: -inf}
        T#2 {k: "b", d: 2020-01-01@00:00:00, e: nil, i: 1, l: 2, x: 3.0, y: 4.0}

        """)
    let other = #"{"k": {"$numberLong": "x"}}"# + "\n"
    #expect(try imported(other, as: "jsonl").contains("numberLong: \"x\""))
  }
}
