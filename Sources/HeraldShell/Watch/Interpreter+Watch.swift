import Herald

extension Interpreter {
  /// Shows a collection on a screen until its reader leaves; without a screen, observes it.
  func watch(_ syntax: ObserveSyntax, _ span: SourceSpan, _ context: Context) throws {
    guard case .query(let query) = syntax.target else { return }
    let rows: WatchedRows.Rows
    switch try resolve(query, context) {
    case .results(let results): rows = .results(results)
    case .collection(let collection): rows = .collection(collection)
    case let resolved:
      throw ShellError(
        .notACollection(context.source.text(query.span), found: resolved.kind),
        context.source, query.span)
    }
    // No turn ends in these, so no event would be delivered.
    guard context.session.blocksRunning == 0, try !store(context).isInWrite else {
      throw ShellError(
        .misplaced(
          "watch", belongsTo: "the prompt and scripts, outside of blocks and transactions"),
        context.source, span)
    }
    guard let show = options.watchScreen, mode != .json else {
      _ = try observe(syntax, span, context)
      return
    }
    if rows.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    output.flush()
    sink.beginStream()
    defer { sink.endStream() }
    let watch = Watch(rows, syntax, self, context.session)
    try watch.begin()
    defer { watch.end() }
    show(watch)
    if let failure = watch.failure { throw failure }
  }
}

extension WatchedRows.Rows {
  fileprivate var store: DynamicStore {
    switch self {
    case .results(let results): results.store
    case .collection(let collection): collection.store
    }
  }
}
