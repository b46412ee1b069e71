/// The numbers of classes and properties that schemas have assigned.
///
/// Queries made in a rolled-back write may still hold such numbers, so no other class or property may
/// reuse them.
package struct SchemaNumbers: Sendable {
  private var nextClass = ClassID(1)
  private var nextProperties: [ClassID: PropertyID] = [:]

  package init() {}

  /// Adds the numbers of a schema. O(classes).
  package mutating func formUnion(_ schema: Schema) {
    nextClass = max(nextClass, schema.nextClass)
    for classSchema in schema.classes {
      note(classSchema.nextProperty, of: classSchema.id)
    }
  }

  package mutating func formUnion(_ other: SchemaNumbers) {
    nextClass = max(nextClass, other.nextClass)
    for (classID, next) in other.nextProperties { note(next, of: classID) }
  }

  private mutating func note(_ next: PropertyID, of classID: ClassID) {
    nextProperties[classID] = max(nextProperties[classID] ?? next, next)
  }

  /// Returns the schema with its next class and next properties after all of these numbers.
  package func continued(_ schema: Schema) -> Schema {
    var schema = schema
    schema.skipClasses(before: nextClass)
    for (id, next) in nextProperties {
      guard let classSchema = schema.classSchema(id), next > classSchema.nextProperty else {
        continue
      }
      schema.put(
        ClassSchema(
          id: classSchema.id, name: classSchema.name, isDeclared: classSchema.isDeclared,
          isEmbedded: classSchema.isEmbedded, properties: classSchema.properties,
          nextProperty: next, retention: classSchema.retention))
    }
    return schema
  }
}
