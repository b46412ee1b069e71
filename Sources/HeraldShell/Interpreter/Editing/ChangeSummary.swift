/// What the statements in the braces of one statement have changed, which is confirmed in a line, however many rounds a
/// loop makes.
struct ChangeSummary {
  enum Kind: String, CaseIterable {
    case added, changed, unchanged, deleted
  }

  private var counts: [Kind: Int] = [:]
  /// The confirmations of the only change so far.
  private var only: String?

  mutating func note(_ kind: Kind, _ count: Int, _ text: () -> String) {
    only = counts.isEmpty ? text() : nil
    counts[kind, default: 0] += count
  }

  /// `added 3 objects, changed 5000 objects`; nil if nothing was changed.
  var text: String? {
    if let only { return only }
    let parts = Kind.allCases.compactMap { kind in counts[kind].map { Self.text(kind, $0) } }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  static func text(_ kind: Kind, _ count: Int) -> String {
    "\(kind.rawValue) \(count) object\(count == 1 ? "" : "s")"
  }
}

extension Context {
  /// Confirms a change; one in braces with the others of its top-level statement.
  func confirm(_ kind: ChangeSummary.Kind, _ count: Int, _ text: () -> String) {
    guard block != nil else { return confirm(text) }
    guard shell.options.isInteractive else { return }
    shell.summary.note(kind, count, text)
  }
}

extension Interpreter {
  /// Confirms what the statements in the braces of a statement have changed.
  func confirmSummary() {
    if let text = summary.text { confirm { text } }
    summary = ChangeSummary()
  }
}
