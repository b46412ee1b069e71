import Herald

extension Context {
  func resolve(_ path: PathSyntax) throws -> Resolved {
    if path.asksForInvalidation, case .variable(let name) = path.start,
      let isInvalidated = try asking({ $0.isInvalidated(name) })
    {
      return .value(.bool(isInvalidated))
    }
    var reached = try resolve(startOf: path)
    var end = path.steps.first.map { max(path.span.start, $0.span.start - 1) } ?? path.span.end
    // The class of a link that is nil here: names on the rest of the path are still validated.
    var missing: ClassSchema?
    for step in path.steps {
      let before = SourceSpan(start: path.span.start, end: end)
      let next = try take(step, from: reached, before)
      if case .value(.null) = next {
        missing = try target(of: step, from: reached, missing)
      } else {
        missing = nil
      }
      reached = next
      end = step.span.end
    }
    return reached
  }

  /// The target class of a property of links, or of a link that is nil.
  ///
  /// Errors: a name that is not a property of the class of a nil link.
  private func target(
    of step: PathSyntax.Step, from origin: Resolved, _ missing: ClassSchema?
  ) throws -> ClassSchema? {
    guard case .name(let text) = step.kind else { return nil }
    let name = Name(text: text, span: step.span)
    let owner: ClassSchema
    switch (origin, missing) {
    case (.object(let object), _): owner = try object.classSchema
    case (.value(.null), let missing?): owner = missing
    case (_, _): return nil
    }
    guard let property = owner.property(named: name.text) else {
      let nearest = nearestName(to: name.text, in: owner.properties.map(\.name))
      throw failure(
        .library(.unknownProperty(name.text, className: owner.name, nearest: nearest)),
        at: name.span)
    }
    guard property.type.shape == .single, let target = property.type.target else { return nil }
    return try store.schema.classSchema(target)
  }

  /// The path without its last step.
  func resolveOwner(of path: PathSyntax) throws -> Resolved {
    var owner = path
    let last = owner.steps.removeLast()
    owner.span.end = max(path.span.start, last.span.start - 1)
    let resolved = try resolve(owner)
    if case .value(.null) = resolved {
      throw failure(.nilLink(source.text(owner.span)), at: owner.span)
    }
    return resolved
  }

  /// The object, the collection or the value at the start of a path.
  func resolve(startOf path: PathSyntax) throws -> Resolved {
    let span = path.startSpan
    switch path.start {
    case .variable(let name):
      return try resolve(variable: Name(text: name, span: span))
    case .query(let query): return try resolve(query)
    case .root: throw failure(.notAssignable(source.text(span)), at: span)
    case .object(let className, let key):
      let value = try self.value(key)
      if value.isNull { return .value(.null) }
      do {
        if let object = try store.object(className, key: value) { return .object(object) }
      } catch { throw located(error, source, span) }
      let name = key.literal == nil ? "\(className)#\(value.literalText)" : source.text(span)
      throw failure(.library(.noSuchObject(name)), at: span)
    }
  }

  private func resolve(variable name: Name) throws -> Resolved {
    guard let variable = locals[name.text] ?? shell.variables[name.text] else {
      let nearest = nearestName(to: name.text, in: scope.names)
      throw failure(.unknownVariable(name.text, nearest: nearest), at: name.span)
    }
    switch variable {
    case .value(let value): return .value(value)
    case .values(let values): return .values(values)
    case .changes(let properties): return .values(properties.map { .string($0.name) })
    case .object(let held): return .object(try object(held, of: name))
    case .newObject(let object):
      guard let added = object.added else { return .newObject(object) }
      if let here = try self.object(added) { return .object(here) }
      throw failure(object.missing(name.text, session), at: name.span)
    case .projection(let projection, let held):
      let object = try object(held, of: name)
      return .projection(try self.store.projection(projection, of: object))
    case .frozen(let resolved): return resolved
    case .version(let store): return .value(.int(store.version))
    case .collection(let recipe):
      do {
        return try recipe.resolved(in: session, of: shell)
      } catch let diagnostic as Diagnostic {
        throw failure(diagnostic, at: name.span)
      } catch let error as HeraldError { throw failure(.library(error), at: name.span) }
    }
  }

  private func object(_ held: HeldObject, of name: Name) throws -> ObjectHandle {
    if let object = try store.object(held.id) { return object }
    throw failure(.missingObject(name.text, of: held.name, session: session.name), at: name.span)
  }

  /// The added object of a new one, in the context's session.
  func object(_ added: ObjectHandle) throws -> ObjectHandle? {
    added.isRolledBack ? nil : try store.object(added.id)
  }

  func take(_ step: PathSyntax.Step, from origin: Resolved, _ span: SourceSpan) throws -> Resolved {
    switch step.targetStep {
    case .property(let name): return try property(name, of: origin, span)
    case .subscript(let index):
      return try at(index.span) { try element(index, of: origin, span) }
    }
  }

