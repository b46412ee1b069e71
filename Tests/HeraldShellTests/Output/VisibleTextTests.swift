import Herald
import Testing

@testable import HeraldShell

/// What of data, names and errors reaches a terminal, and what reaches everything else.
struct VisibleTextTests {
  /// A sink as it would be at a terminal, or not.
  private final class Screen: OutputSink {
    let isTerminal: Bool
    var showsErrors: Bool { isTerminal }
    private(set) var output = ""
    private(set) var errors = ""

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    func writeWithoutWaiting(_ text: Substring) -> String.Index {
      output += text
      return text.endIndex
    }
    func writeError(_ text: String) { errors += text }
  }

  /// Everything that a terminal obeys.
  private static let obeyed: [Unicode.Scalar] =
    [0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069]
    .flatMap { (range: ClosedRange<UInt32>) in range.compactMap(Unicode.Scalar.init) }

  private static let hostile = "a\u{1B}]0;b\u{7}c\u{202E}d\u{9B}31me\u{7F}f\ng\th\u{2066}"

  private func run(
    _ script: String, isTerminal: Bool = true, _ mode: OutputMode = .text, isColored: Bool = false
  ) -> (output: String, errors: String) {
    var options = Interpreter.Options()
    options.mode = mode
    options.keepsGoing = true
    if isTerminal {
      options.window = { Window(columns: 100, rows: 30, isColored: isColored) }
    }
    let screen = Screen(isTerminal: isTerminal)
    let interpreter = Interpreter(options: options, sink: screen)
    interpreter.run(Source(name: "a\u{1B}b", text: script))
    interpreter.finishChecked()
    return (screen.output, screen.errors)
  }

  /// A script that shows the hostile text in every kind of output and of error.
  private static let script = """
    class Dog { name: string; note: any; tags: list<string>; scores: map<int> }
    class Key { name: string primary; dog: Dog }
    observe Dog as dogs
    add Dog { name: \(hostile.quoted), note: [\(hostile.quoted)], tags: [\(hostile.quoted)], \
    scores: {\(hostile.quoted): 1} } as $d
    observe $d as d
    observe $d.scores as s
    add Key { name: \(hostile.quoted), dog: $d }
    details on
    $d.name += "!"
    $d.scores[\(hostile.quoted)] = 2
    Dog#1.tags = ["a"]
    show Dog
    show Key
    show $d.tags
    show $d.scores
    print $d
    print $d.name, $d.note
    print $d.scores
    explain Dog where name == \(hostile.quoted)
    tokens
    events
    print Key#"none\u{1B}\u{202E}"
    print Dog where name == "\u{1B}[31m" oops
    import "no\u{1B}file\u{9B}" into Dog
    read "no\u{202E}file"
    open "/nowhere/\u{1B}x\u{2066}.hdb"
    expect $d.name == "\u{202E}"
    """

  @Test func `each character that a terminal obeys is escaped, and nothing else`() {
    for code in 0...0x2100 {
      guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
      let text = "a\(Character(scalar))b"
      let isObeyed = Self.obeyed.contains(scalar)
      #expect((text.visible != text) == isObeyed, "\(code)")
      let isLayout = scalar == "\n" || scalar == "\t"
      #expect((text.visibleLines != text) == (isObeyed && !isLayout), "\(code)")
      #expect(text.visible.visible == text.visible)
    }
    #expect("né 日本 🐶 👩‍👩‍👧".visible == "né 日本 🐶 👩‍👩‍👧")
    #expect(
      Self.hostile.visible == "a\\u001b]0;b\\u0007c\\u202ed\\u009b31me\\u007ff\\ng\\th\\u2066")
  }

  @Test func `an escaped text reads back in a literal as it was`() throws {
    let text = Self.hostile
    let bytes = Array(text.visible.utf8)
    #expect(try EscapeReader.text(of: bytes, in: 0..<bytes.count) == text)
  }

  @Test(arguments: [OutputMode.text, .line, .csv, .markdown, .json, .jsonl], [false, true])
  func `none of these characters reaches a terminal, in any mode`(
    _ mode: OutputMode, _ isColored: Bool
  ) {
    let (output, errors) = run(Self.script, mode, isColored: isColored)
    var shown = output
    for style in ["31", "32", "33", "2", "0", "1", ""] {
      shown = shown.replacing("\u{1B}[\(style)m", with: "")
    }
    for text in [isColored ? shown : output, errors] {
      let raw = text.unicodeScalars.filter { Self.obeyed.contains($0) && $0 != "\n" }
      #expect(raw.isEmpty, "\(raw.map { String($0.value, radix: 16) })")
    }
    // No style of ours was made of data.
    #expect(output.contains("\\u001b]0;b\\u0007c\\u202ed\\u009b31me"))
    #expect(errors.contains("\\u001b"))
    #expect(errors.contains("\\u202e"))
  }

  @Test func `a newline in a value makes no line of its own`() {
    let output = run(
      "class Dog { name: string }; add Dog { name: \"a\\ndogs: deleted\" }; print Dog#1.name"
    ).output
    #expect(output == "a\\ndogs: deleted\n")
  }

  @Test func `columns are as wide as what they show`() {
    let output = run(
      """
      class Dog { a: string; b: int }
      add Dog { a: "x\u{202E}y", b: 1 }
      add Dog { a: "z", b: 2 }
      show Dog
      """
    ).output
    #expect(
      output == """
                  a         b
        0  Dog#1  x\\u202ey  1
        1  Dog#2  z         2

        """)
  }

  @Test func `the caret is under the position where characters are escaped before it`() {
    let errors = run("print \"\u{1B}\u{202E}\", $x").errors
    #expect(
      errors == """
        a\\u001bb:1:13: error: unknown variable '$x'
        print "\\u001b\\u202e", $x
                              ^

        """)
  }

  @Test func `pipes and files get what there is`() {
    let script =
      "class Dog { name: string }; add Dog { name: \(Self.hostile.quoted) }; print Dog#1.name"
    #expect(run(script, isTerminal: false).output == Self.hostile + "\n")
    let json = run(
      "class Dog { name: string }; add Dog { name: \"\\u202e\" }; print Dog#1.name",
      isTerminal: false, .json
    ).output
    #expect(json == "{\"result\":\"\u{202E}\"}\n")
    let errors = run("print $x # \u{1B}", isTerminal: false).errors
    #expect(errors.hasPrefix("a\u{1B}b:1:7"))
    #expect(errors.contains("print $x # \u{1B}\n"))
  }

  @Test func `keys and files are completed as literals that show what they are`() throws {
    let screen = Screen(isTerminal: true)
    let interpreter = Interpreter(sink: screen)
    interpreter.run(
      Source(
        name: "test",
        text: "class Key { name: string primary }; add Key { name: \"a\u{202E}b\u{9B}\" }"
      ))
    let text = "print Key#\""
    let found = completions(text, cursor: text.utf8.count, interpreter.completionContext)
    #expect(found.map(\.text) == ["\"a\\u202eb\\u009b\""])
    interpreter.run(
      Source(name: "test", text: "print \(found[0].text) == Key#\(found[0].text).name"))
    interpreter.finishChecked()
  }
}
