import Testing

@testable import SessionPicture

/// The pictures in README.md.
@Suite struct PictureTests {
  private static func session(_ name: String = "session") throws -> RecordedSession {
    RecordedSession(
      script: try #require(Recording.read("Documentation/\(name).herald")), root: Recording.path("")
    )
  }

  /// Twice in one run, and the same as when it was recorded: `scripts/record-session` writes it.
  @Test(arguments: ["session", "first-minutes"])
  func `The pictures in the repository are what their sessions draw, to the byte`(
    name: String
  ) throws {
    let picture = TerminalPicture(try Self.session(name)).text
    #expect(picture == TerminalPicture(try Self.session(name)).text)
    try Recording.check(picture, against: "Documentation/\(name).svg")
  }

  @Test func `The session is what a person at the prompt sees`() throws {
    let session = try Self.session()
    var script = ""
    var answers: [String] = []
    for exchange in session.exchanges {
      #expect(exchange.prompt == "memory main> ")
      script += exchange.statement + "\n"
      answers += exchange.output.map { StyledText(terminal: $0).parts.map(\.text).joined() }
    }
    let run = ScriptRun(script)
    #expect(run.errors == "")
    // The prompt confirms changes besides.
    let events = answers.filter { $0.contains(": ") }
    #expect(events.joined(separator: "\n") + "\n" == run.output)
    #expect(events.contains("max: change name \"Max\" -> \"Wolfie\""))
  }

  @Test func `What comes is green, what goes is red, what is another is yellow`() throws {
    let parts = try Self.session().exchanges.flatMap(\.output)
      .flatMap { StyledText(terminal: $0).parts }
    func look(_ text: String) -> StyledText.Style? { parts.first { $0.text == text }?.style }
    #expect(look("insertions [1]") == .green)
    #expect(look("modifications [0]") == .yellow)
    #expect(look("deletions [0]") == .red)
    #expect(look("deleted") == .red)
    #expect(look("change name \"Max\" -> \"Wolfie\"") == .yellow)
  }

  @Test func `A statement is in the colours in which it is typed`() {
    let line = StyledText(prompt: "memory main> ", statement: "print \"a\" # <&>")
    #expect(
      line.parts == [
        .init(text: "memory main", style: .prompt), .init(text: "> ", style: nil),
        .init(text: "print", style: .keyword), .init(text: " ", style: nil),
        .init(text: "\"a\"", style: .string), .init(text: " ", style: nil),
        .init(text: "# <&>", style: .dim),
      ])
  }

  @Test func `Each statement is typed after the output before it, and the picture has no script`()
    throws
  {
    let session = try Self.session()
    let timeline = Timeline(session)
    var now = 0
    for typing in timeline.typings {
      #expect(typing.shown == now)
      #expect(typing.shown < typing.begins && typing.begins < typing.ends)
      #expect(typing.ends < typing.entered)
      now = typing.entered
    }
    #expect(now < timeline.duration)
    let picture = TerminalPicture(session).text
    #expect(!picture.contains("<script"))
    #expect(!picture.contains("href"))
    #expect(picture.split(separator: "<text ").count > session.exchanges.count)
  }
}
