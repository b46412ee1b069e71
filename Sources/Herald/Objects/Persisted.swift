import HeraldModel

/// A property that a store keeps.
///
///     @Persisted(primaryKey: true) var id: Int
///     @Persisted(indexed: true) var name = ""
///     @Persisted var dogs: List<Dog>
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///
/// Of an unmanaged instance the value is the instance's own. Of a managed one each read reads the store, at the
/// version of its session, in some nanoseconds, and each assignment changes the open transaction. An
/// assignment outside a transaction, of a primary key or of a deleted object stops the program, with a sentence
/// that names the class and the property.
@propertyWrapper
public struct Persisted<Value: Persistable> {
  @usableFromInline var local: Value?
  /// Reads the value of a managed instance, for an encoder, which sees the wrapper alone.
  @usableFromInline var readStored: (() -> Value)?
  @usableFromInline let options: PersistedOptions

  @inlinable
  init(_ local: Value?, _ options: PersistedOptions) {
    self.local = local
    self.options = options
  }

  /// A property with a default, which is computed for each instance, also one of a stored object.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(wrappedValue, [])
  }

  /// A property whose default is that of its type: zero, an empty string, an empty collection, nil, a new identifier,
  /// or the moment of its first use, before which existing objects have the beginning of 1970.
  @inlinable
  public init() { self.init(nil, []) }

  /// A property with an index, which makes queries for one value or a range of values fast.
  @inlinable
  public init(wrappedValue: Value, indexed: Bool) {
    self.init(wrappedValue, indexed ? .indexed : [])
  }

  /// A property with an index, whose default is that of its type.
  @inlinable
  public init(indexed: Bool) { self.init(nil, indexed ? .indexed : []) }

  /// The property by which an object is found: no two objects of a class have the same value.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(wrappedValue, primaryKey ? .primaryKey : [])
  }

  /// A primary key, whose default is that of its type: of `ObjectId` and `UUID` a new identifier.
  @inlinable
  public init(primaryKey: Bool) { self.init(nil, primaryKey ? .primaryKey : []) }

  @available(*, unavailable, message: "@Persisted is for properties of subclasses of Object")
  public var wrappedValue: Value {
    get { fatalError("@Persisted is for properties of subclasses of Object") }
    set { fatalError("@Persisted is for properties of subclasses of Object") }
  }

  // Inlined into each property's accessor, where the storage's key path is a constant and vanishes.
  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner, wrapped path: ReferenceWritableKeyPath<Owner, Value>,
    storage storagePath: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inlinable @inline(__always) get {
      if let binding = owner._bindingReference, owner._extra == nil {
        let slot = slot(of: &owner[keyPath: storagePath], in: owner)
        return withExtendedLifetime(owner) {
          Value._read(PropertyReference(binding, slot, owner._number))
        }
      }
      if owner._extra == nil {
        if let local = owner[keyPath: storagePath].local { return local }
        return owner[keyPath: storagePath].localValue()
      }
      return readWithExtra(owner, slot(of: &owner[keyPath: storagePath], in: owner))
    }
    @inlinable @inline(__always) set {
      let slot = slot(of: &owner[keyPath: storagePath], in: owner)
      if let binding = owner._bindingReference, owner._extra == nil {
        return withExtendedLifetime(owner) {
          Value._write(newValue, to: PropertyReference(binding, slot, owner._number))
        }
      }
      if owner._extra == nil {
        owner[keyPath: storagePath].local = newValue
      } else {
        writeWithExtra(owner, path, slot, newValue)
      }
    }
  }

  /// The place of a wrapper in an instance, in words: that of its column in the class's table.
  @inlinable @inline(__always)
  static func slot(of wrapper: UnsafeMutablePointer<Self>, in owner: ObjectBase) -> Int {
    (UnsafeRawPointer(wrapper) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())) >> 3
  }

  private static func wrapper(_ owner: ObjectBase, _ slot: Int) -> UnsafeMutablePointer<Self> {
    Unmanaged.passUnretained(owner).toOpaque().advanced(by: slot << 3)
      .assumingMemoryBound(to: Self.self)
  }

  @usableFromInline @inline(never)
  static func readWithExtra(_ owner: ObjectBase, _ slot: Int) -> Value {
    if let binding = owner._bindingReference {
      owner._extra?.checkUsable(owner, slot: slot)
      return Value._read(PropertyReference(binding, slot, owner._number))
    }
    if let value = owner._extra?.read(owner, as: Value.self, slot: slot) { return value }
    return wrapper(owner, slot).pointee.localValue()
  }

  @usableFromInline @inline(never)
  static func writeWithExtra(
    _ owner: ObjectBase, _ path: AnyKeyPath, _ slot: Int, _ newValue: Value
  ) {
    if let binding = owner._bindingReference {
      owner._extra?.checkUsable(owner, slot: slot)
      return Value._write(newValue, to: PropertyReference(binding, slot, owner._number))
    }
    let old = wrapper(owner, slot).pointee.localValue()
    wrapper(owner, slot).pointee.local = newValue
    owner._extra?.assigned(path, slot: slot, old: old, new: newValue)
  }

  /// The value of an unmanaged instance, which its first read makes.
  @inlinable
  mutating func localValue() -> Value {
    if let local { return local }
    let value = readStored?() ?? Value._initial()
    local = value
    return value
  }
}

/// What a property is besides its type.
public struct PersistedOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Options from their bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No two objects of the class have the same value.
  public static let primaryKey = PersistedOptions(rawValue: 1)
  /// The property has an index.
  public static let indexed = PersistedOptions(rawValue: 2)
}

/// What a class's table asks a wrapper, whatever its type.
protocol PersistedWrapper {
  static var valueType: any Persistable.Type { get }
  var options: PersistedOptions { get }
  var originProperty: String? { get }
  /// Whether an unmanaged instance has no value before its first read makes one.
  var hasNoValue: Bool { get }
  /// The value of an unmanaged instance.
  mutating func anyLocalValue() -> any Persistable
  mutating func localContent(_ links: LinkEncoder) throws -> PropertyContent
  mutating func setLocal(_ value: any Persistable)
  mutating func releaseLocal()
  mutating func readManaged(_ property: ManagedProperty)
}

extension Persisted: PersistedWrapper {
  static var valueType: any Persistable.Type { Value.self }
  var originProperty: String? { (local as? any BacklinksProperty)?.originProperty }
  var hasNoValue: Bool { local == nil }
  mutating func anyLocalValue() -> any Persistable { localValue() }

  // Called through a witness, where code that is not specialized looks up metadata for each step.
  @_specialize(where Value == Int)
  @_specialize(where Value == Bool)
  @_specialize(where Value == Double)
  @_specialize(where Value == String)
  @_specialize(where Value == Int?)
  @_specialize(where Value == String?)
  mutating func localContent(_ links: LinkEncoder) throws -> PropertyContent {
    try localValue()._content(links)
  }

  mutating func setLocal(_ value: any Persistable) {
    if let value = value as? Value { local = value }
  }

  mutating func releaseLocal() { local = nil }

  mutating func readManaged(_ property: ManagedProperty) {
    local = nil
    readStored = { property.read(Value.self) }
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value, of a managed object that in the store.
  public func encode(to encoder: any Encoder) throws {
    var copy = self
    // The coder decides what a date and data are encoded as.
    var container = encoder.singleValueContainer()
    try container.encode(copy.localValue())
  }
}
