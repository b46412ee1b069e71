import HeraldModel
import HeraldQuery

/// The rows of a list of values of any type, with an index from linked objects to rows, so that the rows
/// of a changed object are found without scanning the others. About 10 bytes a row, and more for rows
/// that hold links.
struct LinkedRows {
  /// The rows, each with a unique number.
  private(set) var sequence: OrderedSequence
  /// The objects that a row links to, by the row's number; rows without links have no entry.
  private var targets: [Int: Set<ObjectID>] = [:]
  private var holders: [ObjectID: Set<Int>] = [:]
  private var freeNumbers: [Int] = []

  /// O(n).
  init(_ elements: [Value]) {
    sequence = OrderedSequence(1..<elements.count + 1)
    for (index, element) in elements.enumerated() { enter(index + 1, element) }
  }

  var count: Int { sequence.count }

  mutating func insert(_ element: Value, at index: Int) {
    let number = freeNumbers.popLast() ?? sequence.count + 1
    sequence.insert(number, at: index)
    enter(number, element)
  }

  mutating func remove(at index: Int) {
    let number = sequence.remove(at: index)
    leave(number)
    freeNumbers.append(number)
  }

  mutating func replace(at index: Int, with element: Value) {
    let number = sequence.number(at: index)
    leave(number)
    enter(number, element)
  }

  /// Returns the positions, ascending, of the rows that link to one of the objects. O(objects + found ·
  /// log n).
  func positions(of objects: Set<ObjectID>) -> [Int] {
    var numbers: Set<Int> = []
    for object in objects { numbers.formUnion(holders[object] ?? []) }
    return numbers.compactMap(sequence.position(of:)).sorted()
  }

  /// Whether a row links to the object.
  func leads(to object: ObjectID) -> Bool { holders[object] != nil }

  private mutating func enter(_ number: Int, _ element: Value) {
    var linked: Set<ObjectID> = []
    element.forEachLink { linked.insert($0) }
    guard !linked.isEmpty else { return }
    for target in linked { holders[target, default: []].insert(number) }
    targets[number] = linked
  }

  private mutating func leave(_ number: Int) {
    for target in targets.removeValue(forKey: number) ?? [] {
      holders[target]?.remove(number)
      if holders[target]?.isEmpty ?? false { holders[target] = nil }
    }
  }

  /// The invariants of the rows of a list that do not hold. O(n).
  func violations(_ elements: [Value]) -> [String] {
    var found = sequence.violations
    if count != elements.count { found.append("\(count) rows of a list of \(elements.count)") }
    var expected: [ObjectID: Set<Int>] = [:]
    for (index, element) in elements.enumerated() where index < count {
      element.forEachLink { expected[$0, default: []].insert(sequence.number(at: index)) }
    }
    if expected != holders { found.append("the index from links to rows differs from the list") }
    return found
  }
}
