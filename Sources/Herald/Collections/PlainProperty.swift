import HeraldModel

/// A collection, or a property in an object of its own, that a class has without `@Persisted`, as an instance that its
/// objects keep: `let dogs = List<Dog>()`.
protocol PlainProperty: AnyObject, Persistable {
  /// Takes what another one has in the place of its own.
  func assign(_ other: Self)
}

extension List: PlainProperty {
  func assign(_ other: List) {
    let elements = Array(other)
    removeAll()
    append(contentsOf: elements)
  }
}

extension MutableSet: PlainProperty {
  func assign(_ other: MutableSet) {
    let elements = Array(other)
    removeAll()
    insert(objectsIn: elements)
  }
}

extension Map: PlainProperty {
  func assign(_ other: Map) {
    let entries = Array(other)
    removeAll()
    for (key, value) in entries { self[key] = value }
  }
}

extension StoredProperty: PlainProperty {
  func assign(_ other: StoredProperty) { value = other.value }
}

/// A property without a wrapper.
final class PlainPropertyField<Value: PlainProperty>: LocalProperty {
  private let offset: Int

  /// - Parameter offset: That of the reference in an instance, in bytes.
  init(at offset: Int) { self.offset = offset }

  private func held(_ object: ObjectBase) -> Value {
    Unmanaged.passUnretained(object).toOpaque().advanced(by: offset)
      .assumingMemoryBound(to: Value.self).pointee
  }

  override var isPlain: Bool { true }
  override func value(_ object: ObjectBase) -> any Persistable { held(object) }

  override func content(_ object: ObjectBase, _ links: LinkEncoder) throws -> PropertyContent? {
    try held(object)._content(links)
  }

  override func set(_ object: ObjectBase, _ value: any Persistable) {
    if let value = value as? Value { held(object).assign(value) }
  }

  override func prepare(_ object: ObjectBase, _ property: ManagedProperty) {
    held(object)._attach(to: property.reference)
  }
}

extension ObjectTable.Property {
  /// A property without a wrapper.
  convenience init<Value: PlainProperty>(
    _ name: String, at offset: Int, plain type: Value.Type, of owner: ObjectBase.Type,
    _ overrides: PropertyOverrides
  ) throws {
    let persisted = type._type
    let options = overrides.options(of: name)
    try Self.check(options, persisted, name, of: owner)
    self.init(
      definition: ClassDefinition.Property(
        name: overrides.names[name] ?? name, element: persisted.element.type,
        shape: persisted.shape, isOptional: persisted.element.isOptional,
        isPrimaryKey: options.contains(.primaryKey), isIndexed: options.contains(.indexed)),
      type: type, slot: offset >> 3, originProperty: nil,
      objectType: persisted.element.objectType, local: PlainPropertyField<Value>(at: offset),
      label: name)
  }
}

extension ObjectTable {
  /// Returns the name of the property that is an instance which an object keeps; nil for another value.
  func plainName(of value: Any, in object: ObjectBase) -> String? {
    guard let value = value as? any PlainProperty else { return nil }
    return properties.first { property in
      property.local.isPlain && (property.local.value(object) as AnyObject) === value
    }?.name
  }
}
