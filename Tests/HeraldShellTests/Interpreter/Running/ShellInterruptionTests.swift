import Glibc
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldShell

/// Statements over many objects, in which `FILE` is a file of records and `NEW` one that is not
/// there yet.
private let statements = [
  "alter Dog { add size: int = 1 }", "alter Dog { add size: string = \"m\" indexed }",
  "alter Dog { drop name }", "alter Dog { drop tags }", "alter Dog { drop home }",
  "alter Dog { drop owner }", "alter Dog { age: string }", "alter Dog { age: int indexed }",
  "alter Dog { name: string }", "alter Dog { tags: any }", "alter Dog { home: any }",
  "alter Dog { age: list<int> }",
  "alter Dog { homes: set<string> }", "alter Dog { weight: double }",
  "alter Dog { rename age to years; add n: int = 2; drop tags; weight: string? }",
  "drop Dog", "set Dog where age > 1 { name: \"x\", tags: [\"y\"] }",
  "set Dog { home: {street: \"s\"} }",
  "delete Dog where age > 1", "delete Dog",
  "count Dog where age + weight > 3", "count Dog distinct(age, name)",
  "count Dog where SUBQUERY(@links.Dog.mate, $x, $x.age > 1).@count > 0 OR tags.@count > 1",
  "show Dog sort(weight desc, name)", "show Dog sort(things, born)", "show Dog distinct(age)",
  "show $some where age < 9", "print Dog", "print Dog.@sum.weight", "print Dog.@max.born",
  "print Dog.tags.@count", "print Dog.@avg.age",
  "observe Dog where age + weight > 1 sort(name) as t", "observe Dog distinct(name, age) as t",
  "observe $some where age < 9 as t",
  "backup to \"NEW.hdb\"", "export Dog to \"NEW.json\"", "export Dog to \"NEW.csv\"",
  "dump to \"NEW.herald\"", "dump",
  "import \"FILE\" into Dog", "import \"FILE\" as new Cat", "export Dog to - as jsonl",
]

/// Statements that must not leave half of their changes in an open write.
private let changes = statements.filter { text in
  ["alter", "drop", "set", "delete", "import"].contains { text.hasPrefix($0) }
}

/// A shell with dogs in its store, of whose statements any may be stopped at a chosen moment.
private final class Shell {
  static let dogs = 600
  private let home: TemporaryFolder
  let sink = CollectingSink()
  let interpreter: Interpreter

  init() throws {
    home = try TemporaryFolder()
    interpreter = Interpreter(sink: sink)
    _ = run(
      """
      embedded class Home { street: string }
      class Person { id: int primary }
      class Dog { id: int primary; name: string indexed = ""; age: int = 0; weight: double?
      born: date?; tags: list<string>; homes: list<string>; home: Home; owner: Person; mate: Dog; \
      things: any }
      add Person {id: 1}
      let $some = Dog sort(born) limit(500)
      add Dog [ \((1...Shell.dogs).map(Shell.dog).joined(separator: "\n")) ]
      """)
    let records = (1...2_500).map { number in
      "{\"id\": \(number + 10_000), \"mate\": \(10_001 + number % 2_500)}\n"
    }
    try FileTree.save(records.joined(), to: "\(folder)/file")
  }

  deinit {
    interpreter.finishChecked()
    #expect(FileTree.names(in: folder) == ["file"], "something was left beside")
  }

  private static func dog(_ id: Int) -> String {
    """
    {id: \(id), name: "n\(id % 40)", age: \(id % 7), weight: \(id % 11).5, tags: ["a", "b\(id)"], \
    born: 2026-11-21@10:30:\(10 + id % 3), home: {street: "s"}, owner: Person#1, \
    things: [\(id % 2)] }
    """
  }

  private var folder: String { home.path }

  private func placed(_ statement: String) -> String {
    statement.replacing("FILE", with: "\(folder)/file").replacing("NEW", with: "\(folder)/new")
  }

