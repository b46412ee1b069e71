import Glibc
import TestSupport
import Testing

@testable import HeraldShell

private let classes = """
  class Person { id: int primary; name: string }
  class Dog { id: int primary; name: string; age: int?; w: double = 1.0; ok: bool = false; \
  born: date?; raw: data?; owner: Person; mother: Dog; tags: list<string>; pups: list<Dog> }
  add Person [ {id: 1, name: "Ann"}, {id: 2, name: "Bob"} ]

  """

/// Files and what `print Dog` shows after their import.
private let files: [(content: String, output: String)] = [
  (
    "[{\"id\": 1, \"name\": \"Max\", \"owner\": 2, \"tags\": [\"a\", \"b\"], \"w\": 3},\n"
      + " {\"id\": 2, \"name\": \"R\\u00e9x\", \"age\": null, \"ok\": true, \"mother\": 3},\n"
      + " {\"id\": 3, \"name\": \"\", \"born\": \"2026-11-21T10:30:00Z\", \"raw\": \"AQI=\", "
      + "\"pups\": [2, 1]}]",
    """
    Dog#1 {id: 1, name: "Max", age: nil, w: 3.0, ok: false, born: nil, raw: nil, \
    owner: Person#2, mother: nil, tags: ["a", "b"], pups: []}
    Dog#2 {id: 2, name: "Réx", age: nil, w: 1.0, ok: true, born: nil, raw: nil, \
    owner: nil, mother: Dog#3, tags: [], pups: []}
    Dog#3 {id: 3, name: "", age: nil, w: 1.0, ok: false, born: 2026-11-21@10:30:00, \
    raw: binary("AQI="), owner: nil, mother: nil, tags: [], pups: [Dog#2, Dog#1]}

    """
  ),
  (
    "{\"id\": 1, \"name\": \"Max\", \"age\": 4}\n\n{\"id\": 2, \"name\": \"Rex\", \"age\": 5.0}\n",
    """
    Dog#1 {id: 1, name: "Max", age: 4, w: 1.0, ok: false, born: nil, raw: nil, owner: nil, \
    mother: nil, tags: [], pups: []}
    Dog#2 {id: 2, name: "Rex", age: 5, w: 1.0, ok: false, born: nil, raw: nil, owner: nil, \
    mother: nil, tags: [], pups: []}

    """
  ),
  (
    "\u{FEFF}id,name,age,owner,tags,w,ok\r\n1,\"Max, \"\"the\"\"\nbig\",,1,\"[\"\"x\"\"]\",2.5,true\r\n"
      + "2,,7,,,3,false",
    """
    Dog#1 {id: 1, name: "Max, \\"the\\"\\nbig", age: nil, w: 2.5, ok: true, born: nil, raw: nil, \
    owner: Person#1, mother: nil, tags: ["x"], pups: []}
    Dog#2 {id: 2, name: "", age: 7, w: 3.0, ok: false, born: nil, raw: nil, owner: nil, \
    mother: nil, tags: [], pups: []}

    """
  ),
  ("[]", ""), ("id,name\n", ""),
]

/// Files that cannot be imported, and what is wrong with them.
private let mistakes: [(content: String, diagnostic: String)] = [
  (
    "[{\"id\": 1, \"name\": \"a\"},\n{\"id\": 2, \"nmae\": \"b\"}]",
    "line 2, record 2, property 'nmae': class 'Dog' has no property 'nmae'; did you mean 'name'?"
  ),
  (
    "[{\"id\": 1, \"name\": 7}]",
    "line 1, record 1, property 'name': expected a string, found 7"
  ),
  (
    "id,name,age\n1,a,3\n2,b,x\n",
    "line 3, record 2, property 'age': expected an integer, found \"x\""
  ),
  ("id,name\n1,a,3\n", "line 2: 3 fields where the header has 2"),
  ("id,id\n1,2\n", "line 1: duplicate column 'id'"),
  ("id,name\n1,\"a\n", "line 2: a quoted field is never closed"),
  ("[{\"id\": 1, \"name\": \"a\"},\n\n7]", "line 3: expected an object, found 7"),
  ("[{\"id\": 1 \"name\": \"a\"}]", "line 1: expected ',' or '}', found '\"'"),
  ("[{\"id\": 1, \"name\": \"a\"}] x", "line 1: unexpected text after the array"),
  (
    "[{\"id\": 1, \"name\": \"a\", \"owner\": 9}]",
    "line 1, record 1, property 'owner': no such object of class 'Person': 9"
  ),
  (
    "[{\"id\": 1, \"name\": \"a\"},{\"id\": 1, \"name\": \"b\"}]",
    "line 1, record 2: an object of class 'Dog' with id 1 exists already"
  ),
  (
    "{\"id\": 1, \"name\": \"a\", \"born\": \"yesterday\"}",
    "line 1, record 1, property 'born': expected a date in ISO 8601, found \"yesterday\""
  ),
]

