import Herald

/// `edit`, `edit NAME`: opens the user's editor on the last statement, an alias, a query or a projection,
/// and runs what was saved.
struct EditStatement: StatementForm {
  static let command = Command(
    "edit", ["edit [NAME]"], "edit a statement in your editor, and run what was saved",
    [
      "The editor is $VISUAL, or else $EDITOR, or else vi. It opens the last statement, or with NAME "
        + "an alias, a defined query or a projection. If nothing was saved, nothing runs. Only at "
        + "a prompt."
    ],
    parse: { parser throws(ShellError) in
      EditStatement(name: try parser.optionalName("an alias, a query or a projection"))
    })

  let name: Name?

  func run(in context: Context) throws {
    let shell = context.shell
    guard let edit = shell.options.edit, shell.filesBeingRead.isEmpty, context.isTopLevel else {
      throw context.failure(.needsPrompt("edit"), at: context.span)
    }
    let text = try name.map { try editedText($0, context) } ?? lastStatement(context)
    shell.output.flush()
    switch edit(text) {
    case .saved(let text):
      let statement = text.trimmed
      guard !statement.isEmpty else { return }
      shell.options.remember?(statement)
      try shell.runStatements(of: Source(name: "edit", text: statement), on: context.session)
    case .notSaved: context.confirm { "nothing was saved, so nothing runs" }
    case .failed(let reason):
      throw context.failure(.cannotEdit(reason: reason), at: context.span)
    }
  }

  /// The last statement that was typed and is not `edit` itself.
  private func lastStatement(_ context: Context) -> String {
    let isEdit = { (text: String) in text == "edit" || text.hasPrefix("edit ") }
    return context.shell.options.history?().last { !isEdit($0) } ?? ""
  }

  private func editedText(_ name: Name, _ context: Context) throws -> String {
    if let text = context.shell.aliases[name.text] { return "alias \(name.text) = \(text)" }
    let schema = try context.store.schema
    if let query = schema.definitions.first(where: { $0.name == name.text }) {
      return replacing(name.text, by: LiteralText.text(query))
    }
    if let projection = schema.projections.first(where: { $0.name == name.text }) {
      return replacing(name.text, by: LiteralText.text(projection))
    }
    let names =
      context.shell.aliases.keys.sorted() + schema.definitions.map(\.name)
      + schema.projections.map(\.name)
    throw context.failure(
      .notEditable(name.text, nearest: nearestName(to: name.text, in: names)),
      at: name.span)
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
