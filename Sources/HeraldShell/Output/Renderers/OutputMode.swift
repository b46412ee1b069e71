/// The format of the output: one of several forms for people, or one JSON object a line.
///
/// Only tables differ among the forms for people.
package enum OutputMode: Sendable {
  /// Aligned columns.
  case text
  /// One property a line, for rows too wide for a table.
  case line
  /// Tables as CSV, whose rows `import` reads.
  case csv
  /// Tables as one JSON object a row, which `import` reads.
  case jsonl
  case markdown
  case json
}
