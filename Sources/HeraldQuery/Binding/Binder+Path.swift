import HeraldModel

extension Binder {
  /// Binds a path. With `isCollection` it must lead to a collection, so a class name stands for all its
  /// objects.
  func path(
    _ syntax: PathSyntax, _ expression: ExpressionSyntax, isCollection: Bool = false
  ) throws(QueryError) -> BoundOperand {
    var syntax = syntax
    for (index, step) in syntax.steps.enumerated() {
      if case .variable(let name) = step.kind {
        syntax.steps[index] = try resolved(name, step.span)
      }
    }
    if let isInvalidated = isInvalidated(syntax) {
      return BoundOperand(.constant(.bool(isInvalidated)), .bool, expression)
    }
    let first = notes.reads.count
    var walk: PathBinding
    if let generated = generatedStart(syntax) {
      walk = generated
    } else {
      try unfoldProjection(&syntax)
      try joinColumnName(&syntax)
      walk = try start(syntax, isCollection: isCollection || expression.quantifier != nil)
    }
    while let step = walk.takeStep() { try take(step, &walk) }
    let side = walk.side(expression)
    noteKeyed(side, walk, since: first)
    return side
  }

  /// The start of a path at a word such as `now`, unless that is the name of a property; nil for another path.
  private func generatedStart(_ syntax: PathSyntax) -> PathBinding? {
    guard case .root = syntax.start, case .name(let name)? = syntax.steps.first?.kind,
      let word = GeneratedValue(rawValue: name), GeneratedValue.words.contains(word),
      !isOfRow(name), let value = value(of: word)
    else { return nil }
    var walk = PathBinding(.root, ElementType(of: value), syntax, isCollection: false)
    _ = walk.takeStep()
    walk.text = name
    walk.constant = .constant(value)
    return walk
  }

  /// Whether a name is that of a property, a field or a column of the object under evaluation.
  private func isOfRow(_ name: String) -> Bool {
    guard let level = levels.last else { return false }
    if let projection = level.projection { return projection.fields.contains { $0.name == name } }
    if levels.count == 1, let columns = ColumnQuery.columns(of: level.classID, schema) {
      return columns.contains { $0.name == name || $0.name.hasPrefix(name + ".") }
    }
    return schema.classSchema(level.classID)?.property(named: name) != nil
  }

  /// Returns the value of `$d.isInvalidated`; nil for any other path.
  private func isInvalidated(_ path: PathSyntax) -> Bool? {
    guard case .variable(let name) = path.start, path.asksForInvalidation,
      !levels.contains(where: { $0.variable == name })
    else { return nil }
    return names.isInvalidated(name)
  }

  /// Returns the step of the value of a variable.
  private func resolved(
    _ name: String, _ span: SourceSpan
  ) throws(QueryError) -> PathSyntax.Step {
    guard let variable = names.variable(name) else {
      throw QueryError(
        .unknownVariable(name, nearest: nearestName(to: name, in: names.variableNames)), span)
    }
    switch variable {
    case .value(.int(let index)) where index >= 0:
      return PathSyntax.Step(kind: .index(index), span: span)
    case .value(.string(let key)): return PathSyntax.Step(kind: .key(key), span: span)
    case .value, .values, .objects: throw QueryError(.notAnIndexOrKey(name), span)
    }
  }

  /// Replaces a field name of a projection by its path.
  private func unfoldProjection(_ syntax: inout PathSyntax) throws(QueryError) {
    guard let (projection, start) = projection(of: syntax),
      let index = syntax.steps[start...].firstIndex(where: { !$0.kind.isAboutRows }),
      case .name(let name) = syntax.steps[index].kind
    else { return }
    let first = syntax.steps[index]
    guard let field = projection.fields.first(where: { $0.name == name }) else {
      let nearest = nearestName(to: name, in: projection.fields.map(\.name))
      throw QueryError(
        .model(.unknownField(name, projection: projection.name, nearest: nearest)), first.span)
    }
    syntax.steps.replaceSubrange(
      index...index,
      with: field.path.split(separator: ".").map {
        PathSyntax.Step(kind: .name(String($0)), span: first.span, isOfField: true)
      })
  }

