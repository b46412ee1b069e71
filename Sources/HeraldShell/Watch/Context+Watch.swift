import Herald

extension Context {
  /// Shows a collection on a screen until its reader leaves; without a screen, observes it.
  func watch(_ syntax: ObserveSyntax, _ span: SourceSpan) throws {
    var syntax = syntax
    guard let rows = try watched(&syntax) else { return }
    // No turn ends in these, so no event would be delivered.
    guard session.blocksRunning == 0, try !store.isInWrite else {
      throw ShellError(
        .misplaced(
          "watch", belongsTo: "the prompt and scripts, outside of blocks and transactions"),
        source, span)
    }
    guard let show = shell.options.watchScreen, shell.mode != .json, !shell.isRedirected else {
      _ = try observe(syntax, span)
      return
    }
    if rows.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    shell.output.flush()
    shell.output.sink.beginStream()
    defer { shell.output.sink.endStream() }
    let columns = syntax.columns.isEmpty ? nil : try columns(syntax.columns, of: rows)
    let watch = Watch(rows, syntax, shell, session, columns)
    try watch.begin()
    defer { watch.end() }
    show(watch)
    if let failure = watch.failure { throw failure }
  }

  /// The rows that a statement watches, whose columns are completed.
  private func watched(_ syntax: inout ObserveSyntax) throws -> WatchedRows.Rows? {
    switch syntax.target {
    case .groups(let group): return .groups(try groups(group))
    case .query(let query):
      if syntax.columns.isEmpty { syntax.columns = try defaultColumns(of: query) }
      let resolved = try resolve(query)
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
      let elements = try asking(at: resolved.store) { names in
        try self.elements(resolved, query, names)
      }
      guard let elements else {
        guard resolved.list == nil else {
          throw observedValue(resolved, query)
        }
        throw notACollection(resolved, query.span)
      }
      try refuse(syntax.forRows, query.span)
      return .elements(elements)
    case .store, .property, .projection: return nil
    }
  }
}

extension Context {
  private func columns(
    _ columns: [ColumnSyntax], of rows: WatchedRows.Rows
  ) throws -> DynamicColumns? {
    try asking(at: rows.store) { names in
      switch rows {
      case .groups: return nil
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
    let span = SourceSpan(start: 0, end: 0)
    columns = (keyPaths.texts ?? projection.fields.map(\.name)).map { name in
      let step = PathSyntax.Step(kind: .name(name), span: span)
      let path = PathSyntax(start: .root, startSpan: span, steps: [step], span: span)
      return ColumnSyntax(
        name: Name(text: name, span: span), expression: ExpressionSyntax(.path(path), span))
    }
  }
}

extension WatchedRows.Rows {
  fileprivate var store: DynamicStore {
    switch self {
    case .results(let results): results.store
    case .collection(let collection): collection.store
    case .elements(let elements): elements.collection.store
    case .groups(let groups): groups.store
    }
  }
}
