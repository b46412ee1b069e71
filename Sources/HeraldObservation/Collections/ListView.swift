import HeraldModel
import HeraldQuery

/// A live view of a list: the linked objects in order where changes of objects can modify rows, else the
/// number of rows only.
struct ListView {
  let owner: ObjectID
  let property: PropertyID
  private(set) var rows: Rows

  enum Rows {
    case objects(OrderedSequence)
    case links(LinkedRows)
    case values(count: Int)
  }

  /// Reads the list. O(n), for lists of plain values O(1).
  init(_ location: CollectionLocation, watchesObjects: Bool, _ reader: any ObjectReader) {
    owner = location.owner
    property = location.property
    let count = reader.listCount(property, of: owner)
    rows = .values(count: count)
    guard watchesObjects else { return }
    switch location.element {
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

  /// Advances the rows to `reader`'s version. O(changed rows · log rows).
  mutating func apply(_ change: ListDelta, _ reader: any ObjectReader) {
    precondition(change.oldCount == count, "a list change for another number of rows")
    // `rows` is replaced first, so that the sequence is uniquely referenced and not copied.
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
    _ change: ListDelta, to sequence: inout OrderedSequence, _ reader: any ObjectReader
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
    _ change: ListDelta, to linked: inout LinkedRows, _ reader: any ObjectReader
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

  /// Returns the positions of objects, ascending. O(objects · log rows + found).
  func positions(of numbers: [ObjectNumber]) -> [Int] {
    guard case .objects(let sequence) = rows else { return [] }
    var found: [Int] = []
    for number in numbers { found.append(contentsOf: sequence.positions(of: number)) }
    return found.sorted()
  }

  /// Whether a row is the object, or links to it.
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

  /// Returns the number of a linked object; 0, which no object has, for any other value.
  func number(_ element: Value) -> ObjectNumber {
    if case .link(let target) = element { target.number } else { 0 }
  }
}