  /// Makes one step of the names that are that of a column together: `owner.city` after `by owner.city`.
  func joinColumnName(_ syntax: inout PathSyntax) throws(QueryError) {
    guard case .root = syntax.start, levels.count == 1,
      let columns = ColumnQuery.columns(of: levels[0].classID, schema)
    else { return }
    let steps = syntax.steps.prefix { if case .name = $0.kind { true } else { false } }
    guard let first = steps.first else { return }
    let names = steps.map(\.kind.text)
    for count in stride(from: names.count, to: 0, by: -1) {
      let name = names.prefix(count).joined(separator: ".")
      guard let column = columns.first(where: { $0.name == name }) else { continue }
      // What a linked object has is no column, and no observer of groups is notified of it.
      if column.type.element.isLink, syntax.steps.count > count { break }
      syntax.steps.replaceSubrange(
        0..<count,
        with: [
          PathSyntax.Step(kind: .name(name), span: first.span.through(steps[count - 1].span))
        ])
      return
    }
    let name = names.joined(separator: ".")
    throw QueryError(
      .unknownColumn(name, nearest: nearestName(to: name, in: columns.map(\.name))), syntax.span)
  }

  // MARK: The start of a path

  private func start(
    _ syntax: PathSyntax, isCollection: Bool
  ) throws(QueryError) -> PathBinding {
    switch syntax.start {
    case .root: return try rootStart(syntax, isCollection: isCollection)
    case .object(let className, let key): return try start(className, key: key, syntax)
    case .variable(let name):
      if let depth = levels.lastIndex(where: { $0.variable == name }) {
        let start: OperandPath.Start = depth == levels.count - 1 ? .root : .outer(depth)
        return PathBinding(start, .link(levels[depth].classID), syntax, isCollection: false)
      }
      return try variableStart(name, syntax)
    case .query(let query): return try queryStart(query, syntax)
    }
  }

  private func queryStart(
    _ query: QuerySyntax, _ syntax: PathSyntax
  ) throws(QueryError) -> PathBinding {
    let rows: QueriedRows
    switch query.origin {
    case .className(let name):
      let (base, projection) = try projected(name.text, name.span)
      let query = try BoundQuery.bind(
        query.tail, root: base.classID, schema: schema, names: names, reader: presentReader,
        projection: projection, notes: notes)
      rows = QueriedRows(base.followed(by: query), of: nil)
    case .path(let path):
      let first = notes.reads.count
      let side = try self.path(path, ExpressionSyntax(.path(path), path.span), isCollection: true)
      if let walk = try elementStart(query.tail, side, since: first, syntax) { return walk }
      guard side.isCollection, case .link(let classID)? = side.element, side.operand.isFixed,
        let source = side.operand.linkedPath
      else {
        let type = side.element.map { schema.name(of: $0) } ?? "nil"
        throw QueryError(.notACollection(path.description, type: type), path.span)
      }
      rows = QueriedRows(
        try BoundQuery.bind(
          query.tail, root: classID, schema: schema, names: names, reader: presentReader,
          projection: projection(ofRowsAt: path), notes: notes), of: source)
    }
    return PathBinding(.rows(rows), .link(rows.query.classID), syntax, isCollection: true)
  }

