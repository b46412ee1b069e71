import Herald

extension Interpreter {
  func declare(_ syntax: ClassSyntax, _ context: Context) throws {
    let properties = try syntax.properties.map { try definition($0, context) }
    try change(context) { store in
      try store.declare(
        ClassDefinition(
          name: syntax.name.text, isEmbedded: syntax.isEmbedded, properties: properties))
    }
    confirm { "class \(syntax.name.text)" }
  }

  func alter(_ syntax: AlterSyntax, _ context: Context) throws {
    let alterations = try syntax.changes.map { change -> ClassAlteration in
      switch change {
      case .add(let property): .add(try definition(property, context))
      case .drop(let name): .drop(name.text)
      case .rename(let name, let newName): .rename(name.text, to: newName.text)
      case .change(let property): .change(try definition(property, context))
      }
    }
    try change(context) { store in try store.alter(syntax.className.text, alterations) }
    confirm { "altered \(syntax.className.text)" }
  }

  func drop(_ name: Name, _ context: Context) throws {
    try change(context) { store in try store.drop(name.text) }
    confirm { "dropped \(name.text)" }
  }

  private func definition(
    _ property: ClassSyntax.Property, _ context: Context
  ) throws -> ClassDefinition.Property {
    ClassDefinition.Property(
      name: property.name.text, element: property.element, shape: property.shape,
      isOptional: property.isOptional, isPrimaryKey: property.isPrimaryKey,
      isIndexed: property.isIndexed, defaultValue: try defaultValue(property, context))
  }

  private func defaultValue(
    _ property: ClassSyntax.Property, _ context: Context
  ) throws -> PropertyContent? {
    guard let expression = property.defaultValue else { return nil }
    // A link has no literal: the library is to say so.
    let element: ElementType =
      property.element.isLink ? .any : property.element.naming { _ in ClassID(0) }
    return try content(expression, for: PropertyType(element, shape: property.shape), context)
  }
}
