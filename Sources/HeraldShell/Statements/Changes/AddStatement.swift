import Herald

/// `add Dog {…} as $max`, `add Dog [{…}, {…}]`, `upsert Dog {…}`: records of one class.
struct AddStatement: StatementForm {
  static let command = Command(
    "add",
    ["add CLASS { NAME: VALUE, ... } [as $NAME]", "add CLASS [ {...}, {...} ]", "add $NEW"],
    "add one object, or several, all or none",
    [
      "The third form adds an object that was made with new. Where a link is expected, an object "
        + "in braces is added and linked; an object in the store is written with its key, as in owner: "
        + "Person#2. A date is written as 2026-02-28 is, with a time as 2026-02-28@10:00:00 is."
    ],
    examples: [
      "add Dog { id: 1, name: \"Max\", age: 3 } as $max", "add Dog [ {id: 2}, {id: 3} ]",
    ], inWrites: true, parse: Self.parse)

  static let upsert = Command(
    "upsert", ["upsert CLASS { ... }"], "update the object with the same primary key, or add it",
    examples: ["upsert Dog { id: 1, age: 4 }"], inWrites: true,
    parse: { parser throws(ShellError) in try Self(&parser, isUpsert: true) })

  let className: Name
  let records: [RecordSyntax]
  let isUpsert: Bool
  let variable: Name?

  init(_ parser: inout StatementParser, isUpsert: Bool) throws(ShellError) {
    self.isUpsert = isUpsert
    className = try parser.name("a class")
    parser.notes?.owner = PropertyOwner(.className(className.text))
    records = try parser.records()
    variable = try parser.asVariable()
  }

  private static func parse(
    _ parser: inout StatementParser
  ) throws(ShellError) -> any StatementForm {
    guard case .variable = parser.token.kind else {
      return try AddStatement(&parser, isUpsert: false)
    }
    let name = try parser.variable()
    return AddNewStatement(name: name, variable: try parser.asVariable())
  }

  func run(in context: Context) throws {
    var outcome = ChangeSummary.Kind.added
    let added = try context.change { store in
      var added: [ObjectHandle] = []
      added.reserveCapacity(records.count)
      do {
        for record in records {
          try context.checkInterruption(record.span)
          let (object, kind) = try add(record, store, context)
          outcome = kind
          added.append(object)
        }
      } catch {
        // In a transaction that stays open, this statement is undone: all or nothing.
        if !isUpsert, !context.shell.isInterruption(error) {
          for object in added.reversed() { try? store.delete(object) }
        }
        throw error
      }
      return added
    }
    if let name = variable {
      if records.count == 1, let object = added.first {
        try context.bind(name, .object(HeldObject(object)))
      } else {
        try context.bind(name, .values(added.map { .link($0.id) }))
      }
    }
    context.confirm(outcome, added.count) { Self.text(added, outcome) }
  }

  private func add(
    _ record: RecordSyntax, _ store: DynamicStore, _ context: Context
  ) throws -> (object: ObjectHandle, kind: ChangeSummary.Kind) {
    var inner = context.giving(.added)
    inner.isUpserting = isUpsert
    let classSchema = store.schema.classSchema(named: className.text)
    let contents = try inner.contents(record, of: classSchema)
    do {
      guard isUpsert else { return (try store.add(className.text, contents), .added) }
      let (object, replaced) = try store.addOrUpdate(className.text, contents)
      return (object, replaced.map { $0.isEmpty ? .unchanged : .changed } ?? .added)
    } catch let error as HeraldError {
      throw Self.error(error, className: className, record, context)
    }
  }

  /// Reports an error at the class or in the record that failed, not in those before it.
  static func error(
    _ error: HeraldError, className: Name, _ record: RecordSyntax, _ context: Context
  ) -> ShellError {
    if case .unknownClass = error { return context.failure(.library(error), at: className.span) }
    return located(error, context.source, record.span)
  }

  static func text(_ objects: [ObjectHandle], _ kind: ChangeSummary.Kind = .added) -> String {
    objects.count == 1
      ? "\(kind.rawValue) \(LiteralText.text(objects[0].label))"
      : ChangeSummary.text(kind, objects.count)
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { span != className.span }
}

/// `add $new as $max`: an object that `new` has made.
struct AddNewStatement: StatementForm {
  let name: Name
  let variable: Name?

  func run(in context: Context) throws {
    guard
      case .newObject(let new)? = context.locals[name.text] ?? context.shell.variables[name.text]
    else { throw context.failure(.notANewObject(name.text), at: name.span) }
    let object = try context.change { store in try context.at(name.span) { try store.add(new) } }
    try context.bind(variable ?? name, .object(HeldObject(object)))
    context.confirm(.added, 1) { AddStatement.text([object]) }
  }
}
