import Herald

extension Interpreter {
  /// `show group Dog by breed { n: @count } sort(n desc)`
  func show(_ syntax: GroupSyntax, _ context: Context) throws {
    let groups = try groups(syntax, context)
    let rows = try groups.rows
    try show(rows.count, groups.names, of: groups.store, context) { rows[$0] }
  }

  func groups(_ syntax: GroupSyntax, _ context: Context) throws -> DynamicGroups {
    let resolved = try resolve(syntax.query, context)
    return try asking(context, at: resolved.store) { names in
      if let elements = try elements(resolved, syntax.query, names, context) {
        return try elements.collection.store.groups(of: elements, syntax, names: names)
      }
      if let values = resolved.list {
        let what = context.source.text(syntax.query.span)
        return try names.store.groups(of: values, named: what, syntax, names: names)
      }
      let results = try objectRows(resolved, syntax.query, names, context)
      return try results.store.groups(of: results, syntax, names: names)
    }
  }

  /// `observe group Dog by breed { n: @count } as g`; the rows are maps to the block.
  func observe(
    _ group: GroupSyntax, _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ context: Context
  ) throws -> ObservationToken {
    let groups = try groups(group, context)
    if groups.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    return try observe(groups, record) { [unowned self] groups, change, details in
      let locals =
        syntax.block == nil
        ? [:]
        : try locals(
          .values(groups.rows(observedBy: record.token).map { groups.entries($0) }), change)
      try deliver(
        DeliveredEvent(Event.Kind(change), locals, details), record, syntax, context)
    }
  }
}

extension DynamicGroups {
  /// A row as a map of its columns.
  func entries(_ row: [Value]) -> Value {
    .map(MapEntries(zip(names, row).map { ($0, $1) }))
  }

  /// The rows of an observer's view, or read again before there is one.
  func rows(observedBy token: ObservationToken?) throws -> [[Value]] {
    try token?.groups(in: 0..<Int.max) ?? rows
  }
}
