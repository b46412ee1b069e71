import HeraldModel

/// A class or a collection in a statement, with its clauses.
package struct QuerySyntax: Sendable {
  package enum Origin: Sendable {
    case className(Name)
    case path(PathSyntax)
  }
  package var origin: Origin
  package var tail: QueryTail?
  package var span: SourceSpan

  package init(origin: Origin, tail: QueryTail?, span: SourceSpan) {
    self.origin = origin
    self.tail = tail
    self.span = span
  }
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

/// `uuid()`, `oid()` in a statement: a new one at each evaluation; and `inTransaction`, whether a transaction
/// is open then.
public enum GeneratedValue: String, Sendable {
  /// A new identifier of 16 bytes.
  case uuid
  /// A new identifier of 12 bytes.
  case objectID = "oid"
  /// Whether a transaction is open.
  case inTransaction

  /// As it is written.
  package var text: String {
    switch self {
    case .uuid, .objectID: rawValue + "()"
    case .inTransaction: rawValue
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
    return tail.map { "\(text) \($0)" } ?? text
  }
}

extension RecordSyntax: CustomStringConvertible {
  package var description: String {
    "{" + entries.map { "\($0.name.text.quoted): \($0.value)" }.joined(separator: ", ") + "}"
  }
}
