package import HeraldModel

// What a change of classes did to objects. A record has only what is needed to read the version before.

extension CommitVersions {
  /// The classes after a commit that changed them; nil for another commit.
  package var classes: [ClassDefinition]? {
    guard summary.isSchemaChange else { return nil }
    return after.schema.classes.filter(\.isDeclared).map { after.schema.definition(of: $0) }
  }

  /// The objects that were there and whose properties a change of classes added, dropped, renamed or converted, those of
  /// classes that it dropped, and the embedded ones that a conversion made or deleted. O(objects of these classes and
  /// embedded ones).
  package var alterations: [ObjectChange] {
    get throws {
      guard summary.isSchemaChange else { return [] }
      var found: [ObjectChange] = []
      let known = Set(changes.map(\.object))
      for classSchema in before.schema.classes where classSchema.isDeclared {
        let later = after.schema.classSchema(classSchema.id)
        let names = later.map { classSchema.namesThatDiffer(from: $0) } ?? []
        if later != nil, names.isEmpty, !classSchema.isEmbedded { continue }
        for object in try before.results(of: classSchema)?.objects ?? [] {
          if let later, after.object(object.id) != nil {
            if names.isEmpty { continue }
            found.append(
              ObjectChange(classSchema: later, object: object.id, change: .altered(names)))
          } else if !known.contains(object.id) {
            found.append(
              ObjectChange(classSchema: classSchema, object: object.id, change: .deleted))
          }
        }
      }
      for classSchema in after.schema.classes where classSchema.isDeclared && classSchema.isEmbedded
      {
        for object in try after.results(of: classSchema)?.objects ?? []
        where before.object(object.id) == nil && !known.contains(object.id) {
          found.append(
            ObjectChange(classSchema: classSchema, object: object.id, change: .inserted))
        }
      }
      return found
    }
  }
}

extension DynamicStore {
  /// The objects of a class; nil while it names one that is not declared, and so has none.
  package func results(of classSchema: ClassSchema) throws -> DynamicResults? {
    do {
      return try objects(classSchema.name)
    } catch HeraldError.undeclaredClass {
      return nil
    }
  }
}

extension ClassSchema {
  /// Whether a property is the same in another schema of the class.
  func has(_ property: PropertySchema) -> Bool {
    let own = self.property(named: property.name)
    return own?.id == property.id && own?.type == property.type
  }

  /// The names, before or after, of the properties that are not the same in a later schema of the class.
  fileprivate func namesThatDiffer(from later: ClassSchema) -> [String] {
    func stored(_ classSchema: ClassSchema) -> [PropertySchema] {
      classSchema.properties.filter { !$0.type.isBacklinks }
    }
    let previous = stored(self).map(\.name)
    let names = previous + stored(later).map(\.name).filter { !previous.contains($0) }
    return names.filter { name in
      let (old, new) = (property(named: name), later.property(named: name))
      return old?.id != new?.id || old?.type != new?.type
    }
  }
}
