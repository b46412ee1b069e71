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

/// Files that are no good, and what is said of them after their names.
private let files: [(content: [UInt8], complaint: String)] =
  texts.map { (Array($0.content.utf8), $0.complaint) } + [
    (
      Array("[{\"id\": 1, \"s\": \"a".utf8) + [0xFF, 0x22] + Array("}]".utf8),
      "line 1: invalid UTF-8"
    ),
    (Array("id,s\n1,".utf8) + [0xC3, 0x28, 0x0A], "line 2: invalid UTF-8"),
    (Array("id,s".utf8) + [0xFF] + Array("\n1,a\n".utf8), "line 1: invalid UTF-8"),
    ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "line 1: invalid UTF-8"),
    ([0, 0, 0], "line 1, property '\\u0000\\u0000\\u0000': class 'Dog' has no property"),
    (
      [UInt8](repeating: 0, count: 5_000),
      "line 1, property '" + String(repeating: "\\u0000", count: 100)
        + "…': class 'Dog' has no property"
    ),
    (
      Array("[{\"id\": 1, \"s\": \"a".utf8) + [0] + Array("\"}]".utf8),
      "line 1: the string has no end"
    ),
  ]

private let texts: [(content: String, complaint: String)] = [
  // Numbers
  (
    "[{\"id\": 9223372036854775808}]",
    "line 1, record 1, property 'id': an integer was expected, 9223372036854775808 found"
  ),
  ("[{\"id\": 1.5}]", "line 1, record 1, property 'id': an integer was expected, 1.5 found"),
  (
    "[{\"id\": 1, \"d\": 1e400}]",
    "line 1, record 1, property 'd': a number was expected, 1E+400 found"
  ),
  (
    "[{\"id\": 1, \"f\": 1e300}]",
    "line 1, record 1, property 'f': a number was expected, 1e+300 found"
  ),
  ("id,f\n1,1e39\n", "line 2, record 1, property 'f': a number was expected, 1e+39 found"),
  ("[{\"id\": 1, \"c\": 1e7000}]", "line 1: '1e7000' is no number, or too large for one"),
  (
    "[{\"id\": 1, \"d\": " + String(repeating: "9", count: 100_000) + "}]",
    "line 1: '\(String(repeating: "9", count: 40))…' is no number, or too large for one"
  ),
  ("[{\"id\": 1e}]", "line 1: '1e' is no number, or too large for one"),
  (
    "[{\"id\": 1, \"at\": \"99999999999999-01-01T00:00:00Z\"}]",
    "line 1, record 1, property 'at': a date in ISO 8601 was expected"
  ),
  // Brackets
  (deep(10_000), "line 1: more than 450 brackets inside one another"),
  ("[{\"id\": 1, \"v\": \(deep(10_000))}]", "line 1: more than 450 brackets inside one another"),
  (
    String(repeating: "{\"a\":", count: 10_000),
    "line 1: more than 450 brackets inside one another"
  ),
  (
    "[{\"id\": 1, \"v\": \(deep(101))}]",
    "line 1, record 1: property 'v' of class 'Dog' holds at most 100 lists and maps in one another"
  ),
  ("[{\"id\": 1}, {\"id\": 2", "line 1: ',' or '}' was expected, the end found"),
  ("[{\"id\": 1},]", "line 1: a value was expected, ']' found"),
  // Names
  ("[{\"id\": 1, \"id\": 2}]", "line 1: the name \"id\" stands in one object twice"),
  (
    "{\"id\": 1}\n{\"id\": 2, \"m\": {\"a\": 1, \"a\": 2}}",
    "line 2: the name \"a\" stands in one object twice"
  ),
  (
    "[{\"id\": 1, \"v\": {\"a\": 1, \"a\": 2}}]",
    "line 1: the name \"a\" stands in one object twice"
  ),
  ("hello", "line 1, property 'hello': class 'Dog' has no property 'hello'"),
  ("<a>\n</a>", "line 1, property '<a>': class 'Dog' has no property '<a>'"),
  ("id;s\n1;a\n", "line 1, property 'id;s': class 'Dog' has no property 'id;s'"),
  ("id,,s\n1,2,a\n", "line 1, property '': class 'Dog' has no property ''"),
  // Quotes and lines
  ("id,s\n1,\"a\"b\n", "line 2: something stands after a closing quote"),
  ("id,s\n1,\"a\n2,b\n", "line 2: a quote is never closed"),
  ("id,s\r1,a\r2,b\r", "line 1: a carriage return stands without a newline after it"),
  ("id,tags\n1,[\n", "line 2, record 1, property 'tags': a JSON array was expected, \"[\" found"),
  ("id,n\n\" 1\",2\n", "line 2, record 1, property 'id': an integer was expected, \" 1\" found"),
  ("[{\"id\": 1, \"s\": \"\\ud800\"}]", "line 1: the string has an escape that JSON does not know"),
  // Nested values
  (
    "[{\"id\": 1}, {\"id\": 2, \"home\": {\"street\": 3}}]",
    "line 1, record 2, property 'home.street': a string was expected, 3 found"
  ),
  (
    "[{\"id\": 1, \"homes\": [{\"street\": \"a\"}, {\"street\": {}}]}]",
    "line 1, record 1, property 'homes.street': a string was expected, an object found"
  ),
  (
    "[{\"id\": 1, \"home\": {\"stret\": \"a\"}}]",
    "line 1, record 1, property 'home.stret': class 'Home' has no property 'stret'"
  ),
  (
    "[{\"id\": 1, \"owner\": {\"id\": 7, \"name\": 4}}]",
    "line 1, record 1, property 'owner.name': a string was expected, 4 found"
  ),
  (
    "[{\"id\": 1, \"tags\": [\"a\", 1]}]",
    "line 1, record 1, property 'tags': a string was expected, 1 found"
  ),
  (
    "[{\"id\": 1, \"v\": {\"$link\": 3}}]",
    "line 1, record 1, property 'v': 3 is nothing for $link"
  ),
  (
    "[{\"id\": 1, \"v\": {\"$float\": 3}}]",
    "line 1, record 1, property 'v': 3 is nothing for $float"
  ),
  ("[{\"id\": 1, \"v\": {\"$map\": 3}}]", "line 1, record 1, property 'v': 3 is nothing for $map"),
  (
    "[{\"id\": 1, \"back\": [100]}]",
    "line 1, record 1, property 'back': backlinks are kept by the store"
  ),
  (
    "[{\"id\": 1, \"owner\": {\"id\": 7}}, {\"id\": 2, \"pups\": [{\"id\": 5, \"pups\": [6]}]}]",
    "line 1, record 2, property 'pups': there is no such object of class 'Dog'"
  ),
]

