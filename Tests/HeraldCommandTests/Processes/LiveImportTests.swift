import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `import … live` and `herald live`: lines become objects as they come.
@Suite(.serialized) struct LiveImportTests {
  private static let jsonClass = "class J { a: int; b: string? }; "

  @Test func `each line is committed as it comes, and observers are notified`() throws {
    let program = try Conversation([
      "-c", Self.jsonClass + "observe J as j; import - into J live; J; print \"end\"",
    ])
    var output = try program.read(until: "j: initial 0 rows\n")
    try program.send("{\"a\": 1}\n")
    output = try program.read(until: "j: insertions [0]\n", after: output)
    try program.send("{\"a\": 2, \"b\"")
    try program.send(": \"x\"}\n")
    output = try program.read(until: "j: insertions [1]\n", after: output)
    // The last line has no end.
    try program.send("{\"a\": 3}")
    program.endInput()
    output = try program.read(until: "end\n", after: output)
    #expect(
      output == """
        j: initial 0 rows
        j: insertions [0]
        j: insertions [1]
        j: insertions [2]
                a  b
        0  J#1  1  nil
        1  J#2  2  x
        2  J#3  3  nil
        end

        """)
    #expect(program.leave() == 0)
  }

  @Test func `what came meanwhile is one commit`() throws {
    let lines = (1...3_000).map { "{\"a\": \($0)}\n" }.joined()
    let run = try ProgramRun(
      ["-c", Self.jsonClass + "import - into J live; count J; log"], input: lines)
    #expect(run.output.hasPrefix("3000\n"))
    #expect(run.output.contains("J +3000"))
    #expect(run.status == 0)
  }

  @Test(arguments: [
    (
      "bad\n{\"a\": 1}\n{\"a\": \"x\"}\n{\"a\": 2\n}\n{\"c\": 1}\n\n"
        + "{\"a\": 3, \"b\": \"}\"} {\"a\": 4}",
      [1, 3, 4], [1, 3, 4, 5, 6]
    ),
    ("a,b\n1,x\n2\n3,\"y\nz\"\n4,\"\"\n5,x,y\n", [1, 4], [3, 4, 5, 7]),
    ("a=1 b=x\na=x\na=2\nb=\"\n", [1, 2], [2, 4]),
    ("\u{FEFF}{\"a\": 1}\r\n{\"a\": 2}\r\n", [1, 2], []), ("\u{FEFF}a,b\r\n5,x\r\n", [5], []),
    ("", [], []), ("\n\n", [], []),
  ])
  func `lines that are none are named, and the rest goes on`(
    _ input: String, _ values: [Int], _ bad: [Int]
  ) throws {
    // As one batch, and line by line.
    for isTrickle in [false, true] {
      // Without the lines behind it, the first one is taken for the header of a table.
      if isTrickle, input.hasPrefix("bad") { continue }
      let program = try LivePipe(["-c", Self.jsonClass + "import - into J live; J { a }"])
      for line in input.split(separator: "\n", omittingEmptySubsequences: false) {
        try program.send(line + "\n")
        if isTrickle { try program.waitUntilRead() }
      }
      let run = program.end()
      #expect(run.status == 0)
      let found = run.errors.split(separator: "\n").compactMap { line in
        line.firstRange(of: "note: -: line ").flatMap { range in
          Int(line[range.upperBound...].prefix { $0.isNumber })
        }
      }
      #expect(found == bad, "\(run.errors)")
      let rows = run.output.split(separator: "\n").dropFirst()
      let numbers = rows.compactMap { Int($0.split(separator: " ").last ?? "") }
      #expect(numbers == values, "\(isTrickle)")
    }
  }

  /// Random lines, of which many are damaged.
  @Test(arguments: seeds(4)) func `what comes in pieces is what comes at once`(_ seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let forms: [(lines: [String], options: String)] = [
      (["{\"a\":1,\"b\":\"x\"}", "{\"a\":2}", "{\"b\":null,\"a\":-3}"], ""),
      (["a=1 b=\"x \\\"y\\\"\"", "a=2", "b=q a=4"], " with form logfmt"),
      (
        ["h - u [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 23 \"-\" \"m\" 0.1"],
        " with form log, columns { status: a, host: b, *: skip }"
      ),
    ]
    let form = forms[random.below(forms.count)]
    let signs = Array("\"\\[]{}=,: \u{0}x".utf8)
    var input: [UInt8] = []
    for number in 0..<300 {
      var line = Array(random.pick(form.lines).utf8)
      for _ in 0..<(number > 0 && random.chance(40) ? random.below(4) : 0) {
        let offset = random.below(line.count)
        if random.chance(50) { line[offset] = random.pick(signs) } else { line.remove(at: offset) }
      }
      input += line + [UInt8(ascii: "\n")]
    }
    let statements = [
      "-c", "\(Self.jsonClass)import - into J live\(form.options)", "-c", "J { a, b }",
    ]
    let whole = try ProgramRun(statements + ["--json"], input: input)
    let program = try LivePipe(statements + ["--json"])
    var rest = input[...]
    while !rest.isEmpty {
      let piece = rest.prefix(random.below(200) + 1)
      try program.send(bytes: piece)
      rest = rest[piece.endIndex...]
      if random.chance(10) { try program.waitUntilRead() }
    }
    let pieces = program.end()
    #expect(whole.status == 0)
    #expect(pieces.status == 0)
    #expect(whole.output == pieces.output, "seed \(seed)")
    #expect(whole.output.count > 1_000)
    #expect(whole.errors == pieces.errors)
  }

  @Test func `a class is made from the first lines, and later ones add to it`() throws {
    let program = try Conversation([
      "-c", "observe store as s; import - into J live; schema; J; print \"end\"",
    ])
    try program.send("starting\n\n{\"a\": 1, \"c\": {\"d\": 1}}\n")
    var output = try program.read(until: "s: changed\n")
    try program.send("{\"a\": 2, \"b\": true, \"c\": {\"e\": 2.5}}\n{\"a\": 2.5}\n")
    program.endInput()
    output = try program.read(until: "end\n", after: output)
    #expect(
      output == """
        s: changed
        s: changed
        embedded class JC {
          d: int?
          e: double?
        }
        class J {
          a: int?
          c: JC
          b: bool?
        }
                a  c                 b
        0  J#1  1  {d: 1, e: nil}    nil
        1  J#2  2  {d: nil, e: 2.5}  true
        end

        """)
    #expect(program.leave() == 0)
  }

  @Test func `a property of which the first lines have no value takes values of every type`() throws
  {
    for input in [
      "{\"a\": 1, \"b\": null}\n{\"a\": 2, \"b\": 5}\n{\"a\": 3, \"b\": \"x\"}\n",
      "a,b\n1,\n2,5\n3,x\n",
    ] {
      let program = try LivePipe(["-c", "import - into T live; print T"])
      let lines = input.split(separator: "\n")
      for line in lines.prefix(input.hasPrefix("a") ? 2 : 1) { try program.send(line + "\n") }
      try program.waitUntilRead()
      // It is made from what came before.
      usleep(200_000)
      for line in lines.dropFirst(input.hasPrefix("a") ? 2 : 1) { try program.send(line + "\n") }
      let run = program.end()
      #expect(run.output == "T#1 {a: 1, b: nil}\nT#2 {a: 2, b: 5}\nT#3 {a: 3, b: \"x\"}\n")
      #expect(!run.errors.contains("could not"), "\(run.errors)")
    }
  }

  @Test func `a pipe of the file system is read until its writers have left`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lines"
    #expect(mkfifo(path, 0o600) == 0)
    let program = try Conversation([
      "-c", "\(Self.jsonClass)observe J as j; import \"\(path)\" into J live; count J",
    ])
    var output = try program.read(until: "j: initial 0 rows\n")
    let writer = open(path, O_WRONLY)
    try OutputBytes.write(Array("{\"a\": 1}\n".utf8), to: writer)
    output = try program.read(until: "j: insertions [0]\n", after: output)
    close(writer)
    output = try program.read(until: "insertions [0]\n1\n", after: output)
    #expect(program.leave() == 0)
  }

  @Test func `interrupted, it has imported what came`() throws {
    let shared = try SharedStore("class J { a: int }\n")
    let program = try Conversation([shared.path, "-c", "observe J as j; import - into J live"])
    _ = try program.read(until: "j: initial 0 rows\n")
    try program.send("{\"a\": 7}\n{\"a\"")
    _ = try program.read(until: "j: insertions [0]\n")
    program.interrupt()
    #expect(program.exitStatus() == 130)
    try shared.writer.send("print (J).@sum.a\n")
    #expect(try shared.writer.readLine() == "7\n")
    #expect(shared.writer.leave() == 0)
  }

  @Test func `live follows a query over the lines`() throws {
    let program = try Conversation([
      "live", "R", "group by s { n: @count, worst: @max.ms } sort(n desc)",
    ])
    try program.send("{\"s\": 1, \"ms\": 5}\n")
    var output = try program.read(until: "worst: 5}\n")
    try program.send("{\"s\": 2, \"ms\": 7}\n{\"s\": 2, \"ms\": 6}\n")
    output = try program.read(until: "worst: 7}\n", after: output)
    program.endInput()
    output = try program.read(until: "1  1  1      5\n", after: output)
    #expect(
      output == """
        t1: initial 1 row
          0: {s: 1, n: 1, worst: 5}
        t1: insertions [0]
          0: {s: 2, n: 2, worst: 7}
           s  n  worst
        0  2  2      7
        1  1  1      5

        """)
    #expect(program.leave() == 0)
  }

  @Test(arguments: [
    (["value @count"], "initial 3"), (["value (R).@sum.ms"], "initial 6"), ([], "R#3"),
    (["where ms > 1 sort(ms desc)"], "0: R#3"), (["R sections by s"], "in 2 sections"),
    (["group where ms > 1 by s { n: @count }"], "{s: 1, n: 1}"),
    (["sort(ms) keypaths ms"], "0: R#1"),
    (["value @max.ms", "--with", "columns { t: ms, *: skip }"], "initial 9"),
    (["value @max.ms", "-c", "class R { s: int; ms: double; t: int }"], "initial 3.0"),
  ])
  func `the class need not be named in the query`(_ arguments: [String], _ text: String) throws {
    let lines = (1...3).map { "s=\($0 % 2) ms=\($0) t=\(10 - $0)\n" }.joined()
    let run = try ProgramRun(["live", "R"] + arguments, input: lines)
    #expect(run.output.contains(text), "\(run)")
    #expect(run.status == 0)
  }

  @Test func `objects expire by their age while nothing comes, or when others write`() throws {
    let shared = try SharedStore("class J { a: int } keep 1s\nadd J { a: 1 }\n")
    let program = try Conversation([shared.path, "-c", "observe J as j; import - into J live"])
    var output = try program.read(until: "j: initial")
    try program.send("{\"a\": 2}\n")
    output = try program.read(until: "insertions", after: output)
    while !output.hasSuffix("\n") || output.split(separator: "deletions").count < 2 {
      output += try program.read()
    }
    try shared.writer.send("refresh\ncount J\n")
    #expect(try shared.writer.readLine().hasSuffix("\n"))
    #expect(program.leave() == 0)
    let again = try Conversation([shared.path])
    repeat {
      try again.send("add J { a: 3 }\ncount J where a == 2\n")
    } while try again.readLine() != "0\n"
    #expect(again.leave() == 0)
    #expect(shared.writer.leave() == 0)
  }

  @Test func `a store keeps the objects`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/r.hdb"
    for count in 1...2 {
      let run = try ProgramRun(
        ["live", "--store", path, "R", "value @count", "--json"], input: "{\"a\": 1}\n")
      #expect(run.output.hasSuffix("\"value\":\(count)}\n"))
    }
  }

  @Test(arguments: [
    (["live"], 2, "Missing expected argument '<class>'"),
    (["live", "R", "sectins by s"], 1, "expected the end of the statement, found 'sectins'"),
    (["live", "R; x"], 1, "expected the name of a class"),
    (["live", "R", "--with", "form x"], 1, "expected 'logfmt' or 'log', found 'x'"),
    (["-c", "begin; import - into R live"], 1, "a write is already in progress"),
    (["-c", "import - into R live, a.csv into R"], 1, "'live'"),
    (["-c", "import - into R live with encoding utf16"], 1, "'encoding utf16' is only for"),
    (["-c", "import - as new R live dry run"], 1, "'dry run'"),
    (["-c", "class A { n: int } keep"], 1, "expected '1h' or '100000', found the end"),
    (["-c", "class A { n: int } keep 0"], 1, "expected '1h' or '100000', found '0'"),
    (["-c", "class A { n: int } keep 1h, 2h"], 1, "expected '1h' or '100000', found '1h, 2h'"),
    (["-c", "class A { n: int } keep all"], 1, "expected '1h' or '100000', found 'all'"),
    (["-c", "class A { n: int }; alter A { keep }"], 1, "expected '1h' or '100000'"),
    (["-c", "import none.log into R live"], 1, "No such file or directory"),
  ])
  func `what cannot be is refused`(_ arguments: [String], _ status: Int32, _ text: String) throws {
    let run = try ProgramRun(arguments, input: "{\"s\": 1}\n")
    #expect(run.errors.contains(text), "\(run.errors)")
    #expect(run.status == status)
  }

  @Test(arguments: [
    "live --json R", "--json -c 'class R { id: int; st: int }; import - into R live'",
  ])
  func `lines that cannot be added are named for programs, too`(_ arguments: String) throws {
    let run = try ProgramRun(
      Self.words(arguments), input: "{\"id\":1,\"st\":2}\nbad\n{\"id\":4,\"st\":[[[\n")
    #expect(
      run.errors.contains("line 2") && run.errors.contains("2 lines could not be added"), "\(run)")
    #expect(run.status == 0)
  }

  /// The words of a line, of which one may be in quotes.
  private static func words(_ line: String) -> [String] {
    let parts = line.split(separator: "'")
    return parts[0].split(separator: " ").map(String.init) + parts.dropFirst().map(String.init)
  }
}

