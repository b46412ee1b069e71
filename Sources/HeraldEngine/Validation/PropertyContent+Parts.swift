import HeraldModel
import HeraldQuery

// What becomes of embedded objects when a property is altered to or from a type that has none: one
// counts as the map of its properties. A map becomes one again where each of its entries converts to
// the property of that name, and no other property needs a value.

extension TransactionReader where Transaction: ~Copyable {
  /// A content with each embedded object that it holds as a map.
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
  /// The content for a property of embedded objects, each as the map of its properties' contents as
  /// they are to be kept; nil where it does not fit.
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
  /// The contents of a part of this class by its properties' names; nil where a map is none.
  fileprivate func folded(_ entries: MapEntries, _ schema: Schema) -> Value? {
    var folded: MapEntries = [:]
    for (name, value) in entries {
      guard let property = property(named: name), !property.type.isBacklinks else { return nil }
      let content = PropertyContent(value, for: property.type.shape)
      let converted =
        schema.holdsParts(property.type)
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

  /// The content that `folded` gave to a property of a part; nil where it gave none.
  func content(of property: PropertySchema, in part: MapEntries) -> PropertyContent? {
    part[property.name].map { PropertyContent($0, for: property.type.shape) }
  }
}

extension Schema {
  /// Whether a property of a type holds embedded objects.
  func holdsParts(_ type: PropertyType) -> Bool {
    guard !type.isBacklinks, let target = type.target else { return false }
    return classSchema(target)?.isEmbedded ?? false
  }

  /// Whether objects of a class may lie among the parts of a property of a type, however deep.
  func leadsToParts(_ type: PropertyType, of classID: ClassID) -> Bool {
    var seen: Set<ClassID> = []
    var waiting = holdsParts(type) ? [type] : []
    while let target = waiting.popLast()?.target {
      if target == classID { return true }
      guard seen.insert(target).inserted, let classSchema = classSchema(target) else { continue }
      waiting += classSchema.properties.map(\.type).filter { holdsParts($0) }
    }
    return false
  }
}

extension [Value] {
  /// Each element as `body` makes it; nil where it makes nothing of one.
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
