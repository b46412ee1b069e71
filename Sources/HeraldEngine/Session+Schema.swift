package import HeraldModel
package import HeraldObservation
import HeraldStorage

extension Session {
  /// Declares a class in the open write. The same declaration again changes nothing.
  package func declare(_ definition: ClassDefinition) throws {
    let write = try openWrite()
    try check(definition)
    var schema = write.reader.layout.schema
    let existing = schema.classSchema(named: definition.name)
    let id = existing?.id ?? schema.nextClassID
    if existing == nil {
      schema.put(ClassSchema(id: id, name: definition.name, isDeclared: false, properties: []))
    }
    let declared = try classSchema(definition, id: id, in: &schema)
    if let existing, existing.isDeclared {
      guard existing == declared else { throw HeraldError.classExists(definition.name) }
      return
    }
    if schema.projection(named: definition.name) != nil {
      throw HeraldError.classExists(definition.name)
    }
    schema.put(declared)
    try keep(schema, write)
  }

  /// Declares a projection in the open write. The same declaration again changes nothing.
  package func declare(_ projection: ProjectionDefinition) throws {
    let write = try openWrite()
    var schema = write.reader.layout.schema
    if schema.projection(named: projection.name) == projection { return }
    guard schema.classSchema(named: projection.name) == nil,
      schema.projection(named: projection.name) == nil
    else { throw HeraldError.classExists(projection.name) }
    _ = try fields(of: projection)
    schema.put(projection)
    try keep(schema, write)
  }

  /// The paths of a projection's names. Errors: unknown class, property, name given twice.
  package func fields(of projection: ProjectionDefinition) throws -> [ProjectionField] {
    guard let classSchema = schema.classSchema(named: projection.className) else {
      throw HeraldError.unknownClass(
        projection.className,
        nearest: nearestName(to: projection.className, in: schema.classes.map(\.name)))
    }
    try checkDeclared(classSchema)
    var names: Set<String> = []
    return try projection.fields.map { field in
      guard names.insert(field.name).inserted else {
        throw HeraldError.duplicateProperty(field.name, className: projection.name)
      }
      guard let path = try schema.paths(field.path, from: classSchema.id).first else {
        throw HeraldError.unknownProperty(field.path, className: classSchema.name, nearest: nil)
      }
      return ProjectionField(name: field.name, path: path)
    }
  }

  private func keep(_ schema: Schema, _ write: OpenWrite) throws(HeraldError) {
    let encoded = schema.encoded()
    try stored { () throws(StorageError) in
      try write.reader.transaction!.setMetadata(schemaName, encoded)
    }
    write.reader.layout = Layout(schema: schema)
    write.isSchemaChanged = true
    write.hasChanged = true
  }

  private func check(_ definition: ClassDefinition) throws(HeraldError) {
    var names: Set<String> = []
    for property in definition.properties where !names.insert(property.name).inserted {
      throw .duplicateProperty(property.name, className: definition.name)
    }
    let keys = definition.properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      throw .invalidSchema(
        "class '\(definition.name)' has two primary keys, '\(keys[0].name)' and '\(keys[1].name)'")
    }
    for property in definition.properties {
      if property.isPrimaryKey, definition.isEmbedded {
        throw .invalidSchema(
          "an embedded class has no primary key; '\(definition.name)' has '\(property.name)'")
      }
      if property.isPrimaryKey, !property.canBeKey {
        throw .invalidSchema(
          "a primary key is an int, a string, a uuid or an objectid; '\(property.name)' is not")
      }
      if property.isIndexed, !property.canBeIndexed {
        throw .invalidSchema("property '\(property.name)' cannot be indexed")
      }
    }
  }

  /// The class with its properties numbered; classes that it names and that are not there yet are
  /// put into the schema as not declared.
  private func classSchema(
    _ definition: ClassDefinition, id: ClassID, in schema: inout Schema
  ) throws(HeraldError) -> ClassSchema {
    var properties: [PropertySchema] = []
    for (place, property) in definition.properties.enumerated() {
      let bare = PropertySchema(
        id: PropertyID(UInt32(place + 1)), name: property.name,
        type: PropertyType(
          elementType(property.element, in: &schema), shape: property.shape,
          isOptional: property.isOptional),
        isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed)
      properties.append(bare)
    }
    let bare = ClassSchema(
      id: id, name: definition.name, isEmbedded: definition.isEmbedded, properties: properties)
    for (place, property) in definition.properties.enumerated() {
      guard let content = property.defaultValue else { continue }
      guard case .value(let value) = try fit(content, properties[place], bare) else {
        throw .invalidSchema("property '\(property.name)' cannot have a default")
      }
      properties[place] = properties[place].with(defaultValue: value)
    }
    return ClassSchema(
      id: id, name: definition.name, isEmbedded: definition.isEmbedded, properties: properties)
  }

  private func elementType(
    _ element: ClassDefinition.Property.Element, in schema: inout Schema
  ) -> ElementType {
    switch element {
    case .bool: return .bool
    case .int: return .int
    case .float: return .float
    case .double: return .double
    case .string: return .string
    case .data: return .data
    case .date: return .date
    case .decimal: return .decimal
    case .uuid: return .uuid
    case .objectID: return .objectID
    case .any: return .any
    case .link(let name):
      if let target = schema.classSchema(named: name) { return .link(target.id) }
      let id = schema.nextClassID
      schema.put(ClassSchema(id: id, name: name, isDeclared: false, properties: []))
      return .link(id)
    }
  }
}

extension ClassDefinition.Property {
  fileprivate var canBeKey: Bool {
    guard shape == .single else { return false }
    switch element {
    case .int, .string, .uuid, .objectID: return true
    case .bool, .float, .double, .data, .date, .decimal, .any, .link: return false
    }
  }

  fileprivate var canBeIndexed: Bool {
    guard shape == .single else { return false }
    switch element {
    case .bool, .int, .float, .double, .decimal, .string, .data, .date, .uuid, .objectID, .any:
      return true
    // Links have their reverse entries.
    case .link: return false
    }
  }
}

extension PropertySchema {
  fileprivate func with(defaultValue: Value) -> PropertySchema {
    PropertySchema(
      id: id, name: name, type: type, isPrimaryKey: isPrimaryKey, isIndexed: isIndexed,
      defaultValue: defaultValue)
  }
}

extension Schema {
  fileprivate var nextClassID: ClassID {
    ClassID(1 + classes.reduce(0) { max($0, $1.id.rawValue) })
  }
}
