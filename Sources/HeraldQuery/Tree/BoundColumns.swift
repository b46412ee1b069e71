package import HeraldModel

/// Expressions over the rows of a query, bound to a schema: the columns of a table.
package struct BoundColumns: Sendable {
  private enum Column {
    case expression(BoundExpression)
    /// A whole map: its keys and its values.
    case map(keys: Operand, values: Operand)
    case predicate(BoundPredicate)
  }

  private let columns: [Column]
  private let root: ClassID
  /// Whether each column holds numbers, one in each row.
  package let areNumbers: [Bool]
  /// What they are bound again with; nil where they read nothing but their rows.
  private let origin: Origin?

  private struct Origin: Sendable {
    let syntax: [ColumnSyntax]
    let schema: Schema
    let projection: ProjectionDefinition?
    let answers: NamedAnswers
    let reads: [StoredRead]
  }

  /// Binds expressions over the objects of a class, or of a projection in its names. Variables and queries are
  /// read now.
  package static func bind(
    _ columns: [ColumnSyntax], root: ClassID, schema: Schema, names: any QueryNames,
    reader: any ObjectReader, projection: ProjectionDefinition? = nil
  ) throws(QueryError) -> BoundColumns {
    try bind(columns, root, schema, names, reader, projection, notes: nil)
  }

  private static func bind(
    _ columns: [ColumnSyntax], _ root: ClassID, _ schema: Schema, _ names: any QueryNames,
    _ reader: any ObjectReader, _ projection: ProjectionDefinition?, notes: BindingNotes?
  ) throws(QueryError) -> BoundColumns {
    var binder = Binder(
      root: root, schema: schema, names: names, reader: reader, projection: projection,
      notes: notes)
    var bound: [Column] = []
    var areNumbers: [Bool] = []
    for column in columns {
      if case .test(let predicate) = column.expression.kind {
        binder.isOfValue = false
        bound.append(.predicate(BoundPredicate(try binder.condition(predicate), root: root)))
        areNumbers.append(false)
        continue
      }
      binder.isOfValue = true
      let side = try binder.side(column.expression)
      areNumbers.append(!side.operand.isCollection && side.element?.isNumber ?? false)
      if let keys = side.operand.keysOfMap(schema) {
        bound.append(.map(keys: keys, values: side.operand))
      } else {
        bound.append(
          .expression(
            BoundExpression(
              operand: side.operand, linkedClass: nil, span: column.expression.span,
              text: column.expression.description)))
      }
    }
    let reads = binder.notes.reads
    return BoundColumns(
      columns: bound, root: root, areNumbers: areNumbers,
      origin: reads.isEmpty
        ? nil
        : Origin(
          syntax: columns, schema: schema, projection: projection,
          answers: binder.notes.answers, reads: reads))
  }

  /// Returns the columns with what they read besides their rows; nil where that is what it was. Errors: those of binding
  /// them, if what they read does not fit any more.
  package func boundAgain(_ reader: any ObjectReader) throws(QueryError) -> BoundColumns? {
    guard let origin, !origin.reads.allSatisfy({ $0.isCurrent(reader) }) else { return nil }
    let names = KnownNames(answers: origin.answers, schema: origin.schema, reader: reader)
    return try Self.bind(
      origin.syntax, root, origin.schema, names, reader, origin.projection,
      notes: BindingNotes(origin.answers))
  }

  /// Returns the values of one row; those of several at the end of a path as a list. Errors: an overflow, or an
  /// int divided by zero.
  package func values(
    of number: ObjectNumber, _ reader: any ObjectReader
  ) throws(QueryError) -> [Value] {
    let object = ObjectID(root, number)
    let scope = EvaluationScope(reader: reader, root: object)
    var values: [Value] = []
    for column in columns {
      switch column {
      case .predicate(let predicate): values.append(.bool(predicate.matches(number, reader)))
      case .map(let keys, let content):
        var entries: MapEntries = [:]
        for case (.string(let key), let value) in zip(keys.values(scope), content.values(scope)) {
          entries[key] = value
        }
        values.append(.map(entries))
      case .expression(let expression):
        switch try expression.value(reader, of: object) {
        case .value(let value): values.append(value)
        case .values(let list): values.append(.list(list))
        case .objects(let classID, let numbers):
          values.append(.list(numbers.map { .link(ObjectID(classID, $0)) }))
        }
      }
    }
    return values
  }
}

extension Operand {
  /// The keys of the map that a path without other collections leads to; nil for any other operand.
  fileprivate func keysOfMap(_ schema: Schema) -> Operand? {
    guard case .path(var path) = kind, let last = path.hops.popLast(),
      case .elements(let property) = last.kind, !path.hops.contains(where: \.isCollection),
      schema.classSchema(last.classID)?.property(property)?.type.shape == .map
    else { return nil }
    path.hops.append(OperandPath.Hop(classID: last.classID, kind: .keys(property)))
    return Operand(kind: .path(path), isCollection: true)
  }
}
