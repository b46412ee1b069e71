import Herald

/// Output for people.
enum TextRenderer {
  static func write(_ line: OutputLine, _ output: inout OutputBuffer) {
    switch line {
    case .event(let event): EventText.write(event, &output)
    case .values(let values): write(values, &output)
    case .table(let rows): TableText.write(rows, &output)
    case .count(let count): output.write(line: String(count))
    case .explanation(let explanation): write(explanation, &output)
    case .schema(let classes, let projections):
      for definition in classes { output.write(line: LiteralText.text(definition)) }
      for projection in projections { output.write(line: LiteralText.text(projection)) }
    case .tokens(let tokens): write(tokens, &output)
    case .sessions(let sessions): for session in sessions { output.write(line: text(session)) }
    case .script(let text): output.write(line: text)
    case .help(let text), .confirmation(let text): output.write(line: text)
    case .echo(let text): write(echo: text, &output)
    }
  }

  /// A collection alone is written one object a line; else a space stands between.
  private static func write(_ values: [OutputValue], _ output: inout OutputBuffer) {
    if values.count == 1, case .list(let rows) = values[0], rows.contains(where: \.isObject) {
      for row in rows { output.write(line: LiteralText.text(row)) }
    } else {
      output.write(line: values.map(LiteralText.bareText).joined(separator: " "))
    }
  }

  private static func write(_ explanation: QueryExplanation, _ output: inout OutputBuffer) {
    let cells = explanation.steps.map { step in
      var counts = "\(step.actual) of \(step.estimated) expected"
      if let blocks = step.blocks {
        counts += ", \(blocks.skipped) of \(blocks.total) blocks by their zones"
      }
      return [step.kind.rawValue, step.text, counts]
    }
    for line in TableText.aligned(cells) { output.write(line: line) }
  }

  private static func write(
    _ tokens: [OutputLine.TokenDescription], _ output: inout OutputBuffer
  ) {
    let cells = tokens.map { [$0.name, $0.session, $0.subject] }
    for line in TableText.aligned(cells) { output.write(line: line) }
  }

  private static func text(_ session: OutputLine.SessionDescription) -> String {
    var text = "\(session.isCurrent ? "*" : " ") \(session.name)  version \(session.version)"
    if !session.autorefreshes { text += "  autorefresh off" }
    if session.isInWrite { text += "  in a write" }
    return text
  }

  private static func write(echo text: String, _ output: inout OutputBuffer) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      output.write(line: (number == 0 ? "> " : "  ") + line)
    }
  }
}

extension OutputValue {
  var isObject: Bool {
    switch self {
    case .object, .projection: true
    case .plain, .link, .part, .list, .map: false
    }
  }
}