  /// Binds the values of a collection that match a query: `($a.scores where self > 3).@count`. They are read
  /// now. Returns nil for a collection of objects.
  ///
  /// - Parameters:
  ///   - first: the number of reads before the collection was bound.
  ///   - bound: the query, if it is bound already.
  private func elementStart(
    _ query: QueryTail?, _ side: BoundOperand, since first: Int, _ syntax: PathSyntax,
    bound: ElementQuery? = nil
  ) throws(QueryError) -> PathBinding? {
    guard side.isCollection, side.operand.isFixed, let element = side.element, !element.isLink,
      presentReader != nil || resolved != nil
    else { return nil }
    var walk = PathBinding(.root, element, syntax, isCollection: true)
    guard let reader = presentReader else {
      walk.constant = .constants([])
      return walk
    }
    let constant = side.operand.fixedValue(reader)
    let values = constant.constantValues
    if self.reader != nil { notes.note(side.operand, constant, since: first) }
    let elements: ElementQuery
    if let bound {
      notes.note(bound.query)
      elements = bound
    } else {
      elements = try ElementQuery.bind(
        query, of: element, named: side.text, schema: schema, names: names, reader: reader,
        notes: self.reader == nil ? nil : notes)
    }
    walk.constant = .constants(elements.rows(values, reader).map { values[$0] })
    return walk
  }

  private func rootStart(
    _ syntax: PathSyntax, isCollection: Bool
  ) throws(QueryError) -> PathBinding {
    let isComputed = syntax.steps.dropFirst().contains { step in
      if case .operation = step.kind { true } else { false }
    }
    var name: String?
    if case .name(let first) = syntax.steps[0].kind { name = first }
    if let level = levels.last {
      // In an expression of a row the name of a class stands for its objects, where no property has it.
      guard let name, isOfValue || isComputed, levels.count == 1, !isOfRow(name),
        schema.isTaken(name)
      else {
        return PathBinding(.root, .link(level.classID), syntax, isCollection: false)
      }
    } else if name == nil || !isComputed && !(isCollection && schema.isTaken(name ?? "")) {
      throw QueryError(.noRoot(syntax.steps[0].kind.text), syntax.startSpan)
    }
    guard let name else { throw QueryError(.noRoot(syntax.steps[0].kind.text), syntax.startSpan) }
    let (base, _) = try projected(name, syntax.startSpan)
    let isWhole = base.predicate.isAlways && base.stages.isEmpty
    var walk = PathBinding(
      isWhole ? .extent(base.classID) : .rows(QueriedRows(base, of: nil)), .link(base.classID),
      syntax, isCollection: true)
    _ = walk.takeStep()
    return walk
  }

  private func variableStart(
    _ name: String, _ syntax: PathSyntax
  ) throws(QueryError) -> PathBinding {
    if let collection = names.collection(name) { return try start(collection, syntax) }
    if isObserved, let rows = names.rows(name) { return try start(rows, syntax) }
    // The other rows need not be read then. What is bound again keeps them all.
    if levels.isEmpty, !isObserved, !notes.isAgain, let step = syntax.steps.first,
      let value = value(at: step, ofRows: name)
    {
      return start(at: value, afterFirstStepOf: syntax)
    }
    guard let variable = names.variable(name) else {
      let known = names.variableNames + levels.compactMap(\.variable)
      throw QueryError(
        .unknownVariable(name, nearest: nearestName(to: name, in: known)), syntax.startSpan)
    }
    switch variable {
    case .value(.link(let object)):
      return PathBinding(.objects([object]), .link(object.classID), syntax, isCollection: false)
    case .objects(let classID, let numbers):
      return PathBinding(
        .objects(numbers.map { ObjectID(classID, $0) }), .link(classID), syntax,
        isCollection: true)
    case .value(let value):
      var walk = PathBinding(.root, ElementType(of: value), syntax, isCollection: false)
      walk.constant = .constant(value)
      return walk
    case .values(let values):
      let element = values.lazy.compactMap { ElementType(of: $0) }.first
      var walk = PathBinding(.root, element, syntax, isCollection: true)
      walk.constant = .constants(values)
      return walk
    }
  }

