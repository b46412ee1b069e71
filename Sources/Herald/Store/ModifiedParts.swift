import HeraldEngine
import HeraldModel

/// The embedded objects of a store that those of an object which updates another one modify, instead of taking their place:
/// the one of the same property, at the same index of a list, or of the same key of a map.
struct ModifiedParts {
  private var ids: [ObjectIdentifier: ObjectID] = [:]

  subscript(object: ObjectBase) -> ObjectID? {
    ids.isEmpty ? nil : ids[ObjectIdentifier(object)]
  }

  /// Finds what the embedded objects of a property modify.
  mutating func match(
    _ property: ObjectTable.Property, of object: ObjectBase, to stored: ManagedProperty
  ) {
    guard property.hasParts else { return }
    let value: Any = property.local.value(object)
    switch (value as? any CopiedCollection)?.copiedElements {
    case nil: match(value, to: stored.value)
    case .list(let parts)?:
      for (part, element) in zip(parts, stored.elements) { match(part, to: element) }
    case .map(let parts)?:
      for (key, part) in parts { match(part, to: stored.element(forKey: key)) }
    }
  }

  private mutating func match(_ part: Any, to stored: Value) {
    guard let part = part as? ObjectBase, part._binding == nil, case .link(let id) = stored
    else { return }
    ids[ObjectIdentifier(part)] = id
  }

  /// Returns what makes a collection of embedded objects the same as one whose elements have modified its own where both
  /// have one; nil for other properties.
  static func edits(
    of stored: ManagedProperty, _ property: ObjectTable.Property, to content: PropertyContent
  ) -> [CollectionEdit]? {
    guard property.hasParts else { return nil }
    switch content {
    case .value: return nil
    case .list(let values):
      let old = stored.elements
      guard values.starts(with: old.prefix(values.count)) else { return nil }
      if values.count < old.count {
        return (values.count..<old.count).reversed().map { .remove(at: $0) }
      }
      let new = Array(values[old.count...])
      return new.isEmpty ? [] : [.insert(new, at: old.count)]
    case .map(let entries):
      let lost = stored.keys.filter { entries[$0] == nil }
      return lost.map { .removeKey($0) }
        + entries.inKeyOrder.filter { stored.element(forKey: $0.key) != $0.value }
        .map { .setKey($0.key, $0.value) }
    }
  }
}

extension ManagedProperty {
  init(_ binding: ClassBinding, _ id: ObjectID, _ property: ObjectTable.Property) {
    self.init(binding, property.slot, id.number)
  }

  /// The keys of a map.
  fileprivate var keys: [String] {
    propertyID.map { core.session.reader.mapKeys($0, of: id) } ?? []
  }

  /// The value of a map's key; nil without one.
  fileprivate func element(forKey key: String) -> Value {
    propertyID.flatMap { core.session.reader.mapValue(forKey: key, $0, of: id) } ?? .null
  }
}
