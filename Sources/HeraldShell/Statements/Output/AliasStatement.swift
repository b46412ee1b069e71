import Herald

/// `alias ll = show Dog sort(name)`: the text replaces the name at the beginning of later statements.
struct AliasStatement: StatementForm {
  static let command = Command(
    "alias", ["alias NAME = STATEMENT", "alias [NAME]"],
    "name the beginning of a statement, or list these names",
    [
      "In later statements, also in blocks, the name, as their first word, stands for the text: "
        + "after alias ll = show Dog, ll where age > 3 shows these dogs. The text is completed like "
        + "the statement that it begins. Aliases last as long as the shell runs; those in the "
        + "start-up file are there at each prompt."
    ], examples: ["alias ll = show Dog sort(name)", "alias"], parse: Self.parse)

  let name: Name
  let text: String

  private static func parse(
    _ parser: inout StatementParser
  ) throws(ShellError) -> any StatementForm {
    parser.note(.expected("an alias", of: nil))
    if parser.isAtEndOfStatement { return ListAliasesStatement(name: nil) }
    let name = try parser.name("a name")
    if parser.isAtEndOfStatement {
      parser.note(.expected("'='", of: nil))
      return ListAliasesStatement(name: name)
    }
    try parser.take(sign: "=")
    guard !parser.isAtEndOfStatement else { throw parser.expected("a statement") }
    let span = parser.extent(from: parser.token.start)
    if parser.notes != nil {
      // The text may be the beginning of a statement: only what it expects is of interest.
      var inner = parser
      _ = try? inner.statement()
    }
    parser.move(to: span.end)
    return AliasStatement(name: name, text: parser.source.text(span))
  }

  func run(in context: Context) throws {
    guard StatementTable.command(named: name.text) == nil else {
      throw context.failure(.aliasIsCommand(name.text), at: name.span)
    }
    context.shell.aliases[name.text] = text
    context.confirm { "alias \(name.text)" }
  }
}

extension Context {
  /// The name, if there is such an alias.
  fileprivate func alias(_ name: Name) throws -> String {
    if shell.aliases[name.text] != nil { return name.text }
    let nearest = nearestName(to: name.text, in: shell.aliases.keys.sorted())
    throw failure(.unknownAlias(name.text, nearest: nearest), at: name.span)
  }
}

/// `alias`, `alias ll`.
struct ListAliasesStatement: StatementForm {
  let name: Name?

  func run(in context: Context) throws {
    let names = try name.map { [try context.alias($0)] } ?? context.shell.aliases.keys.sorted()
    let found = names.map { ($0, context.shell.aliases[$0] ?? "") }
    context.emit(
      .report(
        found.map { "alias \($0) = \($1)" },
        .map(found.map { OutputValue.Field($0, .string($1)) })))
  }
}

/// `unalias ll`.
struct RemoveAliasStatement: StatementForm {
  static let command = Command(
    "unalias", ["unalias NAME"], "remove an alias",
    parse: { parser throws(ShellError) in Self(name: try parser.name("an alias")) })

  let name: Name

  func run(in context: Context) throws {
    context.shell.aliases[try context.alias(name)] = nil
    context.confirm { "removed alias \(name.text)" }
  }
}
