package import HeraldModel

/// What a schema change removed that queries bound before it may depend on.
package struct SchemaLosses: Sendable, Equatable {
  /// Classes that were dropped.
  package var classes: Set<ClassID> = []
  /// Properties that were dropped or changed their type.
  package var properties: [ClassID: Set<PropertyID>] = [:]

  package init() {}

  package var isEmpty: Bool { classes.isEmpty && properties.isEmpty }

  package func contains(_ property: PropertyID, of classID: ClassID) -> Bool {
    classes.contains(classID) || properties[classID]?.contains(property) ?? false
  }
}
