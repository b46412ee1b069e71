import Herald

/// Converts a session's objects and collections to output values.
extension ShellSession {
  /// A value with the names of the objects that it links to.
  func output(_ value: Value) -> OutputValue {
    switch value {
    case .link(let id): link(to: id)
    case .list(let values): .list(values.map { output($0) })
    case .map(let entries): output(entries)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      .plain(value)
    }
  }

  private func link(to id: ObjectID) -> OutputValue {
    guard let store else { return .plain(.null) }
    if let new = store.newObject(id), let shown = try? output(new, asEmbedded: true) {
      return shown
    }
    return .link(store.label(of: id))
  }

  private func output(_ entries: MapEntries) -> OutputValue {
    .map(entries.inKeyOrder.map { OutputValue.Field(name: $0.key, value: output($0.value)) })
  }

  /// The elements of a collection: links as objects with their properties, except in a map, whose output
  /// is a valid literal.
  func rows(_ collection: LiveCollection) throws -> OutputValue {
    let home = reading(collection.store)
    if collection.isMap { return try output(collection) { try home.member($0) } }
    return try output(collection) { value in
      guard case .link(let id) = value, let object = home.store?.object(id) else {
        return home.output(value)
      }
      return try home.output(object)
    }
  }

  private func output(
    _ collection: LiveCollection, _ element: (Value) throws -> OutputValue
  ) rethrows -> OutputValue {
    let values = try collection.values.map(element)
    guard collection.isMap else { return .list(values) }
    return .map(zip(collection.keys, values).map { OutputValue.Field(name: $0, value: $1) })
  }

  func output(_ object: ObjectHandle) throws -> OutputValue {
    .object(object.label, try fields(object))
  }

  /// A row of results: the object, or its projection if the query names one.
  func output(_ object: ObjectHandle, of results: DynamicResults) throws -> OutputValue {
    try results.projected(object).map { try output($0) } ?? output(object)
  }

  func fields(_ object: ObjectHandle) throws -> [OutputValue.Field] {
    let home = reading(object.store)
    return try object.classSchema.properties.map { property in
      let value: OutputValue =
        switch property.type.shape {
        case .single: try home.member(object.value(property.name))
        case .list, .set, .map:
          try output(object.collection(property.name)) { try home.member($0) }
        case .backlinks: try output(object.collection(property.name)) { home.output($0) }
        }
      return OutputValue.Field(
        name: property.name, value: value, isReadOnly: property.type.isBacklinks)
    }
  }

  /// The content of a property; embedded objects are nested in their owner.
  func member(_ value: Value) throws -> OutputValue {
    switch value {
    case .link(let id):
      guard let store, store.schema.classSchema(id.classID)?.isEmbedded == true,
        let part = store.object(id)
      else { return output(value) }
      return .embedded(part.label, try fields(part))
    case .list(let values): return .list(try values.map { try member($0) })
    case .map(let entries):
      return .map(
        try entries.inKeyOrder.map { OutputValue.Field(name: $0.key, value: try member($0.value)) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      return output(value)
    }
  }

  func output(_ projection: DynamicProjection) throws -> OutputValue {
    .projection(projection.name, projection.object.label, try fields(projection))
  }

  func fields(_ projection: DynamicProjection) throws -> [OutputValue.Field] {
    let home = reading(projection.store)
    return try projection.names.map { name in
      if let collection = try projection.collection(name) {
        return OutputValue.Field(name: name, value: try output(collection) { try home.member($0) })
      }
      return OutputValue.Field(name: name, value: try home.member(projection.value(name)))
    }
  }

  /// A row that is not an object.
  func row(_ names: [String], _ values: [Value]) -> OutputValue {
    .row(zip(names, values).map { OutputValue.Field(name: $0, value: output($1)) })
  }

  func fields(_ names: [String], _ values: [Value]) throws -> [OutputValue.Field] {
    try zip(names, values).map { name, value in
      OutputValue.Field(name: name, value: try member(value))
    }
  }

  /// The session that output of values of `store` uses: frozen values resolve links in their own store.
  func reading(_ other: DynamicStore) -> ShellSession {
    other === store ? self : at(other)
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
