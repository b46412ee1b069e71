public import Herald

public typealias RealmCollectionChange = CollectionChange
public typealias RealmMapChange = MapChange
public typealias SectionedResultsChange = SectionedChange
public typealias RealmCollection = StoredCollection
public typealias RealmCollectionValue = PersistableElement
public typealias AnyRealmValue = AnyValue
public typealias RealmOptionalType = PersistableValue
public typealias RealmNotificationToken = NotificationToken
