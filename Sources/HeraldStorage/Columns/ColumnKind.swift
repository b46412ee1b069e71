/// The form of a column's or a list's values.
///
/// Booleans, integers and links are all `integers`: a link is the number of its target.
package enum ColumnKind: UInt8, Sendable, CaseIterable {
  case integers, doubles, floats, dates, bytes
}
