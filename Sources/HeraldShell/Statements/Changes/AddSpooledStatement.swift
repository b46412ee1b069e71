import Herald

/// `add` statements that the source keeps in a file, with their own lines in errors.
struct AddSpooledStatement: StatementForm {
  let additions: SpooledAdditions

  var isSeveral: Bool { true }

  func run(in context: Context) throws {
    let whole = context.source
    var inner = context
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
          inner.span = SourceSpan(start: start, end: bytes.count)
          return try AddRepeatedlyStatement(shape: shape).run(in: inner)
        }
        var parser = StatementParser(part)
        while let statement = try parser.next() { try inner.executeInBlock(statement) }
      }
    } catch let failure as File.Failure {
      throw ShellError(
        .unreadableScript(path: whole.name, reason: failure.reason), whole, context.span)
    }
  }
}
