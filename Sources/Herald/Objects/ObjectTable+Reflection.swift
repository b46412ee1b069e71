import HeraldModel
@_spi(Reflection) import Swift

extension ObjectTable {
  /// Finds the properties of a class in the records that the compiler writes, superclasses first.
  ///
  /// Errors: `SchemaError` where the class was compiled without records, or a property's type cannot be stored.
  convenience init(reflecting type: ObjectBase.Type) throws {
    var fields: [(name: String, offset: Int, type: Any.Type)] = []
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
      fields.append((String(cString: name), offset, type))
      return true
    }
    let instance = type.init()
    let overrides = PropertyOverrides(of: type)
    var properties: [Property] = []
    let ignored = Set(type.ignoredProperties())
    for field in fields where !ignored.contains(field.name) {
      if let plain = field.type as? any PlainProperty.Type {
        properties.append(
          try Property(field.name, at: field.offset, plain: plain, of: type, overrides))
      }
      guard let wrapper = field.type as? any PersistedWrapper.Type else { continue }
      guard field.name.hasPrefix("_"), field.name.count > 1 else {
        throw SchemaError.withoutNames(type)
      }
      let property = try Property(
        String(field.name.dropFirst()), at: field.offset, wrapper, of: type, instance, overrides)
      properties.append(property)
    }
    if lacksRecords(type) || !fields.contains(where: { $0.name == "_number" }) {
      throw SchemaError.withoutRecords(type)
    }
    try self.init(checked: type, properties)
  }

  /// Errors: `SchemaError` for two primary keys.
  convenience init(checked type: ObjectBase.Type, _ properties: [Property]) throws {
    let keys = properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      throw SchemaError(
        "class '\(type.className)' has two primary keys: '\(keys[0].name)' and '\(keys[1].name)'")
    }
    self.init(type, properties)
  }
}

/// Whether a class, or a superclass below `ObjectBase`, was compiled without records: reflection reports no fields of it.
/// The compiler then leaves the place of the records in the descriptor of the class empty.
private func lacksRecords(_ type: ObjectBase.Type) -> Bool {
  let root = unsafeBitCast(ObjectBase.self as ObjectBase.Type, to: UnsafeRawPointer.self)
  var metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
  while metadata != root {
    let descriptor = metadata.load(fromByteOffset: 40, as: UnsafeRawPointer.self)
    if descriptor.load(fromByteOffset: 16, as: Int32.self) == 0 { return true }
    metadata = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
  }
  return false
}

/// What a class says of its properties beside their wrappers.
struct PropertyOverrides {
  let names: [String: String]
  private let primaryKey: String?
  private let indexed: Set<String>

  init(of type: ObjectBase.Type) {
    names = type.propertiesMapping()
    primaryKey = type.primaryKey()
    indexed = Set(type.indexedProperties())
  }

  func options(of name: String) -> PersistedOptions {
    var options: PersistedOptions = []
    if name == primaryKey { options.insert(.primaryKey) }
    if indexed.contains(name) { options.insert(.indexed) }
    return options
  }
}

extension SchemaError {
  fileprivate static func withoutNames(_ type: ObjectBase.Type) -> SchemaError {
    SchemaError(
      "class '\(type.className)' was compiled without the names of its properties: remove "
        + "'-disable-reflection-names', or override 'makeObjectTable'")
  }

  fileprivate static func withoutRecords(_ type: ObjectBase.Type) -> SchemaError {
    SchemaError(
      "class '\(type.className)' was compiled without reflection records: remove "
        + "'-disable-reflection-metadata', or override 'makeObjectTable'")
  }
}

extension ObjectTable.Property {
  /// A property by the wrapper in an instance of the class that nobody has used.
  convenience init<Wrapper: PersistedWrapper>(
    _ name: String, at offset: Int, _ wrapper: Wrapper.Type, of owner: ObjectBase.Type,
    _ instance: ObjectBase, _ overrides: PropertyOverrides
  ) throws {
    let first = Unmanaged.passUnretained(instance).toOpaque().advanced(by: offset)
      .assumingMemoryBound(to: Wrapper.self).pointee
    let options = first.options.union(overrides.options(of: name))
    let local = WrappedProperty<Wrapper>(at: offset)
    let type = wrapper.valueType
    let persisted = type._type
    try Self.check(options, persisted, name, of: owner)
    var shape = persisted.shape
    let origin = first.originProperty.map { origin in
      persisted.element.objectType?.propertiesMapping()[origin] ?? origin
    }
    if shape.isBacklinks {
      guard let origin else {
        throw SchemaError(
          "property '\(name)' of class '\(owner.className)' is LinkingObjects and needs "
            + "'@Persisted(originProperty:)'")
      }
      shape = .backlinks(origin)
    }
    let element = persisted.element
    self.init(
      definition: ClassDefinition.Property(
        name: overrides.names[name] ?? name, element: element.type, shape: shape,
        isOptional: element.isOptional,
        isPrimaryKey: options.contains(.primaryKey), isIndexed: options.contains(.indexed),
        defaultValue: Self.storedDefault(persisted) {
          if first.hasNoValue, let beginning = type.storedBeginning { return beginning }
          return try? local.content(instance, LinkEncoder(nil))
        },
        isGenerated: shape == .single && !element.isOptional
          && [.uuid, .objectID].contains(element.type)),
      type: type, slot: offset >> 3, originProperty: origin, objectType: element.objectType,
      local: local, label: name)
  }

  /// The default that the store itself gives, to objects of other programs and to existing ones: that of the
  /// type, or what a new instance has.
  private static func storedDefault(
    _ persisted: PersistedProperty, _ ofInstance: () -> PropertyContent?
  ) -> PropertyContent? {
    guard persisted.shape == .single, !persisted.element.isOptional else { return nil }
    switch persisted.element.type {
    // A new identifier is no default: each object has its own.
    case .uuid, .objectID, .any, .link: return nil
    case .bool, .int, .float, .double, .string, .data, .date, .decimal: break
    }
    return ofInstance()
  }

  /// Errors: `SchemaError` for a primary key or an index of a type that can have none.
  static func check(
    _ options: PersistedOptions, _ type: PersistedProperty, _ name: String,
    of owner: ObjectBase.Type
  ) throws {
    let isPrimaryKey = options.contains(.primaryKey)
    guard isPrimaryKey || options.contains(.indexed) else { return }
    let place = "property '\(name)' of class '\(owner.className)'"
    guard type.shape == .single else {
      throw SchemaError(
        "\(place) is a collection and cannot be \(isPrimaryKey ? "a primary key" : "indexed")")
    }
    switch type.element.type {
    case .int, .string, .uuid, .objectID: return
    case .bool, .date, .any, .float, .double, .decimal:
      if !isPrimaryKey { return }
    case .data, .link: break
    }
    throw SchemaError(
      "\(place) has a type that cannot be \(isPrimaryKey ? "a primary key" : "indexed")")
  }
}
