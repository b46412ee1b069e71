import HeraldModel
import HeraldQuery

/// The rows of a results stage, without duplicates, in the stage's order.
protocol RowSequence: AnyObject {
  var count: Int { get }
  func contains(_ number: ObjectNumber) -> Bool
  /// Returns the position of a row; nil where it is not in the sequence.
  func position(of number: ObjectNumber) -> Int?
  func number(at position: Int) -> ObjectNumber
  /// Inserts a row and returns its position. The other rows must be ordered by `reader`'s sort values.
  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int
  /// Inserts many rows, none of which is in the sequence.
  func insert(contentsOf numbers: [ObjectNumber], _ reader: any ObjectReader)
  /// Removes a row and returns the position that it had; nil where it is not in the sequence.
  @discardableResult
  func remove(_ number: ObjectNumber) -> Int?
  func violations(_ reader: any ObjectReader) -> [String]
  var byteCount: Int { get }
}
