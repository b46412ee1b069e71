package import HeraldModel

extension Binder {
  /// Binds a stage; nil for a clause that is none.
  func stage(_ syntax: StageSyntax) throws(QueryError) -> QueryStage? {
    switch (syntax.clause.clause, syntax.content) {
    case (.keys(let make), .keys(let keys)):
      return make(try order(keys, mayBeLinks: false))
    case (.values(let make), .keys(let keys)):
      return make(try order(keys, mayBeLinks: true))
    case (.keys(let make), .expression(let key, let isAscending)):
      return make(
        SortOrder(keys: [try expressionKey(key.expression, isAscending: isAscending).value]))
    case (.count(let make), .count(let count)):
      return make(try rowCount(count, .clauseNeedsNumber(syntax.clause.rawValue)))
    case (.condition, _), (.keys, _), (.values, _), (.count, _), (nil, _): return nil
    }
  }

  private func order(
    _ keys: [StageSyntax.SortKey], mayBeLinks: Bool
  ) throws(QueryError) -> SortOrder {
    var bound: [SortOrder.Key] = []
    for key in keys {
      guard case .path(let path) = key.expression.kind else {
        bound.append(
          try expressionKey(
            key.expression, isAscending: key.isAscending, mayBeLink: mayBeLinks
          ).value)
        continue
      }
      let (value, element) = try rowValue(path, isAscending: key.isAscending)
      // Groups are ordered by links, too: in that of creation.
      if !mayBeLinks, let element, element.isLink,
        ColumnQuery.columns(of: value.path.root, schema) == nil
      {
        throw QueryError(
          .cannotSort(path.description, type: "a link to \(schema.name(of: element))"), path.span)
      }
      bound.append(value)
    }
    return SortOrder(keys: bound)
  }

  /// The order of the values of an expression; what the rows of a section have in common. A path is read as that of `sort`.
  ///
  /// - Parameter mayBeLink: Whether the values need no order.
  private func expressionKey(
    _ expression: ExpressionSyntax, isAscending: Bool, mayBeLink: Bool = false
  ) throws(QueryError) -> (value: SortOrder.Key, element: ElementType?) {
    guard let root = levels.first?.classID else {
      throw QueryError(
        .expected("a query of objects", found: "'\(expression)'"), expression.span)
    }
    let syntax = ColumnSyntax(
      name: Name(text: expression.description, span: expression.span), expression: expression)
    let reads = notes.reads.count
    let columns: BoundColumns
    do throws(QueryError) {
      columns = try BoundColumns.bind([syntax], of: root, by: self)
    } catch {
      // Such as a quotient by zero: nil for every row, at this version.
      guard error.isOfValue else { throw error }
      columns = .null(of: root)
    }
    let content = columns.contents[0]
    if content.isCollection {
      throw QueryError(.collectionInSections(expression.description), expression.span)
    }
    if let element = content.element, element.isLink, !mayBeLink {
      throw QueryError(
        .cannotSort(
          expression.description, type: "a link to \(schema.name(of: element))"), expression.span)
    }
    if let (path, measure) = columns.path(ofColumn: 0) {
      let key = SortOrder.Key(path: path, measure: measure, isAscending: isAscending)
      return (key, content.element)
    }
    let key = SortOrder.Key(
      RowExpression(columns, of: root, hasValuesOfStore: notes.reads.count > reads),
      isAscending: isAscending)
    return (key, content.element)
  }

  private func rowCount(
    _ syntax: ExpressionSyntax, _ fault: QueryFault
  ) throws(QueryError) -> Int {
    let side = try side(syntax)
    if resolved != nil { return 0 }
    guard case .int(let count)? = side.constant, count >= 0 else {
      throw QueryError(fault, syntax.span)
    }
    return count
  }

  /// Binds a path to what of each row is compared or aggregated, with its type: a single value, also one over links in an
  /// `any`, or an aggregate of a collection.
  func rowValue(
    _ syntax: PathSyntax, isAscending: Bool = true,
    _ fault: (String) -> QueryFault = QueryFault.pathThroughCollection
  ) throws(QueryError) -> (value: SortOrder.Key, element: ElementType?) {
    let expression = ExpressionSyntax(.path(syntax), syntax.span)
    if let side = try? path(syntax, expression),
      side.operand.isComputedOfRow
        || syntax.hasOperation && side.operand.isFixed && !side.operand.isCollection
    {
      return try expressionKey(expression, isAscending: isAscending, mayBeLink: true)
    }
    let (path, measure, element) = try measuredPath(syntax, fault)
    return (SortOrder.Key(path: path, measure: measure, isAscending: isAscending), element)
  }

  /// Binds such a path, after which `.lower`, `.year` and the like may follow, as `sort`, `distinct` and `group` allow;
  /// `element` is the type of what is derived.
  func measuredPath(
    _ syntax: PathSyntax, _ fault: (String) -> QueryFault = QueryFault.pathThroughCollection
  ) throws(QueryError) -> (path: PropertyPath, measure: ValueMeasure?, element: ElementType?) {
    var syntax = syntax
    try joinColumnName(&syntax)
    if case .name(let name)? = syntax.steps.last?.kind, syntax.steps.count > 1 {
      let owner = syntax.droppingLastStep
      let side = try path(owner, ExpressionSyntax(.path(owner), owner.span))
      if case .path(let bound) = side.operand.kind, bound.keyPath != nil,
        let measure = ValueMeasure(name, of: side.element)
      {
        return (try singlePath(owner, fault).path, measure, measure.element)
      }
    }
    let (path, element) = try singlePath(syntax, fault)
    return (path, nil, element)
  }

