import Herald

extension Interpreter {
  /// Gives a variable a value. A token that it held ends.
  ///
  /// Errors: a variable of an observer's block, which the event has set.
  func bind(_ name: Name, _ variable: Variable, _ context: Context) throws {
    if context.locals[name.text] != nil {
      throw ShellError(.notAssignable("$" + name.text), context.source, name.span)
    }
    try endToken(name.text, context)
    variables[name.text] = variable
  }

  /// `let $t = observe Dog`: the token is called `t`, and lives as long as `$t` holds it, within its block.
  func bindToken(
    _ name: Name, _ syntax: ObserveSyntax, _ span: SourceSpan, _ context: Context
  ) throws {
    if context.locals[name.text] != nil {
      throw ShellError(.notAssignable("$" + name.text), context.source, name.span)
    }
    var named = syntax
    named.name = name
    let old = scopedTokens[name.text]
    let record = try observe(named, replacing: old, span, context)
    if let old { try end(old, context) }
    scopedTokens[name.text] = record
    variables[name.text] = .value(.string(name.text))
    context.block?.names.insert(name.text)
  }

  /// Ends the tokens of a block that their variables still hold, and with them the variables.
  func endTokens(of block: BlockTokens, _ context: Context) {
    for name in block.names where scopedTokens[name] != nil {
      try? endToken(name, context)
      variables[name] = nil
    }
  }

  /// Ends the token that a variable holds, silently.
  private func endToken(_ name: String, _ context: Context) throws {
    guard let record = scopedTokens.removeValue(forKey: name) else { return }
    try end(record, context)
  }
}
