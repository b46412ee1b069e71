public import FoundationEssentials
import HeraldModel
import HeraldQuery

/// A list, a set, backlinks or the values of a map, in a query.
public protocol QueryableCollection {
  associatedtype QueryElement
}

extension Map: QueryableCollection { public typealias QueryElement = Value }

/// A map in a query.
public protocol QueryableMap: QueryableCollection {
  associatedtype Key
}

extension Map: QueryableMap {}

extension Query where T: QueryableCollection {
  /// The number of elements.
  public var count: Query<Int> {
    guard case .path(let steps, .some(let collection)) = node, collection < steps.count else {
      return following(.operation(.count)).standingAlone
    }
    if T.self is any CollectionOfProjected.Type {
      return Query(.path(Array(steps[..<collection]), collection: collection), context).count
    }
    // That of each object of the outer collection.
    return following(.operation(.count))
  }
}

extension Query where T: QueryableCollection, T.QueryElement: Storable {
  /// Whether an element is equal to a value, or is an object.
  public func contains(_ element: T.QueryElement) -> Query<Bool> {
    let isMap = T.self is any QueryableMap.Type
    let elements: Query<T> = isMap ? following(.values) : self
    return condition(
      .comparison(
        PredicateSyntax.Comparison(
          left: literal(element), relation: .equal, foldsCase: false, isMembership: true,
          right: elements.expression, operatorSpan: .none)))
  }

  /// Whether an element is equal to one of some values, or is one of some objects.
  public func containsAny(in values: some Sequence<T.QueryElement>) -> Query<Bool> {
    let isMap = T.self is any QueryableMap.Type
    let elements: Query<T> = isMap ? following(.values) : self
    return elements.isOne(of: values.map { literal($0) })
  }
}

extension Query
where T: QueryableCollection, T.QueryElement: QueryableNumber, T.QueryElement.Number: Comparable {
  /// Whether there are elements, and each is in a range.
  public func contains(_ range: ClosedRange<T.QueryElement.Number>) -> Query<Bool> {
    min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.lessOrEqual, range.upperBound)
  }

  /// Whether there are elements, and each is in a range without its upper bound.
  public func contains(_ range: Range<T.QueryElement.Number>) -> Query<Bool> {
    min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.less, range.upperBound)
  }
}

// One for each type: see `Query+Comparing.swift`.
extension Query {
  /// Whether an element is equal to another.
  @_disfavoredOverload
  public static func == <Element>(
    query: Query<List<Element>>, element: Element
  ) -> Query<Bool> where T == List<Element> { query.anyElement.compared(.equal, element) }

  /// Whether an element differs from another.
  @_disfavoredOverload
  public static func != <Element>(
    query: Query<List<Element>>, element: Element
  ) -> Query<Bool> where T == List<Element> { query.anyElement.compared(.notEqual, element) }

  /// Whether an element is equal to another.
  @_disfavoredOverload
  public static func == <Element>(
    query: Query<MutableSet<Element>>, element: Element
  ) -> Query<Bool> where T == MutableSet<Element> { query.anyElement.compared(.equal, element) }

  /// Whether an element differs from another.
  @_disfavoredOverload
  public static func != <Element>(
    query: Query<MutableSet<Element>>, element: Element
  ) -> Query<Bool> where T == MutableSet<Element> { query.anyElement.compared(.notEqual, element) }

  /// Whether one of the objects that link here is equal to another.
  @_disfavoredOverload
  public static func == <Element>(
    query: Query<LinkingObjects<Element>>, element: Element
  ) -> Query<Bool> where T == LinkingObjects<Element> { query.anyElement.compared(.equal, element) }

  /// Whether one of the objects that link here differs from another.
  @_disfavoredOverload
  public static func != <Element>(
    query: Query<LinkingObjects<Element>>, element: Element
  ) -> Query<Bool> where T == LinkingObjects<Element> {
    query.anyElement.compared(.notEqual, element)
  }

  /// Whether a value is equal to another.
  @_disfavoredOverload
  public static func == <Key, Value>(
    query: Query<Map<Key, Value>>, element: Value
  ) -> Query<Bool> where T == Map<Key, Value> { query.anyElement.compared(.equal, element) }

  /// Whether a value differs from another.
  @_disfavoredOverload
  public static func != <Key, Value>(
    query: Query<Map<Key, Value>>, element: Value
  ) -> Query<Bool> where T == Map<Key, Value> { query.anyElement.compared(.notEqual, element) }

