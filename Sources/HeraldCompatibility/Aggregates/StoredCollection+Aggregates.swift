public import Herald

// The compiler takes these where the type of the result is given, or is that of a generic class, and Herald's own otherwise.

extension StoredCollection where Element: PersistableElement, Element.PersistedType: MinMaxType {
  /// The smallest value; nil without one. Of values of any type numbers and dates count, and numbers are smaller.
  @_disfavoredOverload
  public func min() -> Element? { aggregated(.min) }

  /// The largest value; nil without one. Of values of any type numbers and dates count, and numbers are smaller.
  @_disfavoredOverload
  public func max() -> Element? { aggregated(.max) }
}

extension StoredCollection where Element: PersistableElement, Element.PersistedType: AddableType {
  /// The sum of the values. One out of the type's range stops the program.
  @_disfavoredOverload
  public func sum() -> Element { requiredSum(aggregated(.sum)) }

  /// The average of the values, rounded to the type of the result; nil without one.
  @_disfavoredOverload
  public func average<Average: HasPersistedType>() -> Average?
  where Average.PersistedType: AddableType { aggregated(.average) }
}

extension StoredCollection where Element: ResultElement {
  /// The smallest value of a property; nil without one.
  @_disfavoredOverload
  public func min<Value: HasPersistedType>(of path: KeyPath<Element, Value>) -> Value?
  where Value.PersistedType: MinMaxType { min(ofProperty: requiredName(of: path)) }

  /// The largest value of a property; nil without one.
  @_disfavoredOverload
  public func max<Value: HasPersistedType>(of path: KeyPath<Element, Value>) -> Value?
  where Value.PersistedType: MinMaxType { max(ofProperty: requiredName(of: path)) }

  /// The sum of a property. One out of the type's range stops the program.
  @_disfavoredOverload
  public func sum<Value: HasPersistedType>(of path: KeyPath<Element, Value>) -> Value
  where Value.PersistedType: AddableType { sum(ofProperty: requiredName(of: path)) }

  /// The average of a property, rounded to the type of the result; nil without a value.
  @_disfavoredOverload
  public func average<Value: HasPersistedType, Average: HasPersistedType>(
    of path: KeyPath<Element, Value>
  ) -> Average? where Value.PersistedType: AddableType, Average.PersistedType: AddableType {
    average(ofProperty: requiredName(of: path))
  }

  /// The smallest value of a property by its name; nil without one.
  @_disfavoredOverload
  public func min<Value: HasPersistedType>(ofProperty name: String) -> Value?
  where Value.PersistedType: MinMaxType { extreme(.min, name) }

  /// The largest value of a property by its name; nil without one.
  @_disfavoredOverload
  public func max<Value: HasPersistedType>(ofProperty name: String) -> Value?
  where Value.PersistedType: MinMaxType { extreme(.max, name) }

  /// The sum of a property by its name. One out of the type's range stops the program.
  @_disfavoredOverload
  public func sum<Sum: HasPersistedType>(ofProperty name: String) -> Sum
  where Sum.PersistedType: AddableType {
    requiredSum(aggregate(.sum, name) { Sum.ofAggregate($0) })
  }

  /// The average of a property by its name, rounded to the type of the result; nil without a value.
  @_disfavoredOverload
  public func average<Average: HasPersistedType>(ofProperty name: String) -> Average?
  where Average.PersistedType: AddableType {
    aggregate(.average, name) { Average.ofAggregate($0) }
  }

  private func extreme<Value: HasPersistedType>(
    _ operation: CollectionOperation, _ name: String
  ) -> Value? where Value.PersistedType: MinMaxType {
    if Value.self == AnyValue.self {
      return (values(ofProperty: name) as [AnyValue]).aggregated(operation)
    }
    return aggregate(operation, name) { Value.ofAggregate($0) }
  }
}

extension Sequence where Element: PersistableElement {
  /// Returns an aggregate of the values; of those of any type the numbers count, and the dates for the largest and, where
  /// there are no numbers, for the smallest.
  func aggregated<Result: HasPersistedType>(_ operation: CollectionOperation) -> Result?
  where Result.PersistedType: AggregateType {
    guard Element.self == AnyValue.self else { return Result.ofAggregate(aggregate(operation)) }
    let values = compactMap { $0 as? AnyValue }
    let (numbers, dates) = (values.filter(\.isNumber), values.filter { $0.dateValue != nil })
    let counted =
      switch operation {
      case .min where numbers.isEmpty: dates
      case .max where !dates.isEmpty: dates
      case _: numbers
      }
    return Result.ofAggregate(counted.aggregate(operation))
  }
}

/// The sum, which stops the program where the type has none.
func requiredSum<Sum>(_ sum: Sum?) -> Sum {
  guard let sum else { fatalError("the sum is out of the range of '\(Sum.self)'") }
  return sum
}
