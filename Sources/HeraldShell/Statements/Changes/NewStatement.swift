import Herald

/// `new Dog {…} as $d`: an object that is not in the store yet.
struct NewStatement: StatementForm {
  static let command = Command(
    "new", ["new CLASS { ... } as $NAME"], "create an object that is not in the store yet",
    [
      "It is added together with everything that it links to: nested objects in braces, and "
        + "objects in variables that are not in the store yet, also in cycles. Assigning it to a "
        + "property of an object in the store adds it too.",
      "When the transaction that adds it is rolled back, using the variable is an error; no other "
        + "object gets its number, and it may be added again.",
    ],
    examples: ["new Dog { id: 9 } as $d", "add $d"], inWrites: true, parse: Self.init)

  let className: Name
  let record: RecordSyntax
  let variable: Name

  init(_ parser: inout StatementParser) throws(ShellError) {
    className = try parser.name("a class")
    parser.notes?.owner = PropertyOwner(.className(className.text))
    record = try parser.record()
    try parser.take("as")
    variable = try parser.variable("a new variable")
  }

  func run(in context: Context) throws {
    do {
      try context.bind(variable, .newObject(try context.newObject(className.text, record)))
    } catch let error as HeraldError {
      throw AddStatement.error(error, className: className, record, context)
    }
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { span != className.span }
}
