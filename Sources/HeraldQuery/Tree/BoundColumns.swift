package import HeraldModel

/// Expressions over the rows of a query, bound to a schema: the columns of a table.
package struct BoundColumns: Sendable {
  private enum Column {
    case expression(BoundExpression)
    /// A whole map: its keys and its values.
    case map(keys: Operand, values: Operand)
    case predicate(BoundPredicate)
  }

  package struct Content: Sendable {
    /// Nil where the type of the values is known only when they are read.
    package let element: ElementType?
    /// Whether there can be any number of values in each row.
    package let isCollection: Bool
  }

  private let columns: [Column]
  private let root: ClassID
  /// What each column holds.
  package let contents: [Content]
  /// What they are bound again with; nil where they read nothing but their rows.
  private let origin: Origin?

  private struct Origin: Sendable {
    let syntax: [ColumnSyntax]
    let schema: Schema
    let projection: ProjectionDefinition?
    let answers: NamedAnswers
    let reads: [StoredRead]
    /// Those of expressions of which what is read has not made constants.
    let dependencies: [PropertyPath]
  }

  /// No columns.
  static func none(of root: ClassID) -> BoundColumns {
    BoundColumns(columns: [], root: root, contents: [], origin: nil)
  }

  /// A single column, in which every row has nil.
  static func null(of root: ClassID) -> BoundColumns {
    let none = SourceSpan(start: 0, end: 0)
    let operand = Operand(kind: .constant(.null), isCollection: false)
    let column = BoundExpression(operand: operand, linkedClass: nil, span: none, text: "nil")
    return BoundColumns(
      columns: [.expression(column)], root: root,
      contents: [Content(element: nil, isCollection: false)], origin: nil)
  }

  package var count: Int { columns.count }

  /// Whether each column holds numbers, one in each row.
  package var areNumbers: [Bool] {
    contents.map { !$0.isCollection && $0.element?.isNumber ?? false }
  }

  /// What the columns read of the store besides their rows.
  package var reads: [StoredRead] { origin?.reads ?? [] }

  /// The paths whose changes can change the values.
  package var dependencies: [PropertyPath] { origin?.dependencies ?? ownDependencies }

  private var ownDependencies: [PropertyPath] {
    var paths: [PropertyPath] = []
    for column in columns {
      switch column {
      case .expression(let expression):
        expression.operand.collectDependencies(DependencyScope(), into: &paths)
      case .map(_, let values): values.collectDependencies(DependencyScope(), into: &paths)
      case .predicate(let predicate): paths += predicate.dependencies
      }
    }
    return paths
  }

  /// The path to a single value that a column is, with what is derived from that; nil for another expression.
  func path(ofColumn column: Int) -> (path: PropertyPath, measure: ValueMeasure?)? {
    guard case .expression(let expression) = columns[column] else { return nil }
    let found: (OperandPath, ValueMeasure?)
    switch expression.operand.kind {
    case .path(let path): found = (path, nil)
    case .measure(let measure, let path): found = (path, measure)
    case _: return nil
    }
    guard found.0.startsAtRoot, !found.0.hops.isEmpty, let path = found.0.keyPath else {
      return nil
    }
    return (path, found.1)
  }

  func text(ofColumn column: Int) -> String {
    switch columns[column] {
    case .expression(let expression): expression.text
    case .predicate(let predicate): predicate.condition.text
    case .map: ""
    }
  }

  /// The property of the rows that a column is; nil for another expression.
  func property(ofColumn column: Int) -> PropertyID? {
    guard case .expression(let expression) = columns[column],
      case .path(let path) = expression.operand.kind, path.startsAtRoot
    else { return nil }
    return path.keyPath?.propertyOfRoot
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
    _ reader: (any ObjectReader)?, _ projection: ProjectionDefinition?, notes: BindingNotes?
  ) throws(QueryError) -> BoundColumns {
    let binder = Binder(
      root: root, schema: schema, names: names, reader: reader, projection: projection,
      notes: notes)
    let result = try bind(columns, of: root, by: binder)
    let reads = binder.notes.reads
    guard reader != nil, !reads.isEmpty else { return result }
    let unread = try bind(columns, root, schema, names, nil, projection, notes: nil)
    return BoundColumns(
      columns: result.columns, root: root, contents: result.contents,
      origin: Origin(
        syntax: columns, schema: schema, projection: projection, answers: binder.notes.answers,
        reads: reads, dependencies: unread.dependencies))
  }

  /// Binds expressions that are part of a query, which is bound again with what they read.
  static func bind(
    _ columns: [ColumnSyntax], of root: ClassID, by binder: Binder
  ) throws(QueryError) -> BoundColumns {
    var binder = binder
    var bound: [Column] = []
    var contents: [Content] = []
    for column in columns {
      if case .test(let predicate) = column.expression.kind {
        binder.isOfValue = false
        bound.append(.predicate(BoundPredicate(try binder.condition(predicate), root: root)))
        contents.append(Content(element: .bool, isCollection: false))
        continue
      }
      binder.isOfValue = true
      let side = try binder.side(column.expression)
      contents.append(Content(element: side.element, isCollection: side.operand.isCollection))
      if let keys = side.operand.keysOfMap(binder.schema) {
        bound.append(.map(keys: keys, values: side.operand))
      } else {
        bound.append(
          .expression(
            BoundExpression(
              operand: side.operand, linkedClass: nil, span: column.expression.span,
              text: column.expression.description)))
      }
    }
    return BoundColumns(columns: bound, root: root, contents: contents, origin: nil)
  }

  /// Returns the columns with what they read besides their rows; nil where that is what it was. Errors: those of binding
  /// them, if what they read does not fit any more.
  ///
  /// - Parameter known: the values of some of the reads, by their place in order, one of which may be another; none to
  ///   compare all reads with what they were.
  package func boundAgain(
    _ reader: any ObjectReader, _ known: [Int: Value] = [:]
  ) throws(QueryError) -> BoundColumns? {
    guard let origin,
      !known.isEmpty || !origin.reads.allSatisfy({ $0.isCurrent(reader) })
    else { return nil }
    let names = KnownNames(answers: origin.answers, schema: origin.schema, reader: reader)
    let notes = BindingNotes(origin.answers)
    notes.known = known
    return try Self.bind(
      origin.syntax, root, origin.schema, names, reader, origin.projection, notes: notes)
  }

  /// Returns the values of one row; those of several at the end of a path as a list. Errors: an overflow, or an
  /// int divided by zero.
  package func values(
    of number: ObjectNumber, _ reader: any ObjectReader
  ) throws(QueryError) -> [Value] {
    var values: [Value] = []
    for column in columns { values.append(try value(column, of: number, reader)) }
    return values
  }

  /// Returns the values of one row, nil in place of those that cannot be computed.
  package func presentValues(of number: ObjectNumber, _ reader: any ObjectReader) -> [Value] {
    columns.indices.map { presentValue(ofColumn: $0, of: number, reader) }
  }

  /// Returns the value of one of the columns, nil if it cannot be computed.
  func presentValue(
    ofColumn column: Int, of number: ObjectNumber, _ reader: any ObjectReader
  ) -> Value {
    (try? value(columns[column], of: number, reader)) ?? .null
  }

  private func value(
    _ column: Column, of number: ObjectNumber, _ reader: any ObjectReader
  ) throws(QueryError) -> Value {
    let object = ObjectID(root, number)
    switch column {
    case .predicate(let predicate): return .bool(predicate.matches(number, reader))
    case .map(let keys, let content):
      let scope = EvaluationScope(reader: reader, root: object)
      var entries: MapEntries = [:]
      for case (.string(let key), let value) in zip(keys.values(scope), content.values(scope)) {
        entries[key] = value
      }
      return .map(entries)
    case .expression(let expression):
      switch try expression.value(reader, of: object) {
      case .value(let value): return value
      case .values(let list): return .list(list)
      case .objects(let classID, let numbers):
        return .list(numbers.map { .link(ObjectID(classID, $0)) })
      }
    }
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