  /// Whether a property of one of the objects is equal to another.
  @_disfavoredOverload
  public static func == <Element: PersistableElement>(
    query: Query<ProjectedCollection<Element>>, element: Element
  ) -> Query<Bool> where T == ProjectedCollection<Element> {
    query.anyElement.compared(.equal, element)
  }

  /// Whether a property of one of the objects differs from another.
  @_disfavoredOverload
  public static func != <Element: PersistableElement>(
    query: Query<ProjectedCollection<Element>>, element: Element
  ) -> Query<Bool> where T == ProjectedCollection<Element> {
    query.anyElement.compared(.notEqual, element)
  }
}

extension Query where T: QueryableCollection {
  /// Each element: a comparison holds if it holds for any of them.
  fileprivate var anyElement: Query<T.QueryElement> {
    let isMap = T.self is any QueryableMap.Type
    let elements: Query<T> = isMap ? following(.values) : self
    return Query<T.QueryElement>(elements.node, context)
  }
}

extension Query where T: QueryableMap, T.Key == String {
  /// The value of a key; nil without one.
  public subscript(key: String) -> Query<T.QueryElement?> { ofKey(key) }

  /// The keys: compared, any of them.
  public var keys: Query<String> { following(.keys) }

  /// The values: compared, any of them.
  public var values: Query<T.QueryElement> { following(.values) }
}

extension Query {
  /// The value of a key in a map of optional values.
  public subscript<Wrapped>(key: String) -> Query<Wrapped?> where T == Map<String, Wrapped?> {
    ofKey(key)
  }

  /// The value of a key of a map, which is one, unless there are several maps.
  private func ofKey<V>(_ key: String) -> Query<V> {
    let value: Query<V> = following(.key(key))
    guard case .path(let maps, let collection) = node, maps.count == collection,
      case .path(let steps, _) = value.node
    else { return value }
    return Query<V>(.path(steps, collection: nil), context)
  }

  /// The same without the steps that lead through a collection: a single value for each object.
  fileprivate var standingAlone: Query<T> {
    Query(.operand(ExpressionSyntax(expression.kind, .none)), context)
  }

  /// An aggregate over the elements of the first collection of the path.
  fileprivate func aggregated<V>(_ operation: CollectionOperation) -> Query<V> {
    guard case .path(var steps, let collection) = node else {
      context.note(KeyPathError(description: "'\(expression)' is no collection"))
      return Query<V>(node, context)
    }
    // `dogs.@max.age`, and `scores.@max` of values.
    steps.insert(
      PathSyntax.Step(kind: .operation(operation), span: .none), at: collection ?? steps.count)
    return Query<V>(.operand(ExpressionSyntax(.path(PathSyntax(steps)), .none)), context)
  }
}

extension Query where T: QueryableCollection, T.QueryElement: QueryableNumber {
  /// The smallest element; nil without one.
  public var min: Query<T.QueryElement.Number?> { aggregatedElements(.min) }
  /// The largest element; nil without one.
  public var max: Query<T.QueryElement.Number?> { aggregatedElements(.max) }
  /// The sum of the elements.
  public var sum: Query<T.QueryElement.Number> { aggregatedElements(.sum) }
  /// The average of the elements; nil without one.
  public var avg: Query<T.QueryElement.Number.Average?> { aggregatedElements(.average) }
}

extension Query where T: QueryableCollection {
  /// The same collection with its elements in another form, as the store has them.
  package func elements<Other: QueryableCollection>() -> Query<Other> {
    Query<Other>(node, context)
  }

  private func aggregatedElements<V>(_ operation: CollectionOperation) -> Query<V> {
    // Of a collection of each object of another one.
    if case .path(let steps, .some(let collection)) = node, collection < steps.count,
      !(T.self is any CollectionOfProjected.Type)
    {
      return following(.operation(operation))
    }
    return aggregated(operation)
  }
}

// Of types of the program's own, and where generic code does not know the type.

