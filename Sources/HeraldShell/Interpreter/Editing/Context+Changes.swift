import Herald

extension Context {
  /// Calls `body` in the session's open transaction, or in one of its own.
  func change<R>(_ body: (DynamicStore) throws -> R) throws -> R {
    let store = try self.store
    if store.isInWrite {
      do {
        return try partOfWrite(session, store, body)
      } catch {
        shell.endWrite(of: session, store, stoppedBy: error)
        throw error
      }
    }
    guard shell.isAutocommitting else { throw HeraldError.notInWrite }
    return try shell.naming(session) {
      try store.write(waiting: false) { try partOfWrite(session, store, body) }
    }
  }

  /// In a transaction that stays open, nested objects that literals added are removed if `body` fails.
  private func partOfWrite<R>(
    _ session: ShellSession, _ store: DynamicStore, _ body: (DynamicStore) throws -> R
  ) throws -> R {
    let before = session.addedNested.count
    session.changesRunning += 1
    defer {
      session.changesRunning -= 1
      session.addedNested.removeLast(session.addedNested.count - before)
    }
    do {
      return try body(store)
    } catch {
      if !shell.isInterruption(error) {
        for object in session.addedNested[before...].reversed() where object.isValid {
          try? store.delete(object)
        }
      }
      throw error
    }
  }

  func add(_ addition: Addition) throws {
    let added = try change { store in
      var added: [DynamicObject] = []
      added.reserveCapacity(addition.records.count)
      do {
        for record in addition.records {
          try checkInterruption(record.span)
          added.append(try add(record, addition, store))
        }
      } catch {
        // In a transaction that stays open, this statement is undone: all or nothing.
        if !addition.isUpsert, !shell.isInterruption(error) {
          for object in added.reversed() { try? store.delete(object) }
        }
        throw error
      }
      return added
    }
    if let name = addition.variable {
      if addition.records.count == 1, let object = added.first {
        try bind(name, .object(HeldObject(object)))
      } else {
        try bind(name, .values(added.map { .link($0.id) }))
      }
    }
    confirm(.added, added.count) { self.added(added) }
  }

  private func add(
    _ record: RecordSyntax, _ addition: Addition, _ store: DynamicStore
  ) throws -> DynamicObject {
    var inner = giving(.added)
    inner.isUpserting = addition.isUpsert
    let classSchema = store.schema.classSchema(named: addition.className.text)
    let contents = try inner.contents(record, of: classSchema)
    do {
      return addition.isUpsert
        ? try store.upsert(addition.className.text, contents)
        : try store.add(addition.className.text, contents)
    } catch let error as HeraldError {
      throw additionError(error, className: addition.className, record)
    }
  }

  /// Reports an error at the class or in the record that failed, not in those before it.
  func additionError(_ error: HeraldError, className: Name, _ record: RecordSyntax) -> ShellError {
    if case .unknownClass = error {
      return ShellError(.library(error), source, className.span)
    }
    return located(error, source, record.span)
  }

  private func added(_ objects: [DynamicObject]) -> String {
    objects.count == 1
      ? "added \(name(of: objects[0].label))" : "added \(objects.count) objects"
  }

  func addNew(_ name: Name, _ variable: Name?) throws {
    guard case .newObject(let new)? = locals[name.text] ?? shell.variables[name.text] else {
      throw ShellError(.notANewObject(name.text), source, name.span)
    }
    let object = try change { store in
      try at(name.span) { try store.add(new) }
    }
    try bind(variable ?? name, .object(HeldObject(object)))
    confirm(.added, 1) { self.added([object]) }
  }

  /// `set $max {…}`, `set Dog where … {…}`.
  func setAll(_ query: QuerySyntax, _ record: RecordSyntax) throws {
    if case .path(let path) = query.origin, query.tail == nil, path.steps.isEmpty,
      let new = newObject(path)
    {
      return try set(new, record)
    }
    let count = try change { store in
      switch try resolve(query) {
      case .projection(let projection):
        try set(record, through: projection)
        return 1
      case .results(let results) where results.projection != nil:
        return try set(record, throughProjectionOf: results)
      case .results, .collection, .value, .values, .object, .newObject, .elements: break
      }
      let objects = try objects(query)
      if objects.isEmpty { try check(record, for: query, store) }
      var shared: [NamedContent]?
      for object in objects {
        try checkInterruption(record.span)
        let given =
          try shared ?? giving(.added).contents(record, of: object.classSchema)
        // Each object gets its own embedded objects and its own generated identifiers.
        if !record.makesSomething { shared = given }
        do { try object.set(given) } catch { throw located(error, source, record.span) }
      }
      return objects.count
    }
    confirm(.changed, count) { ChangeSummary.text(.changed, count) }
  }

