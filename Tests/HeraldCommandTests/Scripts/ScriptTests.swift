import Glibc
import HeraldShell
import TestSupport
import Testing

@testable import HeraldCommand

struct ScriptTests {
  private func words(_ piece: Source) -> String {
    "\(piece.firstLine): \(String(decoding: piece.bytes, as: UTF8.self))"
  }

  /// Feeds `parts` through a pipe, each after the one before had a piece handed out for it, and
  /// then `rest` and the end.
  private func pieces(_ parts: [String], rest: String) throws -> [String] {
    let pipe = try Pipe()
    defer { close(pipe.reading) }
    var stream = ScriptStream(descriptor: pipe.reading, named: "stdin")
    var pieces: [String] = []
    for part in parts {
      try OutputBytes.write(Array(part.utf8), to: pipe.writing)
      if let piece = try stream.next() { pieces.append(words(piece)) }
    }
    try OutputBytes.write(Array(rest.utf8), to: pipe.writing)
    close(pipe.writing)
    while let piece = try stream.next() { pieces.append(words(piece)) }
    return pieces
  }

  @Test func `Whole statements are handed out as they come, with their lines`() throws {
    let pieces = try pieces(["a\nb {\n", "c\n}\nd\n"], rest: "e")
    #expect(pieces == ["1: a\n", "2: b {\nc\n}\nd\n", "6: e"])
  }

  @Test func `Brackets in strings and comments do not hold statements back`() throws {
    let pieces = try pieces(["print 'a {'\n", "print 1 # {\n", "# don't (\n"], rest: "")
    #expect(pieces == ["1: print 'a {'\n", "2: print 1 # {\n", "3: # don't (\n"])
  }

  @Test func `A long line that comes in many pieces is one statement`() throws {
    let folder = try TemporaryFolder()
    let text = "print [\n'" + String(repeating: "x { ", count: 1 << 20) + "',\n1]\n"
    try FileTree.save(text, to: folder.path + "/script")
    let script = open(folder.path + "/script", O_RDONLY | O_CLOEXEC)
    defer { close(script) }
    var stream = ScriptStream(descriptor: script, named: "stdin")
    let piece = try stream.next()
    #expect(piece?.bytes == Array(text.utf8))
    #expect(try stream.next() == nil)
  }
}
