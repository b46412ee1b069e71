import Herald

/// `export Dog { name } to dogs.csv`: writes objects or groups to a file that `import` reads, or to the output.
struct ExportStatement: StatementForm {
  static let command = Command(
    "export",
    [
      "export QUERY [{ EXPRESSION [as NAME], ... }] to FILE [as csv | json | jsonl]",
      "export QUERY { ... } [where PREDICATE] [sort(...)] ... to FILE [as csv | json | jsonl]",
      "export QUERY sections by EXPRESSION [desc] [{ ... } ...] to FILE [as csv | json | jsonl]",
      "export group QUERY by PATH, ... { ... } ... to FILE [as csv | json | jsonl]",
    ],
    "write objects or groups to a file that import reads",
    [
      "The file name extension selects the format, unless as does: .json, .jsonl or .ndjson, .csv. "
        + "- is the output. An existing file is replaced once the new one is complete, and keeps its "
        + "permissions; a new one has those that the umask leaves. Braces choose "
        + "columns, as for show; with sections the first one is the key. mode csv and mode jsonl write tables in the same form.",
      "import takes all of it back into the same class, but for backlinks, links to objects that "
        + "are not there, columns that are not properties, and the numbers of objects that nothing "
        + "links to. As a new class, sets become lists, floats doubles, data and links plain values, "
        + "and in JSON decimals strings.",
    ],
    examples: [
      "export Dog { name, owner.name as owner } to names.csv",
      "export Dog where age > 3 sort(name) to dogs.csv", "export Dog to - as jsonl",
      "export group Dog by age { n: @count } to - as csv",
    ], inWrites: true, parse: Self.init)

  enum Subject {
    case rows(QuerySyntax, columns: [ColumnSyntax], [QueryTail])
    case groups(GroupSyntax)
    case sections(SectionsSyntax, ColumnClauses)
  }
  let subject: Subject
  let path: Name
  /// nil if the name of the file decides.
  let format: ExportFormat?

  init(_ parser: inout StatementParser) throws(ShellError) {
    if let group = try parser.group() {
      subject = .groups(group)
    } else {
      var query = try parser.query()
      let sections = try parser.sections(of: query)
      let columns = try parser.columns(of: query.origin)
      let clauses =
        columns.isEmpty ? [] : try parser.clauses(afterColumnsOf: query.origin)
      if query.version == nil { query.version = try parser.pastVersion() }
      if let sections {
        subject = .sections(
          query.version.map(sections.at) ?? sections,
          ColumnClauses(columns: columns, clauses: clauses))
      } else {
        subject = .rows(query, columns: columns, clauses)
      }
    }
    try parser.take("to")
    path = try parser.path()
    format = try Self.exportFormat(&parser)
  }

  private static func exportFormat(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ExportFormat? {
    guard parser.takeIf("as") else { return nil }
    if parser.takeIf("csv") { return .csv }
    if parser.takeIf("jsonl") { return .lines }
    if parser.takeIf("json") { return .array }
    throw parser.expected("'csv', 'json' or 'jsonl'")
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    switch subject {
    case .rows(let query, let columns, let clauses):
      try export(query, columns, clauses, context)
    case .groups(let group): try export(group, context)
    case .sections(let sections, let clauses): try export(sections, clauses, context)
    }
  }

  /// Writes the rows of sections, one after the other; the first column is the key.
  private func export(
    _ syntax: SectionsSyntax, _ clauses: ColumnClauses, _ context: Context
  ) throws {
    let rows = RowExport(try context.sectionRows(syntax, clauses), try format(context))
    try write(rows, "row", syntax.query.span, context)
  }

  /// Writes objects to a file that `import` reads, or to the output.
  private func export(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], _ clauses: [QueryTail], _ context: Context
  ) throws {
    let format = try self.format(context)
    let columns = columns.isEmpty ? try context.defaultColumns(of: query) : columns
    if !columns.isEmpty {
      let rows = RowExport(try context.rows(query, columns, clauses), format)
      return try write(rows, "row", query.span, context)
    }
    if let (rows, what) = try RowExport.rows(of: context.resolve(query), format, context) {
      return try write(rows, what, query.span, context)
    }
    let rows = try RowExport.objects(context.objects(query), of: query.origin, format, context)
    try write(rows, "object", query.span, context)
  }

  /// Writes the groups' rows.
  private func export(_ syntax: GroupSyntax, _ context: Context) throws {
    let format = try self.format(context)
    let groups = try context.groups(syntax)
    let values = try groups.rows
    let rows = RowExport(
      .columns(groups.names, count: values.count) { values[$0] }, of: groups.store, format)
    try write(rows, "group", syntax.query.span, context)
  }

  /// The format that a statement names, or that the name of its file means.
  private func format(_ context: Context) throws -> ExportFormat {
    if let format = format ?? ExportFormat(path: path.text) { return format }
    throw context.failure(.unknownFormat(path.text), at: path.span)
  }

  private func write(
    _ rows: RowExport, _ what: String, _ span: SourceSpan, _ context: Context
  ) throws {
    if path.text == "-" { return try RowPrinter(context: context).emit(rows) }
    try context.writeFile(path) { file in
      try rows.write(to: file, span, context)
      if rows.closing != nil { try file.write("\n") }
    }
    context.confirm { "exported \(rows.count) \(what)\(rows.count == 1 ? "" : "s")" }
  }
}
