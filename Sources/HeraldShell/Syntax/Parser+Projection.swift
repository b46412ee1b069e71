import Herald

extension Parser {
  /// `projection Card of Dog { title: name; city: owner.address.city }`
  mutating func projectionSyntax() throws(ShellError) -> ProjectionSyntax {
    let name = try name("a new projection")
    try take("of")
    let className = try self.name("a class")
    let opening = token
    try take(Byte.openBrace, "'{'")
    try enter(opening)
    defer { depth -= 1 }
    var fields: [ProjectionSyntax.Field] = []
    skipPropertySeparators()
    while !isSign(Byte.closeBrace) {
      if token.kind == .end { throw failure(.openBracket("{"), at: opening.span) }
      let field = try self.name("a name")
      try take(Byte.colon, "':'")
      skipNewlines()
      setOwner(PropertyOwner(.className(className.text)))
      fields.append(ProjectionSyntax.Field(name: field, path: try keyPath()))
      let end = token
      skipPropertySeparators()
      if end == token, !isSign(Byte.closeBrace) { throw expected("';' or '}'") }
    }
    advance()
    return ProjectionSyntax(name: name, className: className, fields: fields)
  }
}
