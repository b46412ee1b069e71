import HeraldEngine
@_spi(Blocks) public import HeraldModel

/// A type that a `@Persisted` property can have: a value, an optional value, a link, or a collection.
///
/// Programs conform their enumerations to `PersistableEnum`, and nothing to this.
public protocol Persistable: Storable {
  /// The type in a class's declaration.
  static var _type: PersistedProperty { get }
  /// The value of a property without a default.
  static func _initial() -> Self
  /// Reads a property of a managed object.
  static func _read(_ reference: PropertyReference) -> Self
  /// Assigns a property of a managed object.
  static func _write(_ value: Self, to reference: PropertyReference)
  /// The value as a store takes it; `links` gives the links to objects, and adds those that are not in the
  /// store.
  func _content(_ links: LinkEncoder) throws -> PropertyContent
  /// Makes a collection that an unmanaged object had the managed object's.
  func _attach(to reference: PropertyReference)
  /// The value that a key path reads from an instance that notes its reads; nil for the property's default.
  static func _probe(_ trace: KeyPathTrace) -> Self?
}

extension Persistable {
  public static func _write(_ value: Self, to reference: PropertyReference) {
    reference.property.set(value)
  }

  public static func _probe(_ trace: KeyPathTrace) -> Self? { nil }
  public func _attach(to reference: PropertyReference) {}
}

/// The type of an element: its name in declarations, and the class that a link leads to.
public struct PersistedElement {
  /// The type of a value; of a link with the name of its class.
  public var type: ValueType<String>
  /// Whether nil is a value.
  public var isOptional: Bool
  /// The class of linked objects.
  public var objectType: ObjectBase.Type?

  /// The type of an element.
  public init(
    _ type: ValueType<String>, isOptional: Bool = false, objectType: ObjectBase.Type? = nil
  ) {
    self.type = type
    self.isOptional = isOptional
    self.objectType = objectType
  }
}

extension Optional: HasPersistedType where Wrapped: HasPersistedType {
  public static func _restored(_ value: Wrapped.PersistedType?) -> Self? {
    .some(value.flatMap { Wrapped._restored($0) })
  }
}

extension Optional: Storable where Wrapped: PersistableElement {}

extension Optional: CollectionElement where Wrapped: PersistableElement {}

extension Optional: PersistableElement where Wrapped: PersistableElement {
  public static var _element: PersistedElement {
    var element = Wrapped._element
    element.isOptional = true
    return element
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? {
    value.isNull ? .some(.none) : Wrapped._decode(value, core).map { .some($0) }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { try self?._encode(links) ?? .null }
  public static func _missing() -> Self { nil }
  public static func _probeElement(_ trace: KeyPathTrace) -> Self? {
    Wrapped._probeElement(trace).map { .some($0) }
  }
  public var _text: String { self?._text ?? "nil" }
}

extension Optional: Persistable where Wrapped: PersistableElement {
  public static func _read(_ reference: PropertyReference) -> Self {
    Wrapped._readOptional(reference)
  }

  public static func _probe(_ trace: KeyPathTrace) -> Self? { _probeElement(trace) }
}

extension Optional: PersistableValue where Wrapped: PersistableElement {}

extension ObjectBase: PersistableElement {
  public typealias PersistedType = ObjectBase
  public static func _restored(_ value: ObjectBase) -> Self? { value as? Self }

  public static var _element: PersistedElement {
    PersistedElement(.link(className), isOptional: true, objectType: self)
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? {
    guard case .link(let id) = value else { return nil }
    return core.instance(of: self, id)
  }

  public static func _readOptional(_ reference: PropertyReference) -> Self? {
    if self == DynamicObject.self {
      let property = reference.property
      return _decode(property.value, property.core)
    }
    let noted = reference.address?.integer(reference.row)
    guard
      let number = noted ?? reference.read({ $0.integer(reference.slot, of: reference.number) })
    else { return nil }
    guard let binding = try? reference.property.core.binding(of: self) else { return nil }
    return unsafeDowncast(binding.instance(number), to: self)
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .link(try links.link(to: self)) }
  public static func _missing() -> Self { Self() }
  public static func _probeElement(_ trace: KeyPathTrace) -> Self? { trace.instance(of: self) }
}

extension ObservableObjectBase {
  public var _text: String { nameOfClass }
}
