import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// Keys of the line editor, as a person sees them on the screen.
@Suite(.serialized) struct KeysTests {
  private static let history = ["count Dog", "show Dog where age > 3", "print 1", "show Person"]

  private func typist(
    rows: Int = 10, columns: Int = 40, history: [String] = [], prompts: [String] = ["herald> "]
  ) throws -> Typist {
    let typist = try Typist(rows: rows, columns: columns, history: history, prompts: prompts)
    try typist.terminal.waitForLine("herald>")
    return typist
  }

  /// Keys without a binding, as xterm, the Linux console and others send them.
  static let unbound = [
    "\u{1B}[1;2A", "\u{1B}[1;2D", "\u{1B}[1;6C", "\u{1B}[a", "\u{1B}OP", "\u{1B}OS", "\u{1B}[11~",
    "\u{1B}[15~", "\u{1B}[24~", "\u{1B}[15;5~", "\u{1B}[1;5P", "\u{1B}[[A", "\u{1B}[Z", "\u{1B}[2~",
    "\u{1B}[3;5~", "\u{1B}[27;6;65~", "\u{1B}[97;5u", "\u{1B}[I", "\u{1B}[<0;3;4M", "\u{1B}q",
    "\u{1B}é", "\u{1B}\u{1B}[A", "\u{1B}O5P", "\u{1B}[12;40R", "\u{1B}x",
  ]

  @Test(arguments: unbound) func `A key without a meaning inserts nothing`(key: String) throws {
    let typist = try typist()
    try typist.terminal.send("ab\(key)c")
    try typist.terminal.waitForLine("herald> abc")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line abc"])
  }

  @Test(arguments: [
    ("\u{1B}[D", "aXb"), ("\u{1B}OD", "aXb"), ("\u{2}", "aXb"), ("\u{1}", "Xab"),
    ("\u{1B}[H", "Xab"),
    ("\u{1B}OH", "Xab"), ("\u{1B}b", "Xab"), ("\u{1B}[1;5D", "Xab"), ("\u{1}\u{1B}[C", "aXb"),
    ("\u{1}\u{6}", "aXb"), ("\u{1}\u{1B}[3~", "Xb"), ("\u{1}\u{4}", "Xb"), ("\u{7F}", "aX"),
    ("\u{8}", "aX"), ("\u{1}\u{1B}[F", "abX"), ("\u{1}\u{1B}OF", "abX"),
    ("\u{1}\u{1B}[4~", "abX"), ("\u{1}\u{1B}[8~", "abX"), ("\u{1B}[1~", "Xab"),
    ("\u{1B}[7~", "Xab"),
  ])
  func `Keys with a meaning keep it`(keys: String, line: String) throws {
    let typist = try typist()
    try typist.terminal.send("ab\(keys)X\r")
    #expect(typist.answers() == ["line \(line)"])
  }

  /// A character that is several of Unicode's is one for the cursor and for Backspace and Delete.
  @Test(arguments: ["e\u{301}", "👨‍👩‍👧", "日", "🇨🇭", "👍🏽", "각", "न\u{94D}द\u{93F}"])
  func `The cursor moves over a character as a person sees it`(character: String) throws {
    let typist = try typist()
    try typist.terminal.send("a\u{1B}[200~\(character)\u{1B}[201~b\u{1B}[D\u{1B}[DX")
    try typist.terminal.send("\u{1B}[CY\u{7F}\u{7F}\r")
    #expect(typist.answers() == ["line aXb"])
    let other = try self.typist()
    try other.terminal.send("a\u{1B}[200~\(character)\u{1B}[201~b\u{2}\u{2}\u{1B}[3~")
    try other.terminal.waitForLine("herald> ab")
    try other.terminal.send("\u{5}c\r")
    #expect(other.answers() == ["line abc"])
  }

  @Test func `Undo takes back words, deletions and recalled lines, one after another`() throws {
    let typist = try typist(history: ["old"])
    try typist.terminal.send("add Dog\u{17}")
    try typist.terminal.waitForLine("herald> add")
    try typist.terminal.send("\u{1F}")
    try typist.terminal.waitForLine("herald> add Dog")
    try typist.terminal.send("\u{1F}")
    try typist.terminal.waitForLine("herald> add")
    try typist.terminal.send("\u{15}")
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("\u{1B}[A")
    try typist.terminal.waitForLine("herald> old")
    try typist.terminal.send("\u{1F}")
    try typist.terminal.waitForLine("herald>")
    try typist.terminal.send("\u{1F}")
    try typist.terminal.waitForLine("herald> add")
    try typist.terminal.send("\u{1F}\u{1F}\u{1F}x\r")
    #expect(typist.answers() == ["line x"])
  }

