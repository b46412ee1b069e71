import Herald

extension Context {
  /// The content for a property. Its type determines the meaning of a literal in braces or brackets, and the
  /// precision of numbers; nil if the type is not known.
  func content(_ expression: ExpressionSyntax, for type: PropertyType?) throws -> PropertyContent {
    guard let type else { return try content(expression) }
    switch type.shape {
    case .single:
      if let value = try directed(expression, as: type.element) { return .value(value) }
    case .list, .set, .backlinks:
      if case .list(let elements) = expression.kind {
        return .list(try elements.map { try value($0, as: type.element) })
      }
    case .map:
      if case .record(let record) = expression.kind {
        return .map(try entries(record, as: type.element))
      }
    }
    return try content(expression)
  }

  /// A literal, or the result of an expression.
  private func content(_ expression: ExpressionSyntax) throws -> PropertyContent {
    if case .literal(let value) = expression.kind { return PropertyContent(elementsOf: value) }
    let resolved = try resolve(expression)
    switch resolved {
    case .values(let values): return .list(values)
    case .value(let value): return PropertyContent(elementsOf: value)
    case .object(let object): return .value(.link(object.id))
    case .newObject(let object): return .value(try link(to: object, expression))
    case .collection(let collection):
      return collection.isMap ? .map(collection.entries) : .list(collection.values)
    case .results(let results): return .list(try results.objects.map { .link($0.id) })
    case .elements(let elements): return .list(try elements.values)
    case .projection(let projection): return .value(.link(projection.object.id))
    }
  }

  /// The properties of an object of a class; nil if there is no such class.
  func contents(_ record: RecordSyntax, of classSchema: ClassSchema?) throws -> [NamedContent] {
    var contents: [NamedContent] = []
    contents.reserveCapacity(record.entries.count)
    // Up to a dozen names are compared faster than hashed.
    var names: Set<String>? = record.entries.count > 12 ? [] : nil
    for entry in record.entries {
      let isKnown =
        names.map { $0.contains(entry.name.text) }
        ?? contents.contains { $0.name == entry.name.text }
      names?.insert(entry.name.text)
      if isKnown { throw failure(.duplicateEntry(entry.name.text), at: entry.name.span) }
      let type = classSchema?.property(named: entry.name.text)?.type
      contents.append((entry.name.text, try content(entry.value, for: type)))
    }
    return contents
  }

  /// The entries of a map.
  func entries(_ record: RecordSyntax, as element: ElementType) throws -> MapEntries {
    var entries: MapEntries = [:]
    for entry in record.entries {
      if entries[entry.name.text] != nil {
        throw failure(.duplicateEntry(entry.name.text), at: entry.name.span)
      }
      entries[entry.name.text] = try value(entry.value, as: element)
    }
    return entries
  }
}

// MARK: Single values

extension Context {
  /// A single value; an object is a link to it.
  func value(_ expression: ExpressionSyntax) throws -> Value {
    if case .literal(let value) = expression.kind { return value }
    let resolved = try resolve(expression)
    switch resolved {
    case .value(let value): return value
    case .object(let object): return .link(object.id)
    case .newObject(let object): return try link(to: object, expression)
    case .projection(let projection): return .link(projection.object.id)
    case .values, .collection, .results, .elements:
      throw failure(.expected("a single value", found: resolved.kind), at: expression.span)
    }
  }

  /// A single value for a property, a row or a key of a type.
  func value(_ expression: ExpressionSyntax, as element: ElementType) throws -> Value {
    try directed(expression, as: element) ?? value(expression)
  }

