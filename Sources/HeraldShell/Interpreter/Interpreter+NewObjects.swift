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
    var plain = record
    var parts: [(name: String, parts: NewParts)] = []
    plain.entries = try record.entries.filter { entry in
      let type = classSchema?.property(named: entry.name.text)?.type
      guard let made = try newParts(entry.value, for: type, context) else { return true }
      parts.append((entry.name.text, made))
      return false
    }
    for (name, content) in try contents(plain, of: classSchema, context) {
      try object.set(name, to: content)
    }
    for (name, parts) in parts { try object.set(name, to: parts) }
  }

  /// The objects that literals make for a property of links; nil where there are none.
  func newParts(
    _ expression: Expression, for type: PropertyType?, _ context: Context
  ) throws -> NewParts? {
    guard let type, let target = type.target,
      let className = try store(context).schema.classSchema(target)?.name
    else { return nil }
    switch (type.shape, expression.kind) {
    case (.single, .record(let record)):
      return .one(try newPart(className, record, context))
    case (.list, .list(let elements)), (.set, .list(let elements)):
      let records = elements.compactMap(\.record)
      guard !records.isEmpty, records.count == elements.count else { return nil }
      return .list(try records.map { try newPart(className, $0, context) })
    case (.map, .record(let record)):
      let records = record.entries.compactMap { entry in
        entry.value.record.map { (entry.name.text, $0) }
      }
      guard !records.isEmpty, records.count == record.entries.count else { return nil }
      let made = try records.map { ($0, try newPart(className, $1, context)) }
      return .map(Dictionary(made) { _, last in last })
    case (_, _): return nil
    }
  }

  private func newPart(
    _ className: String, _ record: Record, _ context: Context
  ) throws -> NewObject {
    do {
      return try newObject(className, record, context)
    } catch {
      throw placed(error, context.source, record.span)
    }
  }
}

extension Expression {
  fileprivate var record: Record? { if case .record(let record) = kind { record } else { nil } }
}
