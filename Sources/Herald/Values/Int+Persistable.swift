import HeraldEngine
@_spi(Blocks) public import HeraldModel

extension Int: PersistableValue {
  public typealias PersistedType = Int
  public static var _element: PersistedElement { PersistedElement(.int) }
  public static func _missing() -> Int { 0 }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Int? {
    if case .int(let number) = value { number } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .int(self) }
  public var _text: String { description }

  public static func _readOptional(_ reference: PropertyReference) -> Int? {
    if let value = reference.address?.integer(reference.row) { return value }
    return reference.read { $0.integer(reference.slot, of: reference.number) }
  }

  public static func _read(_ reference: PropertyReference) -> Int {
    if let value = _readOptional(reference) { return value }
    return reference.property.missing()
  }
}

/// An integer of fewer bits, stored as one of 64. A stored value out of its range stops the program.
public protocol NarrowInteger: FixedWidthInteger, PersistableValue {}

extension NarrowInteger {
  public static var _element: PersistedElement { PersistedElement(.int) }
  public static func _missing() -> Self { 0 }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? {
    if case .int(let number) = value { Self(exactly: number) } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .int(Int(self)) }
  public var _text: String { description }
}

extension Int8: NarrowInteger { public typealias PersistedType = Int8 }
extension Int16: NarrowInteger { public typealias PersistedType = Int16 }
extension Int32: NarrowInteger { public typealias PersistedType = Int32 }
extension Int64: NarrowInteger { public typealias PersistedType = Int64 }

extension Bool: PersistableValue {
  public typealias PersistedType = Bool
  public static var _element: PersistedElement { PersistedElement(.bool) }
  public static func _missing() -> Bool { false }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Bool? {
    if case .bool(let value) = value { value } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .bool(self) }
  public var _text: String { description }

  public static func _readOptional(_ reference: PropertyReference) -> Bool? {
    if let value = reference.address?.integer(reference.row) { return value != 0 }
    return reference.read { $0.integer(reference.slot, of: reference.number) }.map { $0 != 0 }
  }

  public static func _read(_ reference: PropertyReference) -> Bool {
    if let value = _readOptional(reference) { return value }
    return reference.property.missing()
  }
}

extension Double: PersistableValue {
  public typealias PersistedType = Double
  public static var _element: PersistedElement { PersistedElement(.double) }
  public static func _missing() -> Double { 0 }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Double? {
    if case .double(let value) = value { value } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .double(self) }
  public var _text: String { description }

  public static func _readOptional(_ reference: PropertyReference) -> Double? {
    if let value = reference.address?.double(reference.row) { return value }
    return reference.read { $0.double(reference.slot, of: reference.number) }
  }

  public static func _read(_ reference: PropertyReference) -> Double {
    if let value = _readOptional(reference) { return value }
    return reference.property.missing()
  }
}

extension Float: PersistableValue {
  public typealias PersistedType = Float
  public static var _element: PersistedElement { PersistedElement(.float) }
  public static func _missing() -> Float { 0 }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Float? {
    if case .float(let value) = value { value } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .float(self) }
  public var _text: String { description }

  public static func _readOptional(_ reference: PropertyReference) -> Float? {
    if let value = reference.address?.float(reference.row) { return value }
    return reference.read { $0.float(reference.slot, of: reference.number) }
  }

  public static func _read(_ reference: PropertyReference) -> Float {
    if let value = _readOptional(reference) { return value }
    return reference.property.missing()
  }
}

extension String: PersistableValue {
  public typealias PersistedType = String
  public static var _element: PersistedElement { PersistedElement(.string) }
  public static func _missing() -> String { "" }

  public static func _decode(_ value: Value, _ core: StoreCore) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .string(self) }
  public var _text: String { self }

  public static func _readOptional(_ reference: PropertyReference) -> String? {
    if let value = reference.address?.string(reference.row) { return value }
    return reference.read { $0.string(reference.slot, of: reference.number) }
  }

  public static func _read(_ reference: PropertyReference) -> String {
    if let value = _readOptional(reference) { return value }
    return reference.property.missing()
  }
}
