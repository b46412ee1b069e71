import HeraldModel
import HeraldQuery

// Of a value and a value to be observed, which have one name, what follows decides: `orders.count` is a number, and
// `orders.count.observe` observes it.

extension StoredCollection where Element: ResultElement {
  /// The number of objects, to be observed.
  @_disfavoredOverload
  public var count: LiveValue<Self, Int> { LiveValue(self, .count, nil) { $0.aggregate() } }

  /// The sum of a property, to be observed; nil values count nothing.
  @_disfavoredOverload
  public func sum<Number: PersistableNumber>(
    _ path: KeyPath<Element, Number>
  ) -> LiveValue<Self, Number> {
    required(.sum, path)
  }

  /// The sum of a property, to be observed; nil values count nothing.
  @_disfavoredOverload
  public func sum<Number: PersistableNumber>(
    _ path: KeyPath<Element, Number?>
  ) -> LiveValue<Self, Number> {
    required(.sum, path)
  }

  /// The average of a property, to be observed; nil without a value.
  @_disfavoredOverload
  public func average<Number: PersistableNumber>(
    _ path: KeyPath<Element, Number>
  ) -> LiveValue<Self, Number.Average?> {
    optional(.average, path)
  }

  /// The average of a property, to be observed; nil without a value.
  @_disfavoredOverload
  public func average<Number: PersistableNumber>(
    _ path: KeyPath<Element, Number?>
  ) -> LiveValue<Self, Number.Average?> {
    optional(.average, path)
  }

  /// The smallest value of a property, to be observed; nil without one.
  @_disfavoredOverload
  public func min<Measure: PersistableMeasure>(
    _ path: KeyPath<Element, Measure>
  ) -> LiveValue<Self, Measure?> {
    optional(.min, path)
  }

  /// The smallest value of a property, to be observed; nil without one.
  @_disfavoredOverload
  public func min<Measure: PersistableMeasure>(
    _ path: KeyPath<Element, Measure?>
  ) -> LiveValue<Self, Measure?> {
    optional(.min, path)
  }

  /// The largest value of a property, to be observed; nil without one.
  @_disfavoredOverload
  public func max<Measure: PersistableMeasure>(
    _ path: KeyPath<Element, Measure>
  ) -> LiveValue<Self, Measure?> {
    optional(.max, path)
  }

  /// The largest value of a property, to be observed; nil without one.
  @_disfavoredOverload
  public func max<Measure: PersistableMeasure>(
    _ path: KeyPath<Element, Measure?>
  ) -> LiveValue<Self, Measure?> {
    optional(.max, path)
  }

  private func required<Number>(
    _ operation: CollectionOperation, _ path: PartialKeyPath<Element>
  ) -> LiveValue<Self, Number> {
    LiveValue(self, operation, requiredName(of: path)) { $0.aggregate() }
  }

  private func optional<Number>(
    _ operation: CollectionOperation, _ path: PartialKeyPath<Element>
  ) -> LiveValue<Self, Number?> {
    LiveValue(self, operation, requiredName(of: path)) { value in
      value.isNull ? .some(nil) : value.aggregate().map { .some($0) }
    }
  }
}
