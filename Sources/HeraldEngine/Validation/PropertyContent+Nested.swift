import HeraldModel
import HeraldQuery

// The conversion of embedded objects when a property is altered to or from another type. An embedded object
// converts to the map of its properties, and a map to an embedded object if each entry converts to the
// property of that name and no other property requires a value.

extension TransactionReader {
  /// Returns a content with each embedded object replaced by a map.
  func unfolded(_ content: PropertyContent) -> PropertyContent {
    switch content {
    case .value(let value): .value(unfolded(value))
    case .list(let values): .list(values.map(unfolded))
    case .map(let entries): .map(entries.mapValues(unfolded))
    }
  }

  private func unfolded(_ value: Value) -> Value {
    guard case .link(let object) = value, let classSchema = schema.classSchema(object.classID),
      classSchema.isEmbedded
    else { return value }
    var entries: MapEntries = [:]
    for property in classSchema.properties where !property.type.isBacklinks {
      entries[property.name] = unfolded(content(of: property, object)).asValue
    }
    return .map(entries)
  }
}

extension PropertyContent {
  /// Returns the content for a property of embedded objects, each as the map of its properties' converted
  /// contents; nil if it cannot be converted.
  func folded(to type: PropertyType, _ schema: Schema) -> PropertyContent? {
    guard let target = type.target.flatMap({ schema.classSchema($0) }) else { return nil }
    func part(_ value: Value) -> Value? {
      if value.isNull { return type.isOptional ? .null : nil }
      guard case .map(let entries) = value else { return nil }
      return target.folded(entries, schema)
    }
    switch (self, type.shape) {
    case (.value(let value), .single): return part(value).map { .value($0) }
    case (.map(let entries), .single): return part(.map(entries)).map { .value($0) }
    case (.list(let values), .single):
      guard values.count < 2 else { return nil }
      return part(values.first ?? .null).map { .value($0) }
    case (.value(.null), .list), (.value(.null), .set): return .list([])
    case (.value(.list(let values)), .list), (.list(let values), .list),
      (.value(.list(let values)), .set), (.list(let values), .set):
      return values.converted(part).map { .list($0) }
    case (.value(let value), .list), (.value(let value), .set):
      return [value].converted(part).map { .list($0) }
    case (.value(.null), .map): return .map([:])
    case (.value(.map(let entries)), .map), (.map(let entries), .map):
      return entries.converted(part).map { .map($0) }
    case (.value, .map), (.list, .map), (.map, .list), (.map, .set), (_, .backlinks): return nil
    }
  }

  fileprivate init(_ value: Value, for shape: PropertyShape) {
    self =
      switch (value, shape) {
      case (.list(let values), .list), (.list(let values), .set): .list(values)
      case (.map(let entries), .map): .map(entries)
      case (_, _): .value(value)
      }
  }

  fileprivate var asValue: Value {
    switch self {
    case .value(let value): value
    case .list(let values): .list(values)
    case .map(let entries): .map(entries)
    }
  }
}

extension ClassSchema {
  /// Returns the contents of an embedded object of this class by property name; nil if the map cannot be
  /// converted.
  fileprivate func folded(_ entries: MapEntries, _ schema: Schema) -> Value? {
    var folded: MapEntries = [:]
    for (name, value) in entries {
      guard let property = property(named: name), !property.type.isBacklinks else { return nil }
      let content = PropertyContent(value, for: property.type.shape)
      let converted =
        schema.holdsEmbedded(property.type)
        ? content.folded(to: property.type, schema) : content.converted(to: property.type)
      guard let converted else { return nil }
      folded[name] = converted.asValue
    }
    let isComplete = properties.allSatisfy { property in
      folded[property.name] != nil || property.type.shape != .single || property.type.isOptional
        || property.defaultValue != nil || property.isGenerated
    }
    return isComplete ? .map(folded) : nil
  }

  /// Returns the content of a property in a map that `folded` made; nil if there is none.
  func content(of property: PropertySchema, in part: MapEntries) -> PropertyContent? {
    part[property.name].map { PropertyContent($0, for: property.type.shape) }
  }
}

extension Schema {
  /// Returns whether a property of a type holds embedded objects.
  func holdsEmbedded(_ type: PropertyType) -> Bool {
    guard !type.isBacklinks, let target = type.target else { return false }
    return classSchema(target)?.isEmbedded ?? false
  }

  /// Returns whether a property of a type may hold embedded objects of a class, at any depth.
  func mayHoldEmbedded(_ type: PropertyType, of classID: ClassID) -> Bool {
    var seen: Set<ClassID> = []
    var pending = holdsEmbedded(type) ? [type] : []
    while let target = pending.popLast()?.target {
      if target == classID { return true }
      guard seen.insert(target).inserted, let classSchema = classSchema(target) else { continue }
      pending += classSchema.properties.map(\.type).filter { holdsEmbedded($0) }
    }
    return false
  }
}

extension [Value] {
  /// Returns the elements converted by `body`; nil if it returns nil for one.
  fileprivate func converted(_ body: (Value) -> Value?) -> [Value]? {
    let converted = compactMap(body)
    return converted.count == count ? converted : nil
  }
}

extension MapEntries {
  fileprivate func converted(_ body: (Value) -> Value?) -> MapEntries? {
    let converted = compactMapValues(body)
    return converted.count == count ? converted : nil
  }
}
