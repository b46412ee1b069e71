import Herald

/// `set $max {…}`, `set Dog where … { age: age + 1 }`; as a command also an assignment, and `set autocommit off`.
struct SetStatement: StatementForm {
  static let command = Command(
    "set",
    [
      "set PATH = VALUE", "PATH = VALUE", "PATH += VALUE", "set OBJECT { NAME: VALUE, ... }",
      "set QUERY { NAME: VALUE, ... }", "set autocommit on | off",
    ], "change properties of one object, or of all that match a query",
    [
      "A path begins with a variable or an object: $max.age, Dog#3.owner.name, $p.dogs[1], "
        + "$p.scores[\"a\"]; it also leads into the lists and maps of a value of any type. "
        + "Numbers may also be changed by -=, *= and /=. With autocommit off, a change outside a "
        + "transaction is an error.",
      "In braces a name is a property of the row: { age: age + 1, owner: Person#(owner_id) ?? nil }. "
        + "All values are computed from what the rows were before; an error of one names it, and "
        + "nothing is changed.",
    ],
    examples: [
      "set $max.age = 4", "$max.age += 1", "set Dog where age < 1 { name: name + \"!\" }",
    ],
    inWrites: true, parse: Self.parse)

  let query: QuerySyntax
  let record: RecordSyntax

  static func parse(_ parser: inout StatementParser) throws(ShellError) -> any StatementForm {
    if parser.isWord("autocommit") {
      parser.advance()
      return AutocommitStatement(isOn: try parser.onOrOff())
    }
    let query = try parser.query(mayBePast: false)
    if case .path(let target) = query.origin, query.tail == nil,
      let sign = AssignmentSign.take(&parser)
    {
      parser.notes?.owner = PropertyOwner(.path(target))
      return AssignStatement(path: target, sign: sign, expression: try parser.valueOrTest())
    }
    guard parser.isSign("{") else {
      guard case .path = query.origin, query.tail == nil else { throw parser.expected("'{'") }
      throw parser.expected("'=' or '{'")
    }
    parser.notes?.owner = PropertyOwner(origin: query.origin)
    return SetStatement(query: query, record: try parser.record(ofRows: query.origin))
  }

  func run(in context: Context) throws {
    if case .path(let path) = query.origin, query.tail == nil, path.steps.isEmpty,
      let new = context.newObject(path)
    {
      let own = try context.store.schema.classSchema(named: new.className)
      return try context.set(new, try record.ofObject(path, own, context))
    }
    let count = try context.change { store in
      switch try context.resolve(query) {
      case .projection(let projection):
        let rows = try context.store.objects(projection.object.classSchema.name)
        let values = try RowRecord(
          record, of: rows, through: projection.definition, context.giving(.added))
        let (records, failure) = try values.records(of: [projection.object])
        if let failure { throw failure }
        try set(records[0], through: projection, context)
        return 1
      case .results(let results) where results.projection != nil:
        return try set(throughProjectionOf: results, context)
      case .results, .collection, .value, .values, .object, .newObject, .elements: break
      }
      let objects = try context.objects(query)
      return try set(objects, store, context)
    }
    context.confirm(.changed, count) { ChangeSummary.text(.changed, count) }
  }

  private func set(
    _ objects: [ObjectHandle], _ store: DynamicStore, _ context: Context
  ) throws -> Int {
    guard !objects.isEmpty else { return try check(store, context) }
    let giving = context.giving(.added)
    // All values are those before the statement.
    var prepared: [ClassID: (values: RowRecord, records: [RecordSyntax].Iterator)] = [:]
    for (classID, objects) in Dictionary(grouping: objects, by: \.id.classID) {
      let rows = try store.objects(store.schema.classSchema(classID)?.name ?? "")
      let values = try RowRecord(record, of: rows, giving)
      let (records, failure) = try values.records(of: objects)
      if let failure {
        // An earlier row may not have what it is given.
        for (object, record) in zip(objects, records) { try check(object, record, store, giving) }
        throw failure
      }
      prepared[classID] = (values, records.makeIterator())
    }
    var shared: [NamedContent]?
    for object in objects {
      try context.checkInterruption(record.span)
      let classID = object.id.classID
      guard let values = prepared[classID]?.values, let record = prepared[classID]?.records.next()
      else { continue }
      do {
        let given = try shared ?? giving.contents(record, of: object.classSchema)
        // Each object gets its own embedded objects and its own generated identifiers.
        if !values.isOfRows, prepared.count == 1, !record.makesSomething { shared = given }
        try object.set(given)
      } catch {
        let failure = located(error, context.source, record.span)
        throw values.isOfRows ? failure.naming(context.name(of: object.label)) : failure
      }
    }
    return objects.count
  }

