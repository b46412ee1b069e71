public import Herald

public typealias RealmCollectionChange = CollectionChange
public typealias RealmCollectionValue = PersistableElement & Hashable
public typealias AnyRealmValue = AnyValue
public typealias RealmOptionalType = PersistableValue
public typealias RealmNotificationToken = NotificationToken

/// A collection of objects or values: `List`, `MutableSet`, `LinkingObjects`, `Results` and `AnyRealmCollection`.
public protocol RealmCollection<Element>: StoredCollection where Element: CollectionElement {}

extension List: RealmCollection {}
extension MutableSet: RealmCollection {}
extension LinkingObjects: RealmCollection {}
extension Results: RealmCollection {}

/// What an observer of a map receives, by the type of the map: `MapChange` has the same by those of its keys and values.
public enum RealmMapChange<Keyed: RealmKeyedCollection> {
  /// The first call.
  case initial(Keyed)
  /// The keys that were removed, added, and given another value, or whose object changed; in order.
  case update(
    Keyed, deletions: [Keyed.Key], insertions: [Keyed.Key], modifications: [Keyed.Key])
  /// The map can no longer be followed, or never could. The observer is not called again.
  case error(any Error)
}

extension RealmMapChange {
  init<Key, Value>(_ change: MapChange<Key, Value>) where Keyed == Map<Key, Value> {
    switch change {
    case .initial(let map): self = .initial(map)
    case .update(let map, let deletions, let insertions, let modifications):
      self = .update(
        map, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error(let error): self = .error(error)
    }
  }
}

/// An enumeration whose raw value a property stores.
public protocol RealmEnum: PersistableEnum {}

/// A property in an object of its own.
public typealias RealmProperty = StoredProperty

/// A property that may be nil, in an object of its own.
public typealias RealmOptional<Wrapped: PersistableElement> = StoredProperty<Wrapped?>

/// A distance on the surface of the earth.
public typealias Distance = GeoDistance

/// A shape on the surface of the earth.
public typealias RLMGeospatial = GeoShape

extension StoredCollection {
  /// The type of the elements.
  public typealias ElementType = Element
}

/// A collection of values by keys: `Map`.
public protocol RealmKeyedCollection: Sequence, Freezable, QueryableMap, Storable,
  CustomStringConvertible
where Element == (key: Key, value: Value), Key: PersistableKey, QueryElement == Value {
  associatedtype Value: PersistableElement
  /// The store of the collection; nil for that of an unmanaged object.
  var realm: Realm? { get }
  /// Whether the object of the collection was deleted.
  var isInvalidated: Bool { get }
  /// Whether the collection is immutable, at one version of its store.
  var isFrozen: Bool { get }
  /// The number of entries.
  var count: Int { get }
  /// The keys, in order.
  var keys: [Key] { get }
  /// The values, in the order of the keys.
  var values: [Value] { get }
  /// The value of a key; nil for a key that the collection does not have. Assigning nil removes the key.
  subscript(key: Key) -> Value? { get nonmutating set }
  /// Assigns the value of a key; returns the previous one.
  @discardableResult
  func updateValue(_ value: Value, forKey key: Key) -> Value?
  /// Removes a key, if the collection has it.
  func removeObject(for key: Key)
  /// Removes every entry.
  func removeAll()
}

extension Map: RealmKeyedCollection {}