  /// Binds a path of single links that ends in a single property, as `sort`, `distinct` and `group` require.
  func singlePath(
    _ syntax: PathSyntax, _ fault: (String) -> QueryFault = QueryFault.pathThroughCollection
  ) throws(QueryError) -> (path: PropertyPath, element: ElementType?) {
    let side = try path(syntax, ExpressionSyntax(.path(syntax), syntax.span))
    guard case .path(let path) = side.operand.kind, path.startsAtRoot, !path.hops.isEmpty
    else { throw QueryError(.expected("a property", found: "'\(syntax)'"), syntax.span) }
    guard let keyPath = path.keyPath else {
      let index = path.stepsBeforeCollection
      guard index < syntax.steps.count else {
        throw QueryError(.expected("a property", found: "'\(syntax)'"), syntax.span)
      }
      let step = syntax.steps[index]
      throw QueryError(fault(step.kind.text), step.span)
    }
    return (keyPath, side.element)
  }
}

extension Operand {
  /// Whether it is a single value of each row that is computed, or read over something else than single links.
  fileprivate var isComputedOfRow: Bool {
    if isCollection || isFixed { return false }
    switch kind {
    case .path(let path), .measure(_, let path): return path.keyPath == nil
    case .constant, .constants: return false
    case .count, .aggregate, .each, .arithmetic, .call, .fallback, .subquery: return true
    }
  }
}

extension BoundQuery {
  /// Binds the clauses after a class or a collection of its objects; nil binds all of them.
  ///
  /// With a `reader`, paths that start at variables (`$max.age`) are read now and become constants. With a
  /// `projection`, paths from the objects begin with its fields. With `resolved`, the names are all that it is bound for.
  package static func bind(
    _ tail: QueryTail?, root: ClassID, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)? = nil, projection: ProjectionDefinition? = nil,
    resolved: ResolvedNames? = nil
  ) throws(QueryError) -> BoundQuery {
    try bind(
      tail, root: root, schema: schema, names: names, reader: reader, projection: projection,
      notes: resolved.map(BindingNotes.init(resolved:)))
  }

  /// Binds a query that is part of another one, if there are `notes`: then that one knows what both read.
  static func bind(
    _ tail: QueryTail?, root: ClassID, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)?, projection: ProjectionDefinition? = nil, notes: BindingNotes?
  ) throws(QueryError) -> BoundQuery {
    let span = tail?.span ?? SourceSpan(start: 0, end: 0)
    let binder = Binder(
      root: root, schema: schema, names: names, reader: reader, projection: projection,
      notes: notes)
    _ = try binder.classSchema(root, span)
    guard let tail else { return BoundQuery(classID: root) }
    var predicate = BoundPredicate.always
    if let syntax = tail.predicate {
      predicate = BoundPredicate(
        try binder.condition(syntax), root: root,
        hasValuesOfStore: binder.notes.hasValuesOfStore)
    }
    var stages: [QueryStage] = []
    for stage in tail.stages {
      if let bound = try binder.stage(stage) { stages.append(bound) }
    }
    let query = BoundQuery(classID: root, predicate: predicate, stages: stages)
    guard notes == nil, !binder.notes.reads.isEmpty else { return query }
    return query.with(
      QueryOrigin(
        tail, root: root, schema: schema, projection: projection, binder.notes.answers,
        binder.notes.reads))
  }
}

extension BoundPredicate {
  /// Binds a condition. Without a root it depends on no object, and reads only variables, objects by
  /// key and whole classes (`Dog.@count`).
  package static func bind(
    _ syntax: PredicateSyntax, root: ClassID?, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)? = nil, presentReader: (any ObjectReader)? = nil
  ) throws(QueryError) -> BoundPredicate {
    var binder = Binder(root: root, schema: schema, names: names, reader: reader)
    binder.presentReader = reader ?? presentReader
    return BoundPredicate(
      try binder.condition(syntax), root: root, hasValuesOfStore: binder.notes.hasValuesOfStore)
  }
}

extension BoundExpression {
  /// Binds an operand that depends on no object.
  package static func bind(
    _ syntax: ExpressionSyntax, schema: Schema, names: any QueryNames,
    presentReader: (any ObjectReader)? = nil
  ) throws(QueryError) -> BoundExpression {
    var binder = Binder(root: nil, schema: schema, names: names, reader: nil)
    binder.isOfValue = true
    binder.presentReader = presentReader
    let side = try binder.side(syntax)
    var linkedClass: ClassID?
    if case .link(let classID)? = side.element { linkedClass = classID }
    return BoundExpression(
      operand: side.operand, linkedClass: linkedClass, span: syntax.span,
      text: syntax.description)
  }
}