/// The built program behind a pipe that is written bit by bit.
private final class LivePipe {
  private let folder: TemporaryFolder
  private let process: StartedProcess
  private let pipe: Pipe

  init(_ arguments: [String]) throws {
    folder = try TemporaryFolder()
    pipe = try Pipe()
    var child = ChildProcess(RunningProgram.path, arguments)
    child.environment = ChildProcess.environment(home: folder.path)
    child.duplicate(pipe.reading, as: 0)
    try child.open(1, folder.path + "/output", O_WRONLY | O_CREAT)
    try child.open(2, folder.path + "/errors", O_WRONLY | O_CREAT)
    process = try child.start()
  }

  func send(_ text: some StringProtocol) throws { try send(bytes: Array(text.utf8)) }

  func send(bytes: some Sequence<UInt8>) throws {
    try OutputBytes.write(Array(bytes), to: pipe.writing)
  }

  /// Waits until the program has taken all that was sent.
  func waitUntilRead() throws {
    _ = becomesTrue {
      var count: Int32 = 0
      return ioctl(pipe.reading, UInt(FIONREAD), &count) == 0 && count == 0
    }
  }

  /// Ends the input, and returns what the program has written.
  func end() -> (output: String, errors: String, status: Int32) {
    close(pipe.writing)
    close(pipe.reading)
    let status = process.end()
    return (FileTree.text(folder.path + "/output"), FileTree.text(folder.path + "/errors"), status)
  }
}
