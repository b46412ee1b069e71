import HeraldModel
import HeraldObservation

/// How an open write has changed the schema, if it has.
struct SchemaChange {
  private(set) var isMade = false
  /// The classes and properties that were dropped or have another type.
  var losses = SchemaLosses()
  /// The numbers used by the write's earlier schemas, which the current one may lack.
  private var earlierNumbers = SchemaNumbers()

  var isNone: Bool { !isMade && losses.isEmpty }

  /// Replaces the schema of a layout with that of another one.
  mutating func replace(_ old: Layout, with new: Layout) {
    if !new.extendsPrevious { earlierNumbers.formUnion(old.schema) }
    isMade = true
  }

  /// Returns the numbers that the write has used up to its present schema.
  func numbers(with schema: Schema) -> SchemaNumbers {
    var numbers = earlierNumbers
    numbers.formUnion(schema)
    return numbers
  }
}
