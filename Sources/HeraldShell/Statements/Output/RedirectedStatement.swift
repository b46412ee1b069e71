import Herald

/// `show Dog | sort -r`, `show Dog > "dogs.txt"`: sends the output of one statement to a program or a file.
struct RedirectedStatement: StatementForm {
  /// The destination of the output of a statement.
  enum Destination {
    /// A command for the system's shell, which reads the output.
    case program(Name)
    case file(Name)
  }
  let statement: Statement
  let destination: Destination

  init(_ statement: Statement, _ parser: inout StatementParser) throws(ShellError) {
    self.statement = statement
    let isFile = parser.isSign(">")
    parser.advance()
    destination =
      isFile ? .file(try Self.file(&parser)) : .program(try Self.command(&parser))
  }

  /// Parses the name of a file, which must not look like a value: a comparison in the wrong place would write a file of
  /// that name.
  private static func file(_ parser: inout StatementParser) throws(ShellError) -> Name {
    let isQuoted = parser.token.kind == .string
    if parser.isSign(">") || parser.isSign("=") || parser.isSign("<") {
      throw parser.expected("a file")
    }
    let name = try parser.path()
    let text = parser.source.text(name.span)
    let bytes = Array(text.utf8)
    if !isQuoted, let value = try? QueryParser.parseExpression(bytes, from: 0),
      value.end == bytes.count, value.expression.isValue
    {
      throw parser.failure(.valueAsFile(text), at: name.span)
    }
    return name
  }

  /// A command of the system's shell: the rest of the line, in a block up to the brace that closes it.
  private static func command(_ parser: inout StatementParser) throws(ShellError) -> Name {
    var start = parser.lastEnd
    while start < parser.lexer.limit, Byte.isBlank(parser.bytes[start]) { start += 1 }
    var end = ProgramCommand.end(
      parser.bytes, from: start, to: parser.lexer.limit, isInBlock: parser.openBlocks > 0)
    let next = end
    while end > start, Byte.isBlank(parser.bytes[end - 1]) { end -= 1 }
    let span = SourceSpan(start: start, end: end)
    parser.move(to: next)
    guard end > start else { throw parser.failure(.query("expected a program"), at: span) }
    parser.lastEnd = end
    return Name(text: parser.source.text(span), span: span)
  }

  var isForMain: Bool { statement.form.isForMain }
  /// Its statement is executed, and reads what that needs.
  var objectsRead: ObjectsRead { .none }

  func session(in shell: Interpreter) -> ShellSession? { statement.form.session(in: shell) }

  func run(in context: Context) throws {
    let sink: any OutputSink
    switch destination {
    case .program(let command):
      context.shell.output.flush()
      guard let program = context.shell.output.sink.program(command.text) else {
        throw context.failure(.cannotStart(command.text), at: command.span)
      }
      sink = program
    case .file(let path): sink = try context.writing(path) { try FileSink(path.text) }
    }
    try redirect(to: sink, context)
    switch destination {
    case .program(let command):
      let status = try sink.finish()
      // The shell's statuses for a program that it cannot find or run.
      if status == 126 || status == 127 {
        throw context.failure(.cannotStart(command.text), at: command.span)
      }
    case .file(let path): _ = try context.writing(path) { try sink.finish() }
    }
  }

  private func redirect(to sink: any OutputSink, _ context: Context) throws {
    let shell = context.shell
    let standard = shell.output
    let wasRedirected = shell.isRedirected
    shell.output = OutputBuffer(sink: sink)
    shell.isRedirected = true
    defer {
      shell.output = standard
      shell.isRedirected = wasRedirected
    }
    do {
      try context.execute(statement)
      shell.output.flush()
    } catch {
      shell.output.discard()
      // A file stays as it was.
      if case .program = destination { _ = try? sink.finish() }
      throw error
    }
  }
}

/// The output of a statement with `> FILE` after it. The file is there when the statement has ended.
private final class FileSink: OutputSink {
  private let file: OutputFile
  private var failure: File.Failure?

  init(_ path: String) throws(File.Failure) { file = try OutputFile(path, allowsDevices: true) }

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    do throws(File.Failure) {
      if failure == nil { try file.write(String(text)) }
    } catch { failure = error }
    return text.endIndex
  }

  func writeError(_ text: String) {}

  var isRead: Bool { failure == nil }

  func finish() throws -> Int32 {
    if let failure { throw failure }
    try file.finish()
    return 0
  }
}

extension ExpressionSyntax {
  /// Whether the text means a value, and not only a word: `0`, `$max.age`, `Dog#3`, `Dog.@count`, `2026-11-22`.
  fileprivate var isValue: Bool {
    switch kind {
    case .literal, .list, .subquery: true
    case .path(let path):
      !path.startsAtRoot || path.hasOperation
    case .arithmetic(let first, let terms):
      first.isValue && terms.allSatisfy(\.operand.isValue)
    case .call(let call): call.arguments.allSatisfy(\.isValue)
    case .fallback(let first, let other): first.isValue && other.isValue
    case .duration: true
    case .record, .generated, .query, .test, .projection: false
    }
  }
}
