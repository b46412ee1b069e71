import Herald

/// The rows of a query with the columns that are shown of them.
struct ColumnRows {
  enum Rows {
    case objects([DynamicObject])
    /// The elements of a collection of values.
    case elements([Value])
  }

  let names: [String]
  let rows: Rows
  let columns: DynamicColumns

  var count: Int {
    switch rows {
    case .objects(let objects): objects.count
    case .elements(let values): values.count
    }
  }

  /// The values of one row, in the order of the columns.
  func values(_ row: Int) throws -> [Value] {
    switch rows {
    case .objects(let objects): try columns.values(of: objects[row])
    case .elements(let values): try columns.values(ofElement: values[row])
    }
  }
}

extension Context {
  /// The rows of a query or of a collection, or one object.
  func rows(_ query: QuerySyntax, _ columns: [ColumnSyntax]) throws -> ColumnRows {
    let resolved = try resolve(query)
    let chosen = columns.map(\.name.text)
    return try asking(at: resolved.store) { names in
      if let elements = try elements(resolved, query, names) {
        return ColumnRows(
          names: chosen, rows: .elements(try elements.values),
          columns: try elements.columns(columns, names: names))
      }
      let results: DynamicResults
      let objects: [DynamicObject]
      if case .object(let object) = resolved {
        results = try object.store.objects(object.classSchema.name)
        objects = [object]
      } else {
        results = try objectRows(resolved, query, names)
        objects = try results.objects
      }
      return ColumnRows(
        names: chosen, rows: .objects(objects),
        columns: try results.store.columns(columns, of: results, names: names))
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
}
