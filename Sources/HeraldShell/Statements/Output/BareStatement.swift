import Herald

/// A statement that is only an expression: a query is shown, every other value printed.
struct BareStatement: StatementForm {
  let expression: ExpressionSyntax

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    guard case .query(let query) = expression.kind, !query.isPlainPath else {
      return try PrintStatement(expressions: [expression]).run(in: context)
    }
    try checkBegins(query, context)
    try ShowStatement(subject: .expression(expression)).run(in: context)
  }

  /// Throws for a word that is neither a command nor a class.
  private func checkBegins(_ query: QuerySyntax, _ context: Context) throws {
    guard case .className(let name) = query.origin, query.tail == nil, query.version == nil else {
      return
    }
    let schema = try context.store.schema
    if schema.isTaken(name.text) { return }
    let names = schema.namesOfRows
    let nearest =
      StatementTable.nearest(to: name.text) ?? nearestName(to: name.text, in: names)
    let isClass = name.text.first?.isUppercase ?? false
    if isClass, nearest.map({ names.contains($0) }) ?? true { return }
    let parser = StatementParser(context.source, from: name.span.start, to: query.span.end)
    if let failure = parser.statementOfHabit(at: name.span) { throw failure }
    throw context.failure(.unknownStatement(name.text, nearest: nearest), at: name.span)
  }
}

extension QuerySyntax {
  /// Whether it is a path at an earlier version: `$max.age at 41`.
  fileprivate var isPlainPath: Bool { if case .path = origin { tail == nil } else { false } }
}