  /// Runs statements and returns what they print.
  func run(_ text: String) -> String {
    let before = sink.output.utf8.count
    interpreter.run(Source(name: "test", text: placed(text)))
    return String(decoding: Array(sink.output.utf8.dropFirst(before)), as: UTF8.self)
  }

  /// Runs statements and returns how often they check for an interruption.
  func checks(of text: String) -> Int {
    let most = Int.max - 1
    interpreter.interruption.request(afterChecks: most)
    _ = run(text)
    defer { interpreter.interruption.clear() }
    for ending in ["json", "csv", "herald", "hdb"] { unlink("\(folder)/new.\(ending)") }
    return most - interpreter.interruption.remainingChecks
  }

  /// Runs statements that are stopped at a moment, and returns their errors.
  func stopped(_ text: String, after checks: Int) -> String {
    let before = sink.errors.utf8.count
    interpreter.interruption.request(afterChecks: checks)
    _ = run(text)
    interpreter.interruption.clear()
    return String(decoding: Array(sink.errors.utf8.dropFirst(before)), as: UTF8.self)
  }

  static func moments(of count: Int, _ random: inout SplitMix64) -> [Int] {
    [1, count - 1] + (0..<2).map { _ in Int.random(in: 0..<count, using: &random) }
  }
}

@Suite struct ShellInterruptionTests {
  @Test(arguments: statements)
  func `a statement that is stopped leaves everything as it was`(statement: String) throws {
    var random = SplitMix64(seed: firstSeed)
    let whole = try Shell()
    let count = whole.checks(of: statement)
    #expect(whole.sink.errors == "" || statement.hasPrefix("expect"), "\(whole.sink.errors)")
    // Not only between statements.
    try #require(count >= Shell.dogs / 256 + 2)
    let shell = try Shell()
    let before = shell.run("dump")
    for moment in Shell.moments(of: count, &random) {
      let diagnostic = shell.stopped(statement, after: moment)
      #expect(diagnostic.hasPrefix("test:1:"), "seed \(firstSeed), moment \(moment) of \(count)")
      #expect(diagnostic.contains(": error: interrupted\n"), "\(diagnostic)")
      let isAsBefore = shell.run("dump") == before
      #expect(isAsBefore, "seed \(firstSeed), moment \(moment) of \(count)")
      #expect(shell.run("tokens") == "")
    }
    #expect(shell.interpreter.exitStatus == 130)
    #expect(shell.run("add Dog {id: -1}\ncount Dog where id == -1") == "1\n")
  }

  @Test(arguments: changes)
  func `a stopped change takes the transaction that was begun by hand with it`(
    statement: String
  ) throws {
    var random = SplitMix64(seed: firstSeed)
    let shell = try Shell()
    let begin = "begin\nadd Dog {id: -1} as $added\n"
    let count = try Shell().checks(of: begin + statement)
    let before = shell.run("dump")
    for moment in Shell.moments(of: count, &random) where moment > 6 {
      let diagnostic = shell.stopped(begin + statement, after: moment)
      #expect(diagnostic.contains(": error: interrupted\n"), "\(diagnostic)")
      let isAsBefore = shell.run("dump") == before
      #expect(isAsBefore, "seed \(firstSeed), moment \(moment) of \(count)")
      #expect(
        shell.run(
          "expect error \"needs a write\" { commit }\nexpect error \"added\" { print $added }")
          == "")
    }
  }

  @Test func `a stopped first scan leaves no observer, and others continue`() throws {
    let shell = try Shell()
    _ = shell.run("observe Dog where id < 3 as old")
    let count = try Shell().checks(of: "observe Dog where age + weight > 1 as new")
    let diagnostic = shell.stopped("observe Dog where age + weight > 1 as new", after: count - 1)
    #expect(diagnostic.contains(": error: interrupted\n"), "\(diagnostic)")
    #expect(
      shell.run("set Dog where id < 9 { age: 30 }\ntokens")
        == "old: modifications [0, 1]\nold  main  Dog where id < 3\n")
  }
}
