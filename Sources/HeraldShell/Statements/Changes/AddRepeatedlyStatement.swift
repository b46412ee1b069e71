import Herald

/// Several `add` statements of one shape, whose texts the span has one after the other: executed as if each had been
/// parsed.
struct AddRepeatedlyStatement: StatementForm {
  let shape: AdditionShape

  var isSeveral: Bool { true }

  func run(in context: Context) throws {
    let shell = context.shell
    // At a prompt each is confirmed.
    guard !shell.options.isInteractive, let store = context.session.store,
      store.isInWrite || shell.isAutocommitting
    else {
      return try forEachStatement(of: shape, context.span, context) { _, statement in
        try executeParsed(statement, context)
      }
    }
    // Additions do not change the schema.
    let addition = store.isInWrite ? repeatedAddition(shape, store, context) : nil
    try forEachStatement(of: shape, context.span, context) { values, statement in
      try context.checkInterruption(statement)
      do {
        if let addition {
          try add(values, addition, statement, store, context)
        } else {
          try shell.naming(context.session) {
            try store.write(waiting: false) {
              try add(values, repeatedAddition(shape, store, context), statement, store, context)
            }
          }
        }
        try store.checkIntact()
      } catch {
        throw located(error, context.source, statement).failing(statement, of: context.source)
      }
    }
  }

  /// Adds the object of a statement in the open transaction.
  private func add(
    _ values: UnsafeBufferPointer<PlainValue>, _ addition: RepeatedAddition,
    _ statement: SourceSpan, _ store: DynamicStore, _ context: Context
  ) throws {
    do {
      if try addition.add(values) { return }
    } catch let error as HeraldError {
      context.shell.endWrite(of: context.session, store, stoppedBy: error)
      throw located(error, context.source, addition.shape.record(in: statement))
    }
    try executeParsed(statement, context)
  }

  private func repeatedAddition(
    _ shape: AdditionShape, _ store: DynamicStore, _ context: Context
  ) -> RepeatedAddition {
    if let last = context.shell.lastAddition, last.adds(shape, to: store) { return last }
    let new = RepeatedAddition(shape, store)
    context.shell.lastAddition = new
    return new
  }

  /// Calls `body` with the values and the span of each statement.
  private func forEachStatement(
    of shape: AdditionShape, _ span: SourceSpan, _ context: Context,
    _ body: (UnsafeBufferPointer<PlainValue>, SourceSpan) throws -> Void
  ) throws {
    let count = shape.properties.count
    try context.source.bytes.withUnsafeBufferPointer { bytes in
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
  private func executeParsed(_ span: SourceSpan, _ context: Context) throws {
    var parser = StatementParser(context.source, from: span.start)
    guard let statement = try parser.next() else { return }
    try context.execute(statement)
  }
}
