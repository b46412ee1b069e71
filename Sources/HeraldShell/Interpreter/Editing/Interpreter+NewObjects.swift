import Herald

// Objects that are not in a store yet: `new` creates them with the nested objects of their literals, and
// they are added together.

extension Interpreter {
  func makeNew(
    _ className: Name, _ record: RecordSyntax, _ variable: Name, _ context: Context
  ) throws {
    do {
      try bind(variable, .newObject(try newObject(className.text, record, context)), context)
    } catch let error as HeraldError {
      throw additionError(error, className: className, record, context)
    }
  }

  private func newObject(
    _ className: String, _ record: RecordSyntax, _ context: Context
  ) throws -> NewObject {
    let object = try NewObject(className, [], in: try store(context))
    try set(object, record, context)
    return object
  }

  /// Assigns the values of a record to a new object.
  func set(_ object: NewObject, _ record: RecordSyntax, _ context: Context) throws {
    let classSchema = try store(context).schema.classSchema(named: object.className)
    try givingNew(context) { context in
      for (name, content) in try contents(record, of: classSchema, context) {
        try object.set(name, to: content)
      }
    }
  }

  /// Assigns values to an object that is not in a store. Nested new objects live until it links to them.
  func givingNew<R>(_ context: Context, _ body: (Context) throws -> R) rethrows -> R {
    let before = context.session.newNested.count
    defer { context.session.newNested.removeSubrange(before...) }
    return try body(context.giving(.linked))
  }

  /// The nested object of a literal, in an object that is not in a store.
  func newNestedObject(_ className: String, _ record: RecordSyntax, _ context: Context) throws
    -> NewObject
  {
    do {
      let object = try newObject(className, record, context)
      context.session.newNested.append(object)
      return object
    } catch {
      throw located(error, context.source, record.span)
    }
  }

  /// The error for a variable whose new object was added and then deleted or rolled back.
  func missingObject(_ object: NewObject, _ name: String, _ session: ShellSession) -> Diagnostic {
    let label = object.addedLabel.map(LiteralText.text) ?? object.className
    return .missingObject(name, of: label, session: session.name)
  }

  /// A link to an object that is not in a store, if the statement can use one.
  func link(
    to object: NewObject, _ expression: ExpressionSyntax, _ context: Context
  ) throws -> Value {
    if let added = object.added, let here = try self.object(added, context) {
      return .link(here.id)
    }
    switch context.newObjects {
    case .linked: return object.link
    case .added where context.session.changesRunning > 0:
      let store = try store(context)
      let isPart = store.schema.classSchema(named: object.className)?.isEmbedded == true
      let made = try at(expression.span, context) {
        try store.addGraph(from: object, asEmbedded: isPart)
      }
      context.session.addedNested += made
      return object.link
    case .added, .refused:
      let name = context.source.text(expression.span)
      throw ShellError(.library(.objectNotAdded(name)), context.source, expression.span)
    }
  }
}
