package import HeraldModel

/// The values of one group: of its paths, then of its aggregates.
package struct GroupRow: Hashable, Sendable {
  package let values: [Value]
  package init(_ values: [Value]) { self.values = values }
  subscript(column: Int) -> Value { values[column] }
}
