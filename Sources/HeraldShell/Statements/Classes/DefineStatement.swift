import Herald

/// `define Old as Dog where age > 10 { name }`: variables keep the values that they have now. An object that the query
/// names by its key may be missing, as one may that is deleted later.
struct DefineStatement: StatementForm {
  static let command = Command(
    "define",
    ["define NAME as QUERY [{ EXPRESSION [as NAME], ... } ...]"],
    "keep a query under a name in the store",
    [
      "The name stands where a class does in a query; clauses after it apply to the rows of the "
        + "definition, predicates by AND and after its own limit. Variables keep the values that "
        + "they have now. Braces are the columns that show, watch and export have without their "
        + "own; clauses after them are the definition's, in the names of the columns. drop removes it.",
      "An object that the query names by its key, as in owner == Person#3, need not exist: while "
        + "it does not, an error names it when the query is evaluated, and check reports it.",
    ],
    examples: ["define Old as Dog where age > 10", "count Old where name == \"Max\""],
    inWrites: true, parse: Self.init)

  let name: Name
  let query: QuerySyntax
  let columns: [ColumnSyntax]
  let clauses: ColumnClauses

  init(_ parser: inout StatementParser) throws(ShellError) {
    name = try parser.name("a new query")
    try parser.take("as")
    query = try parser.query(mayBePast: false)
    guard case .className = query.origin else {
      throw parser.failure(
        .expected("a class", found: "'\(parser.source.text(query.span))'"), at: query.span)
    }
    columns = try parser.columns(of: query.origin)
    clauses = ColumnClauses(
      columns: columns,
      clauses: columns.isEmpty ? [] : try parser.clauses(afterColumnsOf: query.origin))
  }

  var declaredName: String? { name.text }

  func run(in context: Context) throws {
    guard case .className(let origin) = query.origin else { return }
    if let version = query.version {
      throw context.failure(
        .expected("a query of the present", found: "'\(version)'"), at: query.span)
    }
    let capture = Capture(context: context).mapping
    let tail = try self.clauses.joined(after: query.tail, context)
    let clauses = try tail.map { try capture.tail($0).description } ?? ""
    let shown = try columns.map { column in
      let text = try capture.expression(column.expression).description
      return text == column.name.text ? text : "\(text) as \(column.name.text.quoted)"
    }
    let definition = QueryDefinition(
      name: name.text, origin: origin.text, clauses: clauses,
      columns: shown.isEmpty ? "" : "{ \(shown.joined(separator: ", ")) }")
    do {
      // The query as it was written, so that an error is at its position.
      let present = try context.store
      try context.asking(of: present, allowsMissing: true) { names in
        let results = try present.results(origin.text, tail, names: names)
        if !columns.isEmpty { _ = try present.columns(columns, of: results, names: names) }
      }
      try context.change { store in
        try context.asking(of: store, allowsMissing: true) { names in
          try store.define(definition, names: names)
        }
      }
    } catch let error as HeraldError where error.saysThatNameIsTaken {
      throw context.failure(.library(error), at: name.span)
    }
    context.confirm { "query \(name.text)" }
  }
}

extension HeraldError {
  /// Whether a name is that of something else already.
  fileprivate var saysThatNameIsTaken: Bool {
    switch self {
    case .classExists, .projectionExists, .queryExists: true
    case _: false
    }
  }
}

/// Replaces the variables in a query by their present values.
private struct Capture {
  let context: Context

  var mapping: PathMapping { PathMapping { try path($0) } }

  private func path(_ path: PathSyntax) throws -> ExpressionSyntax.Kind {
    guard case .variable(let name) = path.start else { return .path(path) }
    switch context.scope[name] {
    case .object(let held)?: return .path(self.path(path, from: held))
    case .projection(let name, let held)?:
      var changed = self.path(path, from: held)
      changed.steps = try steps(path.steps, through: name)
      return .path(changed)
    case .value?, .values?, .changes?, .newObject?, .collection?, .frozen?, .version?,
      nil:
      let operand = try context.asking { names in
        try names.store.evaluate(ExpressionSyntax(.path(path), path.span), names: names)
      }
      return try literal(operand, path.span)
    }
  }

  private func path(_ path: PathSyntax, from held: HeldObject) -> PathSyntax {
    var changed = path
    changed.start = Self.start(held.label, path.startSpan)
    return changed
  }

  private static func start(_ label: ObjectLabel, _ span: SourceSpan) -> PathSyntax.Start {
    .object(className: label.className, key: ExpressionSyntax(.literal(label.key), span))
  }

  /// The steps with the path of a projection's field in place of its name.
  private func steps(
    _ steps: [PathSyntax.Step], through projection: String
  ) throws -> [PathSyntax.Step] {
    guard let first = steps.first, case .name(let name) = first.kind,
      let field = try context.store.schema.projection(named: projection)?.fields
        .first(where: { $0.name == name })
    else { return steps }
    return field.path.split(separator: ".").map {
      PathSyntax.Step(kind: .name(String($0)), span: first.span)
    } + steps.dropFirst()
  }

  private func literal(
    _ operand: QueryOperand, _ span: SourceSpan
  ) throws -> ExpressionSyntax.Kind {
    switch operand {
    case .value(let value): try literal(value, span)
    case .values(let values):
      .list(try values.map { ExpressionSyntax(try literal($0, span), span) })
    case .objects(let classID, let numbers):
      .list(
        try numbers.map { ExpressionSyntax(try literal(.link(ObjectID(classID, $0)), span), span) })
    }
  }

  private func literal(_ value: Value, _ span: SourceSpan) throws -> ExpressionSyntax.Kind {
    switch value {
    case .link(let id):
      let label = try context.store.label(of: id)
      return .path(
        PathSyntax(
          start: Self.start(label, span), startSpan: span, span: span))
    case .list(let values):
      return .list(try values.map { ExpressionSyntax(try literal($0, span), span) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .map:
      return .literal(value)
    }
  }
}
