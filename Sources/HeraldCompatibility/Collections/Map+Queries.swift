public import Foundation
public import Herald

// The queries of a map of objects find them in the order of their keys, as links, which in other maps may be nil.

extension Map where Value: OptionalObject {
  /// The objects that match a condition.
  public func `where`(_ isIncluded: (Query<Value.Linked>) -> Query<Bool>) -> Results<Value> {
    queriedObjects.where(isIncluded).elements()
  }

  /// The objects that match a predicate in the query language.
  public func filter(_ predicate: String, _ arguments: Any?...) -> Results<Value> {
    checked { try queriedObjects.query(predicate, arguments: arguments).elements() }
  }

  /// The objects that match a predicate.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    queriedObjects.filter(predicate).elements()
  }

  /// The objects sorted by a property; nil is first.
  public func sorted<Member: Persistable>(
    by path: KeyPath<Value.Linked, Member>, ascending: Bool = true
  ) -> Results<Value> { queriedObjects.sorted(by: path, ascending: ascending).elements() }

  /// The objects sorted by a property by its name; nil is first.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    queriedObjects.sorted(byKeyPath: keyPath, ascending: ascending).elements()
  }

  /// The objects sorted by several properties, the first one first.
  public func sorted(by descriptors: [Herald.SortDescriptor]) -> Results<Value> {
    queriedObjects.sorted(by: descriptors).elements()
  }

  /// The first object of each combination of values of some properties.
  public func distinct(by keyPaths: some Sequence<String>) -> Results<Value> {
    queriedObjects.distinct(by: Array(keyPaths)).elements()
  }

  private var queriedObjects: List<Value.Linked> {
    guard let objects = linkedObjects(of: Value.Linked.self) else {
      fatalError("a map of an unmanaged object cannot be queried")
    }
    return objects
  }
}

extension Results where Element: OptionalObject & PersistableValue {
  /// The objects that match a condition.
  public func `where`(_ isIncluded: (Query<Element.Linked>) -> Query<Bool>) -> Results<Element> {
    objects.where(isIncluded).elements()
  }

  /// The objects that match a predicate in the query language.
  public func filter(_ predicate: String, _ arguments: Any?...) -> Results<Element> {
    checked { try objects.query(predicate, arguments: arguments).elements() }
  }

  /// The objects that match a predicate.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    objects.filter(predicate).elements()
  }

  /// The objects sorted by a property; nil is first.
  public func sorted<Member: Persistable>(
    by path: KeyPath<Element.Linked, Member>, ascending: Bool = true
  ) -> Results<Element> { objects.sorted(by: path, ascending: ascending).elements() }

  /// The objects sorted by a property by its name; nil is first.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    objects.sorted(byKeyPath: keyPath, ascending: ascending).elements()
  }

  /// The objects sorted by several properties, the first one first.
  public func sorted(by descriptors: [Herald.SortDescriptor]) -> Results<Element> {
    objects.sorted(by: descriptors).elements()
  }

  /// The first object of each combination of values of some properties.
  public func distinct(by keyPaths: [String]) -> Results<Element> {
    objects.distinct(by: keyPaths).elements()
  }

  private var objects: Results<Element.Linked> { elements() }
}
