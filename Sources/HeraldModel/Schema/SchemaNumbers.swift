/// The numbers of classes and properties that a schema has given out.
///
/// A rolled-back write may leave queries behind that hold such numbers, so that no other class or
/// property is to get them.
package struct SchemaNumbers: Sendable {
  private var nextClass = ClassID(1)
  private var nextProperties: [ClassID: PropertyID] = [:]

  package init() {}

  /// Takes in the numbers of another schema. O(classes).
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

  /// The schema, whose next class and next properties come after all of these.
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
          nextProperty: next))
    }
    return schema
  }
}
