import Herald

// Objects that are in no store yet: made by `new`, with those that their literals hold, and added
// together.

extension Interpreter {
  func makeNew(
    _ className: Name, _ record: Record, _ variable: Name, _ context: Context
  ) throws {
    do {
      variables[variable.text] = .newObject(try newObject(className.text, record, context))
    } catch let error as HeraldError {
      throw place(error, className: className, record, context)
    }
  }

  private func newObject(
    _ className: String, _ record: Record, _ context: Context
  ) throws -> NewObject {
    let object = try NewObject(className, [], in: try store(context))
    try set(object, record, context)
    return object
  }

  /// Gives a new object what stands in a record.
  func set(_ object: NewObject, _ record: Record, _ context: Context) throws {
    let classSchema = try store(context).schema.classSchema(named: object.className)
    try givingNew(context) { context in
      for (name, content) in try contents(record, of: classSchema, context) {
        try object.set(name, to: content)
      }
    }
  }

  /// Gives an object in no store values. Those in none that literals make live until it links to them.
  func givingNew<R>(_ context: Context, _ body: (Context) throws -> R) rethrows -> R {
    let before = context.session.newInside.count
    defer { context.session.newInside.removeSubrange(before...) }
    return try body(context.giving(.linked))
  }

  /// The object of a literal inside another that is in no store.
  func newPart(_ className: String, _ record: Record, _ context: Context) throws -> NewObject {
    do {
      let object = try newObject(className, record, context)
      context.session.newInside.append(object)
      return object
    } catch {
      throw placed(error, context.source, record.span)
    }
  }

  /// The complaint of a variable whose new object was added and is gone: deleted, or rolled back.
  func gone(_ object: NewObject, _ name: String, _ session: Session) -> Complaint {
    let label = object.addedLabel.map(LiteralText.text) ?? object.className
    return .goneVariable(name, of: label, session: session.name)
  }

  /// A link to an object that is in no store, as far as the statement has use for one.
  func link(
    to object: NewObject, _ expression: Expression, _ context: Context
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
        try store.addGraph(from: object, asPart: isPart)
      }
      context.session.madeInside += made
      return object.link
    case .added, .refused:
      let name = context.source.text(expression.span)
      throw ShellError(.library(.objectNotAdded(name)), context.source, expression.span)
    }
  }
}
