import Herald

extension Context {
  /// `edit`, `edit NAME`: opens the user's editor on the last statement, an alias, a query or a projection,
  /// and runs what was saved.
  func edit(_ name: Name?, _ span: SourceSpan) throws {
    guard let edit = shell.options.edit, shell.filesBeingRead.isEmpty, isTopLevel else {
      throw ShellError(.needsPrompt("edit"), source, span)
    }
    let text = try name.map { try editedText($0) } ?? lastStatement
    shell.output.flush()
    switch edit(text) {
    case .saved(let text):
      let statement = text.trimmed
      guard !statement.isEmpty else { return }
      shell.options.remember?(statement)
      try shell.runStatements(of: Source(name: "edit", text: statement), on: session)
    case .notSaved: confirm { "nothing was saved, so nothing runs" }
    case .failed(let reason):
      throw ShellError(.cannotEdit(reason: reason), source, span)
    }
  }

  /// The last statement that was typed and is not `edit` itself.
  private var lastStatement: String {
    let isEdit = { (text: String) in text == "edit" || text.hasPrefix("edit ") }
    return shell.options.history?().last { !isEdit($0) } ?? ""
  }

  private func editedText(_ name: Name) throws -> String {
    if let text = shell.aliases[name.text] { return "alias \(name.text) = \(text)" }
    let schema = try store.schema
    if let query = schema.definitions.first(where: { $0.name == name.text }) {
      return replacing(name.text, by: LiteralText.text(query))
    }
    if let projection = schema.projections.first(where: { $0.name == name.text }) {
      return replacing(name.text, by: LiteralText.text(projection))
    }
    let names =
      shell.aliases.keys.sorted() + schema.definitions.map(\.name) + schema.projections.map(\.name)
    throw ShellError(
      .notEditable(name.text, nearest: nearestName(to: name.text, in: names)), source,
      name.span)
  }

  /// The statements that replace the definition of a name, all or none.
  private func replacing(_ name: String, by definition: String) -> String {
    let lines = definition.split(separator: "\n").map { "  \($0)\n" }.joined()
    return "write {\n  drop \(name)\n\(lines)}"
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.last?.isWhitespace ?? false { rest.removeLast() }
    while rest.first?.isNewline ?? false { rest.removeFirst() }
    return String(rest)
  }
}
