import Herald

/// `show Dog where age > 3`, `show Dog { name, age * 7 as dogYears }`, `show group Dog by breed { n: @count }`.
struct ShowStatement: StatementForm {
  static let command = Command(
    "show",
    [
      "show QUERY | OBJECT | COLLECTION",
      "show QUERY { EXPRESSION [as NAME], ... } [where PREDICATE] [sort(...)] ...",
      "show QUERY sections by EXPRESSION [desc] [{ EXPRESSION [as NAME], ... } [where PREDICATE] ...]",
    ],
    "show objects as a table",
    [
      "Braces choose the columns: each is an expression over the rows, and has its text or the "
        + "name after as in its heading. Clauses after the braces are about these columns, by their headings.",
      "Sections hold the rows of equal values of an expression, in the order of these values; within one the rows are in "
        + "the order of the query.",
      "After any statement | and a command of the system's shell, up to the end of the line, gives its "
        + "output to that program; > and a file's name writes it to the file: show Dog | sort -r",
    ],
    examples: [
      "show Dog { name, owner.name, age * 7 as dogYears }",
      "show Dog { name, age * 7 as dogYears } where dogYears > 20 sort(dogYears desc)",
      "show Dog where age > 3 sort(name)",
      "show Dog sort(name) sections by owner.name { name, age }",
      "show $p.dogs",
    ], inWrites: true, parse: Self.init)

  static let group = Command(
    "group",
    [
      "[show | count] group QUERY [by EXPR [as NAME], ...] { NAME: AGGREGATE, ... }",
      "group QUERY [by ...] { ... } [where PREDICATE] [sort(...)] [offset(N)] [limit(N)]",
    ],
    "show the groups of the rows of a query, with aggregates",
    [
      "There is one row for each combination of the values of the expressions; one that cannot be computed, as an int "
        + "divided by zero, is nil. Without by there is one row, of no objects, too. "
        + "The aggregates are @count, @sum.PATH, @avg.PATH, @min.PATH, @max.PATH, @median.PATH, "
        + "@percentile(0.9).PATH, @stddev.PATH and @distinct.PATH; they skip nil: of no values a sum and a number of "
        + "different values are 0 and the others are nil. Sums and averages of doubles are rounded once, whatever "
        + "the order. "
        + "Without sort the order is that of the values of the expressions, nil first.",
      "The clauses after the braces are about the groups, in the names of their columns; they are applied in the order "
        + "written and may repeat: where n > 1 sort(n desc) limit(3) where n < 9.",
      "observe group is notified of groups as of sorted results: a row is inserted with its first "
        + "member, deleted with its last, and modified when an aggregate differs at a commit.",
    ],
    examples: [
      "group Dog by owner.name as owner { n: @count, oldest: @max.age } sort(n desc) limit(3)",
      "group Dog by age / 5 * 5 as from { n: @count } where n > 1",
      "group Dog by name.length as letters { n: @count }",
      "group Dog { n: @count, mean: @avg.age }",
      "observe group Dog by owner { n: @count } as owners",
    ], inWrites: true,
    parse: { parser throws(ShellError) in
      ShowStatement(subject: .groups(try parser.groups(from: parser.lastEnd - "group".utf8.count)))
    })

  enum Subject {
    case expression(ExpressionSyntax)
    case columns(QuerySyntax, [ColumnSyntax], [QueryTail] = [])
    case groups(GroupSyntax)
    case sections(SectionsSyntax, [ColumnSyntax], [QueryTail] = [])
  }
  let subject: Subject

  init(subject: Subject) { self.subject = subject }

  init(_ parser: inout StatementParser) throws(ShellError) {
    if let group = try parser.group() {
      subject = .groups(group)
    } else {
      let expression = try parser.expression()
      if let columns = try Self.columns(of: expression, &parser) {
        subject = columns
      } else {
        subject = try Self.sections(of: expression, &parser) ?? .expression(expression)
      }
    }
  }

  /// The sections after a query or a collection, with the columns of their rows; nil if there are none.
  static func sections(
    of expression: ExpressionSyntax, _ parser: inout StatementParser
  ) throws(ShellError) -> Subject? {
    guard let query = expression.query, var sections = try parser.sections(of: query) else {
      return nil
    }
    let columns = try parser.columns(of: query.origin)
    let clauses = columns.isEmpty ? [] : try parser.clauses(afterColumnsOf: query.origin)
    if query.version == nil, let version = try parser.pastVersion() {
      sections = sections.at(version)
    }
    return .sections(sections, columns, clauses)
  }

  /// The columns after a query or a collection; nil if there are none.
  static func columns(
    of expression: ExpressionSyntax, _ parser: inout StatementParser
  ) throws(ShellError) -> Subject? {
    guard parser.isSign("{"), var query = expression.query else { return nil }
    let columns = try parser.columns(of: query.origin)
    let clauses = try parser.clauses(afterColumnsOf: query.origin)
    if query.version == nil { query.version = try parser.pastVersion() }
    return .columns(query, columns, clauses)
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    switch subject {
    case .expression(let expression): try show(expression, context)
    case .columns(let query, let columns, let clauses): try show(query, columns, clauses, context)
    case .groups(let group): try show(group, context)
    case .sections(let sections, let columns, let clauses):
      try show(sections, columns, ColumnClauses(columns: columns, clauses: clauses), context)
    }
  }

