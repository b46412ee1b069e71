import HeraldModel
import HeraldQuery

/// The rows of a stage of results, each once, in the stage's order.
protocol RowSequence: AnyObject {
  var count: Int { get }
  func contains(_ number: ObjectNumber) -> Bool
  /// Nil where the object is no row.
  func position(of number: ObjectNumber) -> Int?
  func number(at position: Int) -> ObjectNumber
  /// Answers the new row's position. Every row's sort values must be those of `reader`.
  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int
  /// Inserts many rows, none of which is there.
  func insert(contentsOf numbers: [ObjectNumber], _ reader: any ObjectReader)
  func remove(_ number: ObjectNumber)
  func violations(_ reader: any ObjectReader) -> [String]
  var byteCount: Int { get }
}

/// Rows in the order of their creation.
final class CreationRows: RowSequence {
  private var members: MemberSet

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

  func remove(_ number: ObjectNumber) { members.remove(number) }

  func violations(_ reader: any ObjectReader) -> [String] { members.violations }
}
