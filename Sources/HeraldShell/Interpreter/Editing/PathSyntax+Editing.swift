import Herald

// The collection at the end of a path, for the statements that change one.

extension PathSyntax {
  /// Calls `body` with the collection at the end of the path, in a transaction if its object is in a store.
  func editCollection(
    _ context: Context, _ body: (any EditableCollection, Context) throws -> Void
  ) throws {
    try context.changeUnlessNew(self) {
      guard context.newObject(self) != nil else {
        return try body(try collection(context), context.giving(.added))
      }
      try context.givingNew { inner in try body(try collection(inner), inner) }
    }
  }

  private func collection(_ context: Context) throws -> any EditableCollection {
    if let nested = try? context.nested(self) { return nested }
    let resolved = try context.resolve(self)
    switch resolved {
    case .collection(let collection): return collection
    case .values, .value(.list), .value(.map):
      let target = try AssignmentTarget.at(self, context)
      return try target.holder.collection(target.nestedSteps[...], context)
    case .value, .object, .newObject, .results, .elements, .projection:
      let text = context.source.text(span)
      throw context.failure(.notACollection(text, found: resolved.kind), at: span)
    }
  }

  /// Leaves backlinks to the store, which refuses them with an error of its own.
  func check(
    _ collection: any EditableCollection, _ shape: PropertyShape, _ wanted: String,
    _ context: Context
  ) throws {
    if collection.shape == shape || collection.shape.isBacklinks { return }
    throw context.failure(
      .wrongCollection(context.source.text(span), found: collection.kind, wanted: wanted), at: span)
  }

  func elements(
    _ expressions: [ExpressionSyntax], of collection: any EditableCollection, _ context: Context
  ) throws -> [Value] {
    try expressions.map { try context.value($0, as: collection.property.type.element) }
  }
}
