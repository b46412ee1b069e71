package import HeraldModel

/// Values in rows and columns. The numbers of the rows begin at 1, those of the columns at 0.
package protocol RowValues: AnyObject {
  /// The number of the last row, or a larger one.
  var rowCount: Int { get }
  func contains(_ row: Int) -> Bool
  /// The value of a row that there is.
  func value(_ column: Int, of row: Int) -> Value
}
