import Herald

extension Context {
  /// `observe property $max.name`, of an object in the store or of one that is still to be added;
  /// `observe property $max.invalidated` and `observe property $max.dogs.invalidated`.
  func observeProperty(
    _ path: PathSyntax, _ record: TokenTable.Entry, _ syntax: ObserveSyntax
  ) throws -> ObservationToken {
    guard case .property(let name)? = path.steps.last?.targetStep else {
      throw ShellError(
        .expected("a property", found: "'\(source.text(path.span))'"), source,
        path.span)
    }
    let session = self.session
    do {
      let owner = try resolveOwner(of: path)
      let held = self.held(owner)
      let handler: (PropertyEvent) throws -> Void = { event in
        let kind = Event.Kind(event) { session.output($0) }
        try deliver(DeliveredEvent(kind, blockLocals(held, event)), record, syntax)
      }
      switch owner {
      case .object(let object):
        return try object.isInvalidation(name.text)
          ? object.observeInvalidation(handler) : object.observeProperty(name.text, handler)
      case .newObject(let object): return try object.observeProperty(name.text, handler)
      case .collection(let collection) where name.text == "invalidated":
        return try collection.observeInvalidation(handler)
      case .value, .values, .collection, .results, .elements, .projection:
        throw HeraldError.cannotObserve("'\(source.text(path.span))'")
      }
    } catch {
      throw located(error, source, name.span)
    }
  }

  /// The value of `$object` in the block of a property observer.
  private func held(_ owner: Resolved) -> Variable? {
    switch owner {
    case .object(let object): .object(HeldObject(object))
    case .newObject(let object): .newObject(object)
    case .collection(let collection): .object(HeldObject(collection.owner))
    case .value, .values, .results, .elements, .projection: nil
    }
  }

  private func blockLocals(_ object: Variable?, _ event: PropertyEvent) -> [String: Variable] {
    var locals = blockLocals(event)
    locals["object"] = object
    return locals
  }

  private func blockLocals(_ event: PropertyEvent) -> [String: Variable] {
    switch event {
    case .changed(let name, let old, let new):
      ["properties": .values([.string(name)]), "old": .value(old), "new": .value(new)]
    case .rows(let name, _, let rows):
      ["properties": .values([.string(name)]), "rows": .values(rows.map(Value.int))]
    case .invalidated(let name): ["properties": .values([.string(name)])]
    case .error: [:]
    }
  }

  /// `observe Card of $max`.
  func observeProjection(
    _ projection: DynamicProjection, _ record: TokenTable.Entry, _ syntax: ObserveSyntax
  ) throws -> ObservationToken {
    try projection.observe(keyPaths: syntax.keyPaths.texts) { projection, change in
      let kind = Event.Kind(change) { session.output($0) }
      let object = Variable.projection(projection.name, HeldObject(projection.object))
      try deliver(DeliveredEvent(kind, blockLocals(object, change)), record, syntax)
    }
  }
}

extension DynamicObject {
  /// Whether the name means the deletion of the object rather than a property of it.
  fileprivate func isInvalidation(_ name: String) throws -> Bool {
    try name == "invalidated" && classSchema.property(named: name) == nil
  }
}
