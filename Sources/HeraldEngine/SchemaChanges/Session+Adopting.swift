package import HeraldModel
import HeraldObservation
import HeraldStorage

extension Session {
  /// Adds the classes that a program was written for to the store, as long as that only adds.
  ///
  /// It declares missing classes and adds missing properties, indexes and defaults. What the store has
  /// beyond the program's classes stays: another program put it there. Errors: `schemaDiffers`, with the
  /// statement that makes the schemas match, and `needsDefault`.
  package func adopt(_ definitions: [ClassDefinition]) throws {
    let missing = try definitions.filter { try !isContained($0) }
    if missing.isEmpty { return }
    if isInWrite { try take(missing) } else { try write { try take(missing) } }
  }

  /// Backlinks of classes that exist are added last, since the properties that they come from may be new, too.
  private func take(_ definitions: [ClassDefinition]) throws {
    for definition in definitions
    where schema.classSchema(named: definition.name)?.isDeclared ?? false {
      var plain = definition
      plain.properties.removeAll { if case .backlinks = $0.shape { true } else { false } }
      try take(plain)
    }
    for definition in definitions { try take(definition) }
  }

  /// Returns whether the store has everything already. Errors: `schemaDiffers`.
  private func isContained(_ definition: ClassDefinition) throws -> Bool {
    guard let existing = schema.classSchema(named: definition.name), existing.isDeclared else {
      return false
    }
    return try alterations(of: existing, toward: definition).isEmpty
  }

  private func take(_ definition: ClassDefinition) throws {
    guard let existing = schema.classSchema(named: definition.name), existing.isDeclared else {
      return try declare(definition)
    }
    let alterations = try alterations(of: existing, toward: definition)
    if !alterations.isEmpty { try alter(definition.name, alterations) }
  }

  /// Returns the alterations that give a class everything in a declaration.
  private func alterations(
    of existing: ClassSchema, toward definition: ClassDefinition
  ) throws(HeraldError) -> [ClassAlteration] {
    let stored = schema.definition(of: existing)
    guard stored.isEmbedded == definition.isEmbedded else {
      throw .schemaDiffers(
        className: stored.name,
        reason: stored.isEmbedded ? "it is embedded" : "it is not embedded",
        remedy: "that cannot be changed: give the class another name")
    }
    var alterations: [ClassAlteration] = []
    for wanted in definition.properties {
      guard let property = stored.properties.first(where: { $0.name == wanted.name }) else {
        alterations.append(.add(wanted))
        continue
      }
      if let merged = try merged(property, wanted, of: stored.name) {
        alterations.append(.change(merged))
      }
    }
    return alterations
  }

  /// Returns the stored property with the additions of the wanted one; nil if there are none.
  private func merged(
    _ property: ClassDefinition.Property, _ wanted: ClassDefinition.Property, of className: String
  ) throws(HeraldError) -> ClassDefinition.Property? {
    guard property.typeName == wanted.typeName, property.isPrimaryKey == wanted.isPrimaryKey else {
      let words = { (property: ClassDefinition.Property) in
        property.typeName + (property.isPrimaryKey ? " primary" : "")
      }
      throw .schemaDiffers(
        className: className,
        reason:
          "its property '\(property.name)' is \(words(property)), the program's \(words(wanted))",
        remedy: "run: alter \(className) { \(wanted.name): \(words(wanted)) }")
    }
    var merged = property
    merged.isIndexed = property.isIndexed || wanted.isIndexed
    if property.defaultValue == nil && !property.isGenerated {
      merged.defaultValue = wanted.defaultValue
      merged.isGenerated = wanted.isGenerated
    }
    return merged == property ? nil : merged
  }
}
