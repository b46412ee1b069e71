import Herald

extension Interpreter {
  /// Does `body` in the session's open write, or in a transaction of its own.
  func change<R>(_ context: Context, _ body: (Store) throws -> R) throws -> R {
    let store = try store(context)
    if store.isInWrite { return try body(store) }
    guard isAutocommitting else { throw HeraldError.notInWrite }
    return try naming(context.session) {
      try store.write(waiting: false) { try body(store) }
    }
  }

  /// Names the session that has the write open which is in the way.
  func naming<R>(_ session: Session, _ body: () throws -> R) throws -> R {
    session.blocksRunning += 1
    defer { session.blocksRunning -= 1 }
    do {
      return try body()
    } catch HeraldError.writerBusy {
      let other = sessions.first { $0 !== session && $0.store?.isInWrite == true }
      guard let other else { throw HeraldError.writerBusy }
      throw Complaint.writerBusy(session: other.name)
    }
  }

  func add(_ addition: Addition, _ context: Context) throws {
    let added = try change(context) { store in
      var added: [Object] = []
      added.reserveCapacity(addition.records.count)
      do {
        for record in addition.records {
          try checkInterruption(context, record.span)
          added.append(try add(record, addition, store, context))
        }
      } catch {
        // In a write that goes on, what this statement did is taken back: all or nothing.
        if !addition.isUpsert { for object in added.reversed() { try? store.delete(object) } }
        throw error
      }
      return added
    }
    if let name = addition.variable {
      if addition.records.count == 1, let object = added.first {
        variables[name.text] = .object(object.id)
      } else {
        variables[name.text] = .values(added.map { .link($0.id) })
      }
    }
    confirm { self.added(added) }
  }

  private func add(
    _ record: Record, _ addition: Addition, _ store: Store, _ context: Context
  ) throws -> Object {
    let contents = try contents(record, context)
    do {
      return addition.isUpsert
        ? try store.upsert(addition.className.text, contents)
        : try store.add(addition.className.text, contents)
    } catch let error as HeraldError {
      throw place(error, className: addition.className, record, context)
    }
  }

  /// At the class or in the record that failed, not in those before it.
  private func place(
    _ error: HeraldError, className: Name, _ record: Record, _ context: Context
  ) -> ShellError {
    if case .unknownClass = error {
      return ShellError(.library(error), context.source, className.span)
    }
    return placed(error, context.source, record.span)
  }

  private func added(_ objects: [Object]) -> String {
    objects.count == 1
      ? "added \(name(of: objects[0].label))" : "added \(objects.count) objects"
  }

  func addNew(_ name: Name, _ variable: Name?, _ context: Context) throws {
    guard case .newObject(let new)? = context.locals[name.text] ?? variables[name.text] else {
      throw ShellError(.notAVariable(name.text), context.source, name.span)
    }
    let object = try change(context) { store in try store.add(new) }
    variables[(variable ?? name).text] = .object(object.id)
    confirm { self.added([object]) }
  }

  func makeNew(
    _ className: Name, _ record: Record, _ variable: Name, _ context: Context
  ) throws {
    let contents = try contents(record, context)
    do {
      variables[variable.text] = .newObject(
        try NewObject(className.text, contents, in: try store(context)))
    } catch let error as HeraldError {
      throw place(error, className: className, record, context)
    }
  }

  /// `$max.age = 4`, `$max.age += 1`, `$p.dogs[1] = $b`.
  func assign(
    _ place: Place, _ sign: AssignmentSign, _ expression: Expression, _ context: Context
  ) throws {
    guard let last = place.steps.last else {
      throw ShellError(
        .notAssignable(context.source.text(place.span)), context.source, place.span)
    }
    try changeUnlessNew(place, context) { owner in
      switch last {
      case .property(let name):
        let content = try changed(place, sign, expression, context)
        switch owner {
        case .object(let object): try object.set(name.text, to: content)
        case .newObject(let object): try object.set(name.text, to: content)
        case .value, .values, .list, .results:
          let span = SourceSpan(start: place.span.start, end: name.span.start - 1)
          throw ShellError(
            .noPath(context.source.text(span), found: owner.kind), context.source, span)
        }
      case .index(let index):
        guard case .list(let list) = owner else {
          throw ShellError(
            .notAssignable(context.source.text(place.span)), context.source, place.span)
        }
        let row = try row(index, context)
        guard case .value(let value) = try changed(place, sign, expression, context) else {
          throw ShellError(
            .expected("a single value", found: "a list"), context.source, expression.span)
        }
        try at(index.span, context) { try list.replace(at: row, with: value) }
      }
    }
    confirm { "changed" }
  }