  /// The object in a row that a variable holds, or the number of these; nil where they must be read.
  private func value(at step: PathSyntax.Step, ofRows name: String) -> Value? {
    switch step.kind {
    case .operation(.count): names.rowCount(of: name).map(Value.int)
    case .index(let index): names.row(index, of: name).map(Value.link)
    case .first: names.row(0, of: name).map(Value.link)
    case .last: names.rowCount(of: name).flatMap { names.row($0 - 1, of: name) }.map(Value.link)
    case .name, .links, .allLinks, .key, .variable, .computed, .keys, .values, .type, .every,
      .operation:
      nil
    }
  }

  /// The start of a path at what its first step leads to.
  private func start(at value: Value, afterFirstStepOf syntax: PathSyntax) -> PathBinding {
    var walk: PathBinding
    if case .link(let object) = value {
      walk = PathBinding(.objects([object]), .link(object.classID), syntax, isCollection: false)
    } else {
      walk = PathBinding(.root, ElementType(of: value), syntax, isCollection: false)
      walk.constant = .constant(value)
    }
    _ = walk.takeStep()
    return walk
  }

  /// The start of a path at a collection that a variable holds.
  private func start(
    _ collection: (owner: ObjectID, property: String), _ syntax: PathSyntax
  ) throws(QueryError) -> PathBinding {
    var walk = PathBinding(
      .objects([collection.owner]), .link(collection.owner.classID), syntax, isCollection: false)
    let text = walk.text
    let step = PathSyntax.Step(kind: .name(collection.property), span: syntax.startSpan)
    try takeName(collection.property, step, &walk)
    walk.text = text
    return walk
  }

  /// The start of a path at the rows that a variable holds, which are those of its query at every version.
  private func start(
    _ rows: VariableRows, _ syntax: PathSyntax
  ) throws(QueryError) -> PathBinding {
    let first = notes.reads.count
    let source = try rows.collection.map { collection throws(QueryError) in
      try start(collection, syntax)
    }
    if let elements = rows.elements,
      let side = source?.side(ExpressionSyntax(.path(syntax), syntax.span)),
      let walk = try elementStart(nil, side, since: first, syntax, bound: elements)
    {
      return walk
    }
    notes.note(rows.query)
    let classID = rows.query.classID
    if let source, rows.query.predicate.isAlways, rows.query.stages.isEmpty { return source }
    return PathBinding(
      .rows(QueriedRows(rows.query, of: source?.path)), .link(classID), syntax,
      isCollection: true)
  }

  // MARK: Steps

  func take(_ step: PathSyntax.Step, _ walk: inout PathBinding) throws(QueryError) {
    if let constant = walk.constant {
      return try take(step, from: constant, &walk)
    }
    switch step.kind {
    case .name(let name): try takeName(name, step, &walk)
    case .links(let className, let property):
      try takeLinks(className, property, step, &walk)
    case .operation(let operation): try takeOperation(operation, step, &walk)
    case .allLinks: try takeAllLinks(step, &walk)
    case .index(let index): try takeIndex(.index(index), step, &walk)
    case .first: try takeIndex(.index(0), step, &walk)
    case .last: try takeIndex(.last, step, &walk)
    case .every: try takeEvery(step, &walk)
    case .key, .keys, .values, .variable, .computed: try takeFromMap(step, &walk)
    case .type:
      guard walk.isOpen, !walk.isWholeClass else {
        throw QueryError(.pathThroughValue(walk.text, type: walk.typeName(schema)), walk.lastSpan)
      }
      walk.types(step)
    }
  }
}

extension PathSyntax.Step.Kind {
  /// Whether the step is about rows as a whole, or chooses one, so that a name after it is of a row.
  fileprivate var isAboutRows: Bool { if case .operation = self { true } else { choosesRows } }
}

extension Operand {
  /// The path to the objects of a collection; nil for anything else.
  fileprivate var linkedPath: OperandPath? {
    switch kind {
    case .path(let path): return path
    case .constants(let values):
      var objects: [ObjectID] = []
      for case .link(let object) in values { objects.append(object) }
      return OperandPath(start: .objects(objects))
    case .constant, .count, .measure, .aggregate, .each, .arithmetic, .call, .fallback, .subquery:
      return nil
    }
  }
}