  private func show(_ expression: ExpressionSyntax, _ context: Context) throws {
    let printer = RowPrinter(context: context)
    if case .query(let query) = expression.kind {
      let columns = try context.defaultColumns(of: query)
      if !columns.isEmpty { return try show(query, columns, [], context) }
    }
    if let format = context.shell.mode.rowFormat, try showRows(expression, format, context) {
      return
    }
    let resolved = try context.resolve(expression)
    if case .results(let results) = resolved {
      let objects = try results.objects
      let classSchema = results.store.schema.classSchema(results.classID)
      let names = results.projection?.fields.map(\.name) ?? classSchema?.properties.map(\.name)
      try printer.show(objects.count, header: ["object"] + (names ?? [])) {
        try context.session.output(objects[$0], of: results)
      }
      return printer.remark(on: expression, count: objects.count)
    }
    switch try context.rendered(resolved, context.session) {
    case .list(let rows): try printer.show(rows.count) { rows[$0] }
    case let value: try context.emitIntact(.table([value], more: 0))
    }
  }

  /// `show Dog { name, owner.name, age * 7 as dogYears }`
  private func show(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], _ clauses: [QueryTail], _ context: Context
  ) throws {
    let printer = RowPrinter(context: context)
    let rows = try context.rows(query, columns, clauses)
    try printer.show(rows.count, rows.names, of: rows.columns.store, row: rows.values)
    printer.remark(on: query, count: rows.count)
  }

  /// `show group Dog by breed { n: @count } sort(n desc)`
  private func show(_ syntax: GroupSyntax, _ context: Context) throws {
    let groups = try context.groups(syntax)
    let rows = try groups.rows
    try RowPrinter(context: context).show(rows.count, groups.names, of: groups.store) { rows[$0] }
  }

  /// `show Dog sections by breed { name }`
  private func show(
    _ syntax: SectionsSyntax, _ columns: [ColumnSyntax], _ clauses: ColumnClauses,
    _ context: Context
  ) throws {
    let past: Void? = try context.atVersion(of: syntax.query) {
      try show(syntax.of($1), columns, clauses, $0)
    }
    if past != nil { return }
    let printer = RowPrinter(context: context)
    if context.shell.mode.rowFormat != nil || context.shell.mode == .markdown {
      let rows = try context.sectionRows(syntax, clauses)
      return try printer.show(rows.count, rows.names, of: rows.columns.store, row: rows.values)
    }
    let sections = try context.sections(syntax, clauses)
    let store = sections.store
    let session = context.session.reading(store)
    let columns = columns.isEmpty ? try context.defaultColumns(of: syntax.query) : columns
    let chosen =
      columns.isEmpty
      ? nil
      : try context.asking(at: store) {
        try store.columns(columns, of: sections.rows, names: $0)
      }
    func row(_ object: ObjectHandle) throws -> OutputValue {
      guard let chosen else { return try session.output(object, of: sections.rows) }
      return .row(try session.fields(columns.map(\.name.text), chosen.values(of: object)))
    }
    let found = try sections.sections
    if context.shell.mode == .json {
      return try printer.show(found.count) { index in
        .map([
          OutputValue.Field(name: "key", value: session.output(found[index].key)),
          OutputValue.Field(name: "rows", value: .list(try found[index].objects.map(row))),
        ])
      }
    }
    for section in found {
      let count = section.objects.count
      context.shell.output.write(
        line: LiteralText.bareText(session.output(section.key)).visible
          + ": \(count) row\(count == 1 ? "" : "s")")
      try printer.show(count) { try row(section.objects[$0]) }
    }
    if found.isEmpty { try printer.show(0) { _ in .row([]) } }
    printer.remark(on: syntax.query, count: found.count)
  }

  /// Shows objects as rows that `import` reads; returns false if the expression is something else.
  private func showRows(_ expression: ExpressionSyntax, _ format: ExportFormat, _ context: Context)
    throws -> Bool
  {
    let printer = RowPrinter(context: context)
    let objects: [ObjectHandle]
    let resolved = try context.resolve(expression)
    if let (rows, _) = try RowExport.rows(of: resolved, format, context) {
      try printer.emit(rows)
      return true
    }
    switch resolved {
    case .results(let results): objects = try results.objects
    case .object(let object): objects = [object]
    case .collection(let collection) where collection.property.type.linkedClass != nil:
      guard !collection.isMap else { return false }
      objects = try context.asking { names in
        try collection.store.results(of: collection, nil, names: names).objects
      }
    case .collection, .value, .values, .elements, .newObject, .projection: return false
    }
    var origin: QuerySyntax.Origin?
    if case .query(let query) = expression.kind { origin = query.origin }
    try printer.emit(RowExport.objects(objects, of: origin, format, context))
    return true
  }
}

extension ExpressionSyntax {
  /// The expression as a query, if it can be one.
  var query: QuerySyntax? {
    switch kind {
    case .query(let query): query
    case .path(let path): QuerySyntax(origin: .path(path), tail: nil, span: span)
    case .literal, .list, .arithmetic, .subquery, .call, .fallback, .duration, .record,
      .generated, .test, .projection:
      nil
    }
  }
}
