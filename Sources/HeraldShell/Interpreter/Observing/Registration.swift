import Herald

/// The registration of an observer, whose events it prints, and whose block it runs, in the context of its session.
struct Registration {
  let syntax: ObserveSyntax
  let record: TokenTable.Entry
  let context: Context

  func register() throws -> ObservationToken {
    if let program = syntax.program { return try observe(by: program) }
    return try observeTarget()
  }

  func observeTarget() throws -> ObservationToken {
    switch syntax.target {
    case .store:
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      return try observeStore()
    case .property(let path):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      return try observeProperty(path)
    case .projection(let name, let query):
      try refuse(syntax.forRows ?? syntax.forObjects)
      let projection = try context.projection(name, query)
      return try observeProjection(projection)
    case .query(let query): return try observe(query)
    case .groups(let group):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      return try observe(group)
    case .histogram(let histogram):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      return try observe(context.histogram(histogram))
    case .sections(let sections):
      try refuse(syntax.forObjects)
      return try observe(sections)
    case .value(let expression, when: let condition):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      return try observe(context.value(expression, when: condition))
    }
  }

  /// `observe value (Dog).@count when > 3 as n`
  private func observe(_ value: DynamicValue) throws -> ObservationToken {
    let session = context.session
    return try value.observe { change in
      let kind = Event.Kind(change) { session.output($0) }
      try deliver(DeliveredEvent(kind, change.variables))
    }
  }

  /// `observe Dog sections by breed as kinds`; the rows are maps to the block, one for each section.
  private func observe(_ sections: SectionsSyntax) throws -> ObservationToken {
    let sections = try context.sections(sections, syntax.columnClauses)
    if sections.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    record.reading = .results(sections.rows)
    let session = context.session
    return try sections.observe(keyPaths: syntax.keyPaths.texts, depth: syntax.depth) {
      sections, change in
      let rows = try record.rows(of: change, context)
      let locals = syntax.block == nil ? [:] : try change.variables(of: sections)
      try deliver(DeliveredEvent(Event.Kind(change) { session.output($0) }, locals, rows))
    }
  }

  private func observe(_ query: QuerySyntax) throws -> ObservationToken {
    let resolved = try context.resolve(query, syntax.columnClauses)
    if resolved.store?.isFrozen == true { throw HeraldError.cannotObserve("what is frozen") }
    let keyPaths = syntax.keyPaths.texts
    switch resolved {
    case .object(let object):
      try refuse(syntax.forRows)
      return try object.observe(keyPaths: keyPaths, isExclusive: syntax.isExclusive) {
        object, change in
        let locals = change.variables(of: .object(HeldObject(object)))
        let kind = Event.Kind(change) { context.session.output($0) }
        try deliver(DeliveredEvent(kind, locals))
      }
    case .results(let results):
      try refuse(syntax.forObjects)
      let rows = try syntax.block.map { _ in try context.recipe(query) }
      record.reading = .results(results)
      return try results.observe(keyPaths: keyPaths, depth: syntax.depth) { results, change in
        let locals =
          rows.map { change.variables(of: .collection(Recipe($0, observed: results))) } ?? [:]
        try deliver(
          DeliveredEvent(Event.Kind(change), locals, try record.rows(of: change, context)))
      }
    case .projection(let projection):
      try refuse(syntax.forRows ?? syntax.forObjects)
      return try observeProjection(projection)
    case .collection(let collection):
      try refuse(syntax.forObjects)
      let rows = try context.variable(ExpressionSyntax(.query(query), query.span))
      return try observe(collection) { _ in rows }
    case .elements(let elements):
      try refuse(syntax.forRows ?? syntax.forObjects)
      if let keyPaths { throw HeraldError.keyPathsOnValues(keyPaths.first ?? "none") }
      return try record.observe(elements, context) { elements, change, changed in
        let locals =
          syntax.block == nil ? [:] : change.variables(of: .values((try? elements.values) ?? []))
        try deliver(DeliveredEvent(Event.Kind(change), locals, changed))
      }
    case .newObject:
      throw HeraldError.objectNotAdded(context.source.text(query.span))
    case .value, .values:
      guard case .path(let path) = query.origin, query.tail == nil,
        let nested = try context.nested(path)
      else { throw ObserveSyntax.observedValue(resolved, query, context) }
      try refuse(syntax.forObjects)
      if nested.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
      return try observe(nested) { $0.value.map { .value($0) } ?? .value(.null) }
    }
  }

  private func refuse(_ option: ObserveSyntax.Option?) throws {
    try ObserveSyntax.refuse(option, context.span, context)
  }

  /// `rows` returns what the block of the observer reads as its rows.
  private func observe(
    _ collection: LiveCollection, _ rows: @escaping (LiveCollection) -> Variable
  ) throws -> ObservationToken {
    record.reading = .collection(collection)
    return try collection.observe(keyPaths: syntax.keyPaths.texts, depth: syntax.depth) {
      collection, change in
      record.reading = .collection(collection)
      let changed = try record.rows(of: change, context)
      let locals = syntax.block == nil ? [:] : change.variables(of: rows(collection))
      try deliver(DeliveredEvent(Event.Kind(change), locals, changed))
    }
  }

