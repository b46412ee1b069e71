import HeraldModel

/// A class or a collection in a statement, with its clauses.
package struct QuerySyntax: Sendable {
  package enum Origin: Sendable {
    case className(Name)
    case path(PathSyntax)
  }
  package var origin: Origin
  package var tail: QueryTail?
  /// The version that it reads; nil for the present one.
  package var version: VersionSyntax?
  package var span: SourceSpan

  package init(
    origin: Origin, tail: QueryTail?, version: VersionSyntax? = nil, span: SourceSpan
  ) {
    self.origin = origin
    self.tail = tail
    self.version = version
    self.span = span
  }
}

/// The version after a query of an earlier state.
package enum VersionSyntax: Sendable {
  /// `at 41`, `at -1`, `at "2026-11-22T10:00:00Z"`
  case at(ExpressionSyntax)
  /// `in $f`, a variable that holds a frozen version.
  case frozen(Name)
}

/// `{ name: "Max", age: 3 }`, `{ "a": 1 }` in a statement.
package struct RecordSyntax: Sendable {
  package struct Entry: Sendable {
    package var name: Name
    package var value: ExpressionSyntax

    package init(name: Name, value: ExpressionSyntax) {
      self.name = name
      self.value = value
    }
  }
  package var entries: [Entry]
  package var span: SourceSpan

  package init(entries: [Entry], span: SourceSpan) {
    self.entries = entries
    self.span = span
  }
}

/// `uuid()`, `oid()` in a statement: a new one at each evaluation; `inTransaction`, whether a transaction
/// is open then; `version`, that of the store; `now`, the time of the statement.
public enum GeneratedValue: String, Sendable {
  /// A new identifier of 16 bytes.
  case uuid
  /// A new identifier of 12 bytes.
  case objectID = "oid"
  /// Whether a transaction is open.
  case inTransaction
  /// The version of the store, an int.
  case version
  /// The time, the same for a whole statement.
  case now

  /// Those that are words, without parentheses.
  package static let words: [GeneratedValue] = [.inTransaction, .version, .now]

  /// As it is written.
  package var text: String {
    switch self {
    case .uuid, .objectID: rawValue + "()"
    case .inTransaction, .version, .now: rawValue
    }
  }
}

extension QuerySyntax: CustomStringConvertible {
  package var description: String {
    let text =
      switch origin {
      case .className(let name): name.text
      case .path(let path): path.description
      }
    let query = tail.map { "\(text) \($0)" } ?? text
    return version.map { "\(query) \($0)" } ?? query
  }
}

extension VersionSyntax: CustomStringConvertible {
  package var description: String {
    switch self {
    case .at(let version): "at \(version)"
    case .frozen(let name): "in $\(name.text)"
    }
  }
}

extension RecordSyntax: CustomStringConvertible {
  package var description: String {
    "{" + entries.map { "\($0.name.text.quoted): \($0.value)" }.joined(separator: ", ") + "}"
  }
}

/// One of the columns of `show Dog { name, age * 7 as dogYears }`.
public struct ColumnSyntax: Sendable {
  /// The name after `as`, or else the text of the expression.
  package let name: Name
  /// What the column shows.
  public let expression: ExpressionSyntax

  package init(name: Name, expression: ExpressionSyntax) {
    self.name = name
    self.expression = expression
  }
}
