import Herald

extension Context {
  /// `Card of $max`.
  func projection(_ name: Name, _ query: QuerySyntax) throws -> DynamicProjection {
    let resolved = try resolve(query)
    let object: ObjectHandle
    switch resolved {
    case .object(let resolved): object = resolved
    case .projection(let other): object = other.object
    case .newObject:
      throw failure(.library(.objectNotAdded(source.text(query.span))), at: query.span)
    case .value, .values, .collection, .results, .elements:
      let what = source.text(query.span)
      throw failure(.notAnObject(what, found: resolved.kind), at: query.span)
    }
    do {
      // A kept version has the projections that there were.
      let store = try object.store.isFrozen ? object.store : self.store
      return try store.projection(name.text, of: object)
    } catch { throw located(error, source, name.span) }
  }
}

extension DynamicProjection {
  /// The type of a field; nil if the library is to report the error.
  func type(of name: String) throws -> PropertyType? {
    guard let steps = steps(to: name) else { return nil }
    var classSchema = try object.classSchema
    var type: PropertyType?
    for step in steps {
      type = classSchema.property(named: step)?.type
      guard let target = type?.target, let next = object.store.schema.classSchema(target) else {
        break
      }
      classSchema = next
    }
    return type
  }

  /// The present content of a field, in a form that can be assigned again.
  func content(_ name: String) throws -> PropertyContent {
    guard let collection = try collection(name) else { return .value(try value(name)) }
    return collection.isMap ? .map(collection.entries) : .list(collection.values)
  }

  /// The collection of a field: nil if a link on the path is nil, if the path leads through collections, or
  /// if the field is not a collection.
  func collection(_ name: String) throws -> LiveCollection? {
    guard try type(of: name)?.isCollection == true, var steps = steps(to: name) else { return nil }
    let last = steps.removeLast()
    var owner = object
    for step in steps {
      guard try !owner.isCollection(step), case .link(let target) = try owner.value(step),
        let next = object.store.object(target)
      else { return nil }
      owner = next
    }
    return try owner.collection(last)
  }

  private func steps(to name: String) -> [String]? {
    object.store.projections.first { $0.name == self.name }?
      .fields.first { $0.name == name }?
      .path.split(separator: ".").map(String.init)
  }
}
