import Herald

extension Interpreter {
  /// - Parameter old: an observer of the same name that the caller ends afterwards.
  func observe(
    _ syntax: ObserveSyntax, replacing old: TokenTable.Entry? = nil, _ span: SourceSpan,
    _ context: Context
  ) throws -> TokenTable.Entry {
    if let name = syntax.name { try tokens.check(name, replacing: old, context.source) }
    var inner = context
    if let actor = syntax.actor {
      inner = Context(
        source: context.source, session: try session(named: actor, context),
        locals: context.locals)
    }
    let record = TokenTable.Entry(
      name: syntax.name?.text ?? tokens.nextName(), session: inner.session,
      subject: subject(syntax, context.source), keyPaths: syntax.keyPaths.texts)
    do {
      let inner = inner
      try run(on: inner.session, from: context.session) { [self] in
        record.token = try register(record, syntax, span, inner)
        trackSilencedChanges(record)
      }
    } catch {
      throw located(error, context.source, span)
    }
    tokens.insert(record)
    if inner.session !== context.session { inner.session.hasNewObservers = true }
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
    _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ span: SourceSpan, _ context: Context
  ) throws -> ObservationToken {
    switch syntax.target {
    case .store:
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span, context)
      return try observeStore(record, syntax, span, context)
    case .property(let path):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span, context)
      return try observeProperty(path, record, syntax, context)
    case .projection(let name, let query):
      try refuse(syntax.forRows ?? syntax.forObjects, span, context)
      let projection = try projection(name, query, context)
      return try observeProjection(projection, record, syntax, context)
    case .query(let query): return try observe(query, record, syntax, span, context)
    case .groups(let group):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span, context)
      return try observe(group, record, syntax, context)
    }
  }

  private func observe(
    _ query: QuerySyntax, _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ span: SourceSpan,
    _ context: Context
  ) throws -> ObservationToken {
    let resolved = try resolve(query, context)
    if resolved.store?.isFrozen == true { throw HeraldError.cannotObserve("what is frozen") }
    let keyPaths = syntax.keyPaths.texts
    switch resolved {
    case .object(let object):
      try refuse(syntax.forRows, span, context)
      return try object.observe(keyPaths: keyPaths, isExclusive: syntax.isExclusive) {
        [unowned self] object, change in
        let locals = locals(.object(HeldObject(object)), change)
        let kind = Event.Kind(change) { context.session.output($0) }
        try deliver(DeliveredEvent(kind, locals), record, syntax, context)
      }
    case .results(let results):
      try refuse(syntax.forObjects, span, context)
      let rows = try recipe(query, context)
      record.reading = .results(results)
      return try results.observe(keyPaths: keyPaths, depth: syntax.depth) {
        [unowned self] results, change in
        let details = try details(change, record)
        let event = DeliveredEvent(Event.Kind(change), locals(.collection(rows), change), details)
        try deliver(event, record, syntax, context)
      }
    case .projection(let projection):
      try refuse(syntax.forRows ?? syntax.forObjects, span, context)
      return try observeProjection(projection, record, syntax, context)
    case .collection(let collection):
      try refuse(syntax.forObjects, span, context)
      let rows = try variable(ExpressionSyntax(.query(query), query.span), context)
      return try observe(collection, record, syntax, context) { _ in rows }
    case .elements(let elements):
      try refuse(syntax.forRows ?? syntax.forObjects, span, context)
      if let keyPaths { throw HeraldError.keyPathsOnValues(keyPaths.first ?? "none") }
      return try observe(elements, record) { [unowned self] elements, change, details in
        let locals =
          syntax.block == nil ? [:] : locals(.values((try? elements.values) ?? []), change)
        try deliver(DeliveredEvent(Event.Kind(change), locals, details), record, syntax, context)
      }
    case .newObject:
      throw HeraldError.objectNotAdded(context.source.text(query.span))
    case .value, .values:
      guard case .path(let path) = query.origin, query.tail == nil,
        let nested = try nested(path, context)
      else { throw observedValue(resolved, query, context) }
      try refuse(syntax.forObjects, span, context)
      if nested.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
      return try observe(nested, record, syntax, context) {
        $0.value.map { .value($0) } ?? .value(.null)
      }
    }
  }

  /// The error that a value is to be observed.
  func observedValue(_ resolved: Resolved, _ query: QuerySyntax, _ context: Context) -> ShellError {
    let what = context.source.text(query.span)
    var property: String?
    if case .path(let path) = query.origin, query.tail == nil, path.isTarget,
      case .name? = path.steps.last?.kind
    {
      property = what
    }
    return ShellError(
      .observedValue(what, found: resolved.kind, property: property), context.source, query.span)
  }

  /// Observes computed rows, and keeps what the details of events need.
  func observe<Rows: ComputedRows>(
    _ rows: Rows, _ record: TokenTable.Entry,
    _ block: @escaping (Rows, DynamicCollectionChange, EventDetails?) throws -> Void
  ) throws -> ObservationToken {
    record.reading = rows.reading
    return try rows.observe(
      silenced: { [unowned self] rows, change in
        record.reading = rows.reading
        follow(change, silencedFor: record)
      },
      { [unowned self] rows, change in
        record.reading = rows.reading
        try block(rows, change, try details(change, record))
      })
  }

  /// `rows` returns what the block of the observer reads as its rows.
  private func observe(
    _ collection: LiveCollection, _ record: TokenTable.Entry, _ syntax: ObserveSyntax,
    _ context: Context, _ rows: @escaping (LiveCollection) -> Variable
  ) throws -> ObservationToken {
    record.reading = .collection(collection)
    return try collection.observe(keyPaths: syntax.keyPaths.texts, depth: syntax.depth) {
      [unowned self] collection, change in
      record.reading = .collection(collection)
      let details = try details(change, record)
      let locals = syntax.block == nil ? [:] : locals(rows(collection), change)
      try deliver(DeliveredEvent(Event.Kind(change), locals, details), record, syntax, context)
    }
  }

  private func observeStore(
    _ record: TokenTable.Entry, _ syntax: ObserveSyntax, _ span: SourceSpan, _ context: Context
  ) throws -> ObservationToken {
    try store(context).observe { [unowned self] change in
      try deliver(DeliveredEvent(Event.Kind(change)), record, syntax, context)
    }
  }

  /// Throws for an option that does not apply to the target.
  func refuse(_ option: ObserveSyntax.Option?, _ span: SourceSpan, _ context: Context) throws {
    guard let option else { return }
    throw ShellError(.misplaced(option.word, belongsTo: option.targets), context.source, span)
  }

  /// Prints the event, then runs the observer's block.
  func deliver(
    _ delivered: DeliveredEvent, _ record: TokenTable.Entry, _ syntax: ObserveSyntax,
    _ context: Context
  ) throws {
    let event = Event(
      token: record.name, session: record.session.name, kind: delivered.kind,
      details: delivered.details)
    tokens.append(event)
    if !record.isLive { tokens.noteEnd(of: record) }
    emit(.event(event))
    guard let block = syntax.block else { return }
    // The store cannot be read, so the block has no rows to run with.
    if case .error = delivered.kind { return }
    let inner = Context(source: context.source, session: record.session, locals: delivered.locals)
    try inBlock(block, SourceSpan(start: 0, end: 0), inner)
  }

  func locals(_ object: Variable, _ change: DynamicObjectChange) -> [String: Variable] {
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

  func locals(_ rows: Variable, _ change: DynamicCollectionChange) -> [String: Variable] {
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
