import Herald

extension LiveImport {
  /// Adds properties for what a line has that its class lacks, if that was inferred from the first lines; returns whether
  /// there are any.
  func hasAddedProperties(for line: ArraySlice<UInt8>, _ store: DynamicStore) throws -> Bool {
    guard isInferred, header.isEmpty || hasNewColumns,
      let classSchema = store.schema.classSchema(named: syntax.className.text)
    else { return false }
    let file = file(header + line)
    do {
      try file.infer(in: store)
    } catch is Diagnostic { return false }
    guard let inferred = file.inferred,
      let definition = inferred.classes.first(where: { !$0.isEmbedded })
    else { return false }
    let additions = additions(to: classSchema, definition, inferred, store.schema)
    for (className, properties) in additions {
      for embedded in inferred.embeddedClasses(of: properties) { try store.declare(embedded) }
      try store.alter(className, properties.map { .add($0) })
    }
    take(file.columns)
    return !additions.isEmpty
  }

  /// The properties that a class and the embedded classes of its properties lack, by their names.
  private func additions(
    to classSchema: ClassSchema, _ definition: ClassDefinition, _ inferred: InferredSchema,
    _ schema: Schema
  ) -> [(className: String, properties: [ClassDefinition.Property])] {
    var added: [ClassDefinition.Property] = []
    var inside: [(className: String, properties: [ClassDefinition.Property])] = []
    for property in definition.properties {
      guard let known = classSchema.property(named: property.name) else {
        added.append(property)
        continue
      }
      guard case .link(let name) = property.element,
        let target = known.type.target.flatMap({ schema.classSchema($0) }), target.isEmbedded,
        let embedded = inferred.classes.first(where: { $0.name == name })
      else { continue }
      inside += additions(to: target, embedded, inferred, schema)
    }
    return (added.isEmpty ? [] : [(classSchema.name, added)]) + inside
  }
}

extension ImportedFile {
  /// Infers the classes for some lines.
  func infer(in store: DynamicStore) throws {
    func isTaken(_ name: String) -> Bool { store.schema.isTaken(name) }
    try infer(isTaken: isTaken) { _, _ in }
  }
}
