import Herald

/// `count Dog`, `count group Dog by breed { n: @count }`.
struct CountStatement: StatementForm {
  static let command = Command(
    "count",
    [
      "count QUERY | COLLECTION", "count QUERY sections by EXPRESSION",
      "count group QUERY by EXPR, ... { ... }",
    ],
    "print how many there are",
    ["Of a query with sections, and of groups, it is the number of these."],
    examples: ["count Dog", "count Dog where age > 3 sections by owner.name"],
    inWrites: true, parse: Self.init)

  enum Subject {
    case expression(ExpressionSyntax)
    case groups(GroupSyntax)
    case sections(SectionsSyntax)
  }
  let subject: Subject

  init(_ parser: inout StatementParser) throws(ShellError) {
    if let group = try parser.group() {
      subject = .groups(group)
      return
    }
    let rows = try parser.expression().asRows
    let sections = try rows.query.flatMap { (query) throws(ShellError) in
      try parser.sectionsOrVersion(of: query)
    }
    subject = sections.map { .sections($0) } ?? .expression(rows)
  }

  /// The class whose objects are counted, without a condition; nil for anything else.
  private var wholeClass: String? {
    guard case .expression(let expression) = subject, case .query(let query) = expression.kind,
      query.tail == nil, query.version == nil, case .className(let name) = query.origin
    else { return nil }
    return name.text
  }

  var objectsRead: ObjectsRead { wholeClass == nil ? .ofNamedClasses : .none }

  func run(in context: Context) throws {
    if let count = wholeClass.flatMap({ context.shell.realmFile?.count(of: $0) }) {
      return context.emit(.count(count))
    }
    switch subject {
    case .expression(let expression): try count(expression, context)
    case .groups(let group): context.emit(.count(try context.groups(group).count))
    case .sections(let sections):
      context.emit(.count(try context.sections(sections).sections.count))
    }
  }

  private func count(_ expression: ExpressionSyntax, _ context: Context) throws {
    let resolved = try context.resolve(expression)
    switch resolved {
    case .results(let results):
      let count = try results.count
      context.emit(.count(count))
      RowPrinter(context: context).remark(on: expression, count: count)
    case .collection(let collection): try context.emitIntact(.count(collection.count))
    case .elements(let elements): try context.emitIntact(.count(elements.values.count))
    case .values(let values), .value(.list(let values)): context.emit(.count(values.count))
    case .value(.map(let entries)): context.emit(.count(entries.count))
    case .value, .object, .newObject, .projection:
      throw context.notACollection(resolved, expression.span)
    }
  }
}

extension ExpressionSyntax {
  /// The expression where only rows are expected: a word such as `now` is the name of a class that an old store may have.
  fileprivate var asRows: ExpressionSyntax {
    guard case .generated(let word) = kind else { return self }
    let name = Name(text: word.text, span: span)
    return ExpressionSyntax(
      .query(QuerySyntax(origin: .className(name), tail: nil, span: span)), span)
  }
}
