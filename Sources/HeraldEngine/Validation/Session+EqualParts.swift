import HeraldModel

// An update gives an object new embedded objects even where they say what those say that it has. These stay then, so that
// what observes or holds them goes on, and nothing has changed.

extension Session {
  /// The new embedded objects of contents that equal what an object has, by property.
  func equalParts(
    _ coerced: CoercedContents, of object: ObjectID, _ reader: TransactionReader
  ) -> [PropertyID: [ObjectID]] {
    var parts: [PropertyID: [ObjectID]] = [:]
    for index in 0..<coerced.count {
      let property = coerced.property(index)
      guard isOfParts(property) else { continue }
      let (old, new) = (reader.content(of: property, object), coerced.content(index))
      if old != new, hasEqualParts(old, new, reader) {
        parts[property.id] = new.objects.filter { !Set(old.objects).contains($0) }
      }
    }
    return parts
  }

  private func isOfParts(_ property: PropertySchema) -> Bool {
    property.type.target.flatMap { schema.classSchema($0) }?.isEmbedded ?? false
  }

  private func hasEqualParts(
    _ old: PropertyContent, _ new: PropertyContent, _ reader: TransactionReader
  ) -> Bool {
    switch (old, new) {
    case (.value(let old), .value(let new)): areEqualParts(old, new, reader)
    case (.list(let old), .list(let new)):
      old.count == new.count
        && zip(old, new).allSatisfy { areEqualParts($0, $1, reader) }
    case (.map(let old), .map(let new)):
      old.count == new.count
        && old.allSatisfy { key, value in
          new[key].map { areEqualParts(value, $0, reader) } ?? false
        }
    case (_, _): false
    }
  }

  private func areEqualParts(_ old: Value, _ new: Value, _ reader: TransactionReader) -> Bool {
    if old == new { return true }
    guard case .link(let old) = old, case .link(let new) = new, old.classID == new.classID,
      let classSchema = schema.classSchema(old.classID)
    else { return false }
    return classSchema.properties.allSatisfy { property in
      if property.type.shape.isBacklinks { return true }
      let (old, new) = (reader.content(of: property, old), reader.content(of: property, new))
      return old == new || isOfParts(property) && hasEqualParts(old, new, reader)
    }
  }
}

extension PropertyContent {
  /// The objects that it links to.
  fileprivate var objects: [ObjectID] {
    switch self {
    case .value(let value): value.links
    case .list(let values): values.flatMap(\.links)
    case .map(let entries): entries.flatMap { $0.value.links }
    }
  }
}
