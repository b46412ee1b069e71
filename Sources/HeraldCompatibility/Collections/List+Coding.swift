public import Herald

extension List: Encodable where Element: Encodable {
  /// Encodes the elements in order.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension List: Decodable where Element: Decodable {
  /// Decodes elements in order.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Encodes the elements in their order.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes elements, each once.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    insert(objectsIn: try [Element](from: decoder))
  }
}

extension Map: Encodable where Key == String, Value: Encodable {
  /// Encodes the entries by their keys.
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: map { ($0.key, $0.value) }).encode(to: encoder)
  }
}

extension Map: Decodable where Key == String, Value: Decodable {
  /// Decodes entries by their keys.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    for (key, value) in try [String: Value](from: decoder) { self[key] = value }
  }
}

extension LinkingObjects: Encodable where Element: Encodable {
  /// Encodes the objects in order.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension StoredProperty: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension StoredProperty: Decodable where Value: Decodable {
  /// Decodes a value.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value of an unmanaged object.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer().decode(Value.self)
    self.init(wrappedValue: value)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property that may be nil, and is where the key is missing.
  public func decode<Wrapped: Decodable>(
    _ type: Persisted<Wrapped?>.Type, forKey key: Key
  ) throws -> Persisted<Wrapped?> where Wrapped: PersistableElement {
    let value = try decodeIfPresent(Wrapped.self, forKey: key)
    return Persisted(wrappedValue: value)
  }
}

extension Results: Encodable where Element: Encodable {
  /// Encodes the objects in order.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension AnyRealmCollection: Encodable where Element: Encodable {
  /// Encodes the elements in order.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
