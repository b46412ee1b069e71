import Herald

extension Context {
  /// Gives a variable a value. A token that it held ends.
  ///
  /// Errors: a variable of an observer's block, which the event has set.
  func bind(_ name: Name, _ variable: Variable) throws {
    if locals[name.text] != nil {
      throw ShellError(.notAssignable("$" + name.text), source, name.span)
    }
    try endToken(name.text)
    shell.variables[name.text] = variable
  }

  /// `let $t = observe Dog`: the token is called `t`, and lives as long as `$t` holds it, within its block.
  func bindToken(_ name: Name, _ syntax: ObserveSyntax, _ span: SourceSpan) throws {
    if locals[name.text] != nil {
      throw ShellError(.notAssignable("$" + name.text), source, name.span)
    }
    var named = syntax
    named.name = name
    let old = shell.scopedTokens[name.text]
    let record = try observe(named, replacing: old, span)
    if let old { try end(old) }
    shell.scopedTokens[name.text] = record
    shell.variables[name.text] = .value(.string(name.text))
    block?.names.insert(name.text)
  }

  /// Ends the tokens of a block that their variables still hold, and with them the variables.
  func endTokens(of block: BlockTokens) {
    for name in block.names where shell.scopedTokens[name] != nil {
      try? endToken(name)
      shell.variables[name] = nil
    }
  }

  /// Ends the token that a variable holds, silently.
  private func endToken(_ name: String) throws {
    guard let record = shell.scopedTokens.removeValue(forKey: name) else { return }
    try end(record)
  }
}
