public import HeraldModel

/// An enumeration whose raw value a property stores.
///
///     enum Breed: String, PersistableEnum { case collie, dachshund }
///     class Dog: Object { @Persisted var breed = Breed.collie }
///
/// A stored raw value that is none of the cases stops the program when it is read; as an optional it reads as
/// nil.
public protocol PersistableEnum: PersistableValue, RawRepresentable, CaseIterable
where RawValue: PersistableValue, PersistedType == RawValue.PersistedType {}

extension PersistableEnum {
  public static func _restored(_ value: RawValue.PersistedType) -> Self? {
    RawValue._restored(value).flatMap(Self.init(rawValue:))
  }

  public static var _element: PersistedElement { RawValue._element }

  public static func _missing() -> Self {
    guard let first = allCases.first else {
      stopProgram("the enumeration '\(Self.self)' has no cases")
    }
    return first
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? {
    RawValue._decode(value, core).flatMap(Self.init(rawValue:))
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { try rawValue._encode(links) }
  public var _text: String { String(describing: self) }
}
