import Glibc
import HeraldShell
import TestSupport
import Testing

@testable import HeraldCommand

/// Keys, history and locales, on the whole program.
@Suite(.serialized) struct EditingTests {
  private func start(
    home: TemporaryFolder? = nil, _ environment: [String: String] = [:], columns: Int = 60
  ) throws -> RunningProgram {
    try RunningProgram(["--quiet"], home: home, environment: environment, columns: columns)
      .atPrompt()
  }

  /// Starts the program with settings of libedit in a file.
  private func start(editrc: String) throws -> RunningProgram {
    let home = try TemporaryFolder()
    try FileTree.save(editrc, to: home.path + "/rc")
    return try start(home: home, ["EDITRC": home.path + "/rc"])
  }

  @Test func `vi keys from the user's editrc move and change, and Tab and Ctrl-R work`() throws {
    let program = try start(editrc: "bind -v\n")
    // A count of one too many letters, corrected in command mode.
    try program.terminal.send("prinnt 1 + 2\u{1B}0fnxA + 3\r")
    try program.terminal.waitForText("memory main> print 1 + 2 + 3\n6\nmemory main>")
    try program.terminal.send("autor\to")
    try program.terminal.waitForLine("memory main> autorefresh o")
    try program.terminal.send("\u{3}")
    try program.terminal.waitForLine("memory main>")
    // Ctrl-R searches while text is inserted, and while commands are given.
    for key in ["\u{12}", "\u{1B}\u{12}"] {
      try program.terminal.send("\(key)rint")
      try program.terminal.waitForText("bck:rint")
      try program.terminal.send("\r")
      try program.terminal.waitForText("\n6\nmemory main>")
      try program.terminal.send("\u{C}")
      try program.terminal.waitForScreen("memory main>")
    }
    try program.leave()
  }

  @Test func `Up with a beginning typed searches with vi's keys too, and Down returns`() throws {
    let program = try start(editrc: "bind -v\n")
    try program.terminal.send("print 12 + 1\rautorefresh on\r")
    try program.terminal.waitForText("autorefresh on\nmemory main>")
    try program.terminal.send("pri\u{1B}[A")
    try program.terminal.waitForLine("memory main> print 12 + 1")
    try program.terminal.send("\u{1B}[Bnt 7\r")
    try program.terminal.waitForText("memory main> print 7\n7\nmemory main>")
    try program.leave()
  }

  @Test func `Keys that the editrc binds are the user's, in vi's modes too`() throws {
    let program = try start(
      editrc: "bind -v\nbind ^R ed-move-to-beg\nbind -a ^R ed-delete-next-char\n")
    try program.terminal.send("rint 12\u{12}p\u{1B}A\u{1B}\u{12}\r")
    try program.terminal.waitForText("memory main> print 1\n1\nmemory main>")
    try program.leave()
  }

  @Test func `The editrc in the home is read where EDITRC names none, and may bind keys`() throws {
    let home = try TemporaryFolder()
    try FileTree.save("herald:bind ^T ed-move-to-beg\nother:bind -v\n", to: home.path + "/.editrc")
    let program = try start(home: home, ["EDITRC": ""])
    try program.terminal.send("1\u{14}print \r")
    try program.terminal.waitForText("memory main> print 1\n1\nmemory main>")
    try program.leave()
  }

  @Test func `Ctrl-R finds what was typed, also in an earlier run and over several lines`() throws {
    let home = try TemporaryFolder()
    let first = try start(home: home)
    try first.terminal.send("print [\r\"needle\"\r]\rprint 2\r")
    try first.terminal.waitForText("\n2\nmemory main>")
    try first.leave()
    let second = try start(home: home)
    try second.terminal.send("\u{12}need")
    try second.terminal.waitForText("bck:need")
    try second.terminal.send("\r")
    try second.terminal.waitForText("\n[\"needle\"]\nmemory main>")
    try second.leave()
  }

  @Test func `An entry typed again moves to the end, and history shows each once`() throws {
    let home = try TemporaryFolder()
    let program = try start(home: home)
    try program.terminal.send("print 1\r print 4\rprint 2\rprint 1\rhistory\r")
    try program.terminal.waitForText("\nprint 2\nprint 1\nhistory\nmemory main>")
    #expect(!program.terminal.screen.text.contains("\nprint 4\n"))
    // Back over history, print 1 and print 2 to nothing: the earlier print 1 was removed.
    try program.terminal.send("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A")
    try program.terminal.waitForLine("memory main> print 2")
    try program.terminal.send("\u{3}")
    try program.leave()
    let kept = HistoryFile(path: home.path + "/state/herald/history").load()
    #expect(kept == ["print 2", "print 1", "history"])
  }

  @Test(arguments: ["C", "C.UTF-8", "POSIX", "xx_XX.nothing"])
  func `Words in any script are typed and shown in every locale`(locale: String) throws {
    let program = try start(["LC_ALL": locale, "LANG": locale])
    try program.terminal.send("print \"né 日本語 🐶 e\u{301}!\u{2}\u{2}\u{7F}x")
    try program.terminal.send("\u{5}\"\r")
    try program.terminal.wait(for: "the words") { $0.text.contains("\nné 日本語 🐶") }
    let bytes = String(decoding: program.terminal.received, as: UTF8.self)
    #expect(bytes.contains("né 日本語 🐶"))
    try program.leave()
  }

