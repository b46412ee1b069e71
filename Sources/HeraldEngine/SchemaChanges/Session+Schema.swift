package import HeraldModel
package import HeraldObservation
import HeraldStorage

extension Session {
  /// Declares a class in the open write. Repeating a declaration has no effect.
  package func declare(_ definition: ClassDefinition) throws {
    let write = try openWrite()
    var schema = hub.continued(write.reader.layout.schema)
    let existing = schema.classSchema(named: definition.name)
    let id = existing?.id ?? schema.nextClass
    if existing == nil {
      schema.put(ClassSchema(id: id, name: definition.name, isDeclared: false, properties: []))
    }
    let declared = try classSchema(definition, id: id, in: &schema)
    if let existing, existing.isDeclared {
      guard write.reader.layout.schema.definition(of: existing) == schema.definition(of: declared)
      else { throw HeraldError.classExists(definition.name) }
      return
    }
    try schema.checkNameIsFree(ofProjectionOrQuery: definition.name)
    // Classes are in order of declaration, wherever one was first named.
    schema.remove(id)
    schema.put(declared)
    try schema.checkBacklinks(around: declared)
    keep(schema, write)
  }

  /// Declares a projection in the open write. Repeating a declaration has no effect.
  package func declare(_ projection: ProjectionDefinition) throws {
    let write = try openWrite()
    var schema = write.reader.layout.schema
    if schema.projection(named: projection.name) == projection { return }
    try schema.checkNameIsFree(projection.name)
    _ = try fields(of: projection)
    schema.put(projection)
    keep(schema, write)
  }

  /// Keeps a query under a name in the open write. Errors: `classExists`, `projectionExists` and `queryExists` for a
  /// name that is taken.
  package func define(_ definition: QueryDefinition) throws {
    let write = try openWrite()
    var schema = write.reader.layout.schema
    try schema.checkNameIsFree(definition.name)
    schema.put(definition)
    keep(schema, write)
  }

  /// Returns the fields of a projection with their paths. Errors: unknown class, unknown property, duplicate
  /// name.
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

  /// Makes a schema apply from the next statement on. The commit stores it.
  func keep(_ schema: Schema, _ write: OpenWrite) {
    write.replaceLayout(with: Layout(schema: schema, after: write.reader.layout))
  }

  /// Stores the schema of a write that changed it.
  func storeSchema(of write: OpenWrite) throws(StorageError) {
    let layout = write.reader.layout
    let encoded = layout.encodedSchema
    try write.transaction.setMetadata(schemaName, encoded)
    hub.note(layout, encoded)
  }

  /// Returns the class with its properties numbered; adds unknown classes that it names to the schema as
  /// undeclared.
  func classSchema(
    _ definition: ClassDefinition, id: ClassID, in schema: inout Schema
  ) throws(HeraldError) -> ClassSchema {
    var names: Set<String> = []
    for property in definition.properties where !names.insert(property.name).inserted {
      throw .duplicateProperty(property.name, className: definition.name)
    }
    var properties: [PropertySchema] = []
    // A declaration of the class that was rolled back has used up numbers.
    let first = schema.classSchema(id)?.nextProperty ?? PropertyID(1)
    for (index, property) in definition.properties.enumerated() {
      let id = PropertyID(first.rawValue + UInt32(index))
      properties.append(try propertySchema(property, id, of: definition.name, in: &schema))
    }
    try definition.retention?.check(isEmbedded: definition.isEmbedded, definition.name)
    let declared = ClassSchema(
      id: id, name: definition.name, isEmbedded: definition.isEmbedded, properties: properties,
      retention: definition.retention)
    try schema.checkKeys(of: declared)
    return declared
  }

  /// Returns a property with its number and its default.
  func propertySchema(
    _ property: ClassDefinition.Property, _ id: PropertyID, of className: String,
    in schema: inout Schema
  ) throws(HeraldError) -> PropertySchema {
    let bare = schema.numbered(property, id)
    guard let content = property.defaultValue else { return bare }
    let holder = ClassSchema(id: ClassID(0), name: className, properties: [bare])
    guard !bare.type.isBacklinks else {
      throw .invalidSchema(
        "property '\(property.name)' cannot have a default", property: property.name)
    }
    let value: Value =
      switch try coerce(content, bare, holder) {
      case .value(let value): value
      case .list(let values): .list(values)
      case .map(let entries): .map(entries)
      }
    guard value.links.isEmpty else {
      throw .invalidSchema(
        "property '\(property.name)' cannot have a default", property: property.name)
    }
    return bare.with(defaultValue: value)
  }
}

extension Session {
  /// The number that a program gave to its classes; 0 if none did.
  package var programSchemaVersion: Int {
    let bytes =
      if let reader = writing.reader {
        reader.storage.metadata(programSchemaVersionName)
      } else {
        standing { $0.storage.metadata(programSchemaVersionName) }
      }
    return bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  /// Sets that number in the open write.
  package func setProgramSchemaVersion(_ version: Int) throws {
    let write = try openWrite()
    try stored { () throws(StorageError) in
      try write.transaction.setMetadata(programSchemaVersionName, Array("\(version)".utf8))
    }
  }
}

/// The name of that number in a store's metadata.
package let programSchemaVersionName = "programSchemaVersion"