@Suite struct ImportTests {
  @Test(arguments: files)
  func `a file becomes objects`(content: String, output: String) throws {
    try withFile(content) { path in
      let run = ScriptRun(classes + "import \"\(path)\" into Dog\nprint Dog")
      #expect(run.errors == "")
      #expect(run.output == (output.isEmpty ? "[]\n" : output))
    }
  }

  @Test(arguments: mistakes)
  func `a mistake in a file names its place, and nothing is added`(
    content: String, diagnostic: String
  ) throws {
    try withFile(content) { path in
      let run = ScriptRun(
        classes + "expect error \"\" { import \"\(path)\" into Dog }\ncount Dog\n"
          + "import \"\(path)\" into Dog")
      #expect(run.output == "0\n")
      #expect(run.errors.contains("error: \(path): \(diagnostic)\n"), "\(run.errors)")
      #expect(run.status == 1)
    }
  }

  @Test func `a nil in the only column of a file is a record`() throws {
    try withFile("n\n1\n\n\"\"\n\n") { path in
      let run = ScriptRun(
        "class A { n: string? }\nimport \"\(path)\" into A\nprint A\n"
          + "export A to \"\(path).csv\"\nimport \"\(path).csv\" into A\ncount A where n == nil")
      #expect(run.errors == "")
      let rows = ["\"1\"", "nil", "\"\"", "nil"].enumerated().map { "A#\($0 + 1) {n: \($1)}\n" }
      #expect(run.output == rows.joined() + "4\n")
    }
  }

  @Test func `files of one import may link in circles, within a class and between two`() throws {
    let dogs = "[{\"id\": 1, \"owner\": 2, \"mate\": 2}, {\"id\": 2, \"owner\": 1, \"mate\": 1}]"
    let people = "{\"id\": 1, \"dogs\": [2, 1]}\n{\"id\": 2, \"dogs\": []}"
    let declared = """
      class Dog { id: int primary; owner: Person; mate: Dog }
      class Person { id: int primary; dogs: list<Dog> }

      """
    try withFile(dogs) { dogs in
      try withFile(people) { people in
        let run = ScriptRun(
          declared
            + "import \"\(dogs)\" into Dog, \"\(people)\" into Person\nprint Dog\nprint Person")
        #expect(run.errors == "")
        #expect(
          run.output == """
            Dog#1 {id: 1, owner: Person#2, mate: Dog#2}
            Dog#2 {id: 2, owner: Person#1, mate: Dog#1}
            Person#1 {id: 1, dogs: [Dog#2, Dog#1]}
            Person#2 {id: 2, dogs: []}

            """)
        let alone = ScriptRun(declared + "import \"\(dogs)\" into Dog\ncount Dog")
        #expect(alone.errors.contains("no such object of class 'Person'"))
      }
    }
  }

  @Test func `an import is one transaction, and reports its progress`() throws {
    let content = (1...2_500).map { "{\"id\": \($0), \"name\": \"d\($0)\"}\n" }.joined()
    try withFile(content) { path in
      let progress = Progress()
      var options = Interpreter.Options()
      options.progress = { _, progressed in
        if case .importing(let count, _) = progressed { progress.note(count) }
      }
      options.progressDelay = .zero
      let run = ScriptRun(
        classes + "observe Dog as d\nimport \"\(path)\" into Dog\nexpect d initial 0\n"
          + "count Dog where id > 2000", options)
      #expect(run.errors == "")
      #expect(run.output.hasSuffix("]\n500\n"))
      #expect(progress.counts == [1_000, 2_000])
    }
  }
}

/// Safe between threads: an import runs on the thread that runs the test.
private final class Progress: @unchecked Sendable {
  private(set) var counts: [Int] = []
  func note(_ count: Int) { counts.append(count) }
}

private func withFile(_ content: String, _ body: (String) throws -> Void) throws {
  try withFile(Array(content.utf8), body)
}

/// Runs a test with the path of a file of these bytes.
func withFile(_ content: [UInt8], _ body: (String) throws -> Void) throws {
  try withFolder { folder in
    let path = "\(folder)/file"
    try FileTree.save(content, to: path)
    try body(path)
  }
}
