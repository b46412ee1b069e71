import Herald

extension Interpreter {
  /// `append $a, $b to $p.dogs`, also to a nested list in an `any`.
  func append(_ values: [ExpressionSyntax], _ place: PathSyntax, _ context: Context) throws {
    try edit(place, context) { list, context in
      try check(list, .list, "a list", place, context)
      let elements = try elements(values, of: list, context)
      try at(place.span, giving: values, context) { try list.append(elements) }
    }
    confirm { "appended \(values.count)" }
  }

  /// `insert $a into $p.dogs at 0`, `insert "x" into $p.tags`.
  func insert(
    _ values: [ExpressionSyntax], _ place: PathSyntax, _ index: ExpressionSyntax?,
    _ context: Context
  ) throws {
    try edit(place, context) { collection, context in
      guard let index else {
        return try insert(values, intoSet: collection, place, context)
      }
      try check(collection, .list, "a list", place, context)
      let row = try row(index, context)
      let elements = try elements(values, of: collection, context)
      let isInside = row <= collection.count && row >= 0
      try at(isInside ? place.span : index.span, giving: values, context) {
        try collection.insert(elements, at: row)
      }
    }
    confirm { "inserted \(values.count)" }
  }

  private func insert(
    _ values: [ExpressionSyntax], intoSet set: any EditableCollection, _ place: PathSyntax,
    _ context: Context
  ) throws {
    guard set.shape != .list else {
      throw ShellError(.listNeedsPosition, context.source, place.span)
    }
    try check(set, .set, "a set", place, context)
    for value in try elements(values, of: set, context) {
      try at(place.span, giving: values, context) { try set.insert(value) }
    }
  }

  /// `remove $p.dogs[2]`, `remove $p.scores["a"]`, also in an `any`.
  func remove(_ place: PathSyntax, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      guard let element = try element(of: try target(of: place, context), context) else {
        throw ShellError(
          .expected("a row or a key", found: "'\(context.source.text(place.span))'"),
          context.source, place.span)
      }
      try at(element.span, context) {
        switch element.step {
        case .row(let row): try element.collection.remove(at: row)
        case .key(let key): try element.collection.removeKey(key)
        }
      }
    }
    confirm { "removed 1" }
  }

  /// `remove "x" from $p.tags`: removes a value from a set; lists need a row and maps a key.
  func removeValue(_ value: ExpressionSyntax, from place: PathSyntax, _ context: Context) throws {
    try edit(place, context) { set, context in
      guard set.shape != .list else {
        throw ShellError(
          .expected("a row to remove, '\(context.source.text(place.span))[N]'", found: "a value"),
          context.source, place.span)
      }
      try check(set, .set, "a set", place, context)
      // A new object is in no stored set, and must not be added to find that out.
      let isNew = set is NewCollection
      let element = try self.value(
        value, as: set.property.type.element, context.giving(isNew ? .linked : .refused))
      try at(place.span, context) { try set.remove(element) }
    }
    confirm { "removed 1" }
  }

  func move(_ place: PathSyntax, _ index: ExpressionSyntax, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      guard let element = try element(of: try target(of: place, context), context),
        case .row(let row) = element.step
      else {
        throw ShellError(
          .expected("an element of a list", found: "'\(context.source.text(place.span))'"),
          context.source, place.span)
      }
      let list = element.collection
      try check(list, .list, "a list", place, context)
      let end = try self.row(index, context)
      let isInside = row >= 0 && row < list.count
      try at(isInside ? index.span : element.span, context) { try list.move(from: row, to: end) }
    }
    confirm { "moved 1" }
  }

  func clear(_ place: PathSyntax, _ context: Context) throws {
    try edit(place, context) { collection, context in
      try at(place.span, context) { try collection.removeAll() }
    }
    confirm { "cleared" }
  }
}

// MARK: Collections

extension Interpreter {
  /// Calls `body` with the collection at a place, in a transaction if its object is in a store.
  private func edit(
    _ place: PathSyntax, _ context: Context,
    _ body: (any EditableCollection, Context) throws -> Void
  ) throws {
    try changeUnlessNew(place, context) {
      guard newObject(place, context) != nil else {
        return try body(try collection(place, context), context.giving(.added))
      }
      try givingNew(context) { try body(try collection(place, $0), $0) }
    }
  }

  private func collection(
    _ place: PathSyntax, _ context: Context
  ) throws -> any EditableCollection {
    if let nested = try? nested(place, context) { return nested }
    let resolved = try resolve(place, context)
    switch resolved {
    case .collection(let collection): return collection
    case .values, .value(.list), .value(.map):
      let target = try target(of: place, context)
      return try collection(target.holder, target.nestedSteps[...], context)
    case .value, .object, .newObject, .results, .projection:
      let text = context.source.text(place.span)
      throw ShellError(.notACollection(text, found: resolved.kind), context.source, place.span)
    }
  }

  /// Leaves backlinks to the store, which refuses them with an error of its own.
  private func check(
    _ collection: any EditableCollection, _ shape: PropertyShape, _ wanted: String,
    _ place: PathSyntax, _ context: Context
  ) throws {
    if collection.shape == shape || collection.shape.isBacklinks { return }
    throw ShellError(
      .wrongCollection(
        context.source.text(place.span), found: collection.kind, wanted: wanted),
      context.source, place.span)
  }

  private func elements(
    _ expressions: [ExpressionSyntax], of collection: any EditableCollection, _ context: Context
  ) throws -> [Value] {
    try expressions.map { try value($0, as: collection.property.type.element, context) }
  }
}