  /// A change of an object that is in no store needs no transaction.
  private func changeUnlessNew(
    _ place: Place, _ context: Context, _ body: (Resolved) throws -> Void
  ) throws {
    if case .variable(let name) = place.base, place.steps.count == 1,
      case .newObject(let new)? = context.locals[name.text] ?? variables[name.text],
      new.added == nil
    {
      return try body(.newObject(new))
    }
    try change(context) { _ in try body(try resolveOwner(of: place, context)) }
  }

  private func changed(
    _ place: Place, _ sign: AssignmentSign, _ expression: Expression, _ context: Context
  ) throws -> PropertyContent {
    if sign == .set { return try content(expression, context) }
    let place = Expression(kind: .place(place), span: place.span)
    let (old, by) = (try value(place, context), try value(expression, context))
    guard let value = sign.value(old, by) else {
      throw ShellError(
        .notNumbers(context.source.text(place.span)), context.source, expression.span)
    }
    return .value(value)
  }

  /// `set $max {…}`, `set Dog where … {…}`.
  func setAll(_ query: Query, _ record: Record, _ context: Context) throws {
    if case .place(let place) = query.origin, query.tail == nil,
      case .variable(let name) = place.base, place.steps.isEmpty,
      case .newObject(let new)? = context.locals[name.text] ?? variables[name.text],
      new.added == nil
    {
      for (name, content) in try contents(record, context) { try new.set(name, to: content) }
      return
    }
    let count = try change(context) { store in
      let objects = try objects(query, context)
      let contents = try contents(record, context)
      for object in objects {
        try checkInterruption(context, record.span)
        do { try object.set(contents) } catch { throw placed(error, context.source, record.span) }
      }
      return objects.count
    }
    confirm { "changed \(count) object\(count == 1 ? "" : "s")" }
  }

  func delete(_ query: Query, _ context: Context) throws {
    let count = try change(context) { store in
      let objects = try objects(query, context)
      for object in objects where object.isValid {
        try checkInterruption(context, query.span)
        try store.delete(object)
      }
      return objects.count
    }
    confirm { "deleted \(count) object\(count == 1 ? "" : "s")" }
  }

  /// The objects that a class, a collection or an object stands for.
  private func objects(_ query: Query, _ context: Context) throws -> [Object] {
    let resolved = try resolve(query, context)
    let values: [Value]
    switch resolved {
    case .object(let object): return [object]
    case .results(let results): return try results.objects
    case .list(let list): values = list.values
    case .values(let given): values = given
    case .value, .newObject:
      let what = context.source.text(query.span)
      throw ShellError(.notAnObject(what, found: resolved.kind), context.source, query.span)
    }
    return try values.map { value in
      guard case .object(let object) = try element(value, context) else {
        let what = context.source.text(query.span)
        throw ShellError(
          .notAnObject(what, found: "a list of values"), context.source, query.span)
      }
      return object
    }
  }

  /// Puts what the library complains of at `span`.
  func at<R>(_ span: SourceSpan, _ context: Context, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as HeraldError {
      throw ShellError(.library(error), context.source, span)
    }
  }
}

extension AssignmentSign {
  /// nil where one of the two is no number, or an integer overflows.
  fileprivate func value(_ old: Value, _ by: Value) -> Value? {
    switch (old, by) {
    case (.int(let old), .int(let by)): return integer(old, by).map(Value.int)
    case (.string(let old), .string(let by)) where self == .add: return .string(old + by)
    case (_, _): break
    }
    guard let old = old.number, let by = by.number else { return nil }
    return switch self {
    case .set: .double(by)
    case .add: .double(old + by)
    case .subtract: .double(old - by)
    case .multiply: .double(old * by)
    case .divide: .double(old / by)
    }
  }

  private func integer(_ old: Int, _ by: Int) -> Int? {
    let (value, overflows) =
      switch self {
      case .set: (by, false)
      case .add: old.addingReportingOverflow(by)
      case .subtract: old.subtractingReportingOverflow(by)
      case .multiply: old.multipliedReportingOverflow(by: by)
      case .divide: old.dividedReportingOverflow(by: by)
      }
    return overflows ? nil : value
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .data, .date, .link: nil
    }
  }
}
