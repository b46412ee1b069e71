import Herald

/// The state of a token, as text and as fields.
enum ExplanationText {
  static func lines(_ token: String, _ explanation: TokenExplanation) -> [String] {
    var lines = ["\(token): \(explanation.view.joined(separator: ", "))"]
    let parts = [
      ("classes", explanation.classes), ("properties", explanation.properties),
      ("paths", explanation.paths),
    ]
    for (name, words) in parts where !words.isEmpty {
      lines.append("  \(name): \(words.joined(separator: ", "))")
    }
    if let rows = explanation.rows {
      lines.append("  \(rows) row\(rows == 1 ? "" : "s"), \(explanation.memory) bytes")
    }
    let count = explanation.deliveries
    var cost = "  \(count) deliver\(count == 1 ? "y" : "ies")"
    if let last = explanation.last { cost += ", the last: \(last.words)" }
    lines.append(cost)
    let (all, last) = (time(explanation.nanoseconds), time(explanation.lastNanoseconds))
    lines.append("  \(all) spent, \(last) the last time")
    return lines
  }

  static func fields(_ token: String, _ explanation: TokenExplanation) -> [OutputValue.Field] {
    let last = explanation.last.map { OutputValue.plain(.string($0.words)) } ?? .plain(.null)
    let fields: [(String, OutputValue)] = [
      ("token", .plain(.string(token))), ("view", list(explanation.view)),
      ("classes", list(explanation.classes)), ("properties", list(explanation.properties)),
      ("paths", list(explanation.paths)),
      ("rows", explanation.rows.map { .plain(.int($0)) } ?? .plain(.null)),
      ("memory", .plain(.int(explanation.memory))),
      ("deliveries", .plain(.int(explanation.deliveries))), ("last", last),
      ("nanoseconds", .plain(.int(explanation.nanoseconds))),
      ("lastNanoseconds", .plain(.int(explanation.lastNanoseconds))),
    ]
    return fields.map { OutputValue.Field(name: $0, value: $1) }
  }

  private static func list(_ texts: [String]) -> OutputValue {
    .list(texts.map { .plain(.string($0)) })
  }

  /// Microseconds with one decimal.
  private static func time(_ nanoseconds: Int) -> String {
    let tenths = (nanoseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) µs"
  }
}
