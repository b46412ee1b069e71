package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Alters a class and its objects in the open write. It validates everything before it changes anything.
  ///
  /// Errors: unknown names, a property that a projection, a query or backlinks still use, and the first object whose
  /// value cannot be converted.
  package func alter(_ className: String, _ alterations: [ClassAlteration]) throws {
    let write = try openWrite()
    guard let old = schema.classSchema(named: className) else {
      throw HeraldError.unknownClass(
        className, nearest: nearestName(to: className, in: schema.classes.map(\.name)))
    }
    guard old.isDeclared else { throw HeraldError.undeclaredClass(className) }
    var altered = hub.continued(schema)
    for alteration in alterations { try apply(alteration, to: old.id, in: &altered) }
    guard let new = altered.classSchema(old.id) else { return }
    altered.removeUnreferenced()
    try altered.checkKeys(of: new)
    try altered.checkBacklinks(around: new)
    try altered.checkProjections()
    try altered.checkDefinitions(before: schema, old.name)
    try migrate(ClassMigration(from: old, to: new), to: altered, write)
  }

  /// Drops a class with its objects, a projection or a query.
  ///
  /// Errors: `inUse` if a property of another class, a projection or a query names it.
  package func drop(_ name: String) throws {
    let write = try openWrite()
    var remaining = schema
    if let user = remaining.definitions.first(where: { $0.origin == name }) {
      throw HeraldError.inUse(name, user: "query '\(user.name)'")
    }
    if remaining.query(named: name) != nil || remaining.projection(named: name) != nil {
      remaining.remove(query: name)
      remaining.remove(projection: name)
      try remaining.checkDefinitions(before: schema, name)
      return keep(remaining, write)
    }
    guard let dropped = schema.classSchema(named: name) else {
      throw HeraldError.unknownClass(
        name, nearest: nearestName(to: name, in: schema.classes.map(\.name)))
    }
    try checkUnused(dropped)
    remaining.remove(dropped.id)
    remaining.removeUnreferenced()
    try remaining.checkDefinitions(before: schema, name)
    try wholly(write) {
      try stored { () throws(StorageError) in
        for object in write.reader.objects(of: dropped.id) {
          try write.checkInterruption()
          try write.delete(object, dropped)
        }
        try write.transaction.dropClass(dropped.id.rawValue)
      }
      write.schemaChange.losses.classes.insert(dropped.id)
      keep(remaining, write)
      try endStatement()
    }
  }

  private func checkUnused(_ classSchema: ClassSchema) throws(HeraldError) {
    for other in schema.classes where other.id != classSchema.id {
      for property in other.properties where property.type.linkedClass == classSchema.id {
        throw .inUse(classSchema.name, user: "property '\(other.name).\(property.name)'")
      }
    }
    for projection in schema.projections where projection.className == classSchema.name {
      throw .inUse(classSchema.name, user: "projection '\(projection.name)'")
    }
  }

  private func apply(
    _ alteration: ClassAlteration, to classID: ClassID, in schema: inout Schema
  ) throws(HeraldError) {
    guard let classSchema = schema.classSchema(classID) else { return }
    var properties = classSchema.properties
    switch alteration {
    case .add(let definition):
      try checkFree(definition.name, in: classSchema)
      let id = classSchema.nextProperty
      properties.append(try propertySchema(definition, id, of: classSchema.name, in: &schema))
    case .drop(let name):
      let dropped = try checkedProperty(name, of: classSchema)
      properties.removeAll { $0.id == dropped.id }
    case .rename(let name, let newName):
      let renamed = try checkedProperty(name, of: classSchema)
      if newName != name {
        try checkFree(newName, in: classSchema)
        try schema.checkAlone(renamed, of: classSchema)
      }
      schema.follow(Renaming(classID: classID, property: renamed, name: newName))
      // The class itself may have backlinks from the renamed property.
      properties = (schema.classSchema(classID) ?? classSchema).properties
    case .change(let definition):
      let old = try checkedProperty(definition.name, of: classSchema)
      let new = try propertySchema(definition, old.id, of: classSchema.name, in: &schema)
      try checkChange(old, new, of: classSchema)
      properties = properties.map { $0.id == new.id ? new : $0 }
    case .keep(let retention): return schema.put(try classSchema.with(retention: retention))
    }
    schema.put(classSchema.with(properties: properties))
  }

  private func checkFree(_ name: String, in classSchema: ClassSchema) throws(HeraldError) {
    if classSchema.property(named: name) != nil {
      throw .duplicateProperty(name, className: classSchema.name)
    }
  }

  /// Checks a change of type: backlinks, which have no values, cannot change, nor can embedded objects that
  /// hold others of the class itself.
  private func checkChange(
    _ old: PropertySchema, _ new: PropertySchema, of classSchema: ClassSchema
  ) throws(HeraldError) {
    if old.type != new.type, old.type.isBacklinks || new.type.isBacklinks {
      throw .invalidSchema(
        "property '\(old.name)' cannot become \(schema.name(of: new.type)): "
          + "drop it and add another", property: old.name)
    }
    let isOfItself = [old.type, new.type].contains {
      schema.mayHoldEmbedded($0, of: classSchema.id)
    }
    if old.type.element != new.type.element, isOfItself {
      throw .invalidSchema(
        "property '\(old.name)' cannot become \(schema.name(of: new.type)): its embedded objects "
          + "hold others of class '\(classSchema.name)'", property: old.name)
    }
  }
}

