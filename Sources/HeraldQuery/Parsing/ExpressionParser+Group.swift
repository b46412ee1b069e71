import HeraldModel

extension ExpressionParser {
  /// Parses what follows the word `group` in a statement, which begins at `start`.
  package mutating func group(from start: Int) throws(QueryError) -> GroupSyntax {
    var query = try querySyntax()
    let isWhole = nextByte() == Byte.openBrace
    if !isWhole { try take(word: "by", "'by' or '{'") }
    var keys: [ColumnSyntax] = []
    var aggregates: [GroupSyntax.Aggregate] = []
    var clauses: [QueryTail] = []
    try self.query(of: query.origin) { (parser) throws(QueryError) in
      if !isWhole {
        repeat {
          parser.notes?.queryContext.root?.given = keys.map(\.name.text)
          keys.append(try parser.column())
        } while try parser.takeComma()
      }
      _ = try parser.bracketed(by: Byte.openBrace) { (parser) throws(QueryError) in
        aggregates.append(try parser.aggregate())
      }
      clauses = try parser.clausesOfColumns(ofGroups: true)
    }
    moveTo(lastEnd)
    if query.version == nil { query.version = try version(allowsVariable: true) }
    let group = GroupSyntax(
      query: query, keys: keys, aggregates: aggregates, clauses: clauses,
      span: SourceSpan(start: start, end: lastEnd))
    var names: Set<String> = []
    for name in group.names where !names.insert(name.text).inserted {
      throw QueryError(.duplicateColumn(name.text), name.span)
    }
    return group
  }

  /// Parses one expression over the rows of a query, by whose values they are counted.
  package mutating func key(
    of origin: QuerySyntax.Origin
  ) throws(QueryError) -> ColumnSyntax {
    let key = try query(of: origin) { (parser) throws(QueryError) in try parser.unnamedColumn() }
    moveTo(lastEnd)
    return key
  }

  /// Parses `by EXPR [asc | desc]` after the word `sections`, with which what follows a query begins.
  package mutating func sections(of query: QuerySyntax) throws(QueryError) -> SectionsSyntax {
    try take(word: "by", "'by'")
    let (key, isAscending) = try self.query(of: query.origin) { (parser) throws(QueryError) in
      (try parser.unnamedColumn(), try parser.direction() ?? true)
    }
    moveTo(lastEnd)
    return SectionsSyntax(
      query: query, key: key, isAscending: isAscending,
      span: SourceSpan(start: query.span.start, end: lastEnd))
  }

  private mutating func take(word: String, _ what: String) throws(QueryError) {
    note(word: word)
    let token = nextPlainToken()
    guard token.kind == .word, lexer.text(token.span) == word else { throw try expected(what) }
    notes?.note(.keyword, token.span)
    moveTo(token.end)
  }

  private mutating func takeComma() throws(QueryError) -> Bool {
    guard nextByte() == Byte.comma else { return false }
    moveTo(nextOffset() + 1)
    return true
  }

  /// Parses a name of a column, in quotes or not.
  mutating func columnName() throws(QueryError) -> Name {
    let name = nextPlainToken()
    guard name.kind == .word || name.kind == .string else { throw try expected("a name") }
    let text = name.kind == .string ? try string() : lexer.text(name.span)
    moveTo(name.end)
    return Name(text: text, span: name.span)
  }

  /// Parses what follows the word of an aggregate: of `@percentile(0.9)` the number in parentheses.
  mutating func withArgument(
    _ operation: CollectionOperation
  ) throws(QueryError) -> CollectionOperation {
    guard operation.hasFraction else { return operation }
    guard lexer.byte() == Byte.openParenthesis else {
      throw try expected("'(' and a number from 0 to 1")
    }
    try expect(.leftParenthesis)
    let token = try peek()
    guard case .number = token.kind,
      let fraction = NumberText.value(of: lexer.bytes[token.span.start..<token.span.end]).flatMap(
        Double.init(_:)), fraction <= 1
    else { throw try expected("a number from 0 to 1") }
    try advance()
    try expect(.rightParenthesis)
    return operation.with(fraction: fraction)
  }

  /// The words of all aggregates, for an error.
  private static var aggregates: String {
    let words = CollectionOperation.all.map { "'\($0.word)'" }
    return words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }

  /// Parses `n: @count`, `old: @max.age`.
  private mutating func aggregate() throws(QueryError) -> GroupSyntax.Aggregate {
    let name = try columnName()
    guard nextByte() == Byte.colon else { throw try expected("':'") }
    moveTo(nextOffset() + 1)
    for operation in CollectionOperation.all { note(word: operation.word) }
    let start = nextOffset()
    guard nextByte() == Byte.at else { throw try expected(Self.aggregates) }
    moveTo(start + 1)
    let word = nextPlainToken()
    guard word.kind == .word, word.span.start == start + 1,
      let named = CollectionOperation(word: "@" + lexer.text(word.span))
    else { throw try expected(Self.aggregates) }
    moveTo(word.end)
    let operation = try withArgument(named)
    var path: PathSyntax?
    if lexer.byte() == Byte.dot {
      moveTo(lexer.offset + 1)
      path = try pathSyntax()
    }
    return GroupSyntax.Aggregate(
      name: name, operation: operation, path: path,
      span: SourceSpan(start: start, end: lastEnd))
  }
}

extension GroupSyntax: CustomStringConvertible {
  /// The text, which parses to the same.
  public var description: String {
    let by = keys.map { key in
      let text = key.expression.description
      return key.name.text == text ? text : "\(text) as \(key.name.text.quoted)"
    }
    let columns = aggregates.map { aggregate in
      "\(aggregate.name.text): \(aggregate.operation)"
        + (aggregate.path.map { ".\($0)" } ?? "")
    }
    let parts =
      ["\(query)"] + (by.isEmpty ? [] : ["by " + by.joined(separator: ", ")])
      + ["{ \(columns.joined(separator: ", ")) }"]
    return (parts + clauses.map(\.description)).joined(separator: " ")
  }
}
