import Herald

extension Context {
  func groups(_ syntax: GroupSyntax) throws -> DynamicGroups {
    let resolved = try resolve(syntax.query)
    return try asking(at: resolved.store) { names in
      if let elements = try elements(resolved, syntax.query, names) {
        return try elements.collection.store.groups(of: elements, syntax, names: names)
      }
      if let values = resolved.list {
        let what = source.text(syntax.query.span)
        return try names.store.groups(of: values, named: what, syntax, names: names)
      }
      let results = try objectRows(resolved, syntax.query, names)
      return try results.store.groups(of: results, syntax, names: names)
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
