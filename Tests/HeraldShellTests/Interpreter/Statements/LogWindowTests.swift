import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// The log of commits in a window.
struct LogWindowTests {
  @Test(arguments: [
    (40, ["version", "changes", "message"]), (64, ["version", "changes", "message", "time"]),
    (80, ["version", "changes", "message", "time", "session", "process"]),
    (140, ["version", "changes", "message", "time", "session", "process", "size"]),
  ])
  func `a narrow window shows fewer columns of the log, and these whole`(
    columns: Int, names: [String]
  ) {
    var options = Interpreter.Options()
    options.window = { Window(columns: columns, rows: 24, isColored: false) }
    let message = "a birthday of the oldest dog in the village, with guests"
    let run = ScriptRun(
      """
      class Dog { age: int }; class Person { name: string }
      write message "\(message)" { add Dog { age: 1 }; add Person { name: "Ann" } }
      log
      """, options)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines[0].split(separator: " ").map(String.init) == names)
    #expect(lines[1].hasPrefix("0        3  Dog +1, Person +1  a birth"))
    #expect(lines[2].contains("classes changed"))
    for line in lines { #expect(TextWidth.columns(line) <= columns, "\(line)") }
    // A time has its seconds.
    if columns >= 64 {
      #expect(lines[1].contains(/\d+-\d\d-\d\d@\d\d:\d\d:\d\d/))
    }
  }

  private func lines(_ statements: String, columns: Int, isColored: Bool = false) -> [String] {
    var options = Interpreter.Options()
    options.window = { Window(columns: columns, rows: 24, isColored: isColored) }
    let run = ScriptRun(LogTests.scene + statements, options)
    #expect(run.errors == "")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [140, 80, 40])
  func `a commit is wrapped between words in a window`(columns: Int) {
    let statements = """
      class Person { name: string primary; notes: list<string>; motto: string }
      write message "a longer message about what was done, and why" {
        add Person { name: "Ann of the hill", notes: ["first note", "日本語 words"], motto: "be kind to dogs" }
        set Dog#2 { name: "a quite long name", age: 12, tags: ["one", "two", "three"], mate: nil }
      }
      delete Person
      alter Person { add age: int = 3 }
      log version 6; log version 7; log version 8

      """
    func words(_ lines: [String]) -> [String] {
      // The times and the processes of two runs differ.
      lines.flatMap { $0.split(separator: " ") }.map(String.init)
        .filter { !$0.contains(/^\d+-|^\d+\)/) }
    }
    let wrapped = lines(statements, columns: columns)
    for line in wrapped { #expect(TextWidth.columns(line) <= columns, "\(line)") }
    #expect(
      words(wrapped)
        == words(
          ScriptRun(LogTests.scene + statements).output.split(separator: "\n").map(String.init)))
  }

  @Test func `lines of a commit are aligned, and what follows a label is below it`() {
    let wrapped = lines(
      """
      add Dog [ {id: 10, name: "\(String(repeating: "x", count: 40))"}, {id: 3, name: "a  b"} ]
      set Dog { age: 1, tags: ["x", "y", "z"], mate: Dog#3 }
      log version 4; log version 5; log version 6

      """, columns: 40
    ).filter { $0.hasPrefix("  ") && !$0.contains("(process") }
    #expect(
      wrapped == [
        "  ~ Dog#2 mate: Dog#1 → nil",
        "  - Dog#1 {id: 1, name: \"Max\", age: 4,",
        "           tags: [\"a\", \"b\", \"c\"],",
        "           mate: nil}",
        "  + Dog#10 {id: 10, name: \"xxxxxxxxxxxxx",
        "            xxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
        "            , age: 0, tags: [],",
        "            mate: nil}",
        "  + Dog#3  {id: 3, name: \"a  b\", age: 0,",
        "            tags: [], mate: nil}",
        "  ~ Dog#2  age: 7 → 1,",
        "           tags: +[0] \"x\", +[1] \"y\",",
        "             +[2] \"z\",",
        "           mate: nil → Dog#3",
        "  ~ Dog#10 age: 0 → 1,",
        "           tags: +[0] \"x\", +[1] \"y\",",
        "             +[2] \"z\",",
        "           mate: nil → Dog#3",
        "  ~ Dog#3  age: 0 → 1,",
        "           tags: +[0] \"x\", +[1] \"y\",",
        "             +[2] \"z\",",
        "           mate: nil → Dog#3",
      ])
  }

  @Test func `each line of a commit has its colors in a window that has colors`() {
    let colored = lines("log version 4", columns: 40, isColored: true)
    #expect(colored.allSatisfy { $0.hasPrefix("\u{1B}[") && $0.hasSuffix("\u{1B}[0m") })
    let sequences = colored.map { String($0.dropFirst(2).prefix { $0 != "m" }) }
    #expect(sequences.first == "1" && sequences.suffix(4) == ["33", "31", "31", "31"])
  }
}
