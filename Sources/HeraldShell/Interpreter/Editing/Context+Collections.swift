import Herald

extension Context {
  /// `append $a, $b to $p.dogs`, also to a nested list in an `any`.
  func append(_ values: [ExpressionSyntax], _ path: PathSyntax) throws {
    try edit(path) { list, inner in
      try inner.check(list, .list, "a list", path)
      let elements = try inner.elements(values, of: list)
      try inner.at(path.span, giving: values) { try list.append(elements) }
    }
    confirm(.changed, 1) { "appended \(values.count)" }
  }

  /// `insert $a into $p.dogs at 0`, `insert "x" into $p.tags`.
  func insert(_ values: [ExpressionSyntax], _ path: PathSyntax, _ index: ExpressionSyntax?) throws {
    try edit(path) { collection, inner in
      guard let index else {
        return try inner.insert(values, intoSet: collection, path)
      }
      try inner.check(collection, .list, "a list", path)
      let row = try inner.row(index)
      let elements = try inner.elements(values, of: collection)
      let isInside = row <= collection.count && row >= 0
      try inner.at(isInside ? path.span : index.span, giving: values) {
        try collection.insert(elements, at: row)
      }
    }
    confirm(.changed, 1) { "inserted \(values.count)" }
  }

  private func insert(
    _ values: [ExpressionSyntax], intoSet set: any EditableCollection, _ path: PathSyntax
  ) throws {
    guard set.shape != .list else {
      throw ShellError(.listNeedsPosition, source, path.span)
    }
    try check(set, .set, "a set", path)
    for value in try elements(values, of: set) {
      try at(path.span, giving: values) { try set.insert(value) }
    }
  }

  /// `remove $p.dogs[2]`, `remove $p.scores["a"]`, also in an `any`.
  func remove(_ path: PathSyntax) throws {
    try changeUnlessNew(path) {
      guard let element = try element(of: try target(of: path)) else {
        throw ShellError(
          .expected("a row or a key", found: "'\(source.text(path.span))'"),
          source, path.span)
      }
      try at(element.span) {
        switch element.step {
        case .row(let row): try element.collection.remove(at: row)
        case .key(let key): try element.collection.removeKey(key)
        }
      }
    }
    confirm(.changed, 1) { "removed 1" }
  }

  /// `remove "x" from $p.tags`: removes a value from a set; lists need a row and maps a key.
  func removeValue(_ value: ExpressionSyntax, from path: PathSyntax) throws {
    try edit(path) { set, inner in
      guard set.shape != .list else {
        throw ShellError(
          .expected("a row to remove, '\(inner.source.text(path.span))[N]'", found: "a value"),
          inner.source, path.span)
      }
      try inner.check(set, .set, "a set", path)
      // A new object is in no stored set, and must not be added to find that out.
      let isNew = set is NewCollection
      let element = try inner.giving(isNew ? .linked : .refused)
        .value(value, as: set.property.type.element)
      try inner.at(path.span) { try set.remove(element) }
    }
    confirm(.changed, 1) { "removed 1" }
  }

  func move(_ path: PathSyntax, _ index: ExpressionSyntax) throws {
    try changeUnlessNew(path) {
      guard let element = try element(of: try target(of: path)),
        case .row(let row) = element.step
      else {
        throw ShellError(
          .expected("an element of a list", found: "'\(source.text(path.span))'"),
          source, path.span)
      }
      let list = element.collection
      try check(list, .list, "a list", path)
      let end = try self.row(index)
      let isInside = row >= 0 && row < list.count
      try at(isInside ? index.span : element.span) { try list.move(from: row, to: end) }
    }
    confirm(.changed, 1) { "moved 1" }
  }

  func clear(_ path: PathSyntax) throws {
    try edit(path) { collection, inner in
      try inner.at(path.span) { try collection.removeAll() }
    }
    confirm(.changed, 1) { "cleared" }
  }
}

// MARK: Collections

extension Context {
  /// Calls `body` with the collection at the end of a path, in a transaction if its object is in a store.
  private func edit(
    _ path: PathSyntax,
    _ body: (any EditableCollection, Context) throws -> Void
  ) throws {
    try changeUnlessNew(path) {
      guard newObject(path) != nil else {
        return try body(try collection(path), giving(.added))
      }
      try givingNew { inner in try body(try inner.collection(path), inner) }
    }
  }

  private func collection(_ path: PathSyntax) throws -> any EditableCollection {
    if let nested = try? nested(path) { return nested }
    let resolved = try resolve(path)
    switch resolved {
    case .collection(let collection): return collection
    case .values, .value(.list), .value(.map):
      let target = try target(of: path)
      return try collection(target.holder, target.nestedSteps[...])
    case .value, .object, .newObject, .results, .elements, .projection:
      let text = source.text(path.span)
      throw ShellError(.notACollection(text, found: resolved.kind), source, path.span)
    }
  }

  /// Leaves backlinks to the store, which refuses them with an error of its own.
  private func check(
    _ collection: any EditableCollection, _ shape: PropertyShape, _ wanted: String,
    _ path: PathSyntax
  ) throws {
    if collection.shape == shape || collection.shape.isBacklinks { return }
    throw ShellError(
      .wrongCollection(source.text(path.span), found: collection.kind, wanted: wanted),
      source, path.span)
  }

  private func elements(
    _ expressions: [ExpressionSyntax], of collection: any EditableCollection
  ) throws -> [Value] {
    try expressions.map { try value($0, as: collection.property.type.element) }
  }
}
