import Herald

/// `explain dogs`, `explain Dog where …`: describes a token, or executes a query and explains it.
struct ExplainStatement: StatementForm {
  static let command = Command(
    "explain", ["explain NAME", "explain QUERY [sections by EXPRESSION [desc]]"],
    "describe the state of an observer, or how a query is executed",
    [
      "For an observer: the view that is maintained, the classes, properties and paths whose "
        + "changes may concern it, its rows, the memory they take, the number of deliveries, and "
        + "the time they took.",
      "A query is executed, and each step is printed with the number of objects returned and "
        + "expected: a lookup by the primary key or an index, a walk along links, or a scan of "
        + "every block of the class. Blocks are skipped by their zones where the smallest and "
        + "the largest value decide. A name that both a class and a live observer have is the "
        + "observer's.",
    ],
    examples: ["explain dogs", "explain Dog where owner.name == \"Ann\" sort(age) limit(10)"],
    inWrites: true,
    parse: { parser throws(ShellError) in
      // The name of a token looks like the name of a class.
      parser.note(.expected("a token", of: nil))
      let query = try parser.query()
      return ExplainStatement(query: query, sections: try parser.sectionsOrVersion(of: query))
    })

  let query: QuerySyntax
  /// The query with its sections; nil without any.
  let sections: SectionsSyntax?

  func run(in context: Context) throws {
    if let sections {
      return context.emit(.explanation(try context.sections(sections).rows.explanation))
    }
    if case .className(let name) = query.origin, query.tail == nil, try isToken(name, context) {
      return try explain(name, context)
    }
    let resolved = try context.resolve(query)
    switch resolved {
    case .results(let results): context.emit(.explanation(try results.explanation))
    case .collection(let collection) where collection.property.type.linkedClass != nil:
      let results = try context.asking { names in
        try context.store.results(of: collection, nil, names: names)
      }
      context.emit(.explanation(try results.explanation))
    case .collection, .elements:
      throw context.failure(.expected("a query of objects", found: resolved.kind), at: query.span)
    case .value, .values, .object, .newObject, .projection:
      throw context.notACollection(resolved, query.span)
    }
  }

  /// Whether a name means an observer: a live one takes precedence over a class, a dead one does not.
  private func isToken(_ name: Name, _ context: Context) throws -> Bool {
    guard let record = context.shell.tokens.record(named: name.text) else { return false }
    return try record.isLive || context.store.schema.classSchema(named: name.text) == nil
  }

  /// `explain TOKEN`: describes the state of a token.
  private func explain(_ name: Name, _ context: Context) throws {
    let record = try context.shell.tokens.record(name, context.source)
    var explanation: TokenExplanation?
    try context.shell.run(on: record.session, from: context.session) {
      explanation = try record.token?.explanation()
    }
    guard let explanation else { return try WhyStatement(name: name).run(in: context) }
    context.emit(
      .report(
        ExplanationText.lines(record.name, explanation),
        .map(ExplanationText.fields(record.name, explanation))))
  }
}
