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

/// Rows by sort values, ties by the order before the sort.
final class SortedRows: RowSequence {
  private let order: RowOrder
  private var sequence: OrderedSequence

  /// `numbers` must be in order.
  init(_ numbers: [ObjectNumber], by order: RowOrder) {
    self.order = order
    sequence = OrderedSequence(numbers)
  }

  var count: Int { sequence.count }

  var byteCount: Int { sequence.byteCount }

  func contains(_ number: ObjectNumber) -> Bool { sequence.contains(number) }

  func position(of number: ObjectNumber) -> Int? { sequence.position(of: number) }

  func number(at position: Int) -> ObjectNumber { sequence.number(at: position) }

  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int {
    let position = sequence.partition { order.isBefore($0, number, reader) }
    sequence.insert(number, at: position)
    return position
  }

  func insert(contentsOf numbers: [ObjectNumber], _ reader: any ObjectReader) {
    guard numbers.count > 64, numbers.count > count / 8 else {
      for number in numbers { insert(number, reader) }
      return
    }
    // So many that to sort them and merge is less than to search for each.
    let added = order.sorted(ascending: numbers.sorted(), reader)
    var merged: [ObjectNumber] = []
    merged.reserveCapacity(count + added.count)
    var next = 0
    sequence.forEachNumber { number in
      while next < added.count, order.isBefore(added[next], number, reader) {
        merged.append(added[next])
        next += 1
      }
      merged.append(number)
    }
    merged.append(contentsOf: added[next...])
    sequence = OrderedSequence(merged)
  }

  func remove(_ number: ObjectNumber) {
    guard let position = sequence.position(of: number) else { return }
    sequence.remove(at: position)
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    var found = sequence.violations
    for position in 1..<max(1, count) {
      let (before, number) = (self.number(at: position - 1), self.number(at: position))
      if !order.isBefore(before, number, reader) {
        found.append("row \(position) (number \(number)) belongs before the row ahead of it")
      }
    }
    return found
  }
}
