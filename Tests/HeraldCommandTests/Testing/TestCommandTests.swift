import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `herald test`, `--set` and `read`, as a script's author meets them.
struct TestCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.path + "/more", 0o700)
  }

  /// Writes a script and returns its path.
  private func script(_ name: String, _ text: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try FileTree.save(text, to: path)
    return path
  }

  private func passing() throws -> String {
    try script("ok.herald", "class N { n: int }\nadd N { n: 1 }\nexpect N.@count == 1\nprint 1\n")
  }

  private func failing() throws -> String {
    try script(
      "bad.herald",
      "class N { n: int }\nobserve N as n\nadd N { n: 1 }\nexpect n initial 0\n"
        + "expect n insertions [1]\n")
  }

  @Test func `Scripts are reported as TAP, with the details of a failure`() throws {
    let (ok, bad) = (try passing(), try failing())
    let wrong = try script("wrong #1.herald", "print 1\ncount Foo\n")
    let run = try ProgramRun(["test", ok, bad, wrong, ok])
    #expect(
      run.output == """
        TAP version 14
        1..4
        ok 1 - \(ok)
        not ok 2 - \(bad)
          ---
          message: "expected n: insertions [1]; seen n: insertions [0]"
          severity: fail
          file: "\(bad)"
          line: 5
          column: 1
          statement: "expect n insertions [1]"
          output:
            - "n: initial 0 rows"
            - "n: insertions [0]"
          ...
        not ok 3 - \(folder.path)/wrong \\#1.herald
          ---
          message: "unknown class 'Foo'; the store has no classes"
          severity: error
          file: "\(wrong)"
          line: 2
          column: 7
          statement: "count Foo"
          output:
            - "1"
          ...
        ok 4 - \(ok)

        """)
    #expect(run.errors == "")
    #expect(run.status == 3)
    #expect(try ProgramRun(["test", wrong, bad]).status == 1)
    #expect(try ProgramRun(["test", ok, folder.path + "/nowhere"]).status == 4)
    #expect(try ProgramRun(["test", ok]).status == 0)
  }

  @Test func `--summary prints the errors and a count`() throws {
    let (ok, bad) = (try passing(), try failing())
    let run = try ProgramRun(["test", "--summary", ok, bad])
    #expect(
      run.output == """
        failed: \(bad)
        \(bad):5:1: error: expected n: insertions [1]; seen n: insertions [0]
        expect n insertions [1]
        ^
        1 passed, 1 failed

        """)
    #expect(run.status == 3)
    let all = try ProgramRun(["test", ok, "--summary", ok])
    #expect(all.output == "2 passed\n")
    #expect(all.status == 0)
  }

  @Test func `--echo writes statements and what they print as comments`() throws {
    let run = try ProgramRun([
      "test", "--echo", "--set", "x=7", try script("e.herald", "print $x\n"),
    ])
    #expect(
      run.output == "TAP version 14\n1..1\n# > print $x\n# 7\nok 1 - \(folder.path)/e.herald\n")
  }

  @Test func `Ctrl-C bails out with status 130`() throws {
    let endless = try script(
      "endless.herald",
      "class N { n: int }\nprint \"on\"\nobserve N as n do { write async { add N { n: 1 } } }\n")
    let conversation = try Conversation(["test", "--echo", endless, endless])
    _ = try conversation.read(until: "# on\n")
    conversation.interrupt()
    _ = try conversation.read(until: "Bail out! interrupted\n")
    #expect(conversation.leave() == 130)
  }

  @Test func `A store called test is opened by a path`() throws {
    let run = try ProgramRun([folder.path + "/./test", "-c", "class N { n: int }; count N"])
    #expect(run.output == "0\n")
    #expect(access(folder.path + "/test", F_OK) == 0)
  }

  // MARK: --set

  @Test(arguments: [
    ("x=3", "4"), ("x=-2.5", "-1.5"), ("x=1e2", "101.0"),
  ])
  func `--set gives a number where the value is one`(setting: String, printed: String) throws {
    #expect(try ProgramRun(["--set", setting, "-c", "print $x + 1"]).output == printed + "\n")
  }

  @Test(arguments: [
    ("x=Max", "\"Max\""), ("x=Dog#1", "\"Dog#1\""), ("x=", "\"\""), ("x=a=b", "\"a=b\""),
    ("x=1 + 2", "\"1 + 2\""), ("x='3'", "\"3\""), ("x=$y", "\"$y\""), ("x=uuid()", "\"uuid()\""),
    ("x=true", "true"), ("x=nil", "nil"), ("x=[1, 'a', nil]", "[1, \"a\", nil]"),
    ("x={a: 1}", "{\"a\": 1}"), ("x=[1, y]", "\"[1, y]\""),
    ("x=2026-11-21@10:30:00", "2026-11-21@10:30:00"), ("x=2026-11-21", "2026-11-21@00:00:00"),
  ])
  func `--set gives the value of a literal, otherwise a string`(setting: String, printed: String)
    throws
  {
    let run = try ProgramRun(["--set", setting, "-c", "print [$x]"])
    #expect(run.output == "[\(printed)]\n")
    #expect(run.errors == "")
  }

  @Test func `--set may repeat, wins over the start-up file, and names what is wrong with it`()
    throws
  {
    mkdir(folder.path + "/herald", 0o700)
    try FileTree.save("let $a = 1; let $b = 2\n", to: folder.path + "/herald/rc")
    let run = try ProgramRun(
      ["--rc", "--set", "a=5", "--set=c=6", "-c", "print $a, $b, $c"],
      environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(run.output == "5 2 6\n")
    for wrong in ["a", "1a=2", "=2", "a b=2"] {
      let run = try ProgramRun(["--set", wrong])
      #expect(run.status == 2)
      #expect(run.errors.hasPrefix("herald: The value '\(wrong)' is invalid for '--set"))
    }
  }

  // MARK: read

  @Test func `read begins in the folder of the file that reads`() throws {
    let main = try script("main.herald", "read more/one.herald\nprint \"main\"\n")
    _ = try script("more/one.herald", "print \"one\"\nread ./two.herald\nread ../three.herald\n")
    _ = try script("more/two.herald", "print \"two\"\ncount Foo\n")
    _ = try script("three.herald", "print \"three\"\n")
    let run = try ProgramRun(["--keep-going", "-f", main])
    #expect(run.output == "one\ntwo\nthree\nmain\n")
    #expect(run.errors.hasPrefix("\(folder.path)/more/two.herald:2:7: error: unknown class 'Foo'"))
  }

  /// The same file by a detour, and by another name.
  @Test(arguments: ["../more/../main.herald", "link.herald", "hard.herald"])
  func `A circle is an error that names its files, however they are spelled`(name: String) throws {
    let main = try script("main.herald", "print 1\nread more/one.herald\n")
    let one = try script("more/one.herald", "print 2\nread \(name)\n")
    symlink("../main.herald", folder.path + "/more/link.herald")
    link(main, folder.path + "/more/hard.herald")
    let again = "\(folder.path)/more/\(name)"
    let run = try ProgramRun(["-f", main])
    #expect(run.output == "1\n2\n")
    #expect(
      run.errors == """
        \(one):2:6: error: '\(again)' is already being read: \(main) reads \(one) reads \(again)
        read \(name)
             ^

        """)
    #expect(run.status == 4)
  }
}
