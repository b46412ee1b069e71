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
    case links(LinkedRows)
    case values(count: Int)
  }

  /// O(n), for lists of plain values O(1).
  init(_ place: CollectionPlace, watchesObjects: Bool, _ reader: any ObjectReader) {
    owner = place.owner
    property = place.property
    let count = reader.listCount(property, of: owner)
    rows = .values(count: count)
    guard watchesObjects else { return }
    switch place.element {
    case .objects: rows = .objects(numbers(count, reader))
    case .any: rows = .links(LinkedRows(elements(count, reader)))
    case .values: break
    }
  }

  var count: Int {
    switch rows {
    case .objects(let sequence): sequence.count
    case .links(let rows): rows.count
    case .values(let count): count
    }
  }

  /// Brings the rows to `reader`'s version. O(changed rows · log rows).
  mutating func apply(_ change: ListChange, _ reader: any ObjectReader) {
    precondition(change.oldCount == count, "a list change that does not follow the rows")
    // What is changed must have one owner.
    switch rows {
    case .values: rows = .values(count: change.newCount)
    case .objects(var sequence):
      rows = .values(count: 0)
      apply(change, to: &sequence, reader)
      rows = .objects(sequence)
    case .links(var linked):
      rows = .values(count: 0)
      apply(change, to: &linked, reader)
      rows = .links(linked)
    }
  }

  private func apply(
    _ change: ListChange, to sequence: inout OrderedSequence, _ reader: any ObjectReader
  ) {
    let changes = change.changeSet()
    if changes.insertions.count > change.newCount / 2 {
      sequence = numbers(change.newCount, reader)
      return
    }
    for index in changes.deletions.reversed() { sequence.remove(at: index) }
    for index in changes.insertions {
      sequence.insert(number(element(at: index, reader)), at: index)
    }
    for index in changes.modificationsNew {
      sequence.remove(at: index)
      sequence.insert(number(element(at: index, reader)), at: index)
    }
  }

  private func apply(
    _ change: ListChange, to linked: inout LinkedRows, _ reader: any ObjectReader
  ) {
    let changes = change.changeSet()
    if changes.insertions.count > change.newCount / 2 {
      linked = LinkedRows(elements(change.newCount, reader))
      return
    }
    for index in changes.deletions.reversed() { linked.remove(at: index) }
    for index in changes.insertions { linked.insert(element(at: index, reader), at: index) }
    for index in changes.modificationsNew {
      linked.replace(at: index, with: element(at: index, reader))
    }
  }

  /// The rows, ascending, that the objects have. O(objects · log rows + found).
  func positions(of numbers: [ObjectNumber]) -> [Int] {
    guard case .objects(let sequence) = rows else { return [] }
    var found: [Int] = []
    for number in numbers { found.append(contentsOf: sequence.positions(of: number)) }
    return found.sorted()
  }

  /// Whether a row is the object, or leads to it.
  func leads(to object: ObjectID) -> Bool {
    switch rows {
    case .objects(let sequence): sequence.contains(object.number)
    case .links(let linked): linked.leads(to: object)
    case .values: false
    }
  }

  private func element(at index: Int, _ reader: any ObjectReader) -> Value {
    reader.listElement(property, of: owner, at: index)
  }

  private func elements(_ count: Int, _ reader: any ObjectReader) -> [Value] {
    var elements: [Value] = []
    elements.reserveCapacity(count)
    reader.forEachElement(property, of: owner) { element in
      elements.append(element)
      return true
    }
    return elements
  }

  private func numbers(_ count: Int, _ reader: any ObjectReader) -> OrderedSequence {
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
