import Testing

@testable import HeraldCommand

@Suite(.serialized) struct LineEditorTests {
  @Test func `A typed line is returned`() throws {
    let typist = try Typist()
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("show Dog")
    try typist.terminal.waitForLine("herald> show Dog")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line show Dog"])
  }

  @Test func `The prompt's colours are sent and take no room`() throws {
    let typist = try Typist(columns: 12)
    try typist.terminal.waitForLine("herald>")
    let bytes = String(decoding: typist.terminal.received, as: UTF8.self)
    #expect(bytes.contains("\u{1B}[1;32mherald\u{1B}[0m> "))
    try typist.terminal.send("abcdef")
    try typist.terminal.waitForScreen("herald> abcd\nef")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line abcdef"])
  }

  @Test func `Words in any script are typed, moved over and deleted`() throws {
    let typist = try Typist()
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("né 日本語 🐶")
    try typist.terminal.waitForLine("herald> né 日本語 🐶")
    try typist.terminal.send("\u{2}\u{2}\u{7F}x\r")
    #expect(typist.answers() == ["line né 日本x 🐶"])
  }

  @Test func `A combining mark stays in the line and does not move the cursor`() throws {
    let typist = try Typist()
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("e\u{301}fg")
    try typist.terminal.waitForLine("herald> efg")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line e\u{301}fg"])
  }

  @Test func `A text posted meanwhile is printed above the half-typed line`() throws {
    let typist = try Typist()
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("add Do")
    try typist.terminal.waitForLine("herald> add Do")
    typist.eventQueue.post(.text("dogs: insertions [0]"))
    try typist.terminal.waitForScreen("dogs: insertions [0]\nherald> add Do")
    try typist.terminal.send("g\r")
    #expect(typist.answers() == ["line add Dog"])
  }

  @Test func `A text posted meanwhile leaves a wrapped wide line whole`() throws {
    let typist = try Typist(rows: 8, columns: 13)
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("日本語日本語xyz")
    try typist.terminal.waitForScreen("herald> 日本\n語日本語xyz")
    typist.eventQueue.post(.text("one\ntwo\n"))
    try typist.terminal.waitForScreen("one\ntwo\nherald> 日本\n語日本語xyz")
    // The cursor in the first row: what is above must not be touched.
    try typist.terminal.send("\u{1}a")
    try typist.terminal.waitForScreen("one\ntwo\nherald> a日本\n語日本語xyz")
    typist.eventQueue.post(.text("three"))
    try typist.terminal.waitForScreen("one\ntwo\nthree\nherald> a日本\n語日本語xyz")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line a日本語日本語xyz"])
  }

  @Test func `Texts posted at the bottom of the screen scroll it`() throws {
    let typist = try Typist(rows: 3, columns: 40)
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("abc")
    for number in 1...5 { typist.eventQueue.post(.text("event \(number)")) }
    try typist.terminal.waitForScreen("event 4\nevent 5\nherald> abc")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line abc"])
  }

  @Test func `A text posted while a statement ran is shown before the next prompt`() throws {
    let typist = try Typist(prompts: ["one> ", "two> "])
    try typist.terminal.waitForLine("one>")
    typist.eventQueue.post(.text("first"))
    try typist.terminal.waitForScreen("first\none>")
    try typist.terminal.send("\r")
    typist.eventQueue.post(.text("second"))
    try typist.terminal.waitForLine("two>")
    try typist.terminal.waitForText("second")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line ", "line "])
  }

  @Test func `An interrupt drops the line and the next prompt comes`() throws {
    let typist = try Typist(prompts: ["one> ", "two> "])
    try typist.terminal.waitForLine("one>")
    try typist.terminal.send("half")
    try typist.terminal.waitForLine("one> half")
    typist.eventQueue.post(.interrupt)
    try typist.terminal.waitForScreen("one> half^C\ntwo>")
    try typist.terminal.send("whole\r")
    #expect(typist.answers() == ["interrupted", "line whole"])
  }

  @Test func `An interrupt ends a search through the history`() throws {
    let typist = try Typist(history: ["count Dog"], prompts: ["one> ", "two> "])
    try typist.terminal.waitForLine("one>")
    try typist.terminal.send("\u{12}cou")
    try typist.terminal.waitForText("bck:cou")
    typist.eventQueue.post(.interrupt)
    try typist.terminal.waitForLine("two>")
    try typist.terminal.send("x\r")
    #expect(typist.answers() == ["interrupted", "line x"])
  }

  @Test func `Ctrl-D on an empty line ends the input and does nothing in a line`() throws {
    let typist = try Typist(prompts: ["one> ", "two> "])
    try typist.terminal.waitForLine("one>")
    try typist.terminal.send("ab\u{4}c\r")
    try typist.terminal.waitForLine("two>")
    try typist.terminal.send("\u{4}")
    #expect(typist.answers() == ["line abc", "end"])
  }

  @Test func `The terminal is restored when the editor is released`() throws {
    let typist = try Typist()
    try typist.terminal.waitForLine("herald>")
    #expect(!typist.terminal.isCooked)
    typist.eventQueue.post(.terminate(signal: 15))
    #expect(typist.answers() == ["terminated 15"])
    #expect(typist.terminal.isCooked)
  }

  @Test func `A burst of commits elsewhere draws the line again thirty times a second at most`()
    throws
  {
    let typist = try Typist(rows: 40)
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("half")
    try typist.terminal.waitForLine("herald> half")
    let start = ContinuousClock.now
    typist.eventQueue.postTurn()
    // Each turn that is seen is followed by a burst, so that a turn is due all the time.
    for turn in 1...5 {
      try typist.terminal.waitForText("turn \(turn)\n")
      for _ in 0..<1000 { typist.eventQueue.postTurn() }
    }
    // Turns 1 to 5 have four pauses between them.
    #expect(ContinuousClock.now - start >= .milliseconds(4 * 33))
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line half"])
    #expect(typist.turns <= 2 + Int((ContinuousClock.now - start) / .milliseconds(33)))
  }
}
