import Herald

extension Context {
  /// - Parameter old: an observer of the same name that the caller ends afterwards.
  func observe(
    _ syntax: ObserveSyntax, replacing old: TokenTable.Entry? = nil, _ span: SourceSpan
  ) throws -> TokenTable.Entry {
    if let name = syntax.name { try shell.tokens.check(name, replacing: old, source) }
    var inner = self
    if let actor = syntax.actor {
      inner = Context(shell, source, try sessionNamed(actor))
      inner.locals = locals
    }
    let record = TokenTable.Entry(
      name: syntax.name?.text ?? shell.tokens.nextName(), session: inner.session,
      subject: subject(syntax, source), keyPaths: syntax.keyPaths.texts)
    do {
      let inner = inner
      try shell.run(on: inner.session, from: session) {
        record.token = try inner.register(record, syntax, span)
        trackSilencedChanges(record)
      }
    } catch {
      throw located(error, source, span)
    }
    shell.tokens.insert(record)
    if inner.session !== session { inner.session.hasNewObservers = true }
    confirm { "observing as \(record.name)" }
    return record
  }

  func subject(_ syntax: ObserveSyntax, _ source: Source) -> String {
    switch syntax.target {
    case .store: "store"
    case .query(let query): source.text(query.span)
    case .groups(let group): source.text(group.span)
    case .property(let path): "property " + source.text(path.span)
    case .projection(let name, let query): "\(name.text) of \(source.text(query.span))"
    }
  }