  @Test func `Up with a beginning typed shows what begins so, and Down returns`() throws {
    let typist = try typist(history: Self.history)
    try typist.terminal.send("sh\u{1B}[A")
    try typist.terminal.waitForLine("herald> show Person")
    try typist.terminal.send("\u{1B}[A")
    try typist.terminal.waitForLine("herald> show Dog where age > 3")
    // There is no older one.
    try typist.terminal.send("\u{1B}[A")
    try typist.terminal.send("\u{1B}[B")
    try typist.terminal.waitForLine("herald> show Person")
    try typist.terminal.send("\u{1B}[B")
    try typist.terminal.waitForLine("herald> sh")
    try typist.terminal.send("\u{15}\u{1B}OA\u{1B}OA")
    try typist.terminal.waitForLine("herald> print 1")
    // What was changed is a new beginning.
    try typist.terminal.send("\u{15}c\u{1B}[A\r")
    #expect(typist.answers() == ["line count Dog"])
  }

  @Test func `An entry of several lines is one, and another replaces it`() throws {
    let typist = try typist(history: ["write {\n  add Dog {}\n}", "print 2"])
    try typist.terminal.send("\u{1B}[A\u{1B}[A")
    try typist.terminal.waitForScreen("herald> write {\n  add Dog {}\n}")
    try typist.terminal.send("\u{1B}[B")
    try typist.terminal.waitForScreen("herald> print 2")
    try typist.terminal.send("\u{1B}[A\r")
    #expect(typist.answers() == ["line write {\n  add Dog {}\n}"])
  }

  @Test func `A line taller than the window is shown around the cursor`() throws {
    let typist = try typist(rows: 4, columns: 10)
    let digits = (0..<60).map { String($0 % 10) }.joined()
    try typist.terminal.send(digits)
    try typist.terminal.waitForScreen("2345678901\n2345678901\n2345678901\n23456789")
    try typist.terminal.send("\u{1}")
    try typist.terminal.waitForScreen("herald> 01\n2345678901\n2345678901\n2345678901")
    try typist.terminal.send("x")
    try typist.terminal.waitForScreen("herald> x0\n1234567890\n1234567890\n1234567890")
    try typist.terminal.send("\u{5}\u{7F}")
    try typist.terminal.waitForScreen("1234567890\n1234567890\n1234567890\n12345678")
    // Where it fits again, it is whole.
    try typist.terminal.send(String(repeating: "\u{7F}", count: 35))
    try typist.terminal.waitForScreen("herald> x0\n1234567890\n1234567890\n123")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line x" + digits.dropLast(36)])
  }

  @Test(arguments: [false, true])
  func `Another width leaves no stale row, whether the terminal wraps anew or not`(
    reflows: Bool
  ) throws {
    let typist = try typist(rows: 8, columns: 12)
    let resize = { (columns: Int) in
      try typist.terminal.resize(to: columns, reflowing: reflows) {
        typist.eventQueue.post(.resize)
      }
    }
    try typist.terminal.send("abcdefgh")
    try typist.terminal.waitForScreen("herald> abcd\nefgh")
    try resize(30)
    try typist.terminal.waitForScreen("herald> abcdefgh")
    try typist.terminal.send("ijklmnopqrstuvwxyz\u{7F}")
    try typist.terminal.waitForScreen("herald> abcdefghijklmnopqrstuv\nwxy")
    try resize(12)
    try typist.terminal.send("!")
    try typist.terminal.waitForScreen("herald> abcd\nefghijklmnop\nqrstuvwxy!")
    try resize(40)
    try typist.terminal.waitForScreen("herald> abcdefghijklmnopqrstuvwxy!")
    try typist.terminal.send("\r")
    #expect(typist.answers() == ["line abcdefghijklmnopqrstuvwxy!"])
  }

  @Test func `A row is found where a terminal has wrapped it once more`() {
    let rows = ScreenRows("herald> abcdefghij\n日本語x", columns: 12)
    #expect(rows.rows == ["herald> abcd", "efghij", "日本語x"])
    var position = ScreenPosition(columns: 12)
    for scalar in "herald> abcdefghij\n日本語x".unicodeScalars {
      position.pass(wchar_t(bitPattern: scalar.value))
    }
    let found = rows.position(of: position, wrappedAt: 5)
    #expect([found.row, found.column] == [6, 2])
  }
}

struct UndoStackTests {
  private func line(_ text: String, _ cursor: Int? = nil) -> TypedLine {
    TypedLine(text: text, cursor: cursor ?? text.utf8.count)
  }

  @Test func `Words that are typed are undone one by one`() {
    var stack = UndoStack()
    for text in ["c", "co", "co ", "co D", "co Do"] { stack.note(line(text)) }
    let undone = [stack.undo()?.text, stack.undo()?.text, stack.undo()?.text]
    #expect(undone == ["co ", "", nil])
  }

  @Test func `Another change than typing is undone alone`() {
    var stack = UndoStack()
    for text in ["a", "ab", "a", "a日", "a日b"] { stack.note(line(text)) }
    stack.note(line("a日b", 1))
    stack.note(line("aX日b", 2))
    let undone = (0..<4).map { _ in stack.undo()?.text }
    #expect(undone == ["a日b", "a", "ab", ""])
  }
}
