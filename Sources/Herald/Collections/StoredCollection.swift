import HeraldEngine
public import HeraldModel

/// A list, a set, backlinks or results: a live collection of values or objects, with positions from 0.
///
/// A collection that comes from a store is always at the version of its session. An iteration goes over the
/// elements that there were when it began.
public protocol StoredCollection<Element>: RandomAccessCollection, CustomStringConvertible,
  Freezable, QueryableCollection
where Index == Int, QueryElement == Element {
  var _base: CollectionBase { get }
  /// The changes of the delivery that the collection was passed along with.
  var _delivered: DeliveredChanges? { get }
  /// Makes the same collection for an observer's block.
  static func _delivered(_ base: CollectionBase, _ changes: DeliveredChanges?) -> Self?
}

extension StoredCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }
  /// The next index.
  public func index(after index: Int) -> Int { index + 1 }
  /// The index before.
  public func index(before index: Int) -> Int { index - 1 }

  /// The store of the collection; nil for that of an unmanaged object.
  public var store: Store? { _base.core?.facade }

  /// Whether the collection is that of an object that was deleted, or of a store that was closed.
  public var isInvalidated: Bool {
    switch _base.kind {
    case .local: false
    case .property(let property): property.isOfDeletedObject
    case .query(let query): query.core.session.isClosed
    }
  }

  /// Whether the collection is immutable, at one version of its store.
  public var isFrozen: Bool { _base.core?.session.isFrozen ?? false }
}

// What a list and a set have in common as properties.
extension StoredCollection
where
  Self: Persistable & ExpressibleByArrayLiteral, Element: PersistableElement,
  ArrayLiteralElement == Element
{
  public static func _probe(_ trace: KeyPathTrace) -> Self? {
    Element._probeElement(trace).map { [$0] }
  }

  public func _content(_ links: LinkEncoder) throws -> PropertyContent {
    .list(try map { try $0._encode(links) })
  }

  /// The elements in brackets.
  public var description: String { "[" + map(\._text).joined(separator: ", ") + "]" }
}

// What is a property, and no value.
extension StoredCollection where Self: Persistable {
  public func _encode(_ links: LinkEncoder) throws -> Value {
    throw QueryArgumentError("'\(_text)' is no value to compare with")
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? { nil }
}
