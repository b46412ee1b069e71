public import Herald

extension Map where Value: PersistableMeasure & Comparable {
  /// The smallest value; nil without one.
  public func min() -> Value? { values.min() }
  /// The largest value; nil without one.
  public func max() -> Value? { values.max() }
}

extension Map where Value: PersistableNumber {
  /// The sum of the values.
  public func sum() -> Value { List(values).sum() }
  /// The average of the values; nil without one.
  public func average() -> Value.Average? { List(values).average() }
}

extension Map where Value: Comparable {
  /// The values in order.
  public func sorted(ascending: Bool = true) -> [Value] { values.sorted(by: ascending ? (<) : (>)) }
}

extension Map where Value: OptionalObject {
  /// The objects, in the order of the keys.
  var objects: List<Value.Linked> { List(values.compactMap(\.linked)) }

  /// The sum of a property.
  public func sum<Number: PersistableNumber>(of path: KeyPath<Value.Linked, Number>) -> Number {
    objects.sum(path)
  }

  /// The smallest value of a property; nil without one.
  public func min<Measure: PersistableMeasure>(
    of path: KeyPath<Value.Linked, Measure>
  ) -> Measure? { objects.min(path) }

  /// The largest value of a property; nil without one.
  public func max<Measure: PersistableMeasure>(
    of path: KeyPath<Value.Linked, Measure>
  ) -> Measure? { objects.max(path) }

  /// The average of a property; nil without one.
  public func average<Number: PersistableNumber>(
    of path: KeyPath<Value.Linked, Number>
  ) -> Number.Average? { objects.average(path) }

  /// The sum of a property by its name.
  public func sum<Number: PersistableNumber>(
    ofProperty name: String, as type: Number.Type = Number.self
  ) -> Number { objects.sum(ofProperty: name, as: type) }

  /// The smallest value of a property by its name; nil without one.
  public func min<Measure: PersistableMeasure>(
    ofProperty name: String, as type: Measure.Type = Measure.self
  ) -> Measure? { objects.min(ofProperty: name, as: type) }

  /// The largest value of a property by its name; nil without one.
  public func max<Measure: PersistableMeasure>(
    ofProperty name: String, as type: Measure.Type = Measure.self
  ) -> Measure? { objects.max(ofProperty: name, as: type) }

  /// The average of a property by its name; nil without one.
  public func average<Average: PersistableNumber>(
    ofProperty name: String, as type: Average.Type = Average.self
  ) -> Average? { objects.average(ofProperty: name, as: type) }

}

/// A link that may be nil: what a map of objects has as values.
public protocol OptionalObject {
  associatedtype Linked: ObjectBase
  /// The object.
  var linked: Linked? { get }
}

extension Optional: OptionalObject where Wrapped: ObjectBase {
  /// The object.
  public var linked: Wrapped? { self }
}

extension Map {
  /// Whether an entry satisfies a condition.
  public func contains(where condition: (_ key: Key, _ value: Value) throws -> Bool) rethrows
    -> Bool
  {
    for (key, value) in self where try condition(key, value) { return true }
    return false
  }
}

extension Query where T: Storable, T.PersistedType: QueryableText {
  /// Whether the whole string is like a pattern, in which `*` stands for any characters and `?` for one.
  public func like(_ pattern: T, caseInsensitive: Bool) -> Query<Bool> {
    like(pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }

  /// Whether the whole string is like a pattern of the object.
  public func like<Other: Storable>(
    _ pattern: Query<Other>, caseInsensitive: Bool
  ) -> Query<Bool> where Other.PersistedType: QueryableText {
    like(pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }
}

/// An entry of a map.
public typealias SingleMapEntry<Key: PersistableKey, Value: PersistableElement> = (
  key: Key, value: Value
)

extension Map {
  /// The entries in the order of their keys.
  public func asKeyValueSequence() -> [(key: Key, value: Value)] { Array(self) }
}
