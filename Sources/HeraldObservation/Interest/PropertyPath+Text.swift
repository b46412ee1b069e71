package import HeraldModel

extension PropertyPath {
  /// The path as text, from its class: `Dog.owner.name`.
  func text(_ schema: Schema) -> String {
    let names = steps.map { schema.name(of: $0.kind, $0.classID) }
    return ([schema.name(of: root)] + names).joined(separator: ".")
  }

  /// The properties along the path: `Dog.owner`, `Person.name`.
  func properties(_ schema: Schema) -> [String] {
    steps.map { step in
      switch step.kind {
      case .property(let property):
        "\(schema.name(of: step.classID)).\(schema.name(of: property, step.classID))"
      case .backlinks(let origin, let property):
        "\(schema.name(of: origin)).\(schema.name(of: property, origin))"
      }
    }
  }
}

extension Schema {
  func name(of classID: ClassID) -> String {
    classSchema(classID)?.name ?? "class \(classID.rawValue)"
  }

  func name(of property: PropertyID, _ classID: ClassID) -> String {
    classSchema(classID)?.property(property)?.name ?? "property \(property.rawValue)"
  }

  /// The name of a step that starts from objects of a class.
  func name(of kind: PropertyPath.Step.Kind, _ classID: ClassID) -> String {
    switch kind {
    case .property(let property): return name(of: property, classID)
    case .backlinks(let origin, let property):
      let named = classSchema(classID)?.properties.first { candidate in
        self.origin(of: candidate.type).map { ($0.classID, $0.property.id) }
          .map { $0 == (origin, property) } ?? false
      }
      return named?.name ?? "@links.\(name(of: origin)).\(name(of: property, origin))"
    }
  }
}

extension CommitRecord {
  /// What changed, as text in the order of the schema: `Dog added`, `Dog.age`.
  func changedNames(_ schema: Schema) -> [String] {
    var names: [String] = []
    for classSchema in schema.classes {
      guard let change = classes[classSchema.id] else { continue }
      if !change.created.isEmpty { names.append("\(classSchema.name) added") }
      if !change.deleted.isEmpty { names.append("\(classSchema.name) deleted") }
      for property in classSchema.properties where change.isModified(property.id) {
        names.append("\(classSchema.name).\(property.name)")
      }
    }
    return names
  }
}

extension ClassChange {
  fileprivate func isModified(_ property: PropertyID) -> Bool {
    var found = false
    forEachObject(changing: property) { _ in found = true }
    return found
  }
}

extension PropertyPath {
  /// Returns the path resolved against a changed schema: a step may be a backlinks property whose origin
  /// class was not declared when the path was made. Nil where nothing changes.
  package func learned(_ schema: Schema) -> PropertyPath? {
    let resolved = PropertyPath(root: root, steps: steps.map { $0.learned(schema) ?? $0 })
    return resolved == self ? nil : resolved
  }
}

extension PropertyPath.Step {
  fileprivate func learned(_ schema: Schema) -> PropertyPath.Step? {
    guard case .property(let property) = kind,
      let type = schema.classSchema(classID)?.property(property)?.type,
      let origin = schema.origin(of: type)
    else { return nil }
    return PropertyPath.Step(
      classID, .backlinks(origin: origin.classID, property: origin.property.id))
  }
}
