import Herald

/// `watch Dog keypaths name`: shows a collection on a screen until its reader leaves; without a screen, observes it.
struct WatchStatement: StatementForm {
  static let command = Command(
    "watch",
    [
      "watch QUERY [as NAME] [keypaths PATH, ... | keypaths none] [depth N]",
      "watch QUERY { EXPRESSION [as NAME], ... } [where PREDICATE] [sort(...)] ...",
      "watch QUERY sections by EXPR [desc] [keypaths PATH, ... | keypaths none] [depth N]",
      "watch group QUERY by EXPR, ... { ... } ...", "watch histogram QUERY by EXPR [bins N]",
      "watch value EXPRESSION [when CONDITION]",
    ],
    "show a live table of rows",
    [
      "At a terminal the rows fill the screen and follow every commit, of this program and of "
        + "others. For a moment a deleted row is red and marked -, and an inserted one green and "
        + "marked +; a modified one is marked ~, and its changed cells show the old and the new "
        + "value; a moved one is marked with an arrow. The columns are those in the braces, or "
        + "else the key paths, or the properties.",
      "The arrow keys, j and k, PageUp, PageDown, Home and End scroll, left and right through "
        + "the columns; at the end, the view follows new rows. q and Ctrl-C leave. Events of "
        + "other observers are printed afterwards.",
      "The last line shows the number of rows, the last event, the events per second, and how "
        + "many rows changed in each of the last 20 seconds.",
      "Without a terminal, and in mode json, it prints events as observe does, of an observer with the name after as. "
        + "In a histogram the bars follow; an event costs the different values, not the rows.",
    ],
    examples: ["watch Dog where age > 5 sort(name)", "watch Dog keypaths name, owner.name"],
    parse: Self.init)

  /// The collection to watch, with the options that restrict changes.
  let syntax: ObserveSyntax

  init(_ parser: inout StatementParser) throws(ShellError) {
    if let computed = try ObserveSyntax.computed(&parser) {
      var syntax = ObserveSyntax(target: computed)
      if parser.takeIf("as") { syntax.name = try parser.name("a new name") }
      self.syntax = syntax
      return
    }
    let query = try parser.query(mayBePast: false)
    var syntax = ObserveSyntax(target: .query(query))
    if let sections = try parser.sections(of: query) { syntax.target = .sections(sections) }
    syntax.columns = try parser.columns(of: query.origin)
    if !syntax.columns.isEmpty {
      syntax.columnClauses = ColumnClauses(
        columns: syntax.columns, clauses: try parser.clauses(afterColumnsOf: query.origin))
    }
    while true {
      if parser.takeIf("keypaths") {
        parser.notes?.owner = syntax.target.owner
        syntax.keyPaths = try ObserveSyntax.keyPaths(&parser)
      } else if parser.takeIf("depth") {
        syntax.depth = try parser.count("a number of links")
      } else if parser.takeIf("as") {
        syntax.name = try parser.name("a new name")
      } else {
        break
      }
    }
    self.syntax = syntax
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    let shell = context.shell
    var syntax = syntax
    let rows = try watched(&syntax, context)
    // No turn ends in these, so no event would be delivered.
    guard context.session.blocksRunning == 0, try !context.store.isInWrite else {
      throw context.failure(
        .misplaced(
          "watch", belongsTo: "the prompt and scripts, outside of blocks and transactions"),
        at: context.span)
    }
    guard let rows, let show = shell.options.watchScreen, shell.mode != .json, !shell.isRedirected
    else {
      _ = try syntax.observe(in: context)
      return
    }
    if let name = syntax.name { try shell.tokens.check(name, context.source) }
    if rows.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    shell.output.flush()
    shell.output.sink.beginStream()
    defer { shell.output.sink.endStream() }
    let columns = syntax.columns.isEmpty ? nil : try columns(syntax.columns, of: rows, context)
    let watch = Watch(rows, syntax, shell, context.session, columns)
    try watch.begin()
    defer { watch.end() }
    show(watch)
    if let failure = watch.failure { throw failure }
  }

  /// The rows that a statement watches, whose columns are completed.
  private func watched(_ syntax: inout ObserveSyntax, _ context: Context) throws -> RowReading? {
    switch syntax.target {
    case .groups(let group): return .groups(try context.groups(group))
    case .histogram(let histogram): return .histogram(try context.histogram(histogram))
    case .sections(let sections):
      let rows = try context.sections(sections, syntax.columnClauses).rows
      if syntax.columns.isEmpty { syntax.columns = try context.defaultColumns(of: sections.query) }
      syntax.columns = sections.columns(syntax.columns, of: rows, syntax.keyPaths.texts)
      return .results(rows)
    case .query(let query):
      if syntax.columns.isEmpty { syntax.columns = try context.defaultColumns(of: query) }
      let resolved = try context.resolve(query, syntax.columnClauses)
      if case .results(let results) = resolved {
        syntax.showFields(of: results.projection)
        return .results(results)
      }
      // Without columns, a map shows its keys.
      if case .collection(let collection) = resolved,
        syntax.columns.isEmpty || collection.property.type.linkedClass != nil
      {
        return .collection(collection)
      }
      let elements = try context.asking(at: resolved.store) { names in
        try context.elements(resolved, query, names)
      }
      guard let elements else {
        guard resolved.list == nil else {
          throw ObserveSyntax.observedValue(resolved, query, context)
        }
        throw context.notACollection(resolved, query.span)
      }
      try ObserveSyntax.refuse(syntax.forRows, query.span, context)
      return .elements(elements)
    // A value needs no table.
    case .store, .property, .projection, .value: return nil
    }
  }

  private func columns(
    _ columns: [ColumnSyntax], of rows: RowReading, _ context: Context
  ) throws -> DynamicColumns? {
    try context.asking(at: rows.store) { names in
      switch rows {
      case .groups, .histogram: return nil
      case .results(let results):
        return try results.store.columns(columns, of: results, names: names)
      case .collection(let collection):
        let results = try collection.store.results(of: collection, nil, names: names)
        return try results.store.columns(columns, of: results, names: names)
      case .elements(let elements): return try elements.columns(columns, names: names)
      }
    }
  }
}

extension ObserveSyntax {
  /// Chooses the fields of a projection, those in the key paths if there are any, unless columns are chosen.
  fileprivate mutating func showFields(of projection: ProjectionDefinition?) {
    guard columns.isEmpty, let projection else { return }
    columns = (keyPaths.texts ?? projection.fields.map(\.name)).map {
      ColumnSyntax(propertyOfRow: $0)
    }
  }
}

extension ColumnSyntax {
  /// A property of the row, or a path from it.
  init(propertyOfRow path: String) {
    let span = SourceSpan(start: 0, end: 0)
    let steps = path.split(separator: ".").map {
      PathSyntax.Step(kind: .name(String($0)), span: span)
    }
    let syntax = PathSyntax(start: .root, startSpan: span, steps: steps, span: span)
    self.init(name: Name(text: path, span: span), expression: ExpressionSyntax(.path(syntax), span))
  }
}

extension RowReading {
  fileprivate var store: DynamicStore {
    switch self {
    case .results(let results): results.store
    case .collection(let collection): collection.store
    case .elements(let elements): elements.collection.store
    case .groups(let groups): groups.store
    case .histogram(let histogram): histogram.store
    }
  }
}
