public import Foundation
public import Herald

// What generic code of Realm's constrains its types by.

public typealias _HasPersistedType = HasPersistedType
public typealias _Persistable = Persistable
public typealias _RealmSchemaDiscoverable = Persistable
public typealias _PersistableInsideOptional = PersistableValue
public typealias _OptionalPersistable = PersistableValue & _DefaultConstructible
public typealias _RealmCollectionValueInsideOptional = RealmCollectionValue
public typealias _MapKey = PersistableKey
public typealias _QueryNumeric = QueryComparable
public typealias _QueryString = QueryableText
public typealias _QueryBinary = QueryableBytes
public typealias OptionalProtocol = QueryableOptional
public typealias RealmFetchable = ResultElement
public typealias RealmCollectionBase = StoredCollection
public typealias ProjectionObservable = ProjectionElement
public typealias RLMIterator<Element> = AnyIterator<Element>

/// A type of values with one to begin with.
public protocol _DefaultConstructible {
  /// Zero, what is empty, or a new identifier.
  init()
}

extension Bool: _DefaultConstructible {}
extension Int: _DefaultConstructible {}
extension Int8: _DefaultConstructible {}
extension Int16: _DefaultConstructible {}
extension Int32: _DefaultConstructible {}
extension Int64: _DefaultConstructible {}
extension Float: _DefaultConstructible {}
extension Double: _DefaultConstructible {}
extension String: _DefaultConstructible {}
extension Data: _DefaultConstructible {}
extension Date: _DefaultConstructible {}
extension UUID: _DefaultConstructible {}
extension Decimal128: _DefaultConstructible {}
extension DocumentID: _DefaultConstructible {}
extension ObjectBase: _DefaultConstructible {}
extension List: _DefaultConstructible {}
extension MutableSet: _DefaultConstructible {}
extension Map: _DefaultConstructible {}
