import Herald

/// `print $max.name, 5 + 3`.
struct PrintStatement: StatementForm {
  static let command = Command(
    "print", ["print VALUE, ..."], "print values, objects as literals that can be typed back",
    [
      "Values are separated by spaces, and strings are printed without quotes. A collection of "
        + "objects that is printed alone is one object a line.",
      "A statement that is only an expression shows a query, and prints any other value: "
        + "Dog where age > 3, $max.name, 5 + 3. An int divided by zero is an error, except in a "
        + "predicate, where it is infinite.",
    ],
    examples: ["print $max.name, $max.age + 1"], inWrites: true,
    parse: { parser throws(ShellError) in Self(expressions: try parser.valuesOrTests()) })

  let expressions: [ExpressionSyntax]

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    if expressions.count == 1 {
      let resolved = try context.resolve(expressions[0])
      if case .results(let results) = resolved {
        return try RowPrinter(context: context).print(results)
      }
      return try context.emitIntact(.values([context.rendered(resolved, context.session)]))
    }
    try context.emitIntact(
      .values(expressions.map { try context.rendered(context.resolve($0), context.session) }))
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { word.first?.isLowercase ?? false }
}
