extension Schema {
  /// Returns the paths that match a key path: dotted property names, starting at a class. `*` matches
  /// every property of its level except backlinks; before another step, every link and collection of
  /// links to a class that has the next name.
  ///
  /// Errors: a name that the class does not have, or a step after a property that is not a link.
  package func paths(_ keyPath: String, from root: ClassID) throws(HeraldError) -> [PropertyPath] {
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var reached: [(steps: [PropertyPath.Step], end: ClassID?)] = [([], root)]
    for (index, name) in names.enumerated() {
      let following = names.dropFirst(index + 1).first
      var next: [(steps: [PropertyPath.Step], end: ClassID?)] = []
      var failure: HeraldError?
      for (steps, end) in reached {
        guard let end, let level = classSchema(end) else { continue }
        do {
          for property in try properties(name, of: level, before: following) {
            next.append((steps + [step(property, of: level)], property.type.linkedClass))
          }
        } catch { failure = failure ?? error }
      }
      // After a `*`, one class with the name is enough.
      if next.isEmpty && name != "*" {
        throw failure
          ?? .unknownProperty(name, className: classSchema(root)?.name ?? "", nearest: nil)
      }
      reached = next
    }
    return reached.map { PropertyPath(root: root, steps: $0.steps) }
  }

  private func properties(
    _ name: String, of level: ClassSchema, before next: String?
  ) throws(HeraldError) -> [PropertySchema] {
    if name == "*" { return level.properties.filter { !$0.type.isBacklinks } }
    guard let property = level.property(named: name) else {
      throw .unknownProperty(
        name, className: level.name,
        nearest: nearestName(to: name, in: level.properties.map(\.name)))
    }
    if let next, property.type.linkedClass == nil {
      throw .notALink(property: name, className: level.name, next: next)
    }
    return [property]
  }

  private func step(_ property: PropertySchema, of level: ClassSchema) -> PropertyPath.Step {
    guard let origin = origin(of: property.type) else {
      return PropertyPath.Step(level.id, .property(property.id))
    }
    return PropertyPath.Step(
      level.id, .backlinks(origin: origin.classID, property: origin.property.id))
  }
}
