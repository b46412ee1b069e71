import Herald

/// Renders output for people.
struct TextRenderer {
  let mode: OutputMode
  /// The window that shows the output; nil if there is none.
  let window: Window?

  func write(_ line: OutputLine, _ output: inout OutputBuffer) {
    switch line {
    case .event(let event): EventText.write(event, in: window, &output)
    case .values(let values): write(values, &output)
    case .table(let rows, let more):
      var table = TableWriter(mode, in: window)
      table.write(rows, &output)
      table.end(more: more, &output)
    case .count(let count): output.write(line: String(count))
    case .explanation(let explanation): write(explanation, &output)
    case .time(let time): output.write(line: "time: \(TextRenderer.text(time))")
    case .schema(let classes, let projections, let definitions):
      for definition in classes { output.write(lines: LiteralText.text(definition)) }
      for projection in projections { output.write(lines: LiteralText.text(projection)) }
      for definition in definitions { output.write(line: LiteralText.text(definition)) }
    case .tokens(let tokens): write(tokens, &output)
    case .sessions(let sessions): for session in sessions { output.write(line: text(session)) }
    case .report(let lines, _): for line in lines { output.write(line: line) }
    case .commit(let title, let changes, _): write(title, changes, &output)
    case .script(let text): output.write(lines: text)
    case .history(let entries): for entry in entries { output.write(lines: entry) }
    case .step(let title, let text): write(step: title, text, &output)
    case .remark(let text): write(remark: text, &output)
    case .help(let text): output.write(lines: text)
    case .confirmation(let text): output.write(line: text)
    case .echo(let text): write(echo: text, &output)
    case .answer(let version): output.write(line: version.map { "ok, version \($0)" } ?? "ok")
    }
  }

  /// The width of texts that are wrapped by words.
  private var textWidth: Int { HelpText(columns: window?.columns).width }

  /// Writes a single collection one object a line, and several values separated by spaces.
  private func write(_ values: [OutputValue], _ output: inout OutputBuffer) {
    if values.count == 1, case .list(let rows) = values[0], rows.contains(where: \.isObject) {
      for row in rows { output.write(line: LiteralText.text(row)) }
    } else {
      output.write(line: values.map(LiteralText.bareText).joined(separator: " "))
    }
  }

  private func write(_ explanation: QueryExplanation, _ output: inout OutputBuffer) {
    let cells = explanation.steps.map { step in
      var counts = "\(step.actual) of \(step.estimated) expected"
      if let blocks = step.blocks {
        counts += ", \(blocks.skipped) of \(blocks.total) blocks by their zones"
      }
      return [step.kind.rawValue, step.text, counts]
    }
    for line in TableText.aligned(cells, output) { output.write(line: line) }
  }

  private func write(_ tokens: [OutputLine.TokenDescription], _ output: inout OutputBuffer) {
    let hasKeyPaths = tokens.contains { $0.keyPaths != nil }
    let cells = tokens.map { token in
      let paths = token.keyPaths.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }
      let keyPaths = paths.map { "keypaths " + $0 } ?? ""
      return [token.name, token.session, token.subject] + (hasKeyPaths ? [keyPaths] : [])
    }
    for line in TableText.aligned(cells, output) { output.write(line: line) }
  }

  /// `0.021 ms`, `1.2 ms`, `3.456 s`.
  static func text(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return switch microseconds {
    case ..<1_000: decimal(microseconds, 3) + " ms"
    case ..<1_000_000: decimal(microseconds / 100, 1) + " ms"
    default: decimal(microseconds / 1_000, 3) + " s"
    }
  }

  /// A number of which the last digits are decimals.
  private static func decimal(_ number: Int64, _ digits: Int) -> String {
    let all = String(number)
    let padded = String(repeating: "0", count: max(0, digits + 1 - all.count)) + all
    return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }

  private func text(_ session: OutputLine.SessionDescription) -> String {
    var text = "\(session.isCurrent ? "*" : " ") \(session.name)  version \(session.version)"
    if !session.autorefreshes { text += "  autorefresh off" }
    if session.isInWrite { text += "  in a transaction" }
    return text
  }

  /// Writes a commit, a line for each object; in a window lines are broken between words, and colored.
  private func write(_ title: String?, _ changes: [CommitText.Line], _ output: inout OutputBuffer) {
    guard let window else {
      if let title { output.write(line: title) }
      for change in changes { output.write(line: (title == nil ? "" : "  ") + change.text) }
      return
    }
    func write(_ lines: [String], _ color: String) {
      for line in lines {
        output.write(drawn: window.isColored ? "\(color)\(line)\u{1B}[0m" : line)
      }
    }
    if let title {
      write(TextWidth.lines(title.visible, columns: window.columns, hanging: 4), "\u{1B}[1m")
    }
    let labels = CommitText.Line.labelWidth(changes, columns: window.columns)
    for change in changes { write(change.lines(window.columns, labels: labels), change.color) }
  }

  /// Writes a remark of the tour, set apart from input and output.
  private func write(step title: String, _ text: String, _ output: inout OutputBuffer) {
    output.write(drawn: window?.isColored == true ? "\u{1B}[1m\(title)\u{1B}[0m" : title)
    output.write(lines: "\n" + text.wrapped(to: textWidth) + "\n")
  }

  private func write(remark text: String, _ output: inout OutputBuffer) {
    output.write(lines: text.wrapped(to: textWidth, indent: "    ") + "\n")
  }

  private func write(echo text: String, _ output: inout OutputBuffer) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      output.write(line: (number == 0 ? "> " : "  ") + line)
    }
  }
}

extension OutputValue {
  var isObject: Bool {
    switch self {
    case .object, .projection, .row: true
    case .plain, .link, .embedded, .list, .map: false
    }
  }
}
