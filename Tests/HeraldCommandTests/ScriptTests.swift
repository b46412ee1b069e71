import Glibc
import Testing

@testable import HeraldCommand

struct ScriptTests {
  private func isBoundary(_ text: String) -> Bool {
    var scanner = BracketScanner()
    for byte in text.utf8 { scanner.take(byte) }
    return scanner.isAtBoundary
  }

  @Test(arguments: [
    "add Dog {}\n", "print '{'\n", "print \"\\\"{\"\n", "x # {\n", "# '\n", "print Dog#3\n",
    "write {\nadd Dog { name: 'it\\'s' }\n}\n", "}\n", "\n",
  ])
  func `A whole statement is a boundary`(text: String) {
    #expect(isBoundary(text))
  }

  @Test(arguments: [
    "add Dog {\n", "print 'a\n", "write { # }\n", "print [(\n)\n", "add Dog", "print Dog#'a\n",
  ])
  func `An open bracket, string or line is none`(text: String) {
    #expect(!isBoundary(text))
  }

  /// Feeds `parts` through a pipe, each after the one before had a piece handed out for it, and
  /// then `rest` and the end.
  private func pieces(_ parts: [String], rest: String) throws -> [String] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemFailure(code: errno) }
    defer { close(ends[0]) }
    var stream = ScriptStream(descriptor: ends[0], named: "stdin")
    var pieces: [String] = []
    for part in parts {
      try OutputBytes.write(Array(part.utf8), to: ends[1])
      if let piece = try stream.next() { pieces.append("\(piece.firstLine): \(piece.text)") }
    }
    try OutputBytes.write(Array(rest.utf8), to: ends[1])
    close(ends[1])
    while let piece = try stream.next() { pieces.append("\(piece.firstLine): \(piece.text)") }
    return pieces
  }

  @Test func `Whole statements are handed out as they come, with their lines`() throws {
    let pieces = try pieces(["a\nb {\n", "c\n}\nd\n"], rest: "e")
    #expect(pieces == ["1: a\n", "2: b {\nc\n}\nd\n", "6: e"])
  }

  @Test func `Bytes that are not UTF-8 are told with their place`() {
    let bytes: [UInt8] = Array("é\nab".utf8) + [0xFF, 0x0A]
    let problem = #expect(throws: ScriptProblem.self) {
      try ScriptText.decode(bytes[...], named: "x", firstLine: 5)
    }
    #expect(problem?.place?.line == 6)
    #expect(problem?.place?.column == 3)
  }

  @Test func `A byte order mark is no part of the first statement`() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("print 1".utf8)
    #expect(try ScriptText.decode(bytes[...], named: "x", firstLine: 1) == "print 1")
  }

  @Test func `A script that is not there cannot be opened`() {
    let problem = #expect(throws: ScriptProblem.self) { try ScriptFile.read("/nowhere/x.herald") }
    #expect(
      problem?.message == "cannot open script '/nowhere/x.herald': No such file or directory")
    #expect(problem?.status == .cannotOpen)
  }
}
