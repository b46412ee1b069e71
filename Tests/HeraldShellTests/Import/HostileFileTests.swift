import Testing

@testable import HeraldShell

private let classes = """
  embedded class Home { street: string }
  class Person { id: int primary; name: string = "" }
  class Dog { id: int primary; s: string = ""; f: float?; d: double?; c: decimal?; n: int = 0
    at: date?; home: Home; homes: list<Home>; tags: list<string>; u: set<string>; m: map<int>
    owner: Person; pups: list<Dog>; mate: Dog; v: any; back: backlinks<Dog.mate> }
  add Dog {id: 100}

  """

private func deep(_ count: Int) -> String {
  String(repeating: "[", count: count) + String(repeating: "]", count: count)
}

/// Malformed files, and their errors without the file name.
private let files: [(content: [UInt8], diagnostic: String)] =
  texts.map { (Array($0.content.utf8), $0.diagnostic) } + [
    (
      Array("[{\"id\": 1, \"s\": \"a".utf8) + [0xFF, 0x22] + Array("}]".utf8),
      "line 1: invalid UTF-8"
    ),
    (Array("id,s\n1,".utf8) + [0xC3, 0x28, 0x0A], "line 2: invalid UTF-8"),
    (Array("id,s".utf8) + [0xFF] + Array("\n1,a\n".utf8), "line 1: invalid UTF-8"),
    ([0xFF, 0xFE, 0x5B, 0, 0x5D], "line 1: invalid UTF-16"),
    ([0, 0, 0], "line 1, property '\\u0000\\u0000\\u0000': class 'Dog' has no property"),
    (
      [UInt8](repeating: 0, count: 5_000),
      "line 1, property '" + String(repeating: "\\u0000", count: 100)
        + "…': class 'Dog' has no property"
    ),
    (
      Array("[{\"id\": 1, \"s\": \"a".utf8) + [0] + Array("\"}]".utf8),
      "line 1: unterminated string"
    ),
  ]

