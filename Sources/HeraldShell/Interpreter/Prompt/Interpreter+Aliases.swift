import Herald

extension Context {
  /// `alias ll = show Dog sort(name)`: the text replaces the name at the beginning of later statements.
  func setAlias(_ name: Name, to text: String) throws {
    guard StatementWord(rawValue: name.text) == nil else {
      throw ShellError(.aliasIsCommand(name.text), source, name.span)
    }
    shell.aliases[name.text] = text
    confirm { "alias \(name.text)" }
  }

  func listAliases(_ name: Name?) throws {
    let names = try name.map { [try alias($0)] } ?? shell.aliases.keys.sorted()
    let found = names.map { ($0, shell.aliases[$0] ?? "") }
    emit(
      .report(
        found.map { "alias \($0) = \($1)" },
        .map(found.map { OutputValue.Field(name: $0, value: .plain(.string($1))) })))
  }

  func removeAlias(_ name: Name) throws {
    shell.aliases[try alias(name)] = nil
    confirm { "removed alias \(name.text)" }
  }

  /// The name, if there is such an alias.
  private func alias(_ name: Name) throws -> String {
    if shell.aliases[name.text] != nil { return name.text }
    let nearest = nearestName(to: name.text, in: shell.aliases.keys.sorted())
    throw ShellError(.unknownAlias(name.text, nearest: nearest), source, name.span)
  }
}

extension Interpreter {
  /// The statement with its alias replaced; nil if it begins with none.
  func expanded(_ source: Source, _ statement: SourceSpan) -> Source? {
    guard !aliases.isEmpty else { return nil }
    // The name needs something after it, because at the end it could be incomplete.
    let text = Array(source.bytes[statement.start..<statement.end]) + [Byte.newline]
    let expansion = AliasExpansion(text, aliases: aliases)
    guard !expansion.replaced.isEmpty else { return nil }
    return Source(
      name: source.name, bytes: expansion.bytes, path: source.path,
      firstLine: source.position(of: statement.start).line)
  }
}
