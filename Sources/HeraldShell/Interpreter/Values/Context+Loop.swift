import Herald

extension Context {
  /// `for $x in Dog {…}`: one iteration for each element that existed at the beginning.
  func loop(_ name: Name, _ elements: ExpressionSyntax, _ block: [Statement]) throws {
    try loop(name, over: try self.elements(elements), block)
  }

  /// `for $g in group Dog by breed { n: @count } {…}`: one round for each row, as a map of its columns.
  func loop(_ name: Name, _ group: GroupSyntax, _ block: [Statement]) throws {
    let groups = try groups(group)
    let rows = try groups.rows.map { Variable.value(groups.entries($0)) }
    try loop(name, over: rows, block)
  }

  private func loop(_ name: Name, over elements: [Variable], _ block: [Statement]) throws {
    var inner = self
    inner.locals[name.text] = nil
    for element in elements {
      try checkInterruption(name.span)
      try inner.bind(name, element)
      try inner.execute(block)
    }
  }

  /// The elements of a collection, and the keys of a map.
  private func elements(_ expression: ExpressionSyntax) throws -> [Variable] {
    if case .path(let path) = expression.kind, let name = path.variable,
      case .changes(let properties)? = locals[name] ?? shell.variables[name]
    {
      return properties.map { .value($0.content) }
    }
    let resolved = try resolve(expression)
    switch resolved {
    case .results(let results):
      return try results.objects.map { object in
        if results.store.isFrozen {
          return .frozen(try results.projected(object).map { .projection($0) } ?? .object(object))
        }
        let held = HeldObject(object)
        return results.projection.map { .projection($0.name, held) } ?? .object(held)
      }
    case .collection(let collection):
      if collection.isMap { return collection.keys.map { .value(.string($0)) } }
      return collection.values.map { element($0, of: collection.store) }
    case .elements(let elements):
      return try elements.values.map { element($0, of: elements.collection.store) }
    case .values(let values), .value(.list(let values)):
      let store = try self.store
      return values.map { element($0, of: store) }
    case .value(.map(let entries)): return entries.inKeyOrder.map { .value(.string($0.key)) }
    case .value, .object, .newObject, .projection:
      throw ShellError(
        .notACollection(source.text(expression.span), found: resolved.kind),
        source, expression.span)
    }
  }

  private func element(_ value: Value, of store: DynamicStore) -> Variable {
    guard case .link = value else { return .value(value) }
    switch element(value, in: store) {
    case .object(let object):
      return store.isFrozen ? .frozen(.object(object)) : .object(HeldObject(object))
    case .newObject(let object): return .newObject(object)
    case .value, .values, .collection, .results, .elements, .projection: return .value(value)
    }
  }
}
