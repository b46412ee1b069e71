/// How output is written: for people in one of several forms, or one JSON object a line.
///
/// Only tables differ among the forms for people.
package enum OutputMode: Sendable {
  /// Aligned columns.
  case text
  /// A property a line, for rows too wide for a table.
  case line
  case csv
  case markdown
  case json
}
