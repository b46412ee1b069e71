public import Herald

extension Map where Value.PersistedType: MinMaxType {
  /// The smallest value; nil without one. Of values of any type numbers and dates count, and numbers are smaller.
  @_disfavoredOverload
  public func min() -> Value? { values.aggregated(.min) }

  /// The largest value; nil without one. Of values of any type numbers and dates count, and numbers are smaller.
  @_disfavoredOverload
  public func max() -> Value? { values.aggregated(.max) }
}

extension Map where Value.PersistedType: AddableType {
  /// The sum of the values. One out of the type's range stops the program.
  @_disfavoredOverload
  public func sum() -> Value { requiredSum(values.aggregated(.sum)) }

  /// The average of the values, rounded to the type of the result; nil without one.
  @_disfavoredOverload
  public func average<Average: HasPersistedType>() -> Average?
  where Average.PersistedType: AddableType { values.aggregated(.average) }
}

extension Map where Value: OptionalObject {
  /// The smallest value of a property by its name; nil without one.
  @_disfavoredOverload
  public func min<Measure: HasPersistedType>(ofProperty name: String) -> Measure?
  where Measure.PersistedType: MinMaxType { objects.min(ofProperty: name) }

  /// The largest value of a property by its name; nil without one.
  @_disfavoredOverload
  public func max<Measure: HasPersistedType>(ofProperty name: String) -> Measure?
  where Measure.PersistedType: MinMaxType { objects.max(ofProperty: name) }

  /// The sum of a property by its name. One out of the type's range stops the program.
  @_disfavoredOverload
  public func sum<Sum: HasPersistedType>(ofProperty name: String) -> Sum
  where Sum.PersistedType: AddableType { objects.sum(ofProperty: name) }

  /// The average of a property by its name, rounded to the type of the result; nil without a value.
  @_disfavoredOverload
  public func average<Average: HasPersistedType>(ofProperty name: String) -> Average?
  where Average.PersistedType: AddableType { objects.average(ofProperty: name) }

  /// The smallest value of a property; nil without one.
  @_disfavoredOverload
  public func min<Measure: HasPersistedType>(of path: KeyPath<Value.Linked, Measure>) -> Measure?
  where Measure.PersistedType: MinMaxType { objects.min(of: path) }

  /// The largest value of a property; nil without one.
  @_disfavoredOverload
  public func max<Measure: HasPersistedType>(of path: KeyPath<Value.Linked, Measure>) -> Measure?
  where Measure.PersistedType: MinMaxType { objects.max(of: path) }

  /// The sum of a property. One out of the type's range stops the program.
  @_disfavoredOverload
  public func sum<Sum: HasPersistedType>(of path: KeyPath<Value.Linked, Sum>) -> Sum
  where Sum.PersistedType: AddableType { objects.sum(of: path) }

  /// The average of a property, rounded to the type of the result; nil without a value.
  @_disfavoredOverload
  public func average<Measure: HasPersistedType, Average: HasPersistedType>(
    of path: KeyPath<Value.Linked, Measure>
  ) -> Average? where Measure.PersistedType: AddableType, Average.PersistedType: AddableType {
    objects.average(of: path)
  }
}
