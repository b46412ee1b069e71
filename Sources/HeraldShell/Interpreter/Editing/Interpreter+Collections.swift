import Herald

extension Interpreter {
  /// `append $a, $b to $p.dogs`, also to a nested list in an `any`.
  func append(_ values: [Expression], _ place: PathExpression, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      if let list = try newCollection(place, context) {
        return try givingNew(context) { context in
          let elements = try elements(values, of: list.property, context)
          try at(place.span, giving: values, context) { try list.append(elements) }
        }
      }
      switch try resolve(place, context) {
      case .values, .value(.list):
        if let nested = try nested(place, context) {
          let elements = try anyValues(values, context)
          return try at(place.span, giving: values, context) { try nested.append(elements) }
        }
        try appendInside(values, place, context)
      case let resolved:
        let list = try list(resolved, place, context)
        let elements = try elements(values, of: list.property, context.giving(.added))
        try at(place.span, giving: values, context) { try list.append(elements) }
      }
    }
    confirm { "appended \(values.count)" }
  }

  private func appendInside(
    _ values: [Expression], _ place: PathExpression, _ context: Context
  ) throws {
    let target = try target(of: place, context)
    let elements = try values.map { try value($0, as: .any, context) }
    try changeNestedValue(target, context) { old in
      guard case .list(let present) = old else { return old }
      return .list(present + elements)
    }
  }

  /// `insert $a into $p.dogs at 0`, `insert "x" into $p.tags`.
  func insert(
    _ values: [Expression], _ place: PathExpression, _ index: Expression?, _ context: Context
  ) throws {
    try changeUnlessNew(place, context) {
      if let new = try newCollection(place, context) {
        return try givingNew(context) { try insert(values, into: new, place, index, $0) }
      }
      if let nested = try nestedToChange(place, context) {
        return try insert(values, into: nested, place, index, context)
      }
      let collection = try collection(place, context)
      guard let index else { return try insert(values, intoSet: collection, place, context) }
      let list = try list(.collection(collection), place, context)
      let row = try row(index, context)
      let elements = try elements(values, of: list.property, context.giving(.added))
      let isInside = row <= list.count && row >= 0
      try at(isInside ? place.span : index.span, giving: values, context) {
        try list.insert(elements, at: row)
      }
    }
    confirm { "inserted \(values.count)" }
  }

  private func insert(
    _ values: [Expression], into new: NewCollection, _ place: PathExpression, _ index: Expression?,
    _ context: Context
  ) throws {
    let elements = try elements(values, of: new.property, context)
    if let index {
      let row = try row(index, context)
      return try at(index.span, giving: values, context) { try new.insert(elements, at: row) }
    }
    try at(place.span, giving: values, context) {
      for element in elements { try new.insert(element) }
    }
  }

  private func insert(
    _ values: [Expression], into nested: NestedCollection, _ place: PathExpression,
    _ index: Expression?,
    _ context: Context
  ) throws {
    guard !nested.isMap else {
      throw ShellError(
        .wrongCollection(context.source.text(place.span), found: nested.kind, wanted: "a list"),
        context.source, place.span)
    }
    guard let index else { throw ShellError(.listNeedsPosition, context.source, place.span) }
    let row = try row(index, context)
    let elements = try anyValues(values, context)
    try at(index.span, giving: values, context) { try nested.insert(elements, at: row) }
  }

  private func insert(
    _ values: [Expression], intoSet set: LiveCollection, _ place: PathExpression, _ context: Context
  ) throws {
    guard set.property.type.shape != .list else {
      throw ShellError(.listNeedsPosition, context.source, place.span)
    }
    try check(set, .set, "a set", place, context)
    for value in try elements(values, of: set.property, context.giving(.added)) {
      try at(place.span, giving: values, context) { try set.insert(value) }
    }
  }

  /// `remove $p.dogs[2]`, `remove $p.scores["a"]`, also in an `any`.
  func remove(_ place: PathExpression, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      let target = try target(of: place, context)
      if let (collection, step) = try newElement(target) {
        return try at(place.span, context) {
          switch step {
          case .row(let row): try collection.remove(at: row)
          case .key(let key): try collection.removeKey(key)
          }
        }
      }
      let isNested = try changeNested(target, context) { nested, step in
        switch step {
        case .row(let row): try nested.remove(at: row)
        case .key(let key): try nested.removeKey(key)
        }
      }
      if isNested { return }
      if !target.nestedSteps.isEmpty { return try changeNestedValue(target, context) { _ in nil } }
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

  /// `remove "x" from $p.tags`: removes a value from a set; lists need a row and maps a key.
  func removeValue(_ value: Expression, from place: PathExpression, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      if let new = try newCollection(place, context) {
        let element = try self.value(
          value, as: new.property.type.element, context.giving(.linked))
        return try at(place.span, context) { try new.remove(element) }
      }
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

  func move(_ place: PathExpression, _ index: Expression, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      let target = try target(of: place, context)
      if case (let collection, .row(let row))? = try newElement(target) {
        let end = try self.row(index, context)
        return try at(place.span, context) { try collection.move(from: row, to: end) }
      }
      let isNested = try changeNested(target, context) { nested, step in
        guard case .row(let row) = step else {
          throw ShellError(
            .expected("an element of a list", found: "'\(context.source.text(place.span))'"),
            context.source, place.span)
        }
        try nested.move(from: row, to: try self.row(index, context))
      }
      if isNested { return }
      guard case .row(let list, let row, let span) = target.holder else {
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

  func clear(_ place: PathExpression, _ context: Context) throws {
    try changeUnlessNew(place, context) {
      if let new = try newCollection(place, context) { return try new.removeAll() }
      if let nested = try nestedToChange(place, context) {
        return try at(place.span, context) { try nested.removeAll() }
      }
      let collection = try collection(place, context)
      try at(place.span, context) { try collection.removeAll() }
    }
    confirm { "cleared" }
  }
}

// MARK: Collections

extension Interpreter {
  /// The nested list or map in an `any` at a place; nil for the other collections.
  private func nestedToChange(_ place: PathExpression, _ context: Context) throws
    -> NestedCollection?
  {
    switch try resolve(place, context) {
    case .value(.list), .value(.map): try nested(place, context)
    case .value, .values, .object, .newObject, .collection, .results, .projection: nil
    }
  }

  private func collection(_ place: PathExpression, _ context: Context) throws -> LiveCollection {
    let resolved = try resolve(place, context)
    if case .collection(let collection) = resolved { return collection }
    let text = context.source.text(place.span)
    throw ShellError(.notACollection(text, found: resolved.kind), context.source, place.span)
  }

  private func list(
    _ resolved: Resolved, _ place: PathExpression, _ context: Context
  ) throws -> LiveCollection {
    guard case .collection(let list) = resolved else {
      let text = context.source.text(place.span)
      throw ShellError(.notACollection(text, found: resolved.kind), context.source, place.span)
    }
    try check(list, .list, "a list", place, context)
    return list
  }

  /// Leaves backlinks to the store, which refuses them with an error of its own.
  private func check(
    _ collection: LiveCollection, _ shape: PropertyShape, _ wanted: String, _ place: PathExpression,
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
    _ expressions: [Expression], of property: PropertySchema, _ context: Context
  ) throws -> [Value] {
    try expressions.map { try value($0, as: property.type.element, context) }
  }

  /// The collection property of an object that is not in a store, if the place is one.
  private func newCollection(_ place: PathExpression, _ context: Context) throws -> NewCollection? {
    guard let new = newObject(place, context), place.steps.count == 1,
      case .property(let name) = place.steps[0]
    else { return nil }
    return try at(name.span, context) { try new.collection(name.text) }
  }

  /// The element of a collection of an object that is not in a store, if the target is one.
  func newElement(
    _ target: AssignmentTarget
  ) throws -> (NewCollection, AssignmentTarget.NestedStep.Step)? {
    guard case .newProperty(let new, let name) = target.holder, target.nestedSteps.count == 1,
      let collection = try new.collection(name.text)
    else { return nil }
    return (collection, target.nestedSteps[0].step)
  }
}
