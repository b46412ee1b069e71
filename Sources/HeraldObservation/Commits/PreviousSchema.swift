package import HeraldModel

/// What a commit that changed the schema replaced: with it, an earlier version can be read from the later one.
package final class PreviousSchema: Sendable, Equatable {
  /// Makes the schema before the commit from the one after it.
  package let difference: SchemaDifference
  /// The values of properties that were dropped or converted, by object; only these properties are listed.
  package let objects: [ClassID: [ObjectNumber: DeletedObject]]
  /// Whether `objects` has all of them: false where they need more memory than is kept.
  package let isComplete: Bool

  package init(
    difference: SchemaDifference, objects: [ClassID: [ObjectNumber: DeletedObject]],
    isComplete: Bool
  ) {
    self.difference = difference
    self.objects = objects
    self.isComplete = isComplete
  }

  package static func == (a: PreviousSchema, b: PreviousSchema) -> Bool {
    a === b
      || a.difference == b.difference && a.objects == b.objects && a.isComplete == b.isComplete
  }
}

/// What makes an earlier schema from a later one: its classes that are missing or differ, and its order.
package struct SchemaDifference: Sendable, Equatable {
  /// The classes in the order of the earlier schema.
  package var order: [ClassID]
  /// Those of them that the later schema lacks, or has in another form.
  package var classes: [ClassSchema]
  /// The projections of the earlier schema; nil where they are the same.
  package var projections: [ProjectionDefinition]?
  /// The named queries of the earlier schema; nil where they are the same.
  package var definitions: [QueryDefinition]?

  package init(
    order: [ClassID], classes: [ClassSchema], projections: [ProjectionDefinition]?,
    definitions: [QueryDefinition]?
  ) {
    self.order = order
    self.classes = classes
    self.projections = projections
    self.definitions = definitions
  }

  /// The difference that makes `old` from `new`. O(classes).
  package init(from new: Schema, to old: Schema) {
    let previous = old.classes
    order = previous.map(\.id)
    classes = previous.filter { new.classSchema($0.id) != $0 }
    projections = old.projections == new.projections ? nil : old.projections
    definitions = old.definitions == new.definitions ? nil : old.definitions
  }

  /// Returns the earlier schema. O(classes).
  package func applied(to new: Schema) -> Schema {
    let previous = Dictionary(classes.map { ($0.id, $0) }) { first, _ in first }
    var schema = Schema(
      classes: order.compactMap { previous[$0] ?? new.classSchema($0) },
      projections: projections ?? new.projections, nextClass: new.nextClass)
    for definition in definitions ?? new.definitions { schema.put(definition) }
    return schema
  }
}
