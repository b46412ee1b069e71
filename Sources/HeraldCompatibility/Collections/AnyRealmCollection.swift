public import Herald

/// A collection of a store, whatever its type: a list, a set, backlinks or results.
public struct AnyRealmCollection<Element: CollectionElement> {
  private let base: any StoredCollection<Element>

  /// The same collection.
  public init(_ collection: some StoredCollection<Element>) { base = collection }

  private init(_ collection: any StoredCollection<Element>) { base = collection }
}

extension AnyRealmCollection: RealmCollection {
  public var _base: CollectionBase { base._base }
  public var _delivered: DeliveredChanges? { base._delivered }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> AnyRealmCollection<Element>? {
    collection(base, changes, as: Element.self).map { AnyRealmCollection($0) }
  }

  /// The number of elements.
  public var count: Int { base.count }

  /// The element at an index.
  public subscript(index: Int) -> Element {
    func element(_ collection: some StoredCollection<Element>) -> Element { collection[index] }
    return element(base)
  }

  /// Iterates over the elements that there are at this moment.
  public func makeIterator() -> AnyIterator<Element> {
    func iterator(_ collection: some StoredCollection<Element>) -> AnyIterator<Element> {
      AnyIterator(collection.makeIterator())
    }
    return iterator(base)
  }
}

/// The collection of a base as that of elements of a type; nil where it is none of these.
private func collection<Element>(
  _ base: CollectionBase, _ changes: DeliveredChanges?, as type: Element.Type
) -> (any StoredCollection<Element>)? {
  func values<Value: PersistableValue>(_ type: Value.Type) -> Any? {
    Results<Value>._delivered(base, changes)
  }
  func results<Row: ResultElement>(_ type: Row.Type) -> Any? {
    Results<Row>._delivered(base, changes)
  }
  func list<Value: PersistableElement>(_ type: Value.Type) -> Any? {
    switch base.shape {
    case .list?: List<Value>._delivered(base, changes)
    case .set?: MutableSet<Value>._delivered(base, changes)
    case _: nil
    }
  }
  if let found = (type as? any PersistableValue.Type).flatMap({ values($0) }) {
    return found as? any StoredCollection<Element>
  }
  var found: Any?
  switch base.shape {
  case nil: found = (type as? any ResultElement.Type).flatMap { results($0) }
  case .backlinks?: found = (type as? any LinkedElement.Type)?.links(base, changes)
  case _: found = (type as? any PersistableElement.Type).flatMap { list($0) }
  }
  return found as? any StoredCollection<Element>
}

/// A class of linked objects: of its metatype alone a generic function would make backlinks of `ObjectBase`.
private protocol LinkedElement {
  static func links(_ base: CollectionBase, _ changes: DeliveredChanges?) -> Any?
}

extension ObjectBase: LinkedElement {
  fileprivate static func links(_ base: CollectionBase, _ changes: DeliveredChanges?) -> Any? {
    LinkingObjects<Self>._delivered(base, changes)
  }
}

extension AnyRealmCollection: CustomStringConvertible {
  /// That of the collection.
  public var description: String { String(describing: base) }
}

extension AnyRealmCollection: Equatable {
  /// Whether both are the same collection.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    // That of an unmanaged object is an instance.
    a._base.isSame(as: b._base) || (a.base as AnyObject) === (b.base as AnyObject)
  }
}
