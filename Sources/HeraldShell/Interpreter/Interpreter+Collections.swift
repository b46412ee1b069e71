import Herald

extension Interpreter {
  /// `append $a, $b to $p.dogs`, also to a list inside an `any`.
  func append(_ values: [Expression], _ place: Place, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      switch try resolve(place, context) {
      case .values, .value(.list): try appendInside(values, place, context)
      case let resolved:
        let list = try list(resolved, place, context)
        let elements = try elements(values, of: list, context)
        try at(place.span, context) { try list.append(elements) }
      }
    }
    confirm { "appended \(values.count)" }
  }

  private func appendInside(
    _ values: [Expression], _ place: Place, _ context: Context
  ) throws {
    let target = try target(of: place, context)
    let elements = try values.map { try value($0, as: .any, context) }
    try changeInside(target, context) { old in
      guard case .list(let present) = old else { return old }
      return .list(present + elements)
    }
  }

  /// `insert $a into $p.dogs at 0`, `insert "x" into $p.tags`.
  func insert(
    _ values: [Expression], _ place: Place, _ index: Expression?, _ context: Context
  ) throws {
    try change(context) { _ in
      let collection = try collection(place, context)
      guard let index else { return try insert(values, intoSet: collection, place, context) }
      let list = try list(.collection(collection), place, context)
      let row = try row(index, context)
      let elements = try elements(values, of: list, context)
      try at(row <= list.count && row >= 0 ? place.span : index.span, context) {
        try list.insert(elements, at: row)
      }
    }
    confirm { "inserted \(values.count)" }
  }

  private func insert(
    _ values: [Expression], intoSet set: LiveCollection, _ place: Place, _ context: Context
  ) throws {
    guard set.property.type.shape != .list else {
      throw ShellError(.listNeedsPlace, context.source, place.span)
    }
    try check(set, .set, "a set", place, context)
    for value in try elements(values, of: set, context) {
      try at(place.span, context) { try set.insert(value) }
    }
  }

  /// `remove $p.dogs[2]`, `remove $p.scores["a"]`, also inside an `any`.
  func remove(_ place: Place, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      let target = try target(of: place, context)
      if !target.inside.isEmpty { return try changeInside(target, context) { _ in nil } }
      switch target.holder {
      case .row(let list, let row, let span): try at(span, context) { try list.remove(at: row) }
      case .key(let map, let key): try at(place.span, context) { try map.removeKey(key) }
      case .property, .newProperty, .projected:
        throw ShellError(
          .expected("a row or a key", found: "'\(context.source.text(place.span))'"),
          context.source, place.span)
      }
    }
    confirm { "removed 1" }
  }

  /// `remove "x" from $p.tags`: sets have values to remove, lists rows and maps keys.
  func removeValue(_ value: Expression, from place: Place, _ context: Context) throws {
    try change(context) { _ in
      let set = try collection(place, context)
      guard set.property.type.shape != .list else {
        throw ShellError(
          .expected("a row to remove, '\(context.source.text(place.span))[N]'", found: "a value"),
          context.source, place.span)
      }
      try check(set, .set, "a set", place, context)
      let element = try self.value(value, as: set.property.type.element, context)
      try at(place.span, context) { try set.remove(element) }
    }
    confirm { "removed 1" }
  }

  func move(_ place: Place, _ index: Expression, _ context: Context) throws {
    try change(context) { _ in
      guard case .row(let list, let row, let span) = try target(of: place, context).holder else {
        throw ShellError(
          .expected("an element of a list", found: "'\(context.source.text(place.span))'"),
          context.source, place.span)
      }
      try check(list, .list, "a list", place, context)
      let end = try self.row(index, context)
      let isInside = row >= 0 && row < list.count
      try at(isInside ? index.span : span, context) { try list.move(from: row, to: end) }
    }
    confirm { "moved 1" }
  }

  func clear(_ place: Place, _ context: Context) throws {
    try change(context) { _ in
      let collection = try collection(place, context)
      try at(place.span, context) { try collection.removeAll() }
    }
    confirm { "cleared" }
  }
}

// MARK: Which collection

extension Interpreter {
  private func collection(_ place: Place, _ context: Context) throws -> LiveCollection {
    let resolved = try resolve(place, context)
    if case .collection(let collection) = resolved { return collection }
    let text = context.source.text(place.span)
    throw ShellError(.notACollection(text, found: resolved.kind), context.source, place.span)
  }

  private func list(
    _ resolved: Resolved, _ place: Place, _ context: Context
  ) throws -> LiveCollection {
    guard case .collection(let list) = resolved else {
      let text = context.source.text(place.span)
      throw ShellError(.notACollection(text, found: resolved.kind), context.source, place.span)
    }
    try check(list, .list, "a list", place, context)
    return list
  }

  /// Backlinks are refused by the store, in its own words.
  private func check(
    _ collection: LiveCollection, _ shape: PropertyShape, _ wanted: String, _ place: Place,
    _ context: Context
  ) throws {
    let found = collection.property.type.shape
    if found == shape || found.isBacklinks { return }
    throw ShellError(
      .wrongCollection(
        context.source.text(place.span), found: collection.kind, wanted: wanted),
      context.source, place.span)
  }

  private func elements(
    _ expressions: [Expression], of collection: LiveCollection, _ context: Context
  ) throws -> [Value] {
    try expressions.map { try value($0, as: collection.property.type.element, context) }
  }
}
