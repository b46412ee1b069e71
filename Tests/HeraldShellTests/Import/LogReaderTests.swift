import TestSupport
import Testing

@testable import HeraldShell

/// A line as the names and texts of its fields, or what is wrong with it.
private func fields(_ form: LogForm, _ line: String) -> String {
  let bytes = Array(line.utf8)
  do {
    return try bytes.withUnsafeBufferPointer { try form.entries(of: $0) }.map { entry in
      guard case .field(let field) = entry.content else { return "no field" }
      let isNil = field.text.isEmpty && !field.isQuoted
      return "\(entry.name): \(isNil ? "nil" : field.text)"
    }.joined(separator: ", ")
  } catch LogScanner.Failure.unexpected(let reason) {
    return reason
  } catch { return "\(error)" }
}

private let logfmtLines: [(line: String, fields: String)] = [
  ("level=info ms=12", "level: info, ms: 12"),
  ("  level=info\tms=12  ", "level: info, ms: 12"),
  ("msg=\"it \\\"began\\\" \\\\ \\n\\t.\" ok", "msg: it \"began\" \\ \n\t., ok: true"),
  ("a=\"\" b= c", "a: , b: nil, c: true"),
  ("url=http://x/?a=b&c=\"d\"", "url: http://x/?a=b&c=\"d\""),
  ("a=1 b=2 a=3", "a: 3, b: 2"),
  ("a=\"\\u00e9\\ud83d\\ude00\\ud83d\\x41\\q\"", "a: é😀\u{FFFD}A\\q"),
  ("a=\"\\u00\\x4\"", "a: \\u00\\x4"),
  ("größe=3 日本=4", "größe: 3, 日本: 4"),
  ("a=\"b", "a text in quotes is never closed"),
  ("a=1 =2", "expected NAME=VALUE, found \"=2\""),
  ("a=1 \"b\"=2", "expected NAME=VALUE, found \"\\\"b\\\"=2\""),
]

private let accessLines: [(line: String, fields: String)] = [
  (
    "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326",
    "host: 127.0.0.1, ident: nil, user: frank, time: 2000-10-10T13:55:36-07:00, method: GET, "
      + "path: /a.gif, protocol: HTTP/1.0, status: 200, bytes: 2326"
  ),
  (
    "::1 - - [01/Feb/2026:00:00:00 +0000] \"-\" 408 - \"-\" \"a \\\"b\\\"\" 0.5 \"x y\" -",
    "host: ::1, ident: nil, user: nil, time: 2026-02-01T00:00:00+00:00, method: nil, path: nil, "
      + "protocol: nil, status: 408, bytes: nil, referer: nil, agent: a \"b\", more1: 0.5, "
      + "more2: x y, more3: nil"
  ),
  (
    "h - - [01/Feb/2026:00:00:00 +0000] \"\\x16\\x03\" 400 0",
    "host: h, ident: nil, user: nil, time: 2026-02-01T00:00:00+00:00, method: nil, "
      + "path: \u{16}\u{3}, protocol: nil, status: 400, bytes: 0"
  ),
  (
    "h - - [31/Feb/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 400 0",
    "expected a time such as [30/Nov/2026:10:00:00 +0100]"
  ),
  ("v:80 h - - [01/Feb/2026:00:00:00 +0000] \"-\" 400 0", "expected HOST IDENT USER [TIME]"),
  ("h - - [01/Feb/2026:00:00:00 +0000] GET 400 0", "expected a request in quotes"),
  ("h - - [01/Feb/2026:00:00:00 +0000] \"-\" x 0", "expected a status, found \"x\""),
  ("h - - [01/Feb/2026:00:00:00 +0000] \"-\" 200", "expected a number of bytes, found \"\""),
  ("", "expected HOST IDENT USER [TIME]"),
]

@Suite struct LogReaderTests {
  @Test(arguments: logfmtLines) func `a line of logfmt`(_ line: (line: String, fields: String)) {
    #expect(fields(.logfmt, line.line) == line.fields)
  }

  @Test(arguments: accessLines) func `a line of a web server`(
    _ line: (line: String, fields: String)
  ) {
    #expect(fields(.access, line.line) == line.fields)
  }

  @Test(arguments: [
    ("a=1 b=2", LogForm.logfmt), ("level=info msg=\"a b\" ok", .logfmt), ("a=1", nil),
    ("a,b", nil), ("a=1,b=2", nil), ("name age=3 b=2", nil), ("a=1, b c", nil),
    ("h - - [01/Feb/2026:00:00:00 +0000] \"-\" 200 1", .access),
    ("h - - [01/Feb/2026] \"-\" 200 1", nil),
  ])
  func `the first line shows the form`(_ line: String, _ form: LogForm?) {
    let found = Array(line.utf8).withUnsafeBufferPointer { LogForm(firstLine: $0) }
    #expect(found == form)
  }

  @Test(arguments: seeds(20)) func `what is written as logfmt is read`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("ab\"\\\n\t =,{é日\u{1}\u{7F}").map(String.init)
    for _ in 0..<50 {
      var line = ""
      var expected: [String] = []
      for index in 0..<random.below(6) + 1 {
        let text = (0..<random.below(8)).map { _ in random.pick(letters) }.joined()
        let isBare = !text.isEmpty && text.allSatisfy { $0.isLetter }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          .replacing("\n", with: "\\n")
        line += " n\(index)=" + (isBare && random.chance(50) ? text : "\"\(escaped)\"")
        expected.append("n\(index): \(text)")
      }
      #expect(fields(.logfmt, line) == expected.joined(separator: ", "))
    }
  }

  @Test func `files of logs are seen by their first lines`() throws {
    var reader = try ImportReader(
      Array("\n\na=1 b=x\r\n\na=2 c=\"y\"".utf8), ImportForm(mayBeLog: true))
    #expect(reader.log == .logfmt)
    #expect(try reader.next()?.entries.map(\.name) == ["a", "b"])
    let last = try reader.next()
    #expect(last?.line == 5)
    #expect(last?.entries.map(\.name) == ["a", "c"])
    #expect(try reader.next() == nil)
    let table = try ImportReader(Array("a=1 b=x\n".utf8), ImportForm(isCSV: true, mayBeLog: true))
    #expect(table.columns == ["a=1 b=x"])
  }
}