private let texts: [(content: String, diagnostic: String)] = [
  // Numbers
  (
    "[{\"id\": 9223372036854775808}]",
    "line 1, record 1, property 'id': expected an integer, found 9223372036854775808"
  ),
  ("[{\"id\": 1.5}]", "line 1, record 1, property 'id': expected an integer, found 1.5"),
  (
    "[{\"id\": 1, \"d\": 1e400}]",
    "line 1, record 1, property 'd': expected a number, found 1E+400"
  ),
  (
    "[{\"id\": 1, \"f\": 1e300}]",
    "line 1, record 1, property 'f': expected a number, found 1e+300"
  ),
  ("id,f\n1,1e39\n", "line 2, record 1, property 'f': expected a number, found 1e+39"),
  ("[{\"id\": 1, \"c\": 1e7000}]", "line 1: '1e7000' is not a number, or is too large"),
  (
    "[{\"id\": 1, \"d\": " + String(repeating: "9", count: 100_000) + "}]",
    "line 1: '\(String(repeating: "9", count: 40))…' is not a number, or is too large"
  ),
  ("[{\"id\": 1e}]", "line 1: '1e' is not a number, or is too large"),
  ("[{\"id\": 1, \"v\": {\"n\": -007}}]", "line 1: '-007' is not a number, or is too large"),
  ("[{\"id\": 1, \"d\": 1.e3}]", "line 1: '1.e3' is not a number, or is too large"),
  ("[{\"id\": 1, \"d\": 0.e1}]", "line 1: '0.e1' is not a number, or is too large"),
  ("[{\"id\": 00}]", "line 1: '00' is not a number, or is too large"),
  ("[{\"id\": -}]", "line 1: '-' is not a number, or is too large"),
  ("[{\"id\": 1, \"d\": 1.5e+}]", "line 1: '1.5e+' is not a number, or is too large"),
  ("[{\"id\": 1, \"d\": 2.}]", "line 1: '2.' is not a number, or is too large"),
  (
    "[{\"id\": 1, \"at\": \"99999999999999-01-01T00:00:00Z\"}]",
    "line 1, record 1, property 'at': expected a date in ISO 8601"
  ),
  // Brackets
  (deep(10_000), "line 1: brackets nested more than 450 deep"),
  ("[{\"id\": 1, \"v\": \(deep(10_000))}]", "line 1: brackets nested more than 450 deep"),
  (
    String(repeating: "{\"a\":", count: 10_000),
    "line 1: brackets nested more than 450 deep"
  ),
  (
    "[{\"id\": 1, \"v\": \(deep(101))}]",
    "line 1, record 1: property 'v' of class 'Dog' nests lists and maps at most 100 levels deep"
  ),
  ("[{\"id\": 1}, {\"id\": 2", "line 1: expected ',' or '}', found the end"),
  ("[{\"id\": 1},]", "line 1: expected a value, found ']'"),
  // Names
  ("[{\"id\": 1, \"id\": 2}]", "line 1: duplicate name \"id\" in an object"),
  (
    "{\"id\": 1}\n{\"id\": 2, \"m\": {\"a\": 1, \"a\": 2}}",
    "line 2: duplicate name \"a\" in an object"
  ),
  (
    "[{\"id\": 1, \"v\": {\"a\": 1, \"a\": 2}}]",
    "line 1: duplicate name \"a\" in an object"
  ),
  ("hello", "line 1, property 'hello': class 'Dog' has no property 'hello'"),
  ("<a>\n</a>", "line 1, property '<a>': class 'Dog' has no property '<a>'"),
  ("id:s\n1:a\n", "line 1, property 'id:s': class 'Dog' has no property 'id:s'"),
  ("id,,s\n1,2,a\n", "line 1, property '': class 'Dog' has no property ''"),
  // Quotes and lines
  ("id,s\n1,\"a\"b\n", "line 2: unexpected text after a closing quote"),
  ("id,s\n1,\"a\n2,b\n", "line 2: a quoted field is never closed"),
  ("id,s\r1,a\r2\r", "line 3: 1 field where the header has 2"),
  ("id,s\r1,\"a\r\"b\r", "line 3: unexpected text after a closing quote"),
  ("id,tags\n1,[\n", "line 2, record 1, property 'tags': expected a JSON array, found \"[\""),
  ("id,n\n\" 1\",2\n", "line 2, record 1, property 'id': expected an integer, found \" 1\""),
  ("[{\"id\": 1, \"s\": \"\\ud800\"}]", "line 1: the string has an invalid escape sequence"),
  // Nested values
  (
    "[{\"id\": 1}, {\"id\": 2, \"home\": {\"street\": 3}}]",
    "line 1, record 2, property 'home.street': expected a string, found 3"
  ),
  (
    "[{\"id\": 1, \"homes\": [{\"street\": \"a\"}, {\"street\": {}}]}]",
    "line 1, record 1, property 'homes.street': expected a string, found an object"
  ),
  (
    "[{\"id\": 1, \"home\": {\"stret\": \"a\"}}]",
    "line 1, record 1, property 'home.stret': class 'Home' has no property 'stret'"
  ),
  (
    "[{\"id\": 1, \"owner\": {\"id\": 7, \"name\": 4}}]",
    "line 1, record 1, property 'owner.name': expected a string, found 4"
  ),
  (
    "[{\"id\": 1, \"tags\": [\"a\", 1]}]",
    "line 1, record 1, property 'tags': expected a string, found 1"
  ),
  (
    "[{\"id\": 1, \"v\": {\"$link\": 3}}]",
    "line 1, record 1, property 'v': 3 is invalid for $link"
  ),
  (
    "[{\"id\": 1, \"v\": {\"$float\": 3}}]",
    "line 1, record 1, property 'v': 3 is invalid for $float"
  ),
  ("[{\"id\": 1, \"v\": {\"$map\": 3}}]", "line 1, record 1, property 'v': 3 is invalid for $map"),
  (
    "[{\"id\": 1, \"back\": [100]}]",
    "line 1, record 1, property 'back': backlinks are maintained by the store"
  ),
  (
    "[{\"id\": 1, \"owner\": {\"id\": 7}}, {\"id\": 2, \"pups\": [{\"id\": 5, \"pups\": [6]}]}]",
    "line 1, record 2, property 'pups': no such object of class 'Dog': [{\"id\": 5, \"pups\": [6]}]"
  ),
]

