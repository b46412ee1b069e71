import Herald

extension Context {
  func declare(_ syntax: ClassSyntax) throws {
    let properties = try syntax.properties.map { try definition($0) }
    try placingDefaults(of: syntax.properties) {
      try change { store in
        try store.declare(
          ClassDefinition(
            name: syntax.name.text, isEmbedded: syntax.isEmbedded, properties: properties))
      }
    }
    confirm { "class \(syntax.name.text)" }
    try remarkOnLinks(of: syntax.properties)
  }

  func alter(_ syntax: AlterSyntax) throws {
    let alterations = try syntax.changes.map { change -> ClassAlteration in
      switch change {
      case .add(let property): .add(try definition(property))
      case .drop(let name): .drop(name.text)
      case .rename(let name, let newName): .rename(name.text, to: newName.text)
      case .change(let property): .change(try definition(property))
      }
    }
    let declared = syntax.changes.compactMap { change -> ClassSyntax.Property? in
      switch change {
      case .add(let property), .change(let property): property
      case .drop, .rename: nil
      }
    }
    try placingDefaults(of: declared) {
      try change { store in try store.alter(syntax.className.text, alterations) }
    }
    confirm { "altered \(syntax.className.text)" }
    try remarkOnLinks(of: declared)
  }

  /// Remarks at the prompt that the class of a property does not exist yet: its name may be that of a type in another
  /// language.
  private func remarkOnLinks(of properties: [ClassSyntax.Property]) throws {
    let schema = try store.schema
    var named: Set<String> = []
    for property in properties {
      guard case .link(let name) = property.element, named.insert(name).inserted,
        schema.classSchema(named: name)?.isDeclared != true
      else { continue }
      let nearest = TypeKeyword.nearest(to: name, classes: schema.namesOfRows)
      confirm { "hint: there is no class '\(name)' yet" + suggestion(nearest) }
    }
  }

  func drop(_ name: Name) throws {
    let store = try self.store
    if store.schema.classSchema(named: name.text)?.isDeclared == true,
      let objects = try? store.objects(name.text),
      try !isDeletionWanted(objects, { "Drop \(name.text) and its \($0) objects? y/N " })
    {
      return confirm { "nothing was dropped" }
    }
    try change { store in try store.drop(name.text) }
    shell.tokens.noteEnds()
    confirm { "dropped \(name.text)" }
  }

  /// Reports errors of a default value at its span.
  private func placingDefaults(
    of properties: [ClassSyntax.Property], _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as HeraldError {
      guard let name = error.unfitProperty,
        let value = properties.first(where: { $0.name.text == name })?.defaultValue
      else { throw error }
      let position = error.span(inGiven: [value], source) ?? value.span
      throw ShellError(.library(error), source, position)
    }
  }

  private func definition(_ property: ClassSyntax.Property) throws -> ClassDefinition.Property {
    ClassDefinition.Property(
      name: property.name.text, element: property.element, shape: property.shape,
      isOptional: property.isOptional, isPrimaryKey: property.isPrimaryKey,
      isIndexed: property.isIndexed, defaultValue: try defaultValue(property),
      isGenerated: property.isGenerated)
  }

  private func defaultValue(_ property: ClassSyntax.Property) throws -> PropertyContent? {
    guard let expression = property.defaultValue, !property.isGenerated else { return nil }
    // A link has no literal, which the library reports.
    let element: ElementType =
      property.element.isLink ? .any : property.element.naming { _ in ClassID(0) }
    return try content(expression, for: PropertyType(element, shape: property.shape))
  }
}

extension ClassSyntax.Property {
  /// `= uuid()` of a uuid, `= oid()` of an object id: a new one for each object.
  fileprivate var isGenerated: Bool {
    guard shape == .single, case .generated(let generated)? = defaultValue?.kind else {
      return false
    }
    return switch generated {
    case .uuid: element == .uuid
    case .objectID: element == .objectID
    case .inTransaction, .version: false
    }
  }
}

extension HeraldError {
  /// The property whose value cannot be converted.
  fileprivate var unfitProperty: String? {
    switch self {
    case .wrongType(let property, _, _, _), .missingValue(let property, _): property
    case _: nil
    }
  }
}
