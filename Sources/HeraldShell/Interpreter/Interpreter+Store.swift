import Herald

extension Interpreter {
  /// Opens another store, and closes the present one once that is done.
  func open(_ path: Name?, _ isReadOnly: Bool, _ context: Context) throws {
    try refuseInBlocks("open", context)
    let opened: Store
    do {
      opened = try makeStore(path, isReadOnly)
    } catch let error as HeraldError {
      throw ShellError(.opening(error), context.source, path?.span ?? SourceSpan(start: 0, end: 0))
    }
    try closeStore()
    main.store = interruptible(opened)
    storePath = path?.text
    isStoreOpen = true
  }

  /// A store whose long questions stop when the run is interrupted.
  func interruptible(_ store: Store) -> Store {
    store.interruption = interruption
    return store
  }

  private func makeStore(_ path: Name?, _ isReadOnly: Bool) throws -> Store {
    guard let path else { return try Store() }
    return try Store(path: path.text, readOnly: isReadOnly)
  }

  func close(_ context: Context) throws {
    try refuseInBlocks("close", context)
    guard isStoreOpen else { throw Complaint.noStore }
    try closeStore()
    isStoreOpen = false
    storePath = nil
    confirm { "closed" }
  }

  /// Ends every session but `main`, and `main`'s view of the store; tokens end silently.
  func closeStore() throws {
    for session in sessions.reversed() {
      if let store = session.store { try run(on: session, from: main) { store.close() } }
      session.store = nil
      session.writesOpen = 0
      session.variablesBeforeWrites = []
      session.thread?.stop()
    }
    sessions = [main]
    current = main
    tokens.forgetAll()
    variables = variables.filter { $0.value.outlivesStore }
  }

  private func refuseInBlocks(_ word: String, _ context: Context) throws {
    if context.session !== main || sessions.contains(where: { $0.blocksRunning > 0 }) {
      throw Complaint.busyForOpening(word)
    }
  }

  func declare(_ syntax: ClassSyntax, _ context: Context) throws {
    let properties = try syntax.properties.map { property in
      ClassDefinition.Property(
        name: property.name.text, element: property.element, shape: property.shape,
        isOptional: property.isOptional, isPrimaryKey: property.isPrimaryKey,
        isIndexed: property.isIndexed, defaultValue: try defaultValue(property, context))
    }
    try change(context) { store in
      try store.declare(
        ClassDefinition(
          name: syntax.name.text, isEmbedded: syntax.isEmbedded, properties: properties))
    }
    confirm { "class \(syntax.name.text)" }
  }

  private func defaultValue(
    _ property: ClassSyntax.Property, _ context: Context
  ) throws -> PropertyContent? {
    guard let expression = property.defaultValue else { return nil }
    let type = PropertyType(property.element.plainType, shape: property.shape)
    return try content(expression, for: type, context)
  }
}

extension Variable {
  /// Whether it means the same in another store.
  fileprivate var outlivesStore: Bool {
    switch self {
    case .value(let value): !value.holdsLink
    case .values(let values): !values.contains(where: \.holdsLink)
    case .object, .newObject, .collection, .projection: false
    }
  }
}

extension Value {
  /// Whether an object is in the value, or inside one of its parts.
  fileprivate var holdsLink: Bool {
    switch self {
    case .link: true
    case .list(let values): values.contains(where: \.holdsLink)
    case .map(let entries): entries.values.contains(where: \.holdsLink)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      false
    }
  }
}

extension ClassDefinition.Property.Element {
  /// The type that decides what a default's literal means: a link has none.
  fileprivate var plainType: ElementType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .decimal: .decimal
    case .uuid: .uuid
    case .objectID: .objectID
    case .any, .link: .any
    }
  }
}
