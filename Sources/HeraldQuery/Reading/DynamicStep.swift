package import HeraldModel

/// A step into an `any`, whose type is known only at evaluation.
///
/// If the value has another type, the result is nil, or no element.
enum DynamicStep: Sendable {
  case index(Int)
  case last
  /// Every element of a list, every value of a map in order of key.
  case every
  case keys
  case key(String)
  /// The value of a map's key, or a property of a linked object: for each class, its property of this
  /// name.
  case name(String, [ClassID: Target])
  /// `.lower`, `.year` and the like, of a string or a date of any property.
  case measure(ValueMeasure)

  struct Target: Sendable {
    let property: PropertySchema
    /// The step that follows the property.
    let step: PropertyPath.Step
  }

  var isCollection: Bool {
    switch self {
    case .every, .keys: true
    case .index, .last, .key, .name, .measure: false
    }
  }
}

extension DynamicStep {
  /// Returns the nested value, perhaps a reference, in a value or a reference; nil for collections.
  func value(in value: Value, _ reader: any ObjectReader) -> Value {
    switch self {
    case .index(let index): return reader.part(of: value, at: .index(index))
    case .last: return reader.part(of: value, at: .last)
    case .key(let key): return reader.part(of: value, at: .key(key))
    case .measure(let measure): return measure.apply(to: value)
    case .name(let key, let properties):
      if let measure = ValueMeasure(key, of: ElementType(of: value)) {
        return measure.apply(to: value)
      }
      guard case .link(let object) = value, !object.classID.isNested else {
        return reader.part(of: value, at: .key(key))
      }
      return properties[object.classID].map { reader.content($0.property, of: object) } ?? .null
    case .every, .keys: return .null
    }
  }

  /// Calls `body` with each nested value until it returns false; returns whether all were visited.
  func forEachValue(in value: Value, _ body: (Value) -> Bool) -> Bool {
    switch (self, value) {
    case (.every, .list(let values)): values.allSatisfy(body)
    case (.every, .map(let entries)): entries.inKeyOrder.allSatisfy { body($0.value) }
    case (.keys, .map(let entries)): entries.inKeyOrder.allSatisfy { body(.string($0.key)) }
    default: true
    }
  }
}

extension ObjectReader {
  /// Returns the value of a property; a collection as a list or a map.
  fileprivate func content(_ property: PropertySchema, of object: ObjectID) -> Value {
    switch property.type.shape {
    case .single: return value(property.id, of: object)
    case .list, .set, .backlinks:
      var values: [Value] = []
      forEachElement(property.id, of: object) {
        values.append($0)
        return true
      }
      return .list(values)
    case .map:
      var entries: MapEntries = [:]
      for index in 0..<listCount(property.id, of: object) {
        let key = mapKey(property.id, of: object, at: index)
        entries[key] = listElement(property.id, of: object, at: index)
      }
      return .map(entries)
    }
  }
}

extension Value {
  /// Returns the nested value at a position; nil if there is none.
  package func part(at position: PropertyPath.Step.Position) -> Value {
    switch (position, self) {
    case (.key(let key), .map(let entries)): entries[key] ?? .null
    case (.index(let index), .list(let values)) where values.indices.contains(index):
      values[index]
    case (.last, .list(let values)): values.last ?? .null
    default: .null
    }
  }
}
