import HeraldModel
import HeraldQuery

// Translates declarations, where links name their classes, to the schema, where classes have numbers.

extension Schema {
  /// Returns the number of the class of a name; adds an undeclared class if there is none.
  mutating func number(ofClassNamed name: String) -> ClassID {
    if let known = classSchema(named: name) { return known.id }
    let id = nextClass
    put(ClassSchema(id: id, name: name, isDeclared: false, properties: []))
    return id
  }

  /// Returns a property with its number, without its default.
  mutating func numbered(
    _ property: ClassDefinition.Property, _ id: PropertyID
  ) -> PropertySchema {
    PropertySchema(
      id: id, name: property.name,
      type: PropertyType(
        property.element.naming { number(ofClassNamed: $0) }, shape: property.shape,
        isOptional: property.isOptional),
      isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed,
      isGenerated: property.isGenerated)
  }

  /// Checks keys and indexes. Errors: two primary keys, a key or an index on a type that cannot have one.
  func checkKeys(of classSchema: ClassSchema) throws(HeraldError) {
    let keys = classSchema.properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      throw .invalidSchema(
        "class '\(classSchema.name)' has two primary keys, '\(keys[0].name)' and '\(keys[1].name)'",
        property: keys[1].name)
    }
    if let key = keys.first, classSchema.isEmbedded {
      throw .invalidSchema(
        "an embedded class has no primary key; '\(classSchema.name)' has '\(key.name)'",
        property: key.name)
    }
    if let key = keys.first, !key.type.canBeKey {
      throw .invalidSchema(
        "a primary key is an int, a string, a uuid or an objectid; '\(key.name)' is not",
        property: key.name)
    }
    for property in classSchema.properties
    where property.isGenerated && !property.type.canBeGenerated {
      throw .invalidSchema(
        "a new identifier is made for a uuid or an objectid; '\(property.name)' is "
          + name(of: property.type), property: property.name)
    }
    for property in classSchema.properties where property.isIndexed && !property.type.canBeIndexed {
      throw .invalidSchema(
        "property '\(property.name)' cannot be indexed", property: property.name)
    }
  }

  /// Checks that backlinks name a property that links to their class, once both classes are declared.
  func checkBacklinks(around classSchema: ClassSchema) throws(HeraldError) {
    for holder in backlinkHolders(around: classSchema) where holder.isDeclared {
      for property in holder.properties {
        guard case .backlinks(let name) = property.type.shape,
          let origin = property.type.linkedClass.flatMap({ self.classSchema($0) }),
          origin.isDeclared, origin.id == classSchema.id || holder.id == classSchema.id
        else { continue }
        let user = "the backlinks property '\(holder.name).\(property.name)'"
        guard let link = origin.property(named: name) else {
          throw .invalidSchema(
            "\(user) comes from '\(origin.name).\(name)', which does not exist",
            property: property.name)
        }
        guard link.type.target == holder.id || link.type.element == .any else {
          throw .invalidSchema(
            "\(user) comes from '\(origin.name).\(name)', which does not link to '\(holder.name)'",
            property: property.name)
        }
      }
    }
  }

  /// Checks that the paths of each projection exist.
  func checkProjections() throws(HeraldError) {
    for projection in projections {
      guard let classSchema = classSchema(named: projection.className) else { continue }
      for field in projection.fields {
        do {
          _ = try paths(field.path, from: classSchema.id)
        } catch {
          throw .inUse(
            field.path.split(separator: ".").last.map(String.init) ?? field.path,
            user: "projection '\(projection.name)'")
        }
      }
    }
  }

  /// Checks that each query which could be bound before still can.
  ///
  /// - Parameter name: what was altered or dropped, for a query that names no property which is missing or has another type.
  func checkDefinitions(before: Schema, _ name: String) throws(HeraldError) {
    for definition in definitions {
      guard let old = before.query(named: definition.name) else { continue }
      let names = DefinitionNames(old, in: before)
      // A name behind a value of any type may also be a key: the query can be bound without the property.
      let lacksProperty = names.properties.contains { found in
        guard let owner = classSchema(found.classID) else { return false }
        return owner.property(found.property.id) == nil
          && owner.property(named: found.property.name) == nil
      }
      if names.error != nil || !lacksProperty && DefinitionNames(definition, in: self).error == nil
      {
        continue
      }
      let property = names.properties.first { found in
        classSchema(found.classID)?.property(found.property.id)?.type != found.property.type
      }
      throw .inUse(property?.property.name ?? name, user: "query '\(definition.name)'")
    }
  }
}

extension PropertyType {
  fileprivate var canBeKey: Bool {
    guard shape == .single else { return false }
    switch element {
    case .int, .string, .uuid, .objectID: return true
    case .bool, .float, .double, .data, .date, .decimal, .any, .link: return false
    }
  }

  fileprivate var canBeGenerated: Bool {
    shape == .single && (element == .uuid || element == .objectID)
  }

  fileprivate var canBeIndexed: Bool {
    guard shape == .single else { return false }
    switch element {
    case .bool, .int, .float, .double, .decimal, .string, .data, .date, .uuid, .objectID, .any:
      return true
    // Reverse links are the index of links.
    case .link: return false
    }
  }
}

extension PropertySchema {
  func with(defaultValue: Value?) -> PropertySchema {
    PropertySchema(
      id: id, name: name, type: type, isPrimaryKey: isPrimaryKey, isIndexed: isIndexed,
      defaultValue: defaultValue, isGenerated: isGenerated)
  }

  func renamed(_ name: String) -> PropertySchema {
    PropertySchema(
      id: id, name: name, type: type, isPrimaryKey: isPrimaryKey, isIndexed: isIndexed,
      defaultValue: defaultValue, isGenerated: isGenerated)
  }

  /// Whether an index has an entry for each object.
  var isInIndex: Bool { isIndexed || isPrimaryKey }
}

extension ClassSchema {
  func with(
    properties: [PropertySchema], nextProperty: PropertyID? = nil
  ) -> ClassSchema {
    ClassSchema(
      id: id, name: name, isDeclared: isDeclared, isEmbedded: isEmbedded, properties: properties,
      nextProperty: max(self.nextProperty, nextProperty ?? self.nextProperty),
      retention: retention)
  }

  func with(retention: ObjectRetention?) throws(HeraldError) -> ClassSchema {
    try retention?.check(isEmbedded: isEmbedded, name)
    return ClassSchema(
      id: id, name: name, isDeclared: isDeclared, isEmbedded: isEmbedded, properties: properties,
      nextProperty: nextProperty, retention: retention)
  }
}

extension ObjectRetention {
  /// Throws if the objects of a class cannot expire by themselves.
  func check(isEmbedded: Bool, _ className: String) throws(HeraldError) {
    if isEmbedded {
      throw .invalidSchema(
        "class '\(className)' is embedded: its objects are kept as long as their owners",
        property: nil)
    }
    if let limit = [seconds, count].compactMap(\.self).min(), limit > 0 { return }
    throw .invalidSchema("class '\(className)' must keep something", property: nil)
  }
}
