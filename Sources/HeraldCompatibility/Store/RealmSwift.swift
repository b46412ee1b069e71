public import Herald

/// The name of Realm's module, for programs that write a name with it: `RealmSwift.List<Dog>`.
public enum RealmSwift {
  public typealias AddableType = HeraldCompatibility.AddableType
  public typealias AnyRealmCollection<Element: CollectionElement> =
    HeraldCompatibility.AnyRealmCollection<Element>
  public typealias AnyRealmValue = Herald.AnyValue
  public typealias AsyncOpenTask = HeraldCompatibility.AsyncOpenTask
  public typealias CollectionChange = Herald.CollectionChange
  public typealias CustomPersistable = Herald.CustomPersistable
  public typealias Decimal128 = HeraldCompatibility.Decimal128
  public typealias Distance = Herald.GeoDistance
  public typealias DynamicObject = Herald.DynamicObject
  public typealias EmbeddedObject = Herald.EmbeddedObject
  public typealias FailableCustomPersistable = Herald.FailableCustomPersistable
  public typealias GeoBox = Herald.GeoBox
  public typealias GeoCircle = Herald.GeoCircle
  public typealias GeoPoint = Herald.GeoPoint
  public typealias GeoPolygon = Herald.GeoPolygon
  public typealias LinkingObjects<Element: ObjectBase> = Herald.LinkingObjects<Element>
  public typealias List<Element: PersistableElement> = Herald.List<Element>
  public typealias Map<Key: PersistableKey, Value: PersistableElement> = Herald.Map<Key, Value>
  public typealias Migration = HeraldCompatibility.Migration
  public typealias MigrationBlock = HeraldCompatibility.MigrationBlock
  public typealias MigrationObject = HeraldCompatibility.MigrationObject
  public typealias MinMaxType = HeraldCompatibility.MinMaxType
  public typealias MutableSet<Element: PersistableElement> = Herald.MutableSet<Element>
  public typealias NotificationToken = Herald.NotificationToken
  public typealias Object = Herald.Object
  public typealias ObjectBase = Herald.ObjectBase
  public typealias ObjectChange = Herald.ObjectChange
  public typealias ObjectId = Herald.ObjectId
  public typealias ObjectKeyIdentifiable = HeraldCompatibility.ObjectKeyIdentifiable
  public typealias ObjectSchema = HeraldCompatibility.ObjectSchema
  public typealias PersistableEnum = Herald.PersistableEnum
  public typealias Persisted = Herald.Persisted
  public typealias Projected = Herald.Projected
  public typealias ProjectedCollection = Herald.ProjectedCollection
  public typealias Projection = Herald.Projection
  public typealias Property = HeraldCompatibility.Property
  public typealias PropertyChange = Herald.PropertyChange
  public typealias PropertyType = HeraldCompatibility.PropertyType
  public typealias Query = Herald.Query
  public typealias Realm = HeraldCompatibility.Realm
  public typealias RealmCollection = HeraldCompatibility.RealmCollection
  public typealias RealmCollectionChange = Herald.CollectionChange
  public typealias RealmCollectionValue = HeraldCompatibility.RealmCollectionValue
  public typealias RealmEnum = HeraldCompatibility.RealmEnum
  public typealias RealmFetchable = HeraldCompatibility.RealmFetchable
  public typealias RealmKeyedCollection = HeraldCompatibility.RealmKeyedCollection
  public typealias RealmMapChange = HeraldCompatibility.RealmMapChange
  public typealias RealmOptional<Wrapped: PersistableElement> = StoredProperty<Wrapped?>
  public typealias RealmProperty<Value: PersistableValue> = StoredProperty<Value>
  public typealias Results<Element: CollectionElement> = Herald.Results<Element>
  public typealias ResultsSection<Key: Storable & Hashable, Element: CollectionElement> =
    Herald.ResultsSection<Key, Element>
  public typealias Schema = HeraldCompatibility.Schema
  public typealias SectionedResults<Key: Storable & Hashable, Row: CollectionElement> =
    Herald.SectionedResults<Key, Row>
  public typealias SectionedResultsChange = HeraldCompatibility.SectionedResultsChange
  public typealias SortDescriptor = Herald.SortDescriptor
  public typealias SortableType = HeraldCompatibility.SortableType
  public typealias StringOptions = Herald.StringOptions
  public typealias ThreadConfined = Herald.ThreadConfined
  public typealias ThreadSafe = Herald.ThreadSafe
  public typealias ThreadSafeReference<Confined: ThreadConfined> =
    Herald.ThreadSafeReference<Confined>
  public typealias UpdatePolicy = Herald.UpdatePolicy
}
