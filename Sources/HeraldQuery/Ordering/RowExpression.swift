import HeraldModel

/// An expression of the rows of a query by which they are ordered, or which is aggregated.
package final class RowExpression: Sendable {
  private let columns: BoundColumns
  let root: ClassID
  let hasValuesOfStore: Bool

  /// - Parameter columns: a single one, of the objects of `root`.
  init(_ columns: BoundColumns, of root: ClassID, hasValuesOfStore: Bool) {
    self.columns = columns
    self.root = root
    self.hasValuesOfStore = hasValuesOfStore
  }

  var dependencies: [PropertyPath] { columns.dependencies }

  /// Whether the values of different rows may have different types.
  var isMixed: Bool { columns.contents[0].element.map { $0 == .any } ?? true }

  /// The value of an object; nil if it cannot be computed.
  func value(of number: ObjectNumber, _ reader: any ObjectReader) -> Value {
    columns.presentValue(ofColumn: 0, of: number, reader)
  }

  package var text: String { columns.text(ofColumn: 0) }
}
