import FoundationEssentials
import HeraldModel

// Decodes a program's own structs from objects: each property by its name, links and embedded objects as nested
// records, lists and sets as arrays, maps as dictionaries.

extension ObjectBase {
  /// Returns the object as a record of the program's own. Errors: `DecodingError` with the path of what is missing or
  /// has another type.
  public func decoded<Record: Decodable>(as type: Record.Type) throws -> Record {
    try Record(from: RecordDecoder(.object(self), []))
  }
}

extension StoredCollection where Element: ObjectBase {
  /// Returns the objects as records of the program's own, which may be `Sendable`. Errors: those of decoding one.
  ///
  ///     struct DogRecord: Decodable, Sendable { let name: String; let age: Int? }
  ///     let records = try store.objects(Dog.self).decoded(as: DogRecord.self)
  public func decoded<Record: Decodable>(as type: Record.Type) throws -> [Record] {
    try map { try $0.decoded(as: type) }
  }
}

/// What a decoder reads.
private enum RecordNode {
  case object(ObjectBase)
  /// A single value as its Swift type, `Optional` ones unwrapped; nil for nil.
  case value(Any?)

  /// The value of a property: objects as objects, collections as arrays and dictionaries.
  init(_ value: Any) {
    switch value {
    case let object as ObjectBase: self = .object(object)
    case let optional as any NestedOptional:
      self = optional.nested.map { RecordNode($0) } ?? .value(nil)
    case _: self = .value(value)
    }
  }
}

private protocol NestedOptional { var nested: Any? { get } }

extension Optional: NestedOptional {
  var nested: Any? { self }
}

private struct RecordDecoder: Decoder {
  let node: RecordNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: RecordNode, _ path: [any CodingKey]) {
    self.node = node
    codingPath = path
  }

  func mismatch<R>(_ type: Any.Type, _ found: String) throws -> R {
    throw DecodingError.typeMismatch(
      type, DecodingError.Context(codingPath: codingPath, debugDescription: "found \(found)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch node {
    case .object(let object):
      return KeyedDecodingContainer(KeyedRecord<Key>(decoder: self, source: .object(object)))
    case .value(let map as any KeyedValues):
      return KeyedDecodingContainer(KeyedRecord<Key>(decoder: self, source: .map(map.byText)))
    case .value(let value): return try mismatch([String: Any].self, describe(value))
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if case .value(let elements as any UnkeyedValues) = node {
      return UnkeyedRecord(decoder: self, elements: elements.all)
    }
    return try mismatch([Any].self, "no collection")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleRecord(decoder: self)
  }

  func describe(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if case .value(let value?) = node {
      if let value = value as? T { return value }
      if let wide = value as? any BinaryInteger, let narrow = T.self as? any FixedWidthInteger.Type,
        let exact = Self.exact(wide, narrow) as? T
      {
        return exact
      }
      if let value = value as? Float, T.self == Double.self { return Double(value) as! T }
      if let enumeration = value as? any RawRepresentable, let raw = enumeration.rawValue as? T {
        return raw
      }
    }
    if case .value(nil) = node, !(T.self is any NestedOptional.Type) {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: codingPath, debugDescription: "found nil"))
    }
    if Self.isScalar(type) {
      if case .value(let value) = node { return try mismatch(type, describe(value)) }
      return try mismatch(type, "an object")
    }
    guard codingPath.count < Self.nestingLimit else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription:
            "more than \(Self.nestingLimit) levels, as of objects that link in a cycle"))
    }
    return try T(from: self)
  }

  private static let nestingLimit = 100

  private static func exact<N: FixedWidthInteger>(_ value: any BinaryInteger, _ type: N.Type) -> N?
  {
    N(exactly: value)
  }

  private static func isScalar(_ type: Any.Type) -> Bool {
    type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type
      || type == String.self || type == Bool.self || type == Date.self || type == Data.self
      || type == UUID.self || type == ObjectId.self || type == Decimal128.self
  }
}

private struct KeyedRecord<Key: CodingKey>: KeyedDecodingContainerProtocol {
  enum Source {
    case object(ObjectBase)
    case map([String: Any])
  }

  let decoder: RecordDecoder
  let source: Source
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    switch source {
    case .object(let object):
      ((try? object.classTable())?.properties ?? []).compactMap {
        Key(stringValue: $0.name)
      }
    case .map(let values): values.keys.compactMap { Key(stringValue: $0) }
    }
  }

  private func value(_ key: any CodingKey) throws -> RecordNode? {
    switch source {
    case .object(let object):
      try object.classTable().property(named: key.stringValue)
        .map { RecordNode($0.value(of: object)) }
    case .map(let values): values[key.stringValue].map { RecordNode($0) }
    }
  }

  private func nested(_ key: any CodingKey) throws -> RecordDecoder {
    guard let node = try value(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "no property '\(key.stringValue)'"))
    }
    return RecordDecoder(node, codingPath + [key])
  }

  func contains(_ key: Key) -> Bool { ((try? value(key)) ?? nil) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .value(nil) = try nested(key).node { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try nested(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { try nested(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }
}

private struct UnkeyedRecord: UnkeyedDecodingContainer {
  struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "Index \(intValue ?? 0)" }
    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }
  }

  let decoder: RecordDecoder
  let elements: [Any]
  var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(decoder: RecordDecoder, elements: [Any]) {
    self.decoder = decoder
    self.elements = elements
  }

  private mutating func next() throws -> RecordDecoder {
    guard !isAtEnd else { return try decoder.mismatch(Any.self, "the end of the collection") }
    defer { currentIndex += 1 }
    return RecordDecoder(RecordNode(elements[currentIndex]), codingPath + [Index(currentIndex)])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, case .value(nil) = RecordNode(elements[currentIndex]) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct SingleRecord: SingleValueDecodingContainer {
  let decoder: RecordDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  func decodeNil() -> Bool { if case .value(nil) = decoder.node { true } else { false } }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

/// A list, a set or backlinks, as a decoder reads it.
private protocol UnkeyedValues { var all: [Any] { get } }

/// A map, as a decoder reads it.
private protocol KeyedValues { var byText: [String: Any] { get } }

extension List: UnkeyedValues { var all: [Any] { Array(self) } }
extension MutableSet: UnkeyedValues { var all: [Any] { Array(self) } }
extension LinkingObjects: UnkeyedValues { var all: [Any] { Array(self) } }

extension Map: KeyedValues {
  var byText: [String: Any] {
    Dictionary(uniqueKeysWithValues: map { ($0.key._text, $0.value as Any) })
  }
}