  /// `[2]`, `["a"]`.
  private func element(
    _ index: ExpressionSyntax, of origin: Resolved, _ span: SourceSpan
  ) throws -> Resolved {
    switch origin {
    case .collection(let collection) where collection.isMap:
      return Resolved(try collection.value(forKey: key(index)) ?? .null, in: collection.store)
    case .collection(let collection):
      return Resolved(try collection[row(index)], in: collection.store)
    case .results(let results): return try row(results[row(index)], of: results)
    case .elements(let elements):
      let values = try elements.values
      let row = try row(index)
      guard values.indices.contains(row) else {
        throw HeraldError.rowOutOfRange(row, count: values.count)
      }
      return Resolved(values[row], in: elements.collection.store)
    case .values(let values), .value(.list(let values)):
      let row = try row(index)
      guard values.indices.contains(row) else {
        throw HeraldError.rowOutOfRange(row, count: values.count)
      }
      return try element(values[row])
    case .value(.map(let entries)):
      return try element(entries[key(index)] ?? .null)
    case .value, .object, .newObject, .projection:
      throw failure(.notACollection(source.text(span), found: origin.kind), at: span)
    }
  }

  private func property(_ name: Name, of origin: Resolved, _ span: SourceSpan) throws -> Resolved {
    do {
      switch origin {
      case .object(let object):
        if try object.isCollection(name.text) {
          return .collection(try object.collection(name.text))
        }
        return Resolved(try object.value(name.text), in: object.store)
      case .newObject(let object):
        switch try object.content(name.text) {
        case .value(.link(let link)):
          if let inner = object.linked(link) { return .newObject(inner) }
          return try element(.link(link))
        case .value(let value): return .value(value)
        case .list(let values): return .values(values)
        case .map(let entries): return .value(.map(entries))
        }
      case .projection(let projection):
        if let collection = try projection.collection(name.text) { return .collection(collection) }
        return Resolved(try projection.value(name.text), in: projection.store)
      case .collection(let collection) where collection.isMap:
        return Resolved(collection.value(forKey: name.text) ?? .null, in: collection.store)
      case .value(.map(let entries)): return try element(entries[name.text] ?? .null)
      case .value(.null), .value(.link): return .value(.null)
      case .value(let value) where value.measure(name.text) != nil:
        return .value(value.measure(name.text) ?? .null)
      case .value, .values, .collection, .results, .elements:
        // The span of a path that ends in a subscript ends before its bracket.
        let what = source.text(span)
        let isOpen = what.count { $0 == "[" } > what.count { $0 == "]" }
        throw failure(.noPath(isOpen ? what + "]" : what, found: origin.kind), at: span)
      }
    } catch let error as HeraldError { throw failure(.library(error), at: name.span) }
  }

  /// Resolves a link in a value, which may have been read at an earlier version: one to an object that the store has no
  /// more stays a link.
  func element(_ value: Value) throws -> Resolved {
    guard case .link = value else { return .value(value) }
    let found = Resolved(value, in: try store)
    if case .value = found { return .value(value) }
    return found
  }

  /// A row of results: the object, or its projection if the query names one.
  private func row(_ object: ObjectHandle, of results: DynamicResults) throws -> Resolved {
    try results.projected(object).map { .projection($0) } ?? .object(object)
  }

  /// What `[FIRST]`, `[LAST]` or `[*]` chooses of the rows of a projection; nil for any other path.
  func projectedRows(_ path: PathSyntax) throws -> Resolved? {
    guard path.steps.count == 1, path.steps[0].kind.choosesRows,
      case .results(let results) = try resolve(startOf: path), results.projection != nil
    else { return nil }
    let objects = try results.objects
    switch path.steps[0].kind {
    case .first: return try objects.first.map { try row($0, of: results) } ?? .value(.null)
    case .last: return try objects.last.map { try row($0, of: results) } ?? .value(.null)
    case .every: return .results(results)
    case .name, .links, .allLinks, .index, .key, .variable, .computed, .keys, .values, .type,
      .operation:
      return nil
    }
  }

  func row(_ expression: ExpressionSyntax) throws -> Int {
    if case .value(.int(let row)) = try resolve(expression) { return row }
    let text = source.text(expression.span)
    throw failure(.notAnIndex(text), at: expression.span)
  }

  /// The key of a map's entry.
  func key(_ expression: ExpressionSyntax) throws -> String {
    if case .value(.string(let key)) = try resolve(expression) { return key }
    let text = source.text(expression.span)
    throw failure(.notAKey(text), at: expression.span)
  }
}

extension Value {
  /// What `.lower`, `.year` and the like are of a string or a date; nil for any other name or value.
  fileprivate func measure(_ name: String) -> Value? {
    ValueMeasure(name, of: element)?.apply(to: self)
  }
}