  /// Validates what a row is given, without changing it.
  private func check(
    _ object: ObjectHandle, _ record: RecordSyntax, _ store: DynamicStore, _ context: Context
  ) throws {
    do {
      let classSchema = try object.classSchema
      try store.check(classSchema.name, try context.contents(record, of: classSchema))
    } catch {
      throw located(error, context.source, self.record.span).naming(context.name(of: object.label))
    }
  }

  /// The class of the objects of a query that finds none.
  private func classOfNone(_ context: Context) throws -> ClassID? {
    switch try context.resolve(query) {
    case .results(let results): results.classID
    case .collection(let collection): collection.property.type.linkedClass
    case .value, .values, .object, .newObject, .elements, .projection: nil
    }
  }

  /// The values are validated even if the query matches nothing.
  private func check(_ store: DynamicStore, _ context: Context) throws -> Int {
    guard let classSchema = try classOfNone(context).flatMap({ store.schema.classSchema($0) })
    else { return 0 }
    for entry in record.entries where classSchema.property(named: entry.name.text) == nil {
      let nearest = nearestName(to: entry.name.text, in: classSchema.properties.map(\.name))
      throw context.failure(
        .library(
          .unknownProperty(entry.name.text, className: classSchema.name, nearest: nearest)),
        at: entry.name.span)
    }
    // Values that would create objects are not evaluated: only their names are validated.
    var rest = record
    rest.entries.removeAll {
      $0.value.makesSomething && classSchema.property(named: $0.name.text) != nil
    }
    let values = try RowRecord(rest, of: try store.objects(classSchema.name), context)
    do {
      try store.check(classSchema.name, try context.contents(values.fixed, of: classSchema))
    } catch let error as HeraldError { throw located(error, context.source, record.span) }
    return 0
  }

  /// `set Card where … {…}`: in the projection's names. Returns the number of objects.
  private func set(
    throughProjectionOf results: DynamicResults, _ context: Context
  ) throws -> Int {
    let names = results.projection?.fields.map(\.name) ?? []
    for entry in record.entries where !names.contains(entry.name.text) {
      throw context.failure(
        .library(
          .unknownField(
            entry.name.text, projection: results.projection?.name ?? "",
            nearest: nearestName(to: entry.name.text, in: names))), at: entry.name.span)
    }
    let objects = try results.objects
    let values = try RowRecord(record, of: results, context.giving(.added))
    let (records, failure) = try values.records(of: objects)
    if let failure { throw failure }
    for (object, record) in zip(objects, records) {
      try context.checkInterruption(record.span)
      if let projection = try results.projected(object) {
        try set(record, through: projection, context)
      }
    }
    return objects.count
  }

  /// `set $card {…}`: in the projection's names. All or nothing, as for an object.
  private func set(
    _ record: RecordSyntax, through projection: DynamicProjection, _ context: Context
  ) throws {
    var before: [NamedContent] = []
    do {
      for entry in record.entries {
        let content = try context.giving(.added).content(
          entry.value, for: try projection.type(of: entry.name.text))
        try context.at(entry.name.span) {
          let old = try projection.content(entry.name.text)
          try projection.set(entry.name.text, to: content)
          before.append((entry.name.text, old))
        }
      }
    } catch {
      for (name, content) in before.reversed() { try projection.set(name, to: content) }
      throw error
    }
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { span.start >= query.span.end }
}

struct AutocommitStatement: StatementForm {
  let isOn: Bool

  func run(in context: Context) { context.shell.isAutocommitting = isOn }
}

extension RecordSyntax {
  /// Whether each evaluation creates new objects or identifiers.
  fileprivate var makesSomething: Bool { entries.contains { $0.value.makesSomething } }
}

extension ExpressionSyntax {
  fileprivate var makesSomething: Bool {
    switch kind {
    case .record, .generated: true
    case .list(let elements): elements.contains(where: \.makesSomething)
    case .literal, .path, .arithmetic, .subquery, .call, .fallback, .duration, .query, .test,
      .projection:
      false
    }
  }
}