extension Query
where
  T: QueryableCollection, T.QueryElement: Storable, T.QueryElement.PersistedType: QueryComparable
{
  /// The smallest element, as the store has it; nil without one.
  @_disfavoredOverload
  public var min: Query<T.QueryElement> { aggregatedElements(.min) }
  /// The largest element, as the store has it; nil without one.
  @_disfavoredOverload
  public var max: Query<T.QueryElement> { aggregatedElements(.max) }
  /// The sum of the elements, as the store has them.
  @_disfavoredOverload
  public var sum: Query<T.QueryElement> { aggregatedElements(.sum) }
  /// The average of the elements, as the store has them; nil without one.
  @_disfavoredOverload
  public var avg: Query<T.QueryElement> { aggregatedElements(.average) }
}

extension Query where T: Storable, T.PersistedType: QueryComparable {
  /// The smallest value of the objects of a collection, as the store has it; nil without one.
  @_disfavoredOverload
  public var min: Query<T> { aggregated(.min) }
  /// The largest value of the objects of a collection, as the store has it; nil without one.
  @_disfavoredOverload
  public var max: Query<T> { aggregated(.max) }
  /// The sum of the values of the objects of a collection, as the store has them.
  @_disfavoredOverload
  public var sum: Query<T> { aggregated(.sum) }
  /// The average of the values of the objects of a collection, as the store has them; nil without one.
  @_disfavoredOverload
  public var avg: Query<T> { aggregated(.average) }
}

/// `Date` and `Date?`.
public protocol QueryableDate: PersistableElement {}

extension Date: QueryableDate {}
extension Optional: QueryableDate where Wrapped == Date {}

extension Query where T: QueryableDate {
  /// The first moment of the objects of a collection; nil without one.
  public var min: Query<Date?> { aggregated(.min) }
  /// The last moment of the objects of a collection; nil without one.
  public var max: Query<Date?> { aggregated(.max) }
}

extension Query where T: QueryableCollection, T.QueryElement: QueryableDate {
  /// The first moment; nil without one.
  public var min: Query<Date?> { aggregated(.min) }
  /// The last moment; nil without one.
  public var max: Query<Date?> { aggregated(.max) }

  /// Whether there are moments, and each is in a range.
  public func contains(_ range: ClosedRange<Date>) -> Query<Bool> {
    min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.lessOrEqual, range.upperBound)
  }

  /// Whether there are moments, and each is in a range without its upper bound.
  public func contains(_ range: Range<Date>) -> Query<Bool> {
    min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.less, range.upperBound)
  }
}

extension Query where T: QueryableNumber {
  /// The smallest value of the objects of a collection; nil without one.
  public var min: Query<T.Number?> { aggregated(.min) }
  /// The largest value of the objects of a collection; nil without one.
  public var max: Query<T.Number?> { aggregated(.max) }
  /// The sum of the values of the objects of a collection.
  public var sum: Query<T.Number> { aggregated(.sum) }
  /// The average of the values of the objects of a collection; nil without one.
  public var avg: Query<T.Number.Average?> { aggregated(.average) }
}

extension Query where T == Bool {
  /// How many objects of the collection that the condition reads match it:
  /// `($0.dogs.age > 3 && $0.dogs.name == "Max").count > 1`.
  public var count: Query<Int> {
    guard case .one(let steps) = collection else {
      context.note(
        KeyPathError(description: "the condition '\(predicate)' reads not just one collection"))
      return Query<Int>(.path([], collection: nil), context)
    }
    // The paths lead through the collection, and from its element on.
    var ofElement = PathMapping { path in
      guard path.startsAtRoot else { return .path(path) }
      var own = path
      own.start = .variable("element")
      own.steps.removeFirst(steps.count)
      return .path(own)
    }
    ofElement.keepsQuantifiers = false
    do {
      let inner = try ofElement.predicate(predicate)
      return Query<Int>(
        .operand(
          ExpressionSyntax(.subquery(PathSyntax(steps), variable: "element", inner), .none)),
        context)
    } catch {
      context.note(error)
      return Query<Int>(.path([], collection: nil), context)
    }
  }
}

extension Query where T == AnyValue {
  /// The value of a key in a dictionary.
  public subscript(key: String) -> Query<AnyValue> { following(.key(key)) }

  /// An element of a list.
  public subscript(index: Int) -> Query<AnyValue> { following(.index(index)) }
}

extension Query where T == AnyValue? {
  /// The value of a key in a dictionary.
  public subscript(key: String) -> Query<AnyValue> { following(.key(key)) }

  /// An element of a list.
  public subscript(index: Int) -> Query<AnyValue> { following(.index(index)) }
}