  /// The value of an expression coerced to the type; nil if the expression needs no type.
  private func directed(_ expression: ExpressionSyntax, as element: ElementType) throws -> Value? {
    switch element {
    case .decimal:
      guard case .literal(.double(let number)) = expression.kind, number.isFinite else {
        return nil
      }
      // A decimal keeps every digit, also trailing zeros.
      return Decimal128(source.text(expression.span)).map { .decimal($0) }
    case .link(let target):
      guard case .record(let record) = expression.kind else { return nil }
      if newObjects == .linked,
        let name = try store.schema.classSchema(target)?.name
      {
        return try newNestedObject(name, record).link
      }
      return .link(try make(record, target).id)
    case .any: return try content(expression).asValue
    case .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectID: return nil
    }
  }

  func value(_ generated: GeneratedValue) throws -> Value {
    switch generated {
    case .inTransaction: .bool(try store.isInWrite)
    case .version: .int(try store.version)
    case .now: .date(session.time)
    case .uuid: .uuid(.random())
    case .objectID: .objectID(shell.identifiers.next(seconds: Clock.seconds))
    }
  }

  /// The object of a nested literal: embedded if the class is, otherwise linked to.
  private func make(_ record: RecordSyntax, _ target: ClassID) throws -> ObjectHandle {
    let store = try self.store
    guard session.changesRunning > 0, let classSchema = store.schema.classSchema(target)
    else { throw failure(.embeddedOutside, at: record.span) }
    let contents = try contents(record, of: classSchema)
    let object: ObjectHandle
    do {
      if classSchema.isEmbedded {
        object = try store.addEmbeddedObject(classSchema.name, contents)
      } else if isUpserting, classSchema.primaryKey != nil {
        return try store.upsert(classSchema.name, contents)
      } else {
        object = try store.add(classSchema.name, contents)
      }
    } catch { throw located(error, source, record.span) }
    session.addedNested.append(object)
    return object
  }
}

// MARK: Variables

extension Context {
  /// The content of a `let`: an object or the recipe of a collection, not one session's view of it.
  func variable(_ expression: ExpressionSyntax) throws -> Variable {
    let resolved = try resolve(expression)
    if resolved.store?.isFrozen == true { return .frozen(resolved) }
    switch resolved {
    case .value(let value): return .value(value)
    case .values(let values): return .values(values)
    case .object(let object): return .object(HeldObject(object))
    case .newObject(let object): return .newObject(object)
    case .projection(let projection):
      return .projection(projection.name, HeldObject(projection.object))
    case .collection(let collection):
      return .collection(
        Recipe(
          origin: .property(of: HeldObject(collection.owner), named: collection.property.name),
          tail: nil,
          source: source, span: expression.span, scope: scope))
    // A nested collection is a value, and so are its elements.
    case .elements(let elements) where elements.collection.path != nil:
      return .values(try elements.values)
    case .results, .elements:
      switch expression.kind {
      case .query(let query): return .collection(try recipe(query))
      case .path(let path):
        if case .variable(let name) = path.start, path.steps.allSatisfy(\.kind.choosesRows),
          let variable = locals[name] ?? shell.variables[name]
        {
          return variable
        }
        if case .query(let query) = path.start { return .collection(try recipe(query)) }
      case .literal, .list, .arithmetic, .subquery, .call, .fallback, .duration, .record,
        .generated, .test, .projection:
        break
      }
      throw failure(.expected("a value", found: resolved.kind), at: expression.span)
    }
  }

  func recipe(_ query: QuerySyntax) throws -> Recipe {
    let origin: Recipe.Origin
    switch query.origin {
    case .className(let name): origin = .className(name)
    case .path(let path):
      let expression = ExpressionSyntax(.path(path), path.span)
      guard case .collection(let inner) = try variable(expression) else {
        throw failure(.notACollection(source.text(path.span), found: "a value"), at: path.span)
      }
      if query.tail == nil { return inner }
      origin = .recipe(inner)
    }
    return Recipe(origin: origin, tail: query.tail, source: source, span: query.span, scope: scope)
  }

  /// `Dog#3`, `Dog#"a"`: as it is typed.
  func name(of label: ObjectLabel) -> String { LiteralText.text(label) }
}
