import Herald

extension Interpreter {
  /// `append $a, $b to $p.dogs`, also to a nested list in an `any`.
  func append(_ values: [ExpressionSyntax], _ path: PathSyntax, _ context: Context) throws {
    try edit(path, context) { list, context in
      try check(list, .list, "a list", path, context)
      let elements = try elements(values, of: list, context)
      try at(path.span, giving: values, context) { try list.append(elements) }
    }
    confirm(.changed, 1, context) { "appended \(values.count)" }
  }

  /// `insert $a into $p.dogs at 0`, `insert "x" into $p.tags`.
  func insert(
    _ values: [ExpressionSyntax], _ path: PathSyntax, _ index: ExpressionSyntax?,
    _ context: Context
  ) throws {
    try edit(path, context) { collection, context in
      guard let index else {
        return try insert(values, intoSet: collection, path, context)
      }
      try check(collection, .list, "a list", path, context)
      let row = try row(index, context)
      let elements = try elements(values, of: collection, context)
      let isInside = row <= collection.count && row >= 0
      try at(isInside ? path.span : index.span, giving: values, context) {
        try collection.insert(elements, at: row)
      }
    }
    confirm(.changed, 1, context) { "inserted \(values.count)" }
  }

  private func insert(
    _ values: [ExpressionSyntax], intoSet set: any EditableCollection, _ path: PathSyntax,
    _ context: Context
  ) throws {
    guard set.shape != .list else {
      throw ShellError(.listNeedsPosition, context.source, path.span)
    }
    try check(set, .set, "a set", path, context)
    for value in try elements(values, of: set, context) {
      try at(path.span, giving: values, context) { try set.insert(value) }
    }
  }

  /// `remove $p.dogs[2]`, `remove $p.scores["a"]`, also in an `any`.
  func remove(_ path: PathSyntax, _ context: Context) throws {
    try changeUnlessNew(path, context) {
      guard let element = try element(of: try target(of: path, context), context) else {
        throw ShellError(
          .expected("a row or a key", found: "'\(context.source.text(path.span))'"),
          context.source, path.span)
      }
      try at(element.span, context) {
        switch element.step {
        case .row(let row): try element.collection.remove(at: row)
        case .key(let key): try element.collection.removeKey(key)
        }
      }
    }
    confirm(.changed, 1, context) { "removed 1" }
  }

  /// `remove "x" from $p.tags`: removes a value from a set; lists need a row and maps a key.
  func removeValue(_ value: ExpressionSyntax, from path: PathSyntax, _ context: Context) throws {
    try edit(path, context) { set, context in
      guard set.shape != .list else {
        throw ShellError(
          .expected("a row to remove, '\(context.source.text(path.span))[N]'", found: "a value"),
          context.source, path.span)
      }
      try check(set, .set, "a set", path, context)
      // A new object is in no stored set, and must not be added to find that out.
      let isNew = set is NewCollection
      let element = try self.value(
        value, as: set.property.type.element, context.giving(isNew ? .linked : .refused))
      try at(path.span, context) { try set.remove(element) }
    }
    confirm(.changed, 1, context) { "removed 1" }
  }

  func move(_ path: PathSyntax, _ index: ExpressionSyntax, _ context: Context) throws {
    try changeUnlessNew(path, context) {
      guard let element = try element(of: try target(of: path, context), context),
        case .row(let row) = element.step
      else {
        throw ShellError(
          .expected("an element of a list", found: "'\(context.source.text(path.span))'"),
          context.source, path.span)
      }
      let list = element.collection
      try check(list, .list, "a list", path, context)
      let end = try self.row(index, context)
      let isInside = row >= 0 && row < list.count
      try at(isInside ? index.span : element.span, context) { try list.move(from: row, to: end) }
    }
    confirm(.changed, 1, context) { "moved 1" }
  }

  func clear(_ path: PathSyntax, _ context: Context) throws {
    try edit(path, context) { collection, context in
      try at(path.span, context) { try collection.removeAll() }
    }
    confirm(.changed, 1, context) { "cleared" }
  }
}

// MARK: Collections

extension Interpreter {
  /// Calls `body` with the collection at the end of a path, in a transaction if its object is in a store.
  private func edit(
    _ path: PathSyntax, _ context: Context,
    _ body: (any EditableCollection, Context) throws -> Void
  ) throws {
    try changeUnlessNew(path, context) {
      guard newObject(path, context) != nil else {
        return try body(try collection(path, context), context.giving(.added))
      }
      try givingNew(context) { try body(try collection(path, $0), $0) }
    }
  }

  private func collection(
    _ path: PathSyntax, _ context: Context
  ) throws -> any EditableCollection {
    if let nested = try? nested(path, context) { return nested }
    let resolved = try resolve(path, context)
    switch resolved {
    case .collection(let collection): return collection
    case .values, .value(.list), .value(.map):
      let target = try target(of: path, context)
      return try collection(target.holder, target.nestedSteps[...], context)
    case .value, .object, .newObject, .results, .elements, .projection:
      let text = context.source.text(path.span)
      throw ShellError(.notACollection(text, found: resolved.kind), context.source, path.span)
    }
  }

  /// Leaves backlinks to the store, which refuses them with an error of its own.
  private func check(
    _ collection: any EditableCollection, _ shape: PropertyShape, _ wanted: String,
    _ path: PathSyntax, _ context: Context
  ) throws {
    if collection.shape == shape || collection.shape.isBacklinks { return }
    throw ShellError(
      .wrongCollection(
        context.source.text(path.span), found: collection.kind, wanted: wanted),
      context.source, path.span)
  }

  private func elements(
    _ expressions: [ExpressionSyntax], of collection: any EditableCollection, _ context: Context
  ) throws -> [Value] {
    try expressions.map { try value($0, as: collection.property.type.element, context) }
  }
}
