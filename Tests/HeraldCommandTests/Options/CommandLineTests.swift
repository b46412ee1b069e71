import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

struct CommandLineTests {
  private func options(_ arguments: [String]) throws -> Options {
    guard case .run(let options) = CommandLineRequest(arguments) else { throw NotOptions() }
    return options
  }

  private struct NotOptions: Error {}

  @Test func `Scripts and commands keep the order in which they were given`() throws {
    let options = try options(["-c", "a", "-f", "b", "-c", "-c", "-f", "-"])
    #expect(options.sources == [.commands("a"), .file("b"), .commands("-c"), .file("-")])
  }

  @Test func `Options may come in any order around the store`() throws {
    let options = try options(["--json", "x.hdb", "-f", "s", "--no-rc", "--color", "never"])
    #expect(options.store == "x.hdb")
    #expect(options.json)
    #expect(options.readsStartupFile == false)
    #expect(options.color == .never)
    #expect(options.sources == [.file("s")])
  }

  @Test(arguments: [
    (["--wrong-usage"], "Unknown option '--wrong-usage'"),
    (["--jsno"], "Unknown option '--jsno'. Did you mean '--json'?"),
    (["a", "b"], "Unexpected argument 'b'"),
    (["test"], "Missing expected argument '<file> ...'"),
    (["test", "--quiet", "a"], "Unknown option '--quiet'. Did you mean '--set'?"),
    (["--json", "test", "a"], "Unknown option '--json'. Did you mean '--set'?"),
    (["--set", "x=1", "test"], "Missing expected argument '<file> ...'"),
    (["x.hdb", "test", "a"], "'test' must come before other words"),
    (["check"], "Missing expected argument '<file>'"),
    (["check", "a", "b"], "Unexpected argument 'b'"),
    (["x.hdb", "check", "a"], "'check' must come before other words"),
    (["-f"], "Missing value for '-f <script>'"),
    (
      ["--color", "blue"],
      "The value 'blue' is invalid for '--color <when>'. "
        + "Please provide one of 'auto', 'always' or 'never'."
    ),
  ])
  func `Wrong usage is reported in one line`(arguments: [String], words: String) {
    guard case .wrongUsage(let message, of: _) = CommandLineRequest(arguments) else {
      Issue.record("\(arguments) are accepted")
      return
    }
    #expect(message == words)
  }

  @Test func `Options come before test and after it`() throws {
    guard
      case .test(let options) = CommandLineRequest(
        ["--set", "x=test", "--summary", "test", "a", "--echo", "test"])
    else { throw NotOptions() }
    #expect(options.files == ["a", "test"])
    #expect(options.settings.map(\.name) == ["x"])
    #expect(options.summary && options.echo)
    #expect(try self.options(["-f", "test", "--json"]).sources == [.file("test")])
    #expect(try self.options(["--", "test"]).arguments == ["test"])
  }

  @Test func `Wrong usage of test leads to the help of test`() throws {
    #expect(
      try ProgramRun(["--json", "test", "a"]).errors.hasSuffix("; see 'herald test --help'\n"))
    #expect(try ProgramRun(["--jsno"]).errors.hasSuffix("; see 'herald --help'\n"))
  }

  /// What is read without the argument parser is what the parser reads.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `The quick reading of a plain command line agrees with the parser`(seed: UInt64) throws {
    let words = [
      "--json", "--answers", "--read-only", "--keep-going", "--echo", "--no-rc", "--rc", "--quiet",
      "-c", "-f",
      "--set", "--color", "--mode", "0660", "--max-size", "20M", "x.hdb", "a=1", "never", "auto",
      "", "-",
      "--", "help", "test", "print 1", "-x",
      "--jsn", "-ca", "--set=a=2", "$b=3", "--color=always", "é", "--help",
    ]
    var generator = SplitMix64(seed: seed)
    var plain = 0
    for _ in 0..<400 {
      let line = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        // Arguments further left are chosen more often.
        words[Int(pow(Double.random(in: 0..<1, using: &generator), 2) * Double(words.count))]
      }
      guard let options = Options(plain: line) else { continue }
      plain += 1
      guard case .run(let parsed) = CommandLineRequest(parsing: line) else {
        Issue.record("seed \(seed): the parser refuses \(line)")
        continue
      }
      #expect(options == parsed, "seed \(seed): \(line)")
    }
    #expect(plain > 50)
  }

  @Test func `Help and version are printed`() {
    guard case .print(let help) = CommandLineRequest(["--help"]) else {
      Issue.record("--help is not printed")
      return
    }
    #expect(help.contains("herald [<store>]"))
    #expect(help.contains("--read-only"))
    #expect(help.contains("--set <name=value>"))
    #expect(help.contains("test                    Run scripts as test cases"))
    guard case .print(let word) = CommandLineRequest(["help"]) else {
      Issue.record("help is not printed")
      return
    }
    #expect(word == help)
    for arguments in [["help", "test"], ["test", "--help"]] {
      guard case .print(let text) = CommandLineRequest(arguments) else {
        Issue.record("\(arguments) print nothing")
        return
      }
      #expect(text.contains("USAGE: herald test"))
    }
    guard case .print(let version) = CommandLineRequest(["--version"]) else {
      Issue.record("--version is not printed")
      return
    }
    #expect(version == "herald \(Version.current)")
  }
}
