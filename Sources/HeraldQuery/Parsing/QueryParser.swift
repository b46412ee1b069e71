/// Parses queries embedded in a script.
///
/// Each function starts at an offset and stops, without consuming it, at the first token that cannot
/// continue the query: a newline outside the brackets that it opened, `;`, a bracket that it did not
/// open, `{`, a word of the enclosing language, the end of the text. `end` is the offset after the last
/// consumed token. With `spansLines` the query is inside an open parenthesis.
public enum QueryParser {
  /// Parses `[where PREDICATE]` and the stages after it; returns an empty tail if there is neither.
  public static func parseTail(
    _ source: [UInt8], from offset: Int, spansLines: Bool = false
  ) throws(QueryError) -> (tail: QueryTail, end: Int) {
    var parser = ExpressionParser(query: source, from: offset, spansLines: spansLines)
    let tail = try parser.tail()
    return (tail, parser.lastEnd)
  }

  /// Parses a condition, as after `where`, `if` and `expect`.
  public static func parsePredicate(
    _ source: [UInt8], from offset: Int, spansLines: Bool = false
  ) throws(QueryError) -> (predicate: PredicateSyntax, end: Int) {
    var parser = ExpressionParser(query: source, from: offset, spansLines: spansLines)
    let predicate = try parser.predicate()
    return (predicate, parser.lastEnd)
  }

  /// Parses an operand, with arithmetic: `$max.age + 1`, `Dog.@count`, `"x"`.
  public static func parseExpression(
    _ source: [UInt8], from offset: Int, spansLines: Bool = false
  ) throws(QueryError) -> (expression: ExpressionSyntax, end: Int) {
    var parser = ExpressionParser(query: source, from: offset, spansLines: spansLines)
    let expression = try parser.operand()
    return (expression, parser.lastEnd)
  }

  /// Parses a grouping, as after `group`: `Dog by breed { n: @count }`.
  public static func parseGroup(
    _ source: [UInt8], from offset: Int
  ) throws(QueryError) -> (group: GroupSyntax, end: Int) {
    var parser = ExpressionParser(
      statement: source, from: offset, to: source.count, depth: 0, notes: nil)
    let group = try parser.group(from: offset)
    return (group, parser.lastEnd)
  }

  /// Returns whether a word, in either case, is a keyword of the query language.
  public static func isKeyword(_ word: String) -> Bool {
    QueryKeyword(Array(word.utf8)[...]) != nil
  }

  /// The words that begin a clause of a query, `where` among them.
  package static let clauses = QueryKeyword.clauses.map(\.rawValue)
  /// Those that have parentheses.
  package static let stages = QueryKeyword.stages.map(\.rawValue)

  /// The keywords that can be completed in a query, in the case in which they are printed.
  public static let keywords: [String] =
    QueryKeyword.allCases.map(\.printed)
}