  private func register(
    _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ span: SourceSpan
  ) throws -> ObservationToken {
    switch syntax.target {
    case .store:
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span)
      return try observeStore(record, syntax, span)
    case .property(let path):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span)
      return try observeProperty(path, record, syntax)
    case .projection(let name, let query):
      try refuse(syntax.forRows ?? syntax.forObjects, span)
      let projection = try projection(name, query)
      return try observeProjection(projection, record, syntax)
    case .query(let query): return try observe(query, record, syntax, span)
    case .groups(let group):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span)
      return try observe(group, record, syntax)
    }
  }

  private func observe(
    _ query: QuerySyntax, _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ span: SourceSpan
  ) throws -> ObservationToken {
    let resolved = try resolve(query)
    if resolved.store?.isFrozen == true { throw HeraldError.cannotObserve("what is frozen") }
    let keyPaths = syntax.keyPaths.texts
    switch resolved {
    case .object(let object):
      try refuse(syntax.forRows, span)
      return try object.observe(keyPaths: keyPaths, isExclusive: syntax.isExclusive) {
        object, change in
        let locals = blockLocals(.object(HeldObject(object)), change)
        let kind = Event.Kind(change) { session.output($0) }
        try deliver(DeliveredEvent(kind, locals), record, syntax)
      }
    case .results(let results):
      try refuse(syntax.forObjects, span)
      let rows = try recipe(query)
      record.reading = .results(results)
      return try results.observe(keyPaths: keyPaths, depth: syntax.depth) {
        results, change in
        let details = try details(change, record)
        let event = DeliveredEvent(
          Event.Kind(change), blockLocals(.collection(rows), change), details)
        try deliver(event, record, syntax)
      }
    case .projection(let projection):
      try refuse(syntax.forRows ?? syntax.forObjects, span)
      return try observeProjection(projection, record, syntax)
    case .collection(let collection):
      try refuse(syntax.forObjects, span)
      let rows = try variable(ExpressionSyntax(.query(query), query.span))
      return try observe(collection, record, syntax) { _ in rows }
    case .elements(let elements):
      try refuse(syntax.forRows ?? syntax.forObjects, span)
      if let keyPaths { throw HeraldError.keyPathsOnValues(keyPaths.first ?? "none") }
      return try observe(elements, record) { elements, change, details in
        let locals =
          syntax.block == nil ? [:] : blockLocals(.values((try? elements.values) ?? []), change)
        try deliver(DeliveredEvent(Event.Kind(change), locals, details), record, syntax)
      }
    case .newObject:
      throw HeraldError.objectNotAdded(source.text(query.span))
    case .value, .values:
      guard case .path(let path) = query.origin, query.tail == nil,
        let nested = try nested(path)
      else { throw observedValue(resolved, query) }
      try refuse(syntax.forObjects, span)
      if nested.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
      return try observe(nested, record, syntax) {
        $0.value.map { .value($0) } ?? .value(.null)
      }
    }
  }

  /// The error that a value is to be observed.
  func observedValue(_ resolved: Resolved, _ query: QuerySyntax) -> ShellError {
    let what = source.text(query.span)
    var property: String?
    if case .path(let path) = query.origin, query.tail == nil, path.isTarget,
      case .name? = path.steps.last?.kind
    {
      property = what
    }
    return ShellError(
      .observedValue(what, found: resolved.kind, property: property), source, query.span)
  }

  /// Observes computed rows, and keeps what the details of events need.
  func observe<Rows: ComputedRows>(
    _ rows: Rows, _ record: TokenTable.Entry,
    _ block: @escaping (Rows, DynamicCollectionChange, EventDetails?) throws -> Void
  ) throws -> ObservationToken {
    record.reading = rows.reading
    return try rows.observe(
      silenced: { rows, change in
        record.reading = rows.reading
        follow(change, silencedFor: record)
      },
      { rows, change in
        record.reading = rows.reading
        try block(rows, change, try details(change, record))
      })
  }

  /// `rows` returns what the block of the observer reads as its rows.
  private func observe(
    _ collection: LiveCollection, _ record: TokenTable.Entry, _ syntax: ObserveSyntax,
    _ rows: @escaping (LiveCollection) -> Variable
  ) throws -> ObservationToken {
    record.reading = .collection(collection)
    return try collection.observe(keyPaths: syntax.keyPaths.texts, depth: syntax.depth) {
      collection, change in
      record.reading = .collection(collection)
      let details = try details(change, record)
      let locals = syntax.block == nil ? [:] : blockLocals(rows(collection), change)
      try deliver(DeliveredEvent(Event.Kind(change), locals, details), record, syntax)
    }
  }

  private func observeStore(
    _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ span: SourceSpan
  ) throws -> ObservationToken {
    try store.observe { change in
      try deliver(DeliveredEvent(Event.Kind(change)), record, syntax)
    }
  }

  /// Throws for an option that does not apply to the target.
  func refuse(_ option: ObserveSyntax.Option?, _ span: SourceSpan) throws {
    guard let option else { return }
    throw ShellError(.misplaced(option.word, belongsTo: option.targets), source, span)
  }

  /// Prints the event, then runs the observer's block.
  func deliver(
    _ delivered: DeliveredEvent, _ record: TokenTable.Entry, _ syntax: ObserveSyntax
  ) throws {
    let event = Event(
      token: record.name, session: record.session.name, kind: delivered.kind,
      details: delivered.details)
    shell.tokens.append(event)
    if !record.isLive { shell.tokens.noteEnd(of: record) }
    emit(.event(event))
    guard let block = syntax.block else { return }
    // The store cannot be read, so the block has no rows to run with.
    if case .error = delivered.kind { return }
    var inner = Context(shell, source, record.session)
    inner.locals = delivered.locals
    try inner.inBlock(block, SourceSpan(start: 0, end: 0))
  }

  func blockLocals(_ object: Variable, _ change: DynamicObjectChange) -> [String: Variable] {
    switch change {
    case .deleted, .error: ["object": object, "properties": .changes([])]
    case .change(let properties):
      [
        "object": object,
        "properties": .changes(
          properties.map { property in
            property.hasValues
              ? ChangedProperty(name: property.name, old: property.old, new: property.new)
              : ChangedProperty(name: property.name)
          }),
      ]
    }
  }

  func blockLocals(_ rows: Variable, _ change: DynamicCollectionChange) -> [String: Variable] {
    switch change {
    case .initial, .error:
      [
        "rows": rows, "deletions": .values([]), "insertions": .values([]),
        "modifications": .values([]), "modificationsNew": .values([]),
      ]
    case .update(let changes, let ownerDeleted):
      [
        "rows": ownerDeleted ? .values([]) : rows,
        "deletions": .values(changes.deletions.map(Value.int)),
        "insertions": .values(changes.insertions.map(Value.int)),
        "modifications": .values(changes.modifications.map(Value.int)),
        "modificationsNew": .values(changes.modificationsNew.map(Value.int)),
      ]
    case .mapUpdate(let changes, let ownerDeleted):
      [
        "rows": ownerDeleted ? .values([]) : rows,
        "deletions": .values(changes.deletions.map(Value.string)),
        "insertions": .values(changes.insertions.map(Value.string)),
        "modifications": .values(changes.modifications.map(Value.string)),
        "modificationsNew": .values(changes.modifications.map(Value.string)),
      ]
    }
  }
}

extension ObserveSyntax {
  /// An option that applies only to some observers.
  struct Option {
    var word: String
    var targets: String
  }

  var forRows: Option? {
    depth == nil ? nil : Option(word: "depth", targets: "collections")
  }

  var forObjects: Option? {
    isExclusive ? Option(word: "exclusive", targets: "objects") : nil
  }

  var keyPathsWord: Option? {
    keyPaths.texts == nil ? nil : Option(word: "keypaths", targets: "objects and collections")
  }
}

extension ObserveSyntax.KeyPaths {
  /// The key paths as the library expects them: nil without restriction.
  var texts: [String]? {
    switch self {
    case .unrestricted: nil
    case .none: []
    case .paths(let names): names.map(\.text)
    }
  }
}

/// A delivery: the event, and the variables of its block.
struct DeliveredEvent {
  let kind: Event.Kind
  let locals: [String: Variable]
  let details: EventDetails?

  init(_ kind: Event.Kind, _ locals: [String: Variable] = [:], _ details: EventDetails? = nil) {
    self.kind = kind
    self.locals = locals
    self.details = details
  }
}
