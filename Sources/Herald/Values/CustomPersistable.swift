import FoundationEssentials
import HeraldEngine
public import HeraldModel

/// A type of the program's own whose values are stored as those of another type.
///
///     struct Score: CustomPersistable {
///       var points: Int
///       init(persistedValue: Int) { points = persistedValue }
///       var persistableValue: Int { points }
///     }
///     class Player: Object { @Persisted var score: Score }
///
/// The stored type may be an `EmbeddedObject`. A property without a default begins as what is made of the stored type's
/// default, and so does a property of embedded objects that has none. Queries compare such a value as it is stored.
public protocol CustomPersistable: ConvertedPersistable {
  /// The value of a stored one.
  init(persistedValue: PersistedType)
}

/// A type of the program's own of which not each value of the stored type is one.
///
/// A stored value that is none stops the program when it is read; as an optional it reads as nil.
public protocol FailableCustomPersistable: ConvertedPersistable {
  /// The value of a stored one; nil where it is none.
  init?(persistedValue: PersistedType)
}

/// What `CustomPersistable` and `FailableCustomPersistable` have in common; programs conform to these.
public protocol ConvertedPersistable: PersistableValue, Hashable
where PersistedType: PersistableElement {
  /// The type that is stored.
  associatedtype PersistedType
  /// The value as it is stored.
  var persistableValue: PersistedType { get }
}

extension CustomPersistable {
  public static func _restored(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
}

extension FailableCustomPersistable {
  public static func _restored(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
}

extension Storable {
  /// The new object as which a value of the program's own type is stored; nil for other values.
  var embeddedObject: EmbeddedObject? {
    (self as? any ConvertedPersistable)?.persistableValue as? EmbeddedObject
  }
}

extension Persistable {
  /// What properties without a default begin with in a store where that is not what a new instance has: for it is the
  /// moment, or no value of the program's own type stands for it. Nil otherwise.
  static var storedBeginning: PropertyContent? {
    if let type = self as? any ConvertedPersistable.Type {
      return type.beginning.map { .value($0) }
    }
    guard self == Date.self else { return nil }
    return (try? Date._missing()._encode(LinkEncoder(nil))).map { .value($0) }
  }
}

extension ConvertedPersistable {
  fileprivate static var beginning: Value? {
    let missing = PersistedType._missing()
    guard PersistedType.self == Date.self || _restored(missing) == nil else { return nil }
    return try? missing._encode(LinkEncoder(nil))
  }

  public static var _element: PersistedElement { PersistedType._element }

  public static func _initial() -> Self {
    let now = PersistedType.self == Date.self ? Date() as? PersistedType : nil
    return now.flatMap(_restored) ?? _missing()
  }

  public static func _missing() -> Self {
    guard let value = _restored(PersistedType._missing()) else {
      stopProgram("the type '\(Self.self)' has no value for what its stored type begins with")
    }
    return value
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? {
    // Nothing can be restored from an embedded object that was replaced.
    if case .link(let object) = value, !core.session.reader.exists(object) { return nil }
    return PersistedType._decode(value, core).flatMap(_restored)
  }

  public static func _readOptional(_ reference: PropertyReference) -> Self? {
    PersistedType._readOptional(reference).flatMap(_restored)
  }

  public static func _read(_ reference: PropertyReference) -> Self {
    if let value = PersistedType._readOptional(reference) {
      return _restored(value) ?? reference.property.stop(wrong: reference.property.value)
    }
    // An owner may have no embedded object.
    return PersistedType._element.objectType == nil ? reference.property.missing() : _missing()
  }

  public func _encode(_ links: LinkEncoder) throws -> Value {
    let value = persistableValue
    guard let part = value as? ObjectBase else { return try value._encode(links) }
    guard !links.isOfQuery else {
      throw QueryArgumentError(
        "'\(Self.self)' is stored as an embedded object, by which elements of a collection cannot be found"
      )
    }
    return try links.part { part }._encode(links)
  }
  public var _text: String { String(describing: self) }
}

extension Query where T: ConvertedPersistable {
  /// The value as it is stored.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node, context) }
}

extension Query where T: QueryableOptional, T.Wrapped: ConvertedPersistable {
  /// The value as it is stored; nil for nil.
  public var persistableValue: Query<T.Wrapped.PersistedType?> {
    Query<T.Wrapped.PersistedType?>(node, context)
  }
}
