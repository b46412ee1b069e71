import TestSupport
import Testing

/// Tables and `watch` in windows of three widths.
@Suite(.serialized) struct WidthTests {
  private static let script = """
    class Order { id: int primary; customer: string; city: string; placed: date; amount: double; note: string }
    add Order [
      { id: 1, customer: "Ann Baker", city: "Bree", placed: 2026-11-21@10:30:00, amount: 1234.5678, note: "leave it with the people next door" }
      { id: 2, customer: "Bob", city: "Lothlórien by the river", placed: 2026-11-22@08:00:00, amount: 9.5, note: "" }
    ]

    """

  private func lines(_ program: RunningProgram) -> [String] {
    program.terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test(arguments: [40, 80, 140])
  func `a table has whole columns, as many as there is room for`(columns: Int) throws {
    let shared = try SharedStore(Self.script)
    let program = try RunningProgram(
      ["--quiet", shared.path], home: shared.home, rows: 12, columns: columns
    ).atPrompt("walk.hdb main>")
    try program.terminal.send("Order\r")
    try program.terminal.wait(for: "the next prompt") { screen in
      screen.cursorLine == "walk.hdb main>" && screen.text.contains("Order#2")
    }
    let text = program.terminal.screen.text
    let shown = ["Order#1", "Ann Baker", "Bree", "2026-11-21@10:30:00", "1234.5678"].filter(
      text.contains)
    // One row takes one line, and a number or a date is whole or not there.
    #expect(lines(program).count { $0.contains("Order#") } == 2)
    #expect(shown.count == [40: 3, 80: 5, 140: 5][columns])
    #expect(text.contains("1 more column; ") == (columns == 80))
    #expect(text.contains("3 more columns; ") == (columns == 40))
    #expect(text.contains("leave it with the people next door") == (columns == 140))
    try program.terminal.send("\u{4}")
    #expect(program.exitStatus() == 0)
    #expect(shared.writer.leave() == 0)
  }

  @Test(arguments: [40, 80, 140])
  func `the bars of a watched histogram fit the window, and follow`(columns: Int) throws {
    let shared = try SharedStore(
      "class M { ms: double }\nadd M [{ ms: 1234.5 }, { ms: 9.5 }]\n")
    let program = try RunningProgram(
      [shared.path, "-c", "watch histogram M by ms bins 2"], home: shared.home,
      environment: ["HERALD_WATCH_CHECK": "1"], rows: 8, columns: columns)
    func bars() -> [Int] {
      lines(program)[1...2].map { $0.count { "█▉▊▋▌▍▎▏".contains($0) } }
    }
    try program.terminal.waitForText("  1  622.")
    let longest = try #require(bars().max())
    #expect(bars()[0] == longest && bars()[1] == longest)
    #expect(longest == [40: 11, 80: 40, 140: 40][columns])
    try shared.writer.send("add M [{ ms: 10 }, { ms: 11 }, { ms: 9.5 }]\n")
    try program.terminal.waitForText("1→4")
    #expect(bars() == [longest, (longest + 3) / 4])
    #expect(lines(program).allSatisfy { $0.count <= columns })
    #expect(lines(program)[7].hasPrefix("2 rows · "))
    try program.terminal.send("q")
    #expect(program.exitStatus() == 0)
    #expect(shared.writer.leave() == 0)
  }

  @Test(arguments: [40, 80, 140])
  func `a watched table shows what a value was and is`(columns: Int) throws {
    let shared = try SharedStore(Self.script)
    let program = try RunningProgram(
      [shared.path, "-c", "watch Order { customer, amount }"], home: shared.home,
      environment: ["HERALD_WATCH_CHECK": "1"], rows: 8, columns: columns)
    try program.terminal.waitForText("0  Order#1")
    try shared.writer.send("Order#2.amount = 70.25\n")
    try program.terminal.waitForText("~ 1  Order#2  Bob        9.5→70.25")
    #expect(lines(program)[7].hasPrefix("2 rows · "))
    #expect(lines(program)[7].hasSuffix("q leaves"))
    try program.terminal.send("q")
    #expect(program.exitStatus() == 0)
    #expect(shared.writer.leave() == 0)
  }
}
