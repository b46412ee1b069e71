import Herald

extension StatementParser {
  /// Lets the parser of expressions parse from the present token on, and continues after its last token.
  mutating func parsed<Syntax>(
    _ parse: (inout ExpressionParser) throws(QueryError) -> Syntax
  ) throws(ShellError) -> Syntax {
    var parser = expressionParser
    do throws(QueryError) {
      let syntax = try parse(&parser)
      if parser.lastEnd > token.start { move(to: parser.lastEnd) }
      return syntax
    } catch { throw failure(.query(error.message), at: error.span) }
  }

  private var expressionParser: ExpressionParser {
    ExpressionParser(
      statement: bytes, from: token.start, to: lexer.limit, depth: depth, notes: notes)
  }

  /// A literal, an object, a collection, a query or arithmetic.
  mutating func expression() throws(ShellError) -> ExpressionSyntax {
    try parsed { (parser) throws(QueryError) in try parser.value() }
  }

  mutating func expressions() throws(ShellError) -> [ExpressionSyntax] {
    var list = [try expression()]
    while takeIf(sign: ",") { list.append(try expression()) }
    return list
  }

  /// A value, or a predicate as a Boolean: `set $max.isPuppy = $max.age < 2`.
  mutating func valueOrTest() throws(ShellError) -> ExpressionSyntax {
    try parsed { (parser) throws(QueryError) in try parser.valueOrTest() }
  }

  mutating func valuesOrTests() throws(ShellError) -> [ExpressionSyntax] {
    var list = [try valueOrTest()]
    while takeIf(sign: ",") { list.append(try valueOrTest()) }
    return list
  }

  /// A predicate from the present token on.
  mutating func predicate() throws(ShellError) -> PredicateSyntax {
    try parsed { (parser) throws(QueryError) in try parser.predicate() }
  }

  /// A condition of a value with a name, which may begin with an operator.
  mutating func predicate(of name: String) throws(ShellError) -> PredicateSyntax {
    try parsed { (parser) throws(QueryError) in try parser.predicate(of: name) }
  }

  /// `$max`, `$p.dogs[2]`, `Dog#3.age`, `(Dog sort(name))[0]`.
  mutating func target(
    _ what: String = "an object, a collection or a property"
  ) throws(ShellError) -> PathSyntax {
    try parsed { (parser) throws(QueryError) in try parser.target(what) }
  }

  /// A class or a collection with its clauses.
  ///
  /// - Parameter mayBePast: whether `at VERSION` is offered after it: the past can be neither changed nor observed.
  mutating func query(mayBePast: Bool = true) throws(ShellError) -> QuerySyntax {
    let condition = notes?.condition
    if !mayBePast { notes?.condition = .never }
    defer { notes?.condition = condition }
    return try parsed { (parser) throws(QueryError) in try parser.querySyntax() }
  }

  /// The observed object after the name of a projection, as in `Card of $max`; nil without `of`.
  mutating func projected(_ query: QuerySyntax) throws(ShellError) -> (
    name: Name, object: QuerySyntax
  )? {
    let condition = notes?.condition
    notes?.condition = .never
    defer { notes?.condition = condition }
    return try parsed { (parser) throws(QueryError) in try parser.projected(query) }
  }

  /// `sections by breed desc` after a query; nil if it is not there.
  mutating func sections(of query: QuerySyntax) throws(ShellError) -> SectionsSyntax? {
    guard takeIf("sections", given: .isCollection(query)) else { return nil }
    return try parsed { (parser) throws(QueryError) in try parser.sections(of: query) }
  }

  /// The same with the version that may follow.
  mutating func sectionsOrVersion(of query: QuerySyntax) throws(ShellError) -> SectionsSyntax? {
    guard let sections = try sections(of: query) else { return nil }
    guard query.version == nil, let version = try pastVersion() else { return sections }
    return sections.at(version)
  }

  /// `{ name: "Max", age: 3 }`
  mutating func record() throws(ShellError) -> RecordSyntax {
    try parsed { (parser) throws(QueryError) in try parser.record() }
  }

  /// A record whose values are expressions of the rows of a query.
  mutating func record(ofRows origin: QuerySyntax.Origin) throws(ShellError) -> RecordSyntax {
    try parsed { (parser) throws(QueryError) in try parser.record(ofRows: origin) }
  }

  /// `{…}`, or `[{…}, {…}]`.
  mutating func records() throws(ShellError) -> [RecordSyntax] {
    try parsed { (parser) throws(QueryError) in try parser.records() }
  }

  /// The text of a string token, which is consumed.
  mutating func string() throws(ShellError) -> String {
    try parsed { (parser) throws(QueryError) in try parser.string() }
  }

  /// A row number or another count: an integer that is not negative.
  mutating func count(_ what: String) throws(ShellError) -> Int {
    try parsed { (parser) throws(QueryError) in try parser.count(what) }
  }

  /// The error that the present token is not the expected one.
  func expected(_ what: String) -> ShellError {
    var parser = expressionParser
    do throws(QueryError) {
      let error = try parser.expected(what)
      return failure(.query(error.message), at: error.span)
    } catch { return failure(.query(error.message), at: error.span) }
  }
}
