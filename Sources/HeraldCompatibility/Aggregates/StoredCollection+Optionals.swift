public import Herald

/// A value that may be nil, and is a number or a moment otherwise.
public protocol OptionalMeasure {
  associatedtype Wrapped: PersistableMeasure
  /// The value; nil without one.
  var measure: Wrapped? { get }
}

extension Optional: OptionalMeasure where Wrapped: PersistableMeasure {
  /// The value; nil without one.
  public var measure: Wrapped? { self }
}

extension StoredCollection where Element: OptionalMeasure, Element.Wrapped: Comparable {
  /// The smallest value; nil without one.
  public func min() -> Element.Wrapped? { compactMap(\.measure).min() }
  /// The largest value; nil without one.
  public func max() -> Element.Wrapped? { compactMap(\.measure).max() }
}

extension StoredCollection where Element: OptionalMeasure, Element.Wrapped: PersistableNumber {
  /// The sum of the values; nil counts nothing.
  public func sum() -> Element.Wrapped { List(compactMap(\.measure)).sum() }
  /// The average of the values; nil without one.
  public func average() -> Element.Wrapped.Average? { List(compactMap(\.measure)).average() }
}

extension Map where Value: OptionalMeasure, Value.Wrapped: Comparable {
  /// The smallest value; nil without one.
  public func min() -> Value.Wrapped? { values.compactMap(\.measure).min() }
  /// The largest value; nil without one.
  public func max() -> Value.Wrapped? { values.compactMap(\.measure).max() }
}

extension Map where Value: OptionalMeasure, Value.Wrapped: PersistableNumber {
  /// The sum of the values; nil counts nothing.
  public func sum() -> Value.Wrapped { List(values.compactMap(\.measure)).sum() }
  /// The average of the values; nil without one.
  public func average() -> Value.Wrapped.Average? {
    List(values.compactMap(\.measure)).average()
  }
}
