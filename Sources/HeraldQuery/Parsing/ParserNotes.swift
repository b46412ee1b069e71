/// The notes of a parser for completion, hints and colours: the expectations at the end of the text, and
/// the meanings of words.
///
/// The parser notes what it expects where it expects it, so that the grammar is not duplicated.
package final class ParserNotes {
  package enum Expectation {
    case statement
    /// A keyword; under a condition on the name before it, if there is one.
    case word(String, given: Condition?)
    /// An expectation as named in error messages: a name, a value, a sign.
    case expected(String, of: PropertyOwner?)
    /// An expectation in a query; `root` is the target of the query.
    case query(QueryExpectation, root: PropertyOwner?, within: [Element])
    /// The key of a map, after `[`.
    case mapKey(PathSyntax)
  }

  package enum QueryExpectation {
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

  /// A condition on a name that gives the words after it their meaning.
  package enum Condition {
    case isToken(String)
    case isAnyToken
    case isProjection(String)
    case isObject(QuerySyntax)
    case isCollection(QuerySyntax)
    case always, never
  }

  package enum Meaning {
    case keyword
    case className(String)
  }

  /// The name of a property, and what it belongs to.
  package struct Reference {
    package enum Owner {
      case owner(PropertyOwner)
      /// The object under evaluation.
      case root(PropertyOwner)
      /// What a path leads to, in a query or a statement.
      case path(PathSyntax, root: PropertyOwner?)
    }

    package let name: Name
    package let owner: Owner
    /// The SUBQUERYs around it, outermost first.
    package let elements: [Element]
    /// Other variables whose meaning only this part of the text has.
    package let locals: Set<String>
  }

  package private(set) var expectations: [Expectation] = []
  package private(set) var references: [Reference] = []
  package private(set) var meanings: [(span: SourceSpan, meaning: Meaning)] = []
  /// The owner of the property that is named here.
  package var owner: PropertyOwner?
  package var condition: Condition?
  /// What the observers observe whose `do` blocks enclose this position, outermost first; nil for the store
  /// and for a property.
  package var observed: [ExpressionSyntax?] = []
  /// The variables of the loops that enclose this position, outermost first, and what they loop over, nil for
  /// groups. A failed parse leaves them.
  package var loops: [(variable: String, elements: ExpressionSyntax?)] = []

  /// The number of `write` statements around this position. A failed parse leaves them.
  package var openWrites = 0

  /// The target of the query that is being parsed.
  private var root: PropertyOwner?
  /// The left side of the comparison whose right side is being parsed.
  var beside: ExpressionSyntax?
  /// The SUBQUERYs around the current position, outermost first.
  var enclosing: [Element] = []

  /// What a query in the middle of another one hides.
  var queryContext: (root: PropertyOwner?, beside: ExpressionSyntax?, enclosing: [Element]) {
    get { (root, beside, enclosing) }
    set { (root, beside, enclosing) = newValue }
  }

  package init() {}

  package func expect(_ expectation: Expectation) { expectations.append(expectation) }

  package func note(_ meaning: Meaning, _ span: SourceSpan) { meanings.append((span, meaning)) }

  /// Notes that a property is named.
  package func refer(to name: Name, of owner: Reference.Owner) {
    var locals = Set(loops.map(\.variable))
    if !observed.isEmpty { locals.formUnion(["object", "rows", "properties", "old", "new"]) }
    references.append(Reference(name: name, owner: owner, elements: enclosing, locals: locals))
  }

  /// Notes a property of the object under evaluation, or of what a path in its query leads to.
  func refer(to name: Name, after path: PathSyntax?) {
    if let path {
      refer(to: name, of: .path(path, root: root))
    } else if let root {
      refer(to: name, of: .root(root))
    }
  }

  /// Forgets the meaning of the word at `span`.
  package func forgetMeaning(at span: SourceSpan) { meanings.removeAll { $0.span == span } }

  func beginQuery(of origin: QuerySyntax.Origin?) {
    root = origin.map { PropertyOwner(origin: $0) }
    beside = nil
    enclosing = []
  }

  fileprivate func expect(_ expectation: QueryExpectation) {
    expectations.append(.query(expectation, root: root, within: enclosing))
  }
}

extension ExpressionParser: NotingParser {
  /// Records what could follow in a query, if the text ends here.
  func note(_ expectation: @autoclosure () -> ParserNotes.QueryExpectation) {
    if isNoted { notes?.expect(expectation()) }
  }

  func note(_ keyword: QueryKeyword) {
    note(ParserNotes.QueryExpectation.keyword(keyword.printed))
  }

  /// Records that the next token is a keyword.
  mutating func noteKeyword() throws(QueryError) {
    if let notes, case .word = try peek().kind { notes.note(.keyword, try peek().span) }
  }

  package var isAtEndOfText: Bool {
    guard lastEnd <= lexer.bytes.count else { return false }
    var scout = lexer
    scout.offset = lastEnd
    scout.skipSpace(spansLines: spansLines)
    return scout.offset == lexer.bytes.count
  }
}

/// A parser that takes notes for completion, hints and colours.
package protocol NotingParser {
  /// The notes; nil if none are needed.
  var notes: ParserNotes? { get }
  /// Whether only blanks follow what was parsed.
  var isAtEndOfText: Bool { get }
}

extension NotingParser {
  /// Whether notes are taken and the text ends here.
  package var isNoted: Bool { notes != nil && isAtEndOfText }

  /// Records what could follow in a statement, if the text ends here.
  package func note(_ expectation: @autoclosure () -> ParserNotes.Expectation) {
    if isNoted { notes?.expect(expectation()) }
  }

  /// Records a keyword of statements that could follow, if the text ends here.
  package func note(word: @autoclosure () -> String) {
    note(.word(word(), given: notes?.condition))
  }
}
