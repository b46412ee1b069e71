import Herald

/// The word that begins a statement: how the rest is parsed, and how the manual and `help` describe it.
package struct Command: Sendable {
  /// The word that begins it, which is the topic of `help WORD`.
  package let word: String
  package let synopsis: [String]
  /// One line, without a full stop.
  package let summary: String
  /// Paragraphs of plain text.
  package let details: [String]
  package let examples: [String]
  /// Whether a person may want the statement in a write transaction, where completion offers it then.
  let standsInWrites: Bool
  /// Parses the statement after its word.
  let parse: @Sendable (inout StatementParser) throws(ShellError) -> any StatementForm

  init(
    _ word: String, _ synopsis: [String], _ summary: String, _ details: [String] = [],
    examples: [String] = [], inWrites: Bool = false,
    parse: @escaping @Sendable (inout StatementParser) throws(ShellError) -> any StatementForm
  ) {
    self.word = word
    self.synopsis = synopsis
    self.summary = summary
    self.details = details
    self.examples = examples
    standsInWrites = inWrites
    self.parse = parse
  }
}
