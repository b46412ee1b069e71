import Herald

extension ShellSession {
  /// An object that is not in a store, with those that it links to: each with its properties at its first
  /// occurrence, and by name after that, as links may form cycles; after a hundred, all by name.
  func output(_ object: NewObject, asEmbedded: Bool = false) throws -> OutputValue {
    var shown: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    let label = ObjectLabel(className: object.className, key: .null)
    let fields = try fields(object, &shown)
    return asEmbedded ? .embedded(label, fields) : .object(label, fields)
  }

  private func fields(
    _ object: NewObject, _ shown: inout Set<ObjectIdentifier>
  ) throws -> [OutputValue.Field] {
    let schema = store?.schema.classSchema(named: object.className)
    var fields: [OutputValue.Field] = []
    for property in schema?.properties ?? [] {
      let value: OutputValue =
        switch try object.content(property.name) {
        case .value(let value): try output(value, in: object, &shown)
        case .list(let values): try output(.list(values), in: object, &shown)
        case .map(let entries): try output(.map(entries), in: object, &shown)
        }
      fields.append(
        OutputValue.Field(name: property.name, value: value, isReadOnly: property.type.isBacklinks))
    }
    return fields
  }

  private func output(
    _ value: Value, in object: NewObject, _ shown: inout Set<ObjectIdentifier>
  ) throws -> OutputValue {
    switch value {
    case .link(let id):
      guard let target = object.linked(id) else { return output(value) }
      guard shown.count < 100, shown.insert(ObjectIdentifier(target)).inserted else {
        return .link(try label(of: target))
      }
      return .embedded(
        ObjectLabel(className: target.className, key: .null), try fields(target, &shown))
    case .list(let values):
      var shownValues: [OutputValue] = []
      for value in values { shownValues.append(try output(value, in: object, &shown)) }
      return .list(shownValues)
    case .map(let entries):
      var fields: [OutputValue.Field] = []
      for (name, value) in entries.inKeyOrder {
        fields.append(OutputValue.Field(name: name, value: try output(value, in: object, &shown)))
      }
      return .map(fields)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      return output(value)
    }
  }

  /// Its class, and its primary key where it has one.
  private func label(of object: NewObject) throws -> ObjectLabel {
    let key = store?.schema.classSchema(named: object.className)?.primaryKey
    guard let key, case .value(let value) = try object.content(key.name) else {
      return ObjectLabel(className: object.className, key: .null)
    }
    return ObjectLabel(className: object.className, key: value)
  }
}
