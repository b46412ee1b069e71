/// What a reading of a question notes for whoever helps a person to type it: what could stand
/// where the text ends, and which words meant something.
///
/// The parser notes it where it looks for it, so there is no second grammar to keep equal.
package final class QueryNotes {
  package enum Expectation {
    /// A word of the language, as it is printed.
    case keyword(String)
    /// A literal, a property or a variable; beside the other side of a comparison where one is.
    case operand(beside: ExpressionSyntax?)
    /// A collection, after ANY, ALL or NONE.
    case collection
    /// A property of the object that is asked about.
    case path
    /// A property, or `@` and an operation.
    case step(after: PathSyntax)
    /// What may stand after `@`.
    case operation(after: PathSyntax)
    /// An operator that fits what stands on its left.
    case relation(after: ExpressionSyntax)
    case className
    /// A property of a class that links to what is asked about.
    case linkProperty(className: String)
    /// The key of an object, after `#`.
    case key(className: String)
    /// The key of a map, after `[`.
    case mapKey(after: PathSyntax)
  }

  /// The variable of a SUBQUERY, and what it stands for one by one.
  package struct Element {
    package let name: String
    package let path: PathSyntax
  }

  package private(set) var expectations: [Expectation] = []
  /// Words that meant something, in the order in which they were read.
  package internal(set) var keywords: [SourceSpan] = []
  /// The left side of the comparison whose right side is being read.
  var beside: ExpressionSyntax?

  /// The SUBQUERYs around what is being read, outermost first.
  var enclosing: [Element] = []
  /// Those around the place where the text ends.
  package private(set) var elements: [Element] = []

  package init() {}

  fileprivate func add(_ expectation: Expectation) {
    expectations.append(expectation)
    elements = enclosing
  }
}

extension Parser {
  /// Notes what could stand here, where the text ends.
  func note(_ expectation: @autoclosure () -> QueryNotes.Expectation) {
    guard let notes, lastEnd <= scanner.bytes.count, isAtEndOfText else { return }
    notes.add(expectation())
  }

  func note(_ keyword: QueryKeyword) { note(.keyword(keyword.printed)) }

  /// Notes that the next token is a word of the language.
  mutating func noteKeyword() throws(QueryError) {
    if let notes, case .word = try peek().kind { notes.keywords.append(try peek().span) }
  }

  private var isAtEndOfText: Bool {
    var scout = scanner
    scout.position = lastEnd
    guard let token = try? scout.next() else { return false }
    return token.kind == .end && token.span.start == scanner.bytes.count
  }
}

extension QueryKeyword {
  /// As it is printed: operators and what joins conditions in capital letters.
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