  @Test func `Colours are off where NO_COLOR, a dumb terminal or --color say so, and on elsewhere`()
    throws
  {
    let cases: [(arguments: [String], environment: [String: String], isColored: Bool)] = [
      ([], ["NO_COLOR": ""], true), ([], ["NO_COLOR": "1"], false),
      ([], ["NO_COLOR": "", "TERM": "dumb"], false),
      (["--color", "always"], ["NO_COLOR": "1"], true),
      (["--color", "never"], ["NO_COLOR": ""], false),
    ]
    for (arguments, environment, isColored) in cases {
      let program = try RunningProgram(["--quiet"] + arguments, environment: environment)
      try program.terminal.waitForLine("memory main>")
      try program.terminal.send("count nothing")
      try program.terminal.waitForLine("memory main> count nothing")
      if isColored { try program.terminal.waitForOutput("\u{1B}[1;34m") }
      try program.terminal.send("\u{3}")
      try program.terminal.waitForLine("memory main>")
      try program.terminal.send("\u{4}")
      #expect(program.exitStatus() == 0)
      let bytes = String(decoding: program.terminal.received, as: UTF8.self)
      #expect(bytes.contains("\u{1B}[1;34m") == isColored, "\(arguments) \(environment)")
    }
  }

  @Test func `Tab at the prompt knows the store, the variables and the files`() throws {
    let home = try TemporaryFolder()
    try FileTree.save("print \"read\"\n", to: home.path + "/some.herald")
    let program = try start(home: home)
    try program.terminal.send("class Dog { name: string; weight: double = 2 }\r")
    try program.terminal.send("add Dog { na\t\"Max\" } as $max\rprint $m\t.wei\t\r")
    try program.terminal.waitForText("\n2.0\nmemory main>")
    try program.terminal.send("read \(home.path)/so\t\r")
    try program.terminal.waitForText("\nread\n")
    // The second line of a statement knows the first.
    try program.terminal.send("add Dog {\r")
    try program.terminal.waitForLine("..........{>")
    try program.terminal.send("na\t\"Rex\", we\t7 }\r")
    try program.terminal.waitForText("added Dog#2\n")
    try program.leave()
  }
}

/// What other threads say while somebody types.
@Suite(.serialized) struct PendingTextsTests {
  private let start = ContinuousClock.now

  @Test func `Nothing waits for ever, the first text not at all, the next its share of a second`() {
    var texts = PendingTexts()
    #expect(texts.delay(at: start) == -1)
    texts.add("a")
    #expect(texts.delay(at: start) == 0)
    #expect(texts.take() == "a\n")
    texts.noteShown(at: start)
    #expect(texts.delay(at: start) == -1)
    texts.add("b")
    texts.add("c\n")
    #expect(texts.delay(at: start + .milliseconds(10)) == 25)
    #expect(texts.delay(at: start + .milliseconds(34)) == 0)
    #expect(texts.take() == "b\nc\n")
    #expect(texts.take() == nil)
  }

  @Test func `A turn waits like a text, and more lines than a screen holds are counted`() {
    var texts = PendingTexts()
    texts.isTurnDue = true
    #expect(texts.delay(at: start) == 0)
    let turns = [texts.takeTurn(), texts.takeTurn()]
    #expect(turns == [true, false])
    texts.add("")
    #expect(texts.delay(at: start) == -1)
    for number in 0..<300 { texts.add("line \(number)\n") }
    #expect(texts.take() == "300 lines of events: 'events' shows them\n")
  }

  @Test func `A burst redraws a wrapped wide line at most 30 times a second, and loses no key`()
    throws
  {
    let typist = try Typist(rows: 6, columns: 16)
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("日本語日本語\u{2}\u{2}")
    try typist.terminal.waitForScreen("herald> 日本語日\n本語")
    let begin = ContinuousClock.now
    let before = redraws(typist)
    for number in 1...190 {
      typist.eventQueue.post(.text("event \(number)"))
      if number % 38 == 0 { try typist.terminal.send("x") }
    }
    try typist.terminal.waitForText("xxxxx")
    typist.eventQueue.post(.text("the end"))
    try typist.terminal.waitForText("the end\nherald> 日本語日\nxxxxx本語")
    let milliseconds = Int((ContinuousClock.now - begin) / .milliseconds(1))
    #expect(redraws(typist) - before <= milliseconds * 30 / 1_000 + 3)
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line 日本語日xxxxx本語"])
  }

  /// How often the prompt was drawn.
  private func redraws(_ typist: Typist) -> Int {
    String(decoding: typist.terminal.received, as: UTF8.self).split(separator: "herald").count - 1
  }

  @Test func `A text above a pasted line of several lines leaves it whole`() throws {
    let typist = try Typist(rows: 8, columns: 20)
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("\u{1B}[200~add Dog {\r  name: \"日本\"\r}\u{1B}[201~\u{2}")
    try typist.terminal.waitForScreen("herald> add Dog {\n  name: \"日本\"\n}")
    typist.eventQueue.post(.text("one"))
    try typist.terminal.waitForScreen("one\nherald> add Dog {\n  name: \"日本\"\n}")
    try typist.terminal.send("!\r")
    #expect(typist.answers() == ["line add Dog {\n  name: \"日本\"\n!}"])
  }

  @Test func `A text that comes with Enter is shown before the line is over`() throws {
    let typist = try Typist(prompts: ["one> ", "two> "])
    try typist.terminal.waitForLine("one>")
    typist.eventQueue.post(.text("first"))
    try typist.terminal.waitForScreen("first\none>")
    typist.eventQueue.post(.text("second"))
    try typist.terminal.send("x\r")
    try typist.terminal.waitForLine("two>")
    let text = String(decoding: typist.terminal.received, as: UTF8.self)
    let second = try #require(text.firstRange(of: "second"))
    let next = try #require(text.firstRange(of: "two"))
    #expect(second.lowerBound < next.lowerBound)
    try typist.terminal.send("y\r")
    #expect(typist.answers() == ["line x", "line y"])
  }
}