/// The renaming of a property.
private struct Renaming {
  let classID: ClassID
  let property: PropertySchema
  let name: String
}

extension Schema {
  /// Checks that no query means a property, and one of another class, by one name, which cannot follow a new name.
  fileprivate func checkAlone(
    _ property: PropertySchema, of classSchema: ClassSchema
  ) throws(HeraldError) {
    for definition in definitions {
      let shared = DefinitionNames(definition, in: self).shared
      func isThis(_ found: ResolvedNames.Property) -> Bool {
        found.classID == classSchema.id && found.property.id == property.id
      }
      guard let name = shared.first(where: isThis),
        let other = shared.first(where: { $0.span.start == name.span.start && !isThis($0) })
      else { continue }
      let others = self.classSchema(other.classID)?.name ?? ""
      throw .invalidSchema(
        "property '\(property.name)' cannot be renamed: query '\(definition.name)' reads it and "
          + "that of class '\(others)' by one name, behind a value of type any: drop the query, "
          + "and define it with both names", property: property.name)
    }
  }

  /// Renames a property, also in the backlinks, projections and queries that name it.
  fileprivate mutating func follow(_ renaming: Renaming) {
    let followed = definitions.map {
      $0.renaming(renaming.property.id, of: renaming.classID, to: renaming.name, in: self)
    }
    for definition in followed { replace(definition) }
    for projection in projections {
      var followed = projection
      for index in followed.fields.indices {
        followed.fields[index].path = path(
          followed.fields[index].path, of: projection.className, renaming)
      }
      put(followed)
    }
    for classSchema in classes {
      let properties = classSchema.properties.map { renamed($0, of: classSchema, renaming) }
      if properties != classSchema.properties { put(classSchema.with(properties: properties)) }
    }
  }

  private func renamed(
    _ property: PropertySchema, of classSchema: ClassSchema, _ renaming: Renaming
  ) -> PropertySchema {
    if classSchema.id == renaming.classID, property.id == renaming.property.id {
      return property.renamed(renaming.name)
    }
    guard property.type.linkedClass == renaming.classID,
      property.type.shape == .backlinks(renaming.property.name)
    else { return property }
    return PropertySchema(
      id: property.id, name: property.name,
      type: PropertyType(property.type.element, shape: .backlinks(renaming.name)))
  }

  /// Returns a projection's path with each step over the property renamed.
  private func path(_ path: String, of className: String, _ renaming: Renaming) -> String {
    var reached = classSchema(named: className)
    let steps = path.split(separator: ".").map { step in
      let here = reached
      let taken = here?.property(named: String(step))
      reached = taken?.type.linkedClass.flatMap { classSchema($0) }
      let isRenamed = here?.id == renaming.classID && taken?.id == renaming.property.id
      return isRenamed ? renaming.name : String(step)
    }
    return steps.joined(separator: ".")
  }
}
