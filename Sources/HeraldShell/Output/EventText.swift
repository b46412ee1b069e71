import Herald

/// Events as lines of text, one for each kind, always in the same order.
enum EventText {
  /// With the token's name, and the session's where it is not `main`.
  static func write(_ event: Event, _ output: inout OutputBuffer) {
    let prefix = name(of: event) + ": "
    for line in lines(event.kind) { output.write(line: prefix + line) }
  }

  /// The whole event in one line, for complaints.
  static func line(_ event: Event) -> String {
    "\(name(of: event)): \(lines(event.kind).joined(separator: ", "))"
  }

  private static func name(of event: Event) -> String {
    event.session == "main" ? event.token : "\(event.session)/\(event.token)"
  }

  static func lines(_ kind: Event.Kind) -> [String] {
    switch kind {
    case .initial(let count): ["initial \(count) row\(count == 1 ? "" : "s")"]
    case .update(let changes, let ownerDeleted): lines(changes, ownerDeleted)
    case .change(let properties): properties.map(line)
    case .deleted: ["deleted"]
    case .changed: ["changed"]
    case .refreshRequired: ["refresh required"]
    }
  }

  private static func lines(_ changes: ChangeSet, _ ownerDeleted: Bool) -> [String] {
    var lines: [String] = []
    if !changes.deletions.isEmpty { lines.append("deletions \(rows(changes.deletions))") }
    if !changes.insertions.isEmpty { lines.append("insertions \(rows(changes.insertions))") }
    if !changes.modifications.isEmpty {
      let pairs = zip(changes.modifications, changes.modificationsNew)
      let texts = pairs.map { $0 == $1 ? "\($0)" : "\($0)->\($1)" }
      lines.append("modifications [\(texts.joined(separator: ", "))]")
    }
    if ownerDeleted { lines.append("owner deleted") }
    return lines
  }

  private static func rows(_ rows: [Int]) -> String {
    "[" + rows.map(String.init).joined(separator: ", ") + "]"
  }

  private static func line(_ property: Event.Property) -> String {
    guard let values = property.values else { return "change \(property.name)" }
    let (old, new) = (LiteralText.text(values.old), LiteralText.text(values.new))
    return "change \(property.name) \(old) -> \(new)"
  }
}