/// What is wrong in a file is reported, and neither the store nor an open write contains any of it.
@Suite struct HostileFileTests {
  @Test(arguments: files)
  func `a file that is no good leaves nothing behind`(content: [UInt8], diagnostic: String) throws {
    try withFile(content) { path in
      let counts = "print Dog.@count, Person.@count, Home.@count, Dog#100.back.@count\n"
      let run = ScriptRun(
        classes
          + """
          expect error "" { import "\(path)" into Dog }
          \(counts)
          begin
          add Person {id: 9}
          expect error "" { import "\(path)" into Dog }
          \(counts)
          commit
          \(counts)
          import "\(path)" into Dog
          """)
      #expect(run.output == "1 0 0 0\n1 1 0 0\n1 1 0 0\n")
      #expect(run.errors.contains("error: \(path): \(diagnostic)"), "\(run.errors.prefix(500))")
    }
  }

  @Test func `unusual but valid content is kept exactly`() throws {
    let file = """
      [{"id": 1, "s": "a\\u0000b", "m": {"\\u0000": 3}, "v": \(deep(100)), "u": ["x", "x"],
       "d": -1e-400,
        "c": 1234567890123456789012345678901234}]
      """
    try withFile(Array(file.utf8)) { path in
      let run = ScriptRun(classes + "import \"\(path)\" into Dog\ndump\n")
      #expect(run.errors == "")
      let again = ScriptRun(run.output + "dump\n")
      #expect(again.errors == "")
      #expect(again.output == run.output)
      #expect(
        run.output.contains("s: \"a\\u0000b\", d: -0.0, c: decimal(\"1234567890123456789"))
    }
  }

  @Test(arguments: [
    ("add Dog {id: 1, d: 1e400}", "property 'd' of class 'Dog' is double? and cannot hold 1E+400"),
    ("add Dog {id: 1, f: 1e300}", "property 'f' of class 'Dog' is float? and cannot hold 1e+300"),
    ("add Dog {id: 1, c: 1e9999}", "the number 1e9999 is too large"),
    (
      "alter Dog { add x: int = 99999999999999999999 }",
      "is int and cannot hold 99999999999999999999"
    ),
    ("add Dog {id: 1, v: \(deep(10_000))}", "brackets or blocks nested more than 350 deep"),
    ("add Dog {id: 1, v: \(deep(101))}", "nests lists and maps at most 100 levels deep"),
    ("let $x = \(deep(100))\nset Dog#100.v = [$x]", "nests lists and maps at most 100 levels"),
    (
      "alter Dog { v: list<any> }\nappend \(deep(100)) to Dog#100.v\nalter Dog { v: any }",
      "cannot convert Dog#100: its 'v' is"
    ),
    ("alter Dog { drop id; drop id }", "class 'Dog' has no property 'id'"),
    ("alter Dog { add a: int?; add a: int? }", "class 'Dog' has two properties 'a'"),
    ("add Dog {id: 1, m: {a: 1, a: 2}}", "twice"),
  ])
  func `a statement that asks too much changes nothing`(statement: String, diagnostic: String) {
    let run = ScriptRun(classes + statement)
    #expect(run.errors.contains(diagnostic), "\(run.errors.prefix(500))")
    var lines = statement.split(separator: "\n").map(String.init)
    let last = lines.removeLast()
    let before = classes + lines.map { $0 + "\n" }.joined()
    let refused = ScriptRun(before + "expect error \"\" { \(last) }\ndump\n")
    let isAsBefore = refused.output == ScriptRun(before + "dump\n").output
    #expect(isAsBefore)
  }
}
