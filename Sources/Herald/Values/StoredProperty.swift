public import HeraldModel

/// A property in an object of its own, as Realm's `RealmProperty` is: `value` reads and assigns it.
///
///     @Persisted var age: StoredProperty<Int?>
///     person.age.value = 3
///
/// Unless a program comes from Realm, `@Persisted var age: Int?` is the same with less.
public final class StoredProperty<Value: PersistableValue> {
  private enum Storage {
    case local(Value)
    case managed(ManagedProperty)
  }

  private var storage: Storage

  /// A value of no object: that of its type without a default, nil if it may be nil.
  public init() { storage = .local(Value._initial()) }

  /// A value of no object.
  public init(_ value: Value) { storage = .local(value) }

  private init(_ property: ManagedProperty) { storage = .managed(property) }

  /// The value. An assignment of a managed object's needs an open transaction.
  public var value: Value {
    get {
      switch storage {
      case .local(let value): value
      case .managed(let property): property.read(Value.self)
      }
    }
    set {
      switch storage {
      case .local: storage = .local(newValue)
      case .managed(let property): property.set(newValue)
      }
    }
  }
}

extension StoredProperty: PersistableValue {
  public typealias PersistedType = Value.PersistedType
  public static func _restored(_ value: Value.PersistedType) -> StoredProperty<Value>? {
    Value._restored(value).map { StoredProperty($0) }
  }

  public static var _element: PersistedElement { Value._element }
  public static func _missing() -> StoredProperty<Value> { StoredProperty() }

  public static func _decode(_ value: HeraldModel.Value, _ core: StoreCore) -> StoredProperty<
    Value
  >? {
    Value._decode(value, core).map { StoredProperty($0) }
  }

  public static func _read(_ reference: PropertyReference) -> StoredProperty<Value> {
    StoredProperty(reference.property)
  }

  public func _attach(to reference: PropertyReference) { storage = .managed(reference.property) }
  public func _encode(_ links: LinkEncoder) throws -> HeraldModel.Value { try value._encode(links) }
  public var _text: String { value._text }
}

extension StoredProperty: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (a: StoredProperty<Value>, b: StoredProperty<Value>) -> Bool {
    a.value == b.value
  }
}

extension StoredProperty: CustomStringConvertible {
  /// The value.
  public var description: String { value._text }
}
