/// Notes of the parser for completion and highlighting: what could follow at the end of the text, and
/// which words were keywords.
///
/// The parser records them as it parses, so that there is no second grammar to maintain.
package final class QueryNotes {
  package enum Expectation {
    /// A keyword, as it is printed.
    case keyword(String)
    /// A literal, a property or a variable; `beside` is the other side of a comparison, if any.
    case operand(beside: ExpressionSyntax?)
    /// A collection, after ANY, ALL or NONE.
    case collection
    /// A property of the object under evaluation.
    case path
    /// A property, or `@` and an operation.
    case step(after: PathSyntax)
    /// An operation, after `@`.
    case operation(after: PathSyntax)
    /// An operator that applies to its left operand.
    case relation(after: ExpressionSyntax)
    case className
    /// A property of a class that links to the object under evaluation.
    case linkProperty(className: String)
    /// The key of an object, after `#`.
    case key(className: String)
    /// The key of a map, after `[`.
    case mapKey(after: PathSyntax)
  }

  /// The variable of a SUBQUERY, and the path whose elements it iterates over.
  package struct Element {
    package let name: String
    package let path: PathSyntax
  }

  package private(set) var expectations: [Expectation] = []
  /// The spans of keywords, in source order.
  package internal(set) var keywords: [SourceSpan] = []
  /// The left side of the comparison whose right side is being parsed.
  var beside: ExpressionSyntax?

  /// The SUBQUERYs around the current position, outermost first.
  var enclosing: [Element] = []
  /// The SUBQUERYs around the end of the text.
  package private(set) var elements: [Element] = []

  package init() {}

  fileprivate func add(_ expectation: Expectation) {
    expectations.append(expectation)
    elements = enclosing
  }
}

extension PredicateParser {
  /// Records what could follow, if the text ends here.
  func note(_ expectation: @autoclosure () -> QueryNotes.Expectation) {
    guard let notes, lastEnd <= lexer.bytes.count, isAtEndOfText else { return }
    notes.add(expectation())
  }

  func note(_ keyword: QueryKeyword) { note(.keyword(keyword.printed)) }

  /// Records that the next token is a keyword.
  mutating func noteKeyword() throws(QueryError) {
    if let notes, case .word = try peek().kind { notes.keywords.append(try peek().span) }
  }

  private var isAtEndOfText: Bool {
    var scout = lexer
    scout.offset = lastEnd
    scout.skipSpace(spansLines: spansLines)
    return scout.offset == scout.limit
  }
}

extension QueryKeyword {
  /// The word as it is printed: operators and connectives in capital letters.
  var printed: String { prefersUpperCase ? rawValue.uppercased() : rawValue }

  private var prefersUpperCase: Bool {
    switch self {
    case .and, .or, .not, .any, .some, .all, .none, .in, .between, .beginswith, .endswith,
      .contains, .like, .truepredicate, .falsepredicate, .subquery:
      true
    case .true, .false, .nil, .null, .inf, .infinity, .nan, .where, .sort, .distinct, .limit, .asc,
      .ascending, .desc, .descending, .binary, .uuid, .oid, .obj:
      false
    }
  }
}
