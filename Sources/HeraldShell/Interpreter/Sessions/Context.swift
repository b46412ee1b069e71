import Herald

/// The environment of a statement: the shell, the text that it stands in, its session, and how values are used.
struct Context {
  unowned let shell: Interpreter
  var source: Source
  /// Where the statement is in its source.
  var span = SourceSpan(start: 0, end: 0)
  var session: ShellSession
  /// `$rows`, `$object` and the like, inside a `do` block.
  var locals: [String: Variable] = [:]
  /// Whether nested objects in literals also update those with the same key, as in `upsert`.
  var isUpserting = false
  /// The treatment of an object that is not in a store where a value is needed.
  var newObjects = NewObjectUse.refused
  /// The tokens that end with the enclosing block; nil at top level.
  var block: BlockTokens?
  /// Whether turns end after each statement, as in a script.
  var isTopLevel = false

  init(_ shell: Interpreter, _ source: Source, _ session: ShellSession) {
    self.shell = shell
    self.source = source
    self.session = session
  }
}

/// The variables of a block that hold its tokens.
final class BlockTokens {
  var names: Set<String> = []
}

extension Context {
  /// The context's session's view of the store.
  var store: DynamicStore { get throws { try shell.store(of: session) } }

  var scope: VariableScope { VariableScope(shared: shell.variables, local: locals) }

  func emit(_ line: OutputLine) { shell.emit(line) }

  /// The error at a place in the text of the statement.
  func failure(_ diagnostic: Diagnostic, at span: SourceSpan) -> ShellError {
    ShellError(diagnostic, source, span)
  }

  /// The error that something else is at a place in the text.
  func expected(_ what: String, at span: SourceSpan) -> ShellError {
    failure(.expected(what, found: "'\(source.text(span))'"), at: span)
  }

  /// Reports errors without a place at `span`.
  func locating<R>(_ span: SourceSpan?, _ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw span.map { located(error, source, $0) } ?? error }
  }

  func confirm(_ text: () -> String) { shell.confirm(text) }

  /// The same context at an earlier version of the store.
  func past(_ store: DynamicStore) -> Context {
    var context = self
    context.session = session.at(store)
    return context
  }

  /// The same context, for a statement that assigns values to objects.
  func giving(_ use: NewObjectUse) -> Context {
    var context = self
    context.newObjects = use
    return context
  }
}