/// What is wrong in a file is named, and neither the store nor a write that goes on has any of it.
@Suite struct HostileFileTests {
  @Test(arguments: files)
  func `a file that is no good leaves nothing behind`(content: [UInt8], complaint: String) throws {
    try withFile(content) { path in
      let counts = "print Dog.@count, Person.@count, Home.@count, Dog#100.back.@count\n"
      let run = Run(
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
      #expect(run.errors.contains("error: \(path): \(complaint)"), "\(run.errors.prefix(500))")
    }
  }

  @Test func `what is odd and yet whole is kept exactly`() throws {
    let file = """
      [{"id": 1, "s": "a\\u0000b", "m": {"\\u0000": 3}, "v": \(deep(100)), "u": ["x", "x"],
       "d": -1e-400,
        "c": 1234567890123456789012345678901234}]
      """
    try withFile(Array(file.utf8)) { path in
      let run = Run(classes + "import \"\(path)\" into Dog\ndump\n")
      #expect(run.errors == "")
      let again = Run(run.output + "dump\n")
      #expect(again.errors == "")
      #expect(again.output == run.output)
      #expect(
        run.output.contains("s: \"a\\u0000b\", d: -0.0, c: decimal(\"1234567890123456789"))
    }
  }

  @Test(arguments: [
    ("add Dog {id: 1, d: 1e400}", "property 'd' of class 'Dog' is double?; 1E+400 does not fit"),
    ("add Dog {id: 1, f: 1e300}", "property 'f' of class 'Dog' is float?; 1e+300 does not fit"),
    ("add Dog {id: 1, c: 1e9999}", "the number 1e9999 is too large"),
    (
      "alter Dog { add x: int = 99999999999999999999 }", "is int; 99999999999999999999 does not fit"
    ),
    ("add Dog {id: 1, v: \(deep(10_000))}", "more than 350 brackets or blocks inside one another"),
    ("add Dog {id: 1, v: \(deep(101))}", "holds at most 100 lists and maps in one another"),
    ("let $x = \(deep(100))\nset Dog#100.v = [$x]", "holds at most 100 lists and maps"),
    (
      "alter Dog { v: list<any> }\nappend \(deep(100)) to Dog#100.v\nalter Dog { v: any }",
      "Dog#100 does not fit: its 'v' is"
    ),
    ("alter Dog { drop id; drop id }", "class 'Dog' has no property 'id'"),
    ("alter Dog { add a: int?; add a: int? }", "class 'Dog' has two properties 'a'"),
    ("add Dog {id: 1, m: {a: 1, a: 2}}", "twice"),
  ])
  func `a statement that asks too much changes nothing`(statement: String, complaint: String) {
    let run = Run(classes + statement)
    #expect(run.errors.contains(complaint), "\(run.errors.prefix(500))")
    var lines = statement.split(separator: "\n").map(String.init)
    let last = lines.removeLast()
    let before = classes + lines.map { $0 + "\n" }.joined()
    let refused = Run(before + "expect error \"\" { \(last) }\ndump\n")
    let isAsBefore = refused.output == Run(before + "dump\n").output
    #expect(isAsBefore)
  }
}
