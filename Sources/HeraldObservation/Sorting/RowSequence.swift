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

/// Rows in order of creation.
final class CreationRows: RowSequence {
  @exclusivity(unchecked) private var members: MemberSet

  init(_ members: MemberSet) { self.members = members }

  var count: Int { members.count }

  var byteCount: Int { members.byteCount }

  func contains(_ number: ObjectNumber) -> Bool { members.contains(number) }

  func position(of number: ObjectNumber) -> Int? {
    members.contains(number) ? members.position(of: number) : nil
  }

  func number(at position: Int) -> ObjectNumber { members.number(at: position) }

  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int {
    members.insert(number)
    return members.position(of: number)
  }

  func insert(contentsOf numbers: [ObjectNumber], _ reader: any ObjectReader) {
    for number in numbers { members.insert(number) }
  }

  @discardableResult
  func remove(_ number: ObjectNumber) -> Int? {
    guard let position = position(of: number) else { return nil }
    members.remove(number)
    return position
  }

  func violations(_ reader: any ObjectReader) -> [String] { members.violations }
}
