import Herald

/// The values of a record for each of some rows. Those that do not depend on the row are evaluated once.
struct RowRecord {
  /// A value, of which some parts are columns of the rows.
  private indirect enum Part {
    case fixed(ExpressionSyntax)
    case column(Int, SourceSpan)
    case list([Part], SourceSpan)
    case record([(Name, Part)], SourceSpan)

    var isFixed: Bool {
      switch self {
      case .fixed: true
      case .column: false
      case .list(let parts, _): parts.allSatisfy(\.isFixed)
      case .record(let entries, _): entries.allSatisfy(\.1.isFixed)
      }
    }
  }

  private let context: Context
  private let entries: [(Name, Part)]
  private let span: SourceSpan
  private let columns: DynamicColumns?

  /// - Parameter projection: through which the rows are seen; nil for that of the results.
  init(
    _ record: RecordSyntax, of results: DynamicResults,
    through projection: ProjectionDefinition? = nil, _ context: Context
  ) throws {
    self.context = context
    span = record.span
    var columns: [ColumnSyntax] = []
    entries = try record.entries.map {
      ($0.name, try Self.part($0.value, &columns, context))
    }
    self.columns =
      columns.isEmpty
      ? nil
      : try context.asking(at: results.store) { names in
        try results.store.columns(
          columns, of: results, through: projection, names: names)
      }
  }

  /// Whether a value reads something of the row.
  var isOfRows: Bool { columns != nil }

  /// The values that do not depend on the row.
  var fixed: RecordSyntax {
    RecordSyntax(
      entries: entries.compactMap { name, part in
        part.isFixed ? RecordSyntax.Entry(name: name, value: expression(part, [])) : nil
      }, span: span)
  }

  /// The records of some objects, without anything that is read of the store, up to the first whose values cannot be
  /// computed, and its error, with its name.
  func records(
    of objects: [ObjectHandle]
  ) throws -> (records: [RecordSyntax], failure: ShellError?) {
    guard let columns else {
      return (Array(repeating: record([]), count: objects.count), nil)
    }
    var missing: (error: QueryError, object: ObjectHandle, count: Int)?
    var records: [RecordSyntax] = []
    for object in objects {
      try context.checkInterruption(span)
      do {
        let values = try columns.values(of: object)
        if missing == nil { records.append(record(values)) }
      } catch let error as QueryError {
        guard error.missingObject != nil else {
          if missing != nil { continue }
          let failure = located(error, context.source, span)
          return (records, failure.naming(context.name(of: object.label)))
        }
        missing = (missing?.error ?? error, missing?.object ?? object, (missing?.count ?? 0) + 1)
      }
    }
    guard let (error, object, count) = missing else { return (records, nil) }
    let rows = count == 1 ? "1 row has such a key" : "\(count) rows have such keys"
    let whole = QueryError(message: "\(error.message); \(rows)", span: error.span)
    let failure = located(whole, context.source, span)
    return (records, failure.naming(context.name(of: object.label)))
  }

  private func record(_ values: [Value]) -> RecordSyntax { record(entries, values, span) }

  private func record(
    _ entries: [(Name, Part)], _ values: [Value], _ span: SourceSpan
  ) -> RecordSyntax {
    RecordSyntax(
      entries: entries.map { RecordSyntax.Entry(name: $0, value: expression($1, values)) },
      span: span)
  }

  private func expression(_ part: Part, _ values: [Value]) -> ExpressionSyntax {
    switch part {
    case .fixed(let expression): return expression
    case .column(let index, let span): return ExpressionSyntax(of: values[index], at: span)
    case .list(let parts, let span):
      return ExpressionSyntax(.list(parts.map { expression($0, values) }), span)
    case .record(let entries, let span):
      return ExpressionSyntax(.record(record(entries, values, span)), span)
    }
  }

  private static func part(
    _ syntax: ExpressionSyntax, _ columns: inout [ColumnSyntax], _ context: Context
  ) throws -> Part {
    switch syntax.kind {
    case .literal, .generated(.uuid), .generated(.objectID): return .fixed(syntax)
    case .list(let elements):
      return .list(try elements.map { try part($0, &columns, context) }, syntax.span)
    case .record(let record):
      return .record(
        try record.entries.map { ($0.name, try part($0.value, &columns, context)) }, syntax.span)
    case .query, .projection, .generated:
      return .fixed(try value(of: syntax, context))
    case .path, .arithmetic, .subquery, .call, .fallback, .duration, .test:
      guard syntax.readsRow else { return .fixed(try value(of: syntax, context)) }
      let name = Name(text: "\(columns.count)", span: syntax.span)
      columns.append(ColumnSyntax(name: name, expression: syntax))
      return .column(columns.count - 1, syntax.span)
    }
  }

  private static func value(
    of syntax: ExpressionSyntax, _ context: Context
  ) throws -> ExpressionSyntax {
    ExpressionSyntax(of: try context.content(syntax, for: nil).asValue, at: syntax.span)
  }
}

extension ExpressionSyntax {
  /// A value in the place of the expression that it was computed from, whose text is not that of the value.
  fileprivate init(of value: Value, at span: SourceSpan) {
    self.init(.literal(value), SourceSpan(start: span.start, end: span.start))
  }

  /// Whether the expression begins a path at the object under evaluation.
  fileprivate var readsRow: Bool {
    var isFound = false
    _ = try? PathMapping { path in
      isFound = isFound || path.startsAtRoot
      return .path(path)
    }.expression(self)
    return isFound
  }
}

extension ShellError {
  /// The error as that of an object.
  func naming(_ object: String) -> ShellError {
    if case .interrupted = diagnostic { return self }
    return ShellError(.query("\(object): \(message)"), source, span)
  }
}

// MARK: Objects that are not in a store

extension RecordSyntax {
  /// The record with paths of the object that a path leads to in place of those that begin with one of its properties.
  func ofObject(_ path: PathSyntax, _ classSchema: ClassSchema?, _ context: Context) throws
    -> RecordSyntax
  {
    let schema = try context.store.schema
    let mapping = PathMapping { found in
      guard found.startsAtRoot, case .name(let name)? = found.steps.first?.kind else {
        return .path(found)
      }
      if classSchema?.property(named: name) != nil {
        var changed = path
        changed.steps += found.steps
        changed.span = found.span
        return .path(changed)
      }
      if GeneratedValue.words.contains(where: { $0.rawValue == name }) { return .path(found) }
      guard schema.isTaken(name) else {
        let names = classSchema?.properties.map(\.name) ?? []
        throw context.failure(
          .library(
            .unknownProperty(
              name, className: classSchema?.name ?? "", nearest: nearestName(to: name, in: names))),
          at: found.steps[0].span)
      }
      guard found.steps.count == 1 else { return .path(found) }
      return .query(
        QuerySyntax(
          origin: .className(Name(text: name, span: found.span)), tail: nil, span: found.span))
    }
    return RecordSyntax(
      entries: try entries.map {
        Entry(name: $0.name, value: try mapping.expression($0.value))
      }, span: span)
  }
}
