import Herald

/// The rows of a query with the columns that are shown of them.
struct ColumnRows {
  let names: [String]
  let columns: DynamicColumns
  let count: Int
  /// The values of one row, in the order of the columns.
  let values: (Int) throws -> [Value]

  /// The rows that clauses pass on, in the names of the columns. O(rows · log rows).
  fileprivate func passed(
    on clauses: [QueryTail], _ queryNames: any QueryNames
  ) throws -> ColumnRows {
    if clauses.isEmpty { return self }
    let all = try (0..<count).map(values)
    let passed = try columns.rows(of: all, clauses, columnNames: names, names: queryNames)
    return ColumnRows(names: names, columns: columns, count: passed.count) { all[passed[$0]] }
  }
}

extension Context {
  /// The rows of a query or of a collection, or one object.
  ///
  /// - Parameter clauses: what of the rows is shown, in the names of the columns.
  func rows(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], _ clauses: [QueryTail] = []
  ) throws -> ColumnRows {
    if let found = try atVersion(of: query, { try $0.rows($1, columns, clauses) }) { return found }
    let resolved = try resolve(query)
    let chosen = columns.map(\.name.text)
    return try asking(at: resolved.store) { names in
      if let elements = try elements(resolved, query, names) {
        let (values, columns) = (try elements.values, try elements.columns(columns, names: names))
        return try ColumnRows(names: chosen, columns: columns, count: values.count) {
          try columns.values(ofElement: values[$0])
        }.passed(on: clauses, names)
      }
      let results: DynamicResults
      let objects: [ObjectHandle]
      if case .object(let object) = resolved {
        results = try object.store.objects(object.classSchema.name)
        objects = [object]
      } else {
        results = try objectRows(resolved, query, names)
        objects = try results.objects
      }
      let columns = try results.store.columns(columns, of: results, names: names)
      return try ColumnRows(names: chosen, columns: columns, count: objects.count) {
        try columns.values(of: objects[$0])
      }.passed(on: clauses, names)
    }
  }

  /// The elements of a collection of values, whose columns are expressions of `self`; nil for anything else.
  func elements(
    _ resolved: Resolved, _ query: QuerySyntax, _ names: any QueryNames
  ) throws -> DynamicElements? {
    switch resolved {
    case .elements(let elements): return elements
    case .collection(let collection) where collection.property.type.linkedClass == nil:
      return try collection.elements(nil, names: names)
    case .value, .values:
      guard case .path(let path) = query.origin, query.tail == nil else { return nil }
      return try nested(path)?.elements(nil, names: names)
    case .object, .newObject, .collection, .results, .projection: return nil
    }
  }

  /// The rows of a query over objects or of a collection of them. Errors: `notACollection` for anything else.
  func objectRows(
    _ resolved: Resolved, _ query: QuerySyntax, _ names: any QueryNames
  ) throws -> DynamicResults {
    switch resolved {
    case .results(let results): return results
    case .collection(let collection):
      return try collection.store.results(of: collection, nil, names: names)
    case .object, .value, .values, .newObject, .elements, .projection:
      throw notACollection(resolved, query.span)
    }
  }

  func groups(_ syntax: GroupSyntax) throws -> DynamicGroups {
    if let found = try atVersion(of: syntax.query, { try $0.groups(syntax.of($1)) }) {
      return found
    }
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

  /// The default columns of a query, if its class is a defined query that has some.
  func defaultColumns(of query: QuerySyntax) throws -> [ColumnSyntax] {
    guard case .className(let name) = query.origin else { return [] }
    // The definition is that of the version that is read.
    return try (query.version.map { try store(at: $0) } ?? store).schema
      .defaultColumns(of: name.text)
  }
}

extension Schema {
  /// The columns of a defined query, or of what it is defined by, if that is one.
  fileprivate func defaultColumns(of name: String) throws -> [ColumnSyntax] {
    var definition = classSchema(named: name) == nil ? query(named: name) : nil
    for _ in definitions {
      guard let found = definition else { return [] }
      if !found.columns.isEmpty { return try found.columnSyntax() }
      definition = query(named: found.origin)
    }
    return []
  }
}

extension DynamicGroups {
  /// A row as a map of its columns.
  func entries(_ row: [Value]) -> Value { .map(MapEntries(zip(names, row).map { ($0, $1) })) }

  /// The rows of an observer's view, or read again before there is one.
  func rows(observedBy token: ObservationToken?) throws -> [[Value]] {
    try token?.groups(in: 0..<Int.max) ?? rows
  }
}
