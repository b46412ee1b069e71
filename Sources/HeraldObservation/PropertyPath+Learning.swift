package import HeraldModel

extension PropertyPath {
  /// The path as a changed schema has it, where a step is a backlinks property whose class was not
  /// declared when the path was made: until then nothing leads backwards along it. Nil where nothing is
  /// to be learned.
  package func learned(_ schema: Schema) -> PropertyPath? {
    let learned = PropertyPath(root: root, steps: steps.map { $0.learned(schema) ?? $0 })
    return learned == self ? nil : learned
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
