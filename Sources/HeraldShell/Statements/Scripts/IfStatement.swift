import Herald

/// `if $max.age > 3 {…} else {…}`.
struct IfStatement: StatementForm {
  static let command = Command(
    "if", ["if PREDICATE { STATEMENTS } [else { STATEMENTS }]"],
    "run a block if a predicate is true",
    [
      "A Boolean, such as inTransaction, is a predicate by itself; so is an object, which is true "
        + "if it has not been deleted. $d == nil and $d.isInvalidated ask the same of a variable."
    ],
    examples: [
      "if Dog.@count > 3 { print \"a pack\" }", "if not inTransaction { print \"none\" }",
      "if $max { print $max.name }",
    ], inWrites: true, parse: Self.init)

  let predicate: PredicateSyntax
  let then: [Statement]
  private(set) var otherwise: [Statement] = []

  init(_ parser: inout StatementParser) throws(ShellError) {
    predicate = try parser.predicate()
    then = try parser.block()
    let end = (parser.lexer, parser.token, parser.lastEnd)
    parser.skipNewlines()
    if parser.takeIf("else") {
      otherwise = parser.isWord("if") ? [try parser.statement()] : try parser.block()
    } else {
      (parser.lexer, parser.token, parser.lastEnd) = end
    }
  }

  func run(in context: Context) throws {
    try context.execute(context.test(predicate) ? then : otherwise)
  }
}
