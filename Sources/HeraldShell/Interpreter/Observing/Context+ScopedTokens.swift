import Herald

extension Context {
  /// Gives a variable a value. A token that it held ends.
  ///
  /// Errors: a variable of an observer's block, which the event has set.
  func bind(_ name: Name, _ variable: Variable) throws {
    if locals[name.text] != nil {
      throw failure(.notAssignable("$" + name.text), at: name.span)
    }
    try endToken(name.text)
    shell.variables[name.text] = variable
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
