import Herald

extension Context {
  /// Executes `add` statements of one shape, one after the other, as if each had been parsed.
  func addRepeatedly(_ shape: AdditionShape, _ span: SourceSpan) throws {
    // At a prompt each is confirmed.
    guard !shell.options.isInteractive, let store = session.store,
      store.isInWrite || shell.isAutocommitting
    else {
      return try forEachStatement(of: shape, span) { _, statement in
        try executeParsed(statement)
      }
    }
    // Additions do not change the schema.
    let addition = store.isInWrite ? repeatedAddition(shape, store) : nil
    try forEachStatement(of: shape, span) { values, statement in
      try checkInterruption(statement)
      do {
        if let addition {
          try add(values, addition, statement, store)
        } else {
          try shell.naming(session) {
            try store.write(waiting: false) {
              try add(values, repeatedAddition(shape, store), statement, store)
            }
          }
        }
        try store.checkIntact()
      } catch {
        throw located(error, source, statement).failing(statement, of: source)
      }
    }
  }

  /// Executes `add` statements that the source keeps in a file, with their own lines in errors.
  func addSpooled(_ additions: SpooledAdditions, _ span: SourceSpan) throws {
    let whole = source
    var inner = self
    var line = whole.firstLine(of: additions)
    do {
      try additions.forEachPart { bytes in
        let part = Source(name: whole.name, bytes: bytes, path: whole.path, firstLine: line)
        line += bytes.count(where: { $0 == Byte.newline })
        inner.source = part
        if let shape = additions.shape {
          let start = bytes.withUnsafeBufferPointer {
            AdditionShape.startOfStatement($0, after: 0, bytes.count)
          }
          return try inner.addRepeatedly(shape, SourceSpan(start: start, end: bytes.count))
        }
        var parser = StatementParser(part)
        while let statement = try parser.next() {
          if case .addRepeatedly(let shape) = statement.kind {
            try inner.addRepeatedly(shape, statement.span)
          } else {
            try inner.execute(statement)
          }
        }
      }
    } catch let failure as File.Failure {
      throw ShellError(.unreadableScript(path: whole.name, reason: failure.reason), whole, span)
    }
  }

  /// Adds the object of a statement in the open transaction.
  private func add(
    _ values: UnsafeBufferPointer<PlainValue>, _ addition: RepeatedAddition,
    _ statement: SourceSpan, _ store: DynamicStore
  ) throws {
    do {
      if try addition.add(values) { return }
    } catch let error as HeraldError {
      shell.endWrite(of: session, store, stoppedBy: error)
      throw located(error, source, addition.shape.record(in: statement))
    }
    try executeParsed(statement)
  }

  private func repeatedAddition(_ shape: AdditionShape, _ store: DynamicStore) -> RepeatedAddition {
    if let last = shell.lastAddition, last.adds(shape, to: store) { return last }
    let new = RepeatedAddition(shape, store)
    shell.lastAddition = new
    return new
  }

  /// Calls `body` with the values and the span of each statement.
  private func forEachStatement(
    of shape: AdditionShape, _ span: SourceSpan,
    _ body: (UnsafeBufferPointer<PlainValue>, SourceSpan) throws -> Void
  ) throws {
    let count = shape.properties.count
    try source.bytes.withUnsafeBufferPointer { bytes in
      try withUnsafeTemporaryAllocation(of: PlainValue.self, capacity: count) { values in
        guard let base = values.baseAddress else { return }
        var start = span.start
        while start < span.end, let end = shape.end(of: bytes, from: start, to: bytes.count, base) {
          try body(UnsafeBufferPointer(values), SourceSpan(start: start, end: end))
          start = AdditionShape.startOfStatement(bytes, after: end, bytes.count)
        }
      }
    }
  }

  /// Parses and executes a statement whose text has been parsed before, and so has no mistake.
  private func executeParsed(_ span: SourceSpan) throws {
    var parser = StatementParser(source, from: span.start)
    guard let statement = try parser.next() else { return }
    try execute(statement)
  }
}

/// Adds the objects of `add` statements of one shape to an open transaction.
final class RepeatedAddition {
  let shape: AdditionShape
  private let store: DynamicStore
  private let schema: Schema
  private let insertion: RowInsertion?
  /// Whether each literal means the same whatever the type of its property.
  private let isUndirected: Bool

  /// `store` has an open transaction.
  init(_ shape: AdditionShape, _ store: DynamicStore) {
    self.shape = shape
    self.store = store
    schema = store.schema
    insertion = store.insertion(of: shape.className.text, shape.properties)
    let classSchema = schema.classSchema(named: shape.className.text)
    isUndirected = shape.properties.allSatisfy {
      classSchema?.property(named: $0).map { $0.type.isUndirected } ?? false
    }
  }

  /// Whether it adds the objects of a shape to a store, whose schema is still the same.
  func adds(_ shape: AdditionShape, to store: DynamicStore) -> Bool {
    self.shape === shape && self.store === store && schema.isIdentical(to: store.schema)
  }

  /// Adds an object; returns false, and changes nothing, if the statement must be parsed to add it or to report what is
  /// wrong.
  func add(_ values: UnsafeBufferPointer<PlainValue>) throws -> Bool {
    if try insertion?.add(values) != nil { return true }
    guard isUndirected else { return false }
    let contents = zip(shape.properties, values).map { NamedContent($0, .value($1.value)) }
    do {
      _ = try store.add(shape.className.text, contents)
      return true
    } catch is HeraldError {
      return false
    }
  }
}

extension PropertyType {
  /// Whether a plain literal has one value whatever the type: others of its forms count for a decimal.
  fileprivate var isUndirected: Bool {
    guard shape == .single else { return false }
    switch element {
    case .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectID: return true
    case .decimal, .any, .link: return false
    }
  }
}
