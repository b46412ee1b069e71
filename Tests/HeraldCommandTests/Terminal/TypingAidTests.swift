import Herald
import HeraldShell
import Testing

@testable import HeraldCommand

/// Tab, hints and colours, as a person sees them.
@Suite(.serialized) struct TypingAidTests {
  static let context: CompletionContext = {
    let names = ["name", "nickname", "weight", "owner"]
    let properties = names.enumerated().map { number, name in
      PropertySchema(
        id: PropertyID(UInt32(number)), name: name, type: PropertyType(.string))
    }
    let dog = ClassSchema(id: ClassID(0), name: "Dog", properties: properties)
    return CompletionContext(
      schema: Schema(classes: [dog]), tokens: ["dogs", "日本"], sessions: ["main"])
  }()

  private func typist(_ columns: Int = 60, rows: Int = 10) throws -> Typist {
    let typist = try Typist(rows: rows, columns: columns, context: Self.context)
    try typist.terminal.waitForLine("herald>")
    return typist
  }

  private func waitForStyle(_ line: String, _ typist: Typist) throws {
    try typist.terminal.wait(for: line) { $0.styledCursorLine == line }
  }

  @Test func `Tab completes the word, with the blank that follows it`() throws {
    let typist = try typist()
    try typist.terminal.send("obs\tDo\twh\twei\t")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line observe Dog where weight"])
  }

  @Test func `Tab in the middle of a line leaves what follows alone`() throws {
    let typist = try typist()
    try typist.terminal.send("count Dog\u{1}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{4}\u{4}\u{4}D\t\r")
    #expect(typist.answers() == ["line count Dog"])
  }

  @Test func `Tab lists several completions in columns, and the line is drawn below them`() throws {
    let typist = try typist(40)
    try typist.terminal.send("add Dog { n")
    try typist.terminal.waitForText("herald> add Dog { n")
    try typist.terminal.send("\t")
    try typist.terminal.waitForText("name      nickname\nherald> add Dog { n")
    try typist.terminal.send("a\t\"x\" }\r")
    #expect(typist.answers() == ["line add Dog { name: \"x\" }"])
  }

  @Test func `Tab types as much as is common to all`() throws {
    let typist = try typist()
    try typist.terminal.send("auto\t")
    try typist.terminal.waitForText("herald> autorefresh")
    try typist.terminal.send("o\t")
    try typist.terminal.waitForText("on   off\n")
    try typist.terminal.send("f\t\r")
    #expect(typist.answers() == ["line autorefresh off "])
  }

  @Test func `Wide names are completed and listed`() throws {
    let typist = try typist()
    try typist.terminal.send("invalidate dogs, 日\t\r")
    #expect(typist.answers() == ["line invalidate dogs, 日本"])
  }

  @Test func `More names than the screen has rows are counted`() {
    let names = (10..<40).map { "name\($0)" }
    #expect(
      Columns.lines(names, width: 20, limit: 3) == [
        "name10  name12", "name11  name13", "… and 26 more",
      ])
    #expect(Columns.lines(["a", "日本", "c"], width: 11, limit: 9) == ["a     c", "日本"])
    #expect(Columns.lines(["long name"], width: 3, limit: 2) == ["long name"])
    #expect(Columns.lines([], width: 80, limit: 2) == [])
  }

  @Test func `A hint is drawn dim behind the cursor and disappears with the next key`() throws {
    let typist = try typist()
    try typist.terminal.send("count")
    try waitForStyle("<1;32 herald>> <1;34 count>", typist)
    try typist.terminal.send(" ")
    try waitForStyle("<1;32 herald>> <1;34 count> <2 group | a value>", typist)
    try typist.terminal.send("D")
    try waitForStyle("<1;32 herald>> <1;34 count> <33 D><2 og>", typist)
    // Not at the end: no hint.
    try typist.terminal.send("\u{2}")
    try waitForStyle("<1;32 herald>> <1;34 count> <33 D>", typist)
    try typist.terminal.send("\u{5}og\r")
    #expect(typist.answers() == ["line count Dog"])
    typist.terminal.readWhatCame()
    #expect(typist.terminal.screen.text == "herald> count Dog")
  }

  @Test func `Enter leaves no hint behind`() throws {
    let typist = try typist()
    try typist.terminal.send("count ")
    try waitForStyle("<1;32 herald>> <1;34 count> <2 group | a value>", typist)
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line count "])
    typist.terminal.readWhatCame()
    #expect(typist.terminal.screen.text == "herald> count")
  }

  @Test func `A hint stays in its row`() throws {
    let typist = try typist(18)
    try typist.terminal.send("count ")
    try typist.terminal.wait(for: "a hint") { $0.text == "herald> count gro" }
    try typist.terminal.send("Dog\r")
    #expect(typist.answers() == ["line count Dog"])
  }

  @Test func `Words are coloured over several rows, with wide characters and newlines`() throws {
    let typist = try typist(16)
    try typist.terminal.send("print \"日本語日本語\", 12")
    try typist.terminal.waitForScreen("herald> print \"\n日本語日本語\", 1\n2")
    try waitForStyle("<36 2>", typist)
    try typist.terminal.send("\u{1B}[200~\rcount Dog where\r\u{1B}[201~")
    try typist.terminal.waitForScreen("herald> print \"\n日本語日本語\", 1\n2\ncount Dog where")
    try waitForStyle("<1;34 count> <33 Dog> <1;34 where>", typist)
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line print \"日本語日本語\", 12\ncount Dog where"])
  }

  @Test func `A row that is exactly full is coloured in place`() throws {
    let typist = try typist(16)
    try typist.terminal.send("count Do")
    try typist.terminal.send("\u{1B}[200~g\rcount Dog\u{1B}[201~")
    try typist.terminal.waitForText("count Dog")
    try waitForStyle("<1;34 count> <33 Dog>", typist)
    try typist.terminal.send("\u{1}")
    try waitForStyle("<1;32 herald>> <1;34 count> <33 Do>", typist)
    try typist.terminal.send("\u{5}\r")
    #expect(typist.answers() == ["line count Dog\ncount Dog"])
  }

  @Test func `A text shown above the line leaves its colours and its hint`() throws {
    let typist = try typist(30)
    try typist.terminal.send("add Dog ")
    try waitForStyle("<1;32 herald>> <1;34 add> <33 Dog> <2 {>", typist)
    typist.eventQueue.post(.text("dogs: insertions [0]"))
    try typist.terminal.waitForScreen("dogs: insertions [0]\nherald> add Dog {")
    try waitForStyle("<1;32 herald>> <1;34 add> <33 Dog> <2 {>", typist)
    try typist.terminal.send("{}\r")
    #expect(typist.answers() == ["line add Dog {}"])
  }

  @Test func `The text of a search is not coloured as a statement`() throws {
    let typist = try Typist(
      columns: 50, history: ["count Dog"], prompts: ["herald> "], context: Self.context)
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("\u{12}cou")
    try typist.terminal.waitForText("bck:cou")
    try typist.terminal.send("\u{1B}\u{5}\r")
    #expect(typist.answers() == ["line count Dog"])
  }
}