  private func observeStore() throws -> ObservationToken {
    try context.store.observe { change in try deliver(DeliveredEvent(Event.Kind(change))) }
  }

  /// `observe group Dog by breed { n: @count } as g`; the rows are maps to the block.
  private func observe(_ group: GroupSyntax) throws -> ObservationToken {
    let groups = try context.groups(group)
    if groups.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    return try record.observe(groups, context) { groups, change, changed in
      let locals =
        syntax.block == nil
        ? [:]
        : change.variables(
          of: .values(try groups.rows(observedBy: record.token).map { groups.entries($0) }))
      try deliver(DeliveredEvent(Event.Kind(change), locals, changed))
    }
  }

  /// `observe histogram Dog by age as ages`; the rows are maps to the block.
  private func observe(_ histogram: LiveHistogram) throws -> ObservationToken {
    try record.observe(histogram, context) { histogram, change, changed in
      let locals =
        syntax.block == nil
        ? [:] : change.variables(of: .values(histogram.present.rows.map(histogram.entries)))
      try deliver(DeliveredEvent(Event.Kind(change), locals, changed))
    }
  }

  /// `observe property $max.name`, of an object in the store or of one that is still to be added;
  /// `observe property $max.invalidated` and `observe property $max.dogs.invalidated`.
  private func observeProperty(_ path: PathSyntax) throws -> ObservationToken {
    guard case .property(let name)? = path.steps.last?.targetStep else {
      throw context.expected("a property", at: path.span)
    }
    let session = context.session
    do {
      let owner = try context.resolveOwner(of: path)
      let held = held(owner)
      let handler: (PropertyEvent) throws -> Void = { event in
        let kind = Event.Kind(event) { session.output($0) }
        try deliver(DeliveredEvent(kind, event.variables(of: held)))
      }
      switch owner {
      case .object(let object):
        return try object.isInvalidation(name.text)
          ? object.observeInvalidation(handler) : object.observeProperty(name.text, handler)
      case .newObject(let object): return try object.observeProperty(name.text, handler)
      case .collection(let collection) where name.text == "invalidated":
        return try collection.observeInvalidation(handler)
      case .value, .values, .collection, .results, .elements, .projection:
        throw HeraldError.cannotObserve("'\(context.source.text(path.span))'")
      }
    } catch { throw located(error, context.source, name.span) }
  }

  /// The value of `$object` in the block of a property observer.
  private func held(_ owner: Resolved) -> Variable? {
    switch owner {
    case .object(let object): .object(HeldObject(object))
    case .newObject(let object): .newObject(object)
    case .collection(let collection): .object(HeldObject(collection.owner))
    case .value, .values, .results, .elements, .projection: nil
    }
  }

  /// `observe Card of $max`.
  private func observeProjection(_ projection: DynamicProjection) throws -> ObservationToken {
    try projection.observe(keyPaths: syntax.keyPaths.texts) { projection, change in
      let kind = Event.Kind(change) { context.session.output($0) }
      let object = Variable.projection(projection.name, HeldObject(projection.object))
      try deliver(DeliveredEvent(kind, change.variables(of: object)))
    }
  }

  /// Prints the event, then runs the observer's block.
  func deliver(_ delivered: DeliveredEvent) throws {
    let event = Event(
      token: record.name, session: record.session.name, kind: delivered.kind,
      keys: delivered.rows.keys, details: delivered.rows.details)
    context.shell.tokens.append(event)
    if !record.isLive { context.shell.tokens.noteEnd(of: record) }
    context.emit(.event(event))
    // The store cannot be read, so the block has no rows to run with.
    if case .error = delivered.kind { return }
    if let program = record.program { return send(event, to: program) }
    guard let block = syntax.block else { return }
    var inner = Context(context.shell, context.source, record.session)
    inner.locals = delivered.locals
    try inner.inBlock(block, SourceSpan(start: 0, end: 0))
  }
}

extension Registration {
  private func send(_ event: Event, to program: EventProgram) {
    // Of the store the commits are sent.
    if case .store = syntax.target { return }
    var event = event
    event.version = context.session.store?.version
    let shell = context.shell
    shell.output.flush()
    program.append(JSONRenderer.text(event), version: event.version ?? 0) {
      shell.interruption.isRequested
    }
  }
}

extension ObjectHandle {
  /// Whether the name means the deletion of the object rather than a property of it.
  fileprivate func isInvalidation(_ name: String) throws -> Bool {
    try name == "invalidated" && classSchema.property(named: name) == nil
  }
}

/// A delivery: the event, and the variables of its block.
struct DeliveredEvent {
  let kind: Event.Kind
  let locals: [String: Variable]
  let rows: EventRows

  init(_ kind: Event.Kind, _ locals: [String: Variable] = [:], _ rows: EventRows = EventRows()) {
    self.kind = kind
    self.locals = locals
    self.rows = rows
  }
}
