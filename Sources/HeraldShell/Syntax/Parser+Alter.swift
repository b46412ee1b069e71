import Herald

extension Parser {
  /// `alter Dog { add weight: double = 0; drop nick; rename age to years; name: string? }`
  mutating func altering() throws(ShellError) -> Statement.Kind {
    let className = try name("a class")
    setOwner(PropertyOwner(.declared(className.text)))
    let changes = try braced { parser throws(ShellError) in try parser.alteration() }
    return .alter(AlterSyntax(className: className, changes: changes))
  }

  /// A property may be called as what it is altered by: a `:` behind the word decides.
  private mutating func alteration() throws(ShellError) -> AlterSyntax.Change {
    var ahead = self
    ahead.advance()
    guard !ahead.isSign(Byte.colon) else { return .change(try property()) }
    if takeIf("add") {
      setOwner(nil)
      return .add(try property())
    }
    if takeIf("change") { return .change(try property()) }
    if takeIf("drop") { return .drop(try name("a property")) }
    if takeIf("rename") {
      let property = try name("a property")
      try take("to")
      setOwner(nil)
      return .rename(property, to: try name("a property"))
    }
    throw expected("'add', 'drop', 'rename' or a property and its type")
  }
}
