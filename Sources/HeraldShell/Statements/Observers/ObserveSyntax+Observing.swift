import Herald

extension ObserveSyntax {
  /// - Parameter old: an observer of the same name that the caller ends afterwards.
  func observe(
    in context: Context, replacing old: TokenTable.Entry? = nil
  ) throws -> TokenTable.Entry {
    let shell = context.shell
    try context.refuseObservingRealmFile()
    if let name = name { try shell.tokens.check(name, replacing: old, context.source) }
    var inner = context
    if let actor = actor {
      inner = Context(shell, context.source, try context.sessionNamed(actor))
      inner.locals = context.locals
      inner.span = context.span
    }
    let record = TokenTable.Entry(
      name: name?.text ?? shell.tokens.nextName(), session: inner.session,
      subject: subject(context.source), keyPaths: keyPaths.texts)
    do {
      let inner = inner
      try shell.run(on: inner.session, from: context.session) {
        record.token = try Registration(syntax: self, record: record, context: inner).register()
        record.trackSilencedChanges()
      }
    } catch { throw located(error, context.source, context.span) }
    shell.tokens.insert(record)
    if inner.session !== context.session { inner.session.hasNewObservers = true }
    context.confirm { "observing as \(record.name)" }
    return record
  }

  /// The words that list an observer of it.
  func subject(_ source: Source) -> String {
    switch target {
    case .store: "store"
    case .query(let query): source.text(query.span)
    case .groups(let group): source.text(group.span)
    case .histogram(let histogram): "histogram " + source.text(histogram.span)
    case .sections(let sections): source.text(sections.span)
    case .value(let expression, when: let condition):
      "value " + source.text(expression.span)
        + (condition.map { " when " + source.text($0.span) } ?? "")
    case .property(let path): "property " + source.text(path.span)
    case .projection(let name, let query): "\(name.text) of \(source.text(query.span))"
    }
  }

  /// An option that applies only to some observers.
  struct Option {
    var word: String
    var targets: String
  }

  var forRows: Option? { depth == nil ? nil : Option(word: "depth", targets: "collections") }

  var forObjects: Option? { isExclusive ? Option(word: "exclusive", targets: "objects") : nil }

  var keyPathsWord: Option? {
    keyPaths.texts == nil ? nil : Option(word: "keypaths", targets: "objects and collections")
  }

  /// Throws for an option that does not apply to the target.
  static func refuse(_ option: Option?, _ span: SourceSpan, _ context: Context) throws {
    guard let option else { return }
    throw context.failure(.misplaced(option.word, belongsTo: option.targets), at: span)
  }

  /// The error that a value is to be observed.
  static func observedValue(
    _ resolved: Resolved, _ query: QuerySyntax, _ context: Context
  ) -> ShellError {
    let what = context.source.text(query.span)
    var property: String?
    if case .path(let path) = query.origin, query.tail == nil, path.isTarget,
      case .name? = path.steps.last?.kind
    {
      property = what
    }
    return context.failure(
      .observedValue(what, found: resolved.kind, property: property), at: query.span)
  }
}