  /// The values are validated even if the query matches nothing.
  private func check(_ record: RecordSyntax, for query: QuerySyntax, _ store: DynamicStore) throws {
    let classID: ClassID? =
      switch try resolve(query) {
      case .results(let results): results.classID
      case .collection(let collection): collection.property.type.linkedClass
      case .value, .values, .object, .newObject, .elements, .projection: nil
      }
    guard let classID, let classSchema = store.schema.classSchema(classID) else { return }
    // Values that would create objects are not evaluated: only their names are validated.
    var rest = record
    rest.entries.removeAll {
      $0.value.makesSomething && classSchema.property(named: $0.name.text) != nil
    }
    do {
      try store.check(classSchema.name, try contents(rest, of: classSchema))
    } catch let error as HeraldError {
      throw located(error, source, record.span)
    }
  }

  /// `set Card where … {…}`: in the projection's names. Returns the number of objects.
  private func set(
    _ record: RecordSyntax, throughProjectionOf results: DynamicResults
  ) throws -> Int {
    let names = results.projection?.fields.map(\.name) ?? []
    for entry in record.entries where !names.contains(entry.name.text) {
      throw ShellError(
        .library(
          .unknownField(
            entry.name.text, projection: results.projection?.name ?? "",
            nearest: nearestName(to: entry.name.text, in: names))),
        source, entry.name.span)
    }
    let objects = try results.objects
    for object in objects {
      try checkInterruption(record.span)
      if let projection = try results.projected(object) {
        try set(record, through: projection)
      }
    }
    return objects.count
  }

  /// `set $card {…}`: in the projection's names. All or nothing, as for an object.
  private func set(_ record: RecordSyntax, through projection: DynamicProjection) throws {
    var before: [NamedContent] = []
    do {
      for entry in record.entries {
        let content = try giving(.added).content(
          entry.value, for: try projection.type(of: entry.name.text))
        try at(entry.name.span) {
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

  func delete(_ query: QuerySyntax) throws {
    guard try isDeletionWanted(query) else { return confirm { "nothing was deleted" } }
    let count = try change { store in
      let objects = try objects(query)
      try store.delete(objects) { try checkInterruption(query.span) }
      return objects.count
    }
    confirm(.deleted, count) { ChangeSummary.text(.deleted, count) }
  }

  private func isDeletionWanted(_ query: QuerySyntax) throws -> Bool {
    guard shell.options.confirms != nil, case .results(let results) = try resolve(query) else {
      return true
    }
    return try isDeletionWanted(results) { "Delete \($0) objects? y/N " }
  }

  /// Asks at a prompt whether to delete very many objects; true elsewhere.
  func isDeletionWanted(_ results: DynamicResults, _ question: (Int) -> String) throws -> Bool {
    guard let confirms = shell.options.confirms, isTopLevel, shell.filesBeingRead.isEmpty,
      try results.count > Self.deletionLimit
    else { return true }
    shell.output.flush()
    return confirms(question(try results.count))
  }

  /// The number of objects that a statement deletes without a question.
  private static let deletionLimit = 1_000

  /// The objects of a class, a collection or a single object.
  func objects(_ query: QuerySyntax) throws -> [DynamicObject] {
    let resolved = try resolve(query)
    let values: [Value]
    switch resolved {
    case .object(let object): return [object]
    case .results(let results): return try results.objects
    case .collection(let collection): values = collection.values
    case .values(let given): values = given
    case .elements(let elements): values = try elements.values
    case .projection(let projection): return [projection.object]
    case .newObject:
      let what = source.text(query.span)
      throw ShellError(.library(.objectNotAdded(what)), source, query.span)
    case .value:
      let what = source.text(query.span)
      throw ShellError(.notAnObject(what, found: resolved.kind), source, query.span)
    }
    return try values.map { value in
      guard case .object(let object) = try element(value) else {
        let what = source.text(query.span)
        throw ShellError(.notAnObject(what, found: "a list of values"), source, query.span)
      }
      return object
    }
  }

  /// Reports errors of the library at the value that they are about, or else at `span`.
  func at<R>(
    _ span: SourceSpan, giving values: [ExpressionSyntax],
    _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch let error as HeraldError {
      let position = error.span(inGiven: values, source) ?? span
      throw ShellError(.library(error), source, position)
    }
  }

  /// Reports errors of the library at `span`.
  func at<R>(_ span: SourceSpan, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as HeraldError {
      throw ShellError(.library(error), source, span)
    }
  }
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
    case .literal, .path, .arithmetic, .subquery, .measured, .query, .test, .projection: false
    }
  }
}
