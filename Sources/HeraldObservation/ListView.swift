import HeraldModel
import HeraldQuery

/// The rows of a list: the linked objects in their order where rows can be modified from outside,
/// else only how many there are.
struct ListView {
  let owner: ObjectID
  let property: PropertyID
  private(set) var rows: Rows

  enum Rows {
    case objects(OrderedSequence)
    case values(count: Int)
  }

  /// O(n), for lists of plain values O(1).
  init(owner: ObjectID, property: PropertyID, ofObjects: Bool, _ reader: any ObjectReader) {
    self.owner = owner
    self.property = property
    let count = reader.listCount(property, of: owner)
    rows = .values(count: count)
    if ofObjects { rows = .objects(elements(count, reader)) }
  }

  var count: Int {
    switch rows {
    case .objects(let sequence): sequence.count
    case .values(let count): count
    }
  }

  /// Brings the rows to `reader`'s version. O(changed rows · log rows).
  mutating func apply(_ change: ListChange, _ reader: any ObjectReader) {
    precondition(change.oldCount == count, "a list change that does not follow the rows")
    guard case .objects(var sequence) = rows else {
      rows = .values(count: change.newCount)
      return
    }
    // The sequence must have one owner while it is changed.
    rows = .values(count: 0)
    let changes = change.changeSet()
    if changes.insertions.count > change.newCount / 2 {
      sequence = elements(change.newCount, reader)
    } else {
      for index in changes.deletions.reversed() { sequence.remove(at: index) }
      for index in changes.insertions {
        sequence.insert(target(at: index, reader), at: index)
      }
      for index in changes.modificationsNew {
        sequence.remove(at: index)
        sequence.insert(target(at: index, reader), at: index)
      }
    }
    rows = .objects(sequence)
  }

  /// The rows, ascending, that the objects have. O(objects · log rows + found).
  func positions(of numbers: [ObjectNumber]) -> [Int] {
    guard case .objects(let sequence) = rows else { return [] }
    var found: [Int] = []
    for number in numbers { found.append(contentsOf: sequence.positions(of: number)) }
    return found.sorted()
  }

  private func target(at index: Int, _ reader: any ObjectReader) -> ObjectNumber {
    number(reader.listElement(property, of: owner, at: index))
  }

  private func elements(_ count: Int, _ reader: any ObjectReader) -> OrderedSequence {
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(count)
    reader.forEachElement(property, of: owner) { element in
      numbers.append(number(element))
      return true
    }
    return OrderedSequence(numbers)
  }

  /// A list of links holds nothing else; 0 is no object's number.
  func number(_ element: Value) -> ObjectNumber {
    if case .link(let target) = element { target.number } else { 0 }
  }
}
