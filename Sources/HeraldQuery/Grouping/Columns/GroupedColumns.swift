import HeraldModel

/// The columns by which `ColumnGrouping` groups objects, and those that are aggregated.
struct GroupedColumns: Sendable {
  struct Key: Sendable {
    let kind: KeyNumbers.Kind
    /// An index into `properties`.
    let column: Int
  }

  struct Total: Sendable {
    let aggregate: BoundGrouping.Aggregate
    /// An index into `properties`; nil for the number of members.
    let column: Int?
  }

  /// Each once.
  private(set) var properties: [PropertyID] = []
  private(set) var keys: [Key] = []
  private(set) var totals: [Total] = []

  /// Returns nil for a grouping by something else.
  init?(_ grouping: BoundGrouping) {
    for (index, content) in grouping.keys.contents.enumerated() {
      guard let property = grouping.keys.property(ofColumn: index),
        let kind = KeyNumbers.Kind(content.element)
      else { return nil }
      keys.append(Key(kind: kind, column: column(property)))
    }
    for aggregate in grouping.aggregates {
      guard let value = aggregate.value else {
        totals.append(Total(aggregate: aggregate, column: nil))
        continue
      }
      guard value.isOfPath, aggregate.element.isColumnOfNumbers,
        let property = value.path.propertyOfRoot
      else { return nil }
      totals.append(Total(aggregate: aggregate, column: column(property)))
    }
    if keys.isEmpty { return nil }
  }

  private mutating func column(_ property: PropertyID) -> Int {
    if let known = properties.firstIndex(of: property) { return known }
    properties.append(property)
    return properties.count - 1
  }

  /// Accumulators of no groups.
  var accumulators: [any Accumulator] {
    totals.map { $0.aggregate.accumulator(isFollowed: false) }
  }
}
