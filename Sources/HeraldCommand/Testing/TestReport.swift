import Herald

/// The output of `herald test`: the Test Anything Protocol, version 14, or lines for people.
enum TestReport {
  /// The maximum number of lines of a failed script's output, the last ones.
  private static let outputLimit = 20

  static let interrupted = "Bail out! interrupted\n"

  static func head(count: Int) -> String { "TAP version 14\n1..\(count)\n" }

  /// Returns a test point, with the details of a failure as a YAML block.
  static func text(_ result: TestResult, number: Int) -> String {
    guard let failure = result.failure else {
      return "ok \(number) - \(description(result.file))\n"
    }
    var lines = [
      "not ok \(number) - \(description(result.file))", "  ---",
      "  message: \(failure.message.quoted)",
      "  severity: \(failure.isExpectation ? "fail" : "error")",
    ]
    if let place = failure.place {
      lines += [
        "  file: \(place.file.quoted)", "  line: \(place.line)", "  column: \(place.column)",
        "  statement: \(place.statement.quoted)",
      ]
    }
    let output = Self.lines(result.output).dropLast()
    if !output.isEmpty { lines.append("  output:") }
    lines += output.suffix(outputLimit).map { "    - \($0.quoted)" }
    lines.append("  ...")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the errors of a script that failed, under its name.
  static func errors(_ result: TestResult) -> String {
    result.failure == nil ? "" : "failed: \(result.file)\n\(result.errors)"
  }

  static func summary(_ failures: [TestResult], of count: Int) -> String {
    let passed = "\(count - failures.count) passed"
    return failures.isEmpty ? "\(passed)\n" : "\(passed), \(failures.count) failed\n"
  }

  static func comments(_ text: String) -> String {
    var lines = lines(text)
    if lines.last == "" { lines.removeLast() }
    return lines.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined()
  }

  /// A newline ends a line, also after a carriage return, with which it is one character.
  private static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a file name for a test point: escapes hashes, which begin directives, and replaces line breaks.
  private static func description(_ file: String) -> String {
    var text = ""
    for character in file {
      switch character {
      case "\\": text += "\\\\"
      case "#": text += "\\#"
      case _ where character.isNewline: text += "?"
      case _: text.append(character)
      }
    }
    return text
  }
}
