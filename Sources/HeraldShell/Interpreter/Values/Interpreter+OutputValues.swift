import Herald

/// Converts a session's objects and collections to output values.
extension Interpreter {
  /// A value with the names of the objects that it links to.
  func output(_ value: Value, _ session: ShellSession) -> OutputValue {
    switch value {
    case .link(let id): link(to: id, session)
    case .list(let values): .list(values.map { output($0, session) })
    case .map(let entries): output(entries, session)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      .plain(value)
    }
  }

  private func link(to id: ObjectID, _ session: ShellSession) -> OutputValue {
    guard let store = session.store else { return .plain(.null) }
    if let new = store.newObject(id), let shown = try? output(new, asEmbedded: true, session) {
      return shown
    }
    return .link(store.label(of: id))
  }

  private func output(_ entries: MapEntries, _ session: ShellSession) -> OutputValue {
    .map(
      entries.inKeyOrder.map {
        OutputValue.Field(name: $0.key, value: output($0.value, session))
      })
  }

  /// The elements of a collection: links as objects with their properties, except in a map, whose output
  /// is a valid literal.
  func rows(_ collection: LiveCollection, _ session: ShellSession) throws -> OutputValue {
    let session = self.session(session, for: collection.store)
    if collection.isMap { return try output(collection) { try member($0, session) } }
    return try output(collection) { value in
      guard case .link(let id) = value, let object = session.store?.object(id) else {
        return output(value, session)
      }
      return try output(object, session)
    }
  }

  private func output(
    _ collection: LiveCollection, _ element: (Value) throws -> OutputValue
  ) rethrows -> OutputValue {
    let values = try collection.values.map(element)
    guard collection.isMap else { return .list(values) }
    return .map(zip(collection.keys, values).map { OutputValue.Field(name: $0, value: $1) })
  }

  func output(_ object: DynamicObject, _ session: ShellSession) throws -> OutputValue {
    .object(object.label, try fields(object, session))
  }

  /// A row of results: the object, or its projection if the query names one.
  func output(
    _ object: DynamicObject, of results: DynamicResults, _ session: ShellSession
  ) throws -> OutputValue {
    try results.projected(object).map { try output($0, session) } ?? output(object, session)
  }

  func fields(_ object: DynamicObject, _ session: ShellSession) throws -> [OutputValue.Field] {
    let session = self.session(session, for: object.store)
    return try object.classSchema.properties.map { property in
      let value: OutputValue =
        switch property.type.shape {
        case .single: try member(object.value(property.name), session)
        case .list, .set, .map:
          try output(object.collection(property.name)) { try member($0, session) }
        case .backlinks: try output(object.collection(property.name)) { output($0, session) }
        }
      return OutputValue.Field(
        name: property.name, value: value, isReadOnly: property.type.isBacklinks)
    }
  }

  /// The content of a property; an embedded object is nested in its owner.
  func member(_ value: Value, _ session: ShellSession) throws -> OutputValue {
    guard case .link(let id) = value, let store = session.store,
      store.schema.classSchema(id.classID)?.isEmbedded == true, let part = store.object(id)
    else { return output(value, session) }
    return .embedded(part.label, try fields(part, session))
  }

  func output(_ projection: DynamicProjection, _ session: ShellSession) throws -> OutputValue {
    let session = self.session(session, for: projection.store)
    let fields = try projection.names.map { name in
      if let collection = try projection.collection(name) {
        return OutputValue.Field(name: name, value: output(collection) { output($0, session) })
      }
      return OutputValue.Field(name: name, value: output(try projection.value(name), session))
    }
    return .projection(projection.name, projection.object.label, fields)
  }
}

extension Value {
  /// Whether the value contains an object, directly or nested.
  var leadsToObjects: Bool {
    switch self {
    case .link: true
    case .list(let values): values.contains(where: \.leadsToObjects)
    case .map(let entries): entries.values.contains(where: \.leadsToObjects)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      false
    }
  }
}
