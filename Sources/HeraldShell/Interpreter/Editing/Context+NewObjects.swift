import Herald

// Objects that are not in a store yet: `new` creates them with the nested objects of their literals, and
// they are added together.

extension Context {
  func newObject(_ className: String, _ record: RecordSyntax) throws -> NewObject {
    let object = try NewObject(className, [], in: try store)
    try set(object, record)
    return object
  }

  /// Assigns the values of a record to a new object.
  func set(_ object: NewObject, _ record: RecordSyntax) throws {
    let classSchema = try store.schema.classSchema(named: object.className)
    try givingNew { inner in
      for (name, content) in try inner.contents(record, of: classSchema) {
        try object.set(name, to: content)
      }
    }
  }

  /// Assigns values to an object that is not in a store. Nested new objects live until it links to them.
  func givingNew<R>(_ body: (Context) throws -> R) rethrows -> R {
    let before = session.newNested.count
    defer { session.newNested.removeSubrange(before...) }
    return try body(giving(.linked))
  }

  /// The nested object of a literal, in an object that is not in a store.
  func newNestedObject(_ className: String, _ record: RecordSyntax) throws -> NewObject {
    do {
      let object = try newObject(className, record)
      session.newNested.append(object)
      return object
    } catch { throw located(error, source, record.span) }
  }

  /// A link to an object that is not in a store, if the statement can use one.
  func link(to object: NewObject, _ expression: ExpressionSyntax) throws -> Value {
    if let added = object.added, let here = try self.object(added) { return .link(here.id) }
    switch newObjects {
    case .linked: return object.link
    case .added where session.changesRunning > 0:
      let store = try self.store
      let isPart = store.schema.classSchema(named: object.className)?.isEmbedded == true
      let made = try at(expression.span) { try store.addGraph(from: object, asEmbedded: isPart) }
      session.addedNested += made
      return object.link
    case .added, .refused:
      let name = source.text(expression.span)
      throw failure(.library(.objectNotAdded(name)), at: expression.span)
    }
  }
}

extension NewObject {
  /// The error for a variable whose new object was added and then deleted or rolled back.
  func missing(_ name: String, _ session: ShellSession) -> Diagnostic {
    let label = addedLabel.map(LiteralText.text) ?? className
    return .missingObject(name, of: label, session: session.name)
  }
}
