public import Herald

public typealias RealmCollectionChange = CollectionChange
public typealias RealmMapChange<Keyed: RealmKeyedCollection> = MapChange<Keyed.Key, Keyed.Value>
public typealias RealmCollection = StoredCollection
public typealias RealmCollectionValue = PersistableElement & Hashable
public typealias AnyRealmValue = AnyValue
public typealias RealmOptionalType = PersistableValue
public typealias RealmNotificationToken = NotificationToken

/// An enumeration whose raw value a property stores.
public protocol RealmEnum: PersistableEnum {}

/// A property in an object of its own.
public typealias RealmProperty = StoredProperty

/// A property that may be nil, in an object of its own.
public typealias RealmOptional<Wrapped: PersistableElement> = StoredProperty<Wrapped?>

/// A distance on the surface of the earth.
public typealias Distance = GeoDistance

/// A collection of values by keys: `Map`.
public protocol RealmKeyedCollection {
  associatedtype Key: PersistableKey
  associatedtype Value: PersistableElement
}

extension Map: RealmKeyedCollection {}
