import HeraldModel

/// Finds new embedded objects that say what those say that an object has. An update leaves these, so that what observes or
/// holds them goes on, and nothing has changed.
struct KeptParts {
  let reader: TransactionReader

  /// The new embedded objects of contents that equal what an object has, by property.
  func parts(of coerced: CoercedContents, at object: ObjectID) -> [PropertyID: [ObjectID]] {
    var parts: [PropertyID: [ObjectID]] = [:]
    for index in 0..<coerced.count {
      let property = coerced.property(index)
      guard isOfParts(property) else { continue }
      let (old, new) = (reader.content(of: property, object), coerced.content(index))
      guard old != new, areEqual(old, new) else { continue }
      let kept = Set(old.objects)
      parts[property.id] = new.objects.filter { !kept.contains($0) }
    }
    return parts
  }

  private func isOfParts(_ property: PropertySchema) -> Bool {
    property.type.target.flatMap { reader.schema.classSchema($0) }?.isEmbedded ?? false
  }

  private func areEqual(_ old: PropertyContent, _ new: PropertyContent) -> Bool {
    switch (old, new) {
    case (.value(let old), .value(let new)): areEqual(old, new)
    case (.list(let old), .list(let new)):
      old.count == new.count && zip(old, new).allSatisfy { areEqual($0, $1) }
    case (.map(let old), .map(let new)):
      old.count == new.count
        && old.allSatisfy { key, value in new[key].map { areEqual(value, $0) } ?? false }
    case (_, _): false
    }
  }

  private func areEqual(_ old: Value, _ new: Value) -> Bool {
    if old == new { return true }
    guard case .link(let old) = old, case .link(let new) = new, old.classID == new.classID,
      let classSchema = reader.schema.classSchema(old.classID)
    else { return false }
    return classSchema.properties.allSatisfy { property in
      if property.type.isBacklinks { return true }
      let (old, new) = (reader.content(of: property, old), reader.content(of: property, new))
      return old == new || isOfParts(property) && areEqual(old, new)
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
