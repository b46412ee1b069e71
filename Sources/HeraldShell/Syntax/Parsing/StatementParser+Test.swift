import Herald

extension StatementParser {
  /// A value, or a predicate as a Boolean: `set $max.isPuppy = $max.age < 2`.
  mutating func valueOrTest() throws(ShellError) -> ExpressionSyntax {
    if beginsWithTestWord, let test = attemptedTest() { return test }
    var scout = self
    let failure: ShellError?
    do throws(ShellError) {
      let value = try scout.expression()
      guard scout.isRelation else {
        self = scout
        return value
      }
      failure = nil
    } catch {
      failure = error
    }
    guard failure == nil || beginsTest else { return try expression() }
    do throws(ShellError) {
      return try test()
    } catch {
      throw failure ?? error
    }
  }

  private mutating func test() throws(ShellError) -> ExpressionSyntax {
    let start = token.start
    let predicate = try predicate()
    return ExpressionSyntax(.test(predicate), SourceSpan(start: start, end: lastEnd))
  }

  /// Returns nil, without consuming tokens, if there is none here.
  private mutating func attemptedTest() -> ExpressionSyntax? {
    var scout = self
    guard let test = try? scout.test() else { return nil }
    self = scout
    return test
  }

  mutating func valuesOrTests() throws(ShellError) -> [ExpressionSyntax] {
    var list = [try valueOrTest()]
    while takeIf(sign: ",") {
      list.append(try valueOrTest())
    }
    return list
  }

  /// Whether an operator of a comparison or a conjunction follows the value.
  private var isRelation: Bool {
    let next = character(after: 1)
    switch character(after: 0) {
    case "<"?, ">"?: return true
    case "="?, "!"?: return next == "="
    case "&"?: return next == "&"
    case "|"?: return next == "|"
    case _: return token.kind == .word && Self.relations.contains(text.lowercased())
    }
  }

  private var beginsTest: Bool {
    switch character(after: 0) {
    case "!"?, "("?: true
    case _: beginsWithTestWord
    }
  }

  private var beginsWithTestWord: Bool {
    token.kind == .word && Self.beginnings.contains(text.lowercased())
  }

  private static let relations: Set<String> = [
    "in", "between", "beginswith", "endswith", "contains", "like", "and", "or",
  ]

  private static let beginnings: Set<String> = [
    "not", "any", "some", "all", "none", "truepredicate", "falsepredicate", "subquery",
  ]
}
