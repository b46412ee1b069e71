import Herald

/// `count Dog`, `count group Dog by breed { n: @count }`.
struct CountStatement: StatementForm {
  static let command = Command(
    "count", ["count QUERY | COLLECTION"], "print how many there are", examples: ["count Dog"],
    inWrites: true, parse: Self.init)

  enum Subject {
    case expression(ExpressionSyntax)
    case groups(GroupSyntax)
  }
  let subject: Subject

  init(_ parser: inout StatementParser) throws(ShellError) {
    subject =
      if let group = try parser.group() {
        .groups(group)
      } else {
        .expression(try parser.expression().asRows)
      }
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
