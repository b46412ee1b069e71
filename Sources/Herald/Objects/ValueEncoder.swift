import FoundationEssentials
import HeraldModel

/// Encodes a program's own value into a dictionary of property values, for `create`: dates, data and identifiers as they
/// are, nested records as dictionaries, collections as arrays.
struct ValueEncoder: Encoder {
  /// What has been encoded.
  private final class Target {
    var value: Any?
    var keyed: [String: Target] = [:]
    var elements: [Target] = []
    var isKeyed = false
    var isUnkeyed = false

    var result: Any {
      if isKeyed { return keyed.mapValues(\.result) }
      if isUnkeyed { return elements.map(\.result) }
      return value as Any
    }
  }

  private let target: Target
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(_ target: Target, _ path: [any CodingKey]) {
    self.target = target
    codingPath = path
  }

  /// Returns the properties of a record. Errors: those of the record's own encoding; `EncodingError` for what is no
  /// record.
  static func properties(of value: some Encodable) throws -> [String: Any] {
    let target = Target()
    try value.encode(to: ValueEncoder(target, []))
    guard target.isKeyed, let properties = target.result as? [String: Any] else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: "\(type(of: value)) has no properties"))
    }
    return properties
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    target.isKeyed = true
    return KeyedEncodingContainer(Keyed(target: target, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    target.isUnkeyed = true
    return Unkeyed(target: target, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(target: target, codingPath: codingPath)
  }

  private static func encode<T: Encodable>(
    _ value: T, into target: Target, _ path: [any CodingKey]
  ) throws {
    if value is any PersistableElement && !(value is ObjectBase) {
      target.value = value
    } else if let number = value as? any BinaryInteger {
      // These encode themselves as a single value, again.
      guard let number = Int(exactly: number) else {
        throw EncodingError.invalidValue(
          value, EncodingError.Context(codingPath: path, debugDescription: "\(value) is no Int"))
      }
      target.value = number
    } else {
      try value.encode(to: ValueEncoder(target, path))
    }
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: Target
    let codingPath: [any CodingKey]

    private func child(_ key: any CodingKey) -> Target {
      let child = Target()
      target.keyed[key.stringValue] = child
      return child
    }

    func encodeNil(forKey key: Key) { _ = child(key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try ValueEncoder.encode(value, into: child(key), codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      ValueEncoder(child(key), codingPath + [key]).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      ValueEncoder(child(key), codingPath + [key]).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(target, codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder {
      ValueEncoder(child(key), codingPath + [key])
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let target: Target
    let codingPath: [any CodingKey]
    var count: Int { target.elements.count }

    private func child() -> Target {
      let child = Target()
      target.elements.append(child)
      return child
    }

    func encodeNil() { _ = child() }

    func encode<T: Encodable>(_ value: T) throws {
      try ValueEncoder.encode(value, into: child(), codingPath)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      ValueEncoder(child(), codingPath).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      ValueEncoder(child(), codingPath).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(child(), codingPath) }
  }

  private struct Single: SingleValueEncodingContainer {
    let target: Target
    let codingPath: [any CodingKey]
    func encodeNil() { target.value = nil }

    func encode<T: Encodable>(_ value: T) throws {
      try ValueEncoder.encode(value, into: target, codingPath)
    }
  }
}
