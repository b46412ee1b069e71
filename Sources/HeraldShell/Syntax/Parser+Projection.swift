import Herald

extension Parser {
  /// `projection Card of Dog { title: name; city: owner.address.city }`
  mutating func projectionSyntax() throws(ShellError) -> ProjectionSyntax {
    let name = try name("a new projection")
    try take("of")
    let className = try self.name("a class")
    let fields = try braced { parser throws(ShellError) in
      let field = try parser.name("a name")
      try parser.take(Byte.colon, "':'")
      parser.skipNewlines()
      parser.setOwner(PropertyOwner(.className(className.text)))
      return ProjectionSyntax.Field(name: field, path: try parser.keyPath())
    }
    return ProjectionSyntax(name: name, className: className, fields: fields)
  }
}
