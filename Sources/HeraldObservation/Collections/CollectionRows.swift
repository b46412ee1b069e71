import HeraldModel
import HeraldQuery

/// The elements of a collection in its order, each with a unique number: the rows that results of the collection
/// are made of. About 25 bytes an element.
final class CollectionRows {
  /// The collection of links that the rows follow; nil for values, whose changes `apply` is given.
  private(set) var location: CollectionLocation?
  /// The numbers of the elements, in order.
  private(set) var rows = OrderedSequence()
  /// The objects of the elements in the same order; 0 where the value of a map is nil.
  private(set) var objects = OrderedSequence()
  /// The object of each element, by element number.
  private var objectByRow: [UInt32] = [0]
  private var freeRows: [Int] = []
  /// Numbers of elements removed by the last change, free for reuse after the next.
  private var retired: [Int] = []

  /// Reads the collection. O(n).
  convenience init(_ location: CollectionLocation, _ reader: any ObjectReader) {
    self.init(Self.objects(location, reader))
    self.location = location
  }

  /// Creates rows of objects in order. O(n).
  init(_ numbers: [ObjectNumber]) {
    objectByRow += numbers.map(UInt32.init)
    rows = OrderedSequence(1..<numbers.count + 1)
    objects = OrderedSequence(numbers)
  }

  var count: Int { rows.count }

  var byteCount: Int { rows.byteCount + objects.byteCount + objectByRow.capacity * 4 }

  func object(of row: Int) -> ObjectNumber { Int(objectByRow[row]) }

  /// Returns the position of an element, which must exist. O(log n).
  func position(of row: Int) -> Int { rows.position(of: row) ?? 0 }

  func contains(_ row: Int) -> Bool { rows.contains(row) }

  /// Returns the elements that link to an object. O(found · log n).
  func rows(of object: ObjectNumber) -> [Int] {
    objects.contains(object) ? objects.positions(of: object).map(rows.number(at:)) : []
  }

  /// Returns some of the elements, given by ascending numbers, in the collection's order. O(some · log
  /// n), at most O(n).
  func inOrder(_ some: [Int]) -> [Int] {
    if some.count < count / 16 {
      return some.map { ($0, position(of: $0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
    var members = MemberSet()
    for row in some { members.insert(row) }
    var ordered: [Int] = []
    ordered.reserveCapacity(some.count)
    rows.forEachNumber { row in
      if members.contains(row) { ordered.append(row) }
    }
    return ordered
  }

  /// Starts backlinks whose origin class was just declared; they had no elements.
  func begin(_ location: CollectionLocation) { self.location = location }

  /// Advances the elements to `reader`'s version. A replacement counts as a removal and an addition.
  /// O(changes · log n).
  func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> RowDelta {
    guard let location else { return RowDelta() }
    let change = changes.change(of: location.owner.classID)
    let (property, owner) = (location.property, location.owner)
    switch location.shape {
    case .single: return RowDelta()
    case .list:
      guard let list = change?[property].lists[owner.number] else { return RowDelta() }
      return apply(list.changeSet(), location, reader)
    case .set:
      guard let set = change?[property].sets[owner.number] else { return RowDelta() }
      return apply(set.changeSet(of: property, owner, reader), location, reader)
    case .map:
      guard let map = change?[property].maps[owner.number] else { return RowDelta() }
      var modified: [Int] = []
      for key in Array(map.modified.keys) + map.restored.keys {
        let index = reader.position(ofKey: key, inMap: property, of: owner).index
        modified.append(index)
      }
      let keys = map.changeSet(of: property, owner, reader).modifying(modified)
      return apply(keys, location, reader)
    case .backlinks:
      guard let origin = location.origin else { return RowDelta() }
      let (changeSet, inserted) = origin.changeSet(of: objects, target: owner, changes, reader)
      return apply(changeSet, inserted)
    }
  }

  private func apply(
    _ changes: ChangeSet, _ location: CollectionLocation, _ reader: any ObjectReader
  ) -> RowDelta {
    func number(at index: Int) -> ObjectNumber {
      Self.number(reader.listElement(location.property, of: location.owner, at: index))
    }
    let new = changes.insertions.map(number)
    return apply(changes, new, replacing: changes.modificationsNew.map(number))
  }

  /// Applies a change set: `new` are the objects of the insertions, `replacing` those of the
  /// modifications; none for those that keep theirs.
  func apply(
    _ changes: ChangeSet, _ new: [ObjectNumber], replacing: [ObjectNumber] = []
  ) -> RowDelta {
    freeRows += retired
    retired = []
    var change = RowDelta()
    var edit = Edit(deletions: changes.deletions, insertions: changes.insertions)
    var movedRows: [Int: Int] = [:]
    for move in changes.moves { movedRows[move.new] = rows.number(at: move.old) }
    change.displaced = Set(movedRows.values)
    for index in changes.deletions {
      let row = rows.number(at: index)
      if !change.displaced.contains(row) { change.removed.append(row) }
    }
    for (index, object) in zip(changes.insertions, new) {
      let row = movedRows[index] ?? newRow(object)
      if movedRows[index] == nil { change.added.append(row) }
      edit.rows.append(row)
      edit.objects.append(object)
    }
    let kept = zip(changes.modifications, replacing).filter { index, object in
      objects.number(at: index) != object
    }
    for (index, _) in kept { change.removed.append(rows.number(at: index)) }
    perform(edit)
    let newIndices = Dictionary(
      uniqueKeysWithValues: zip(changes.modifications, changes.modificationsNew))
    for (oldIndex, object) in kept {
      guard let index = newIndices[oldIndex] else { continue }
      rows.remove(at: index)
      objects.remove(at: index)
      let row = newRow(object)
      change.added.append(row)
      rows.insert(row, at: index)
      objects.insert(object, at: index)
    }
    retired = change.removed
    return change
  }

  private struct Edit {
    var deletions: [Int]
    var insertions: [Int]
    var rows: [Int] = []
    var objects: [ObjectNumber] = []
  }

  private func perform(_ edit: Edit) {
    let size = edit.deletions.count + edit.insertions.count
    if size > 64 && size > count / 8 {
      rows = rows.replacing(edit.deletions, edit.insertions, edit.rows)
      objects = objects.replacing(edit.deletions, edit.insertions, edit.objects)
      return
    }
    for index in edit.deletions.reversed() {
      rows.remove(at: index)
      objects.remove(at: index)
    }
    for (slot, index) in edit.insertions.enumerated() {
      rows.insert(edit.rows[slot], at: index)
      objects.insert(edit.objects[slot], at: index)
    }
  }

  private func newRow(_ object: ObjectNumber) -> Int {
    if let row = freeRows.popLast() {
      objectByRow[row] = UInt32(object)
      return row
    }
    objectByRow.append(UInt32(object))
    return objectByRow.count - 1
  }

  private static func number(_ element: Value) -> ObjectNumber {
    if case .link(let target) = element { target.number } else { 0 }
  }

  /// Returns the objects of a collection in its order. O(n).
  static func objects(_ location: CollectionLocation, _ reader: any ObjectReader) -> [ObjectNumber]
  {
    if location.origin != nil { return location.originRows(reader) }
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(reader.listCount(location.property, of: location.owner))
    reader.forEachElement(location.property, of: location.owner) { element in
      numbers.append(number(element))
      return true
    }
    return numbers
  }
}

extension OrderedSequence {
  /// Returns the sequence after many deletions and insertions, rebuilt. O(n).
  fileprivate func replacing(
    _ deletions: [Int], _ insertions: [Int], _ numbers: [Int]
  ) -> OrderedSequence {
    var kept: [Int] = []
    kept.reserveCapacity(count - deletions.count)
    var next = 0
    var index = 0
    forEachNumber { number in
      if next < deletions.count && deletions[next] == index {
        next += 1
      } else {
        kept.append(number)
      }
      index += 1
    }
    var result: [Int] = []
    result.reserveCapacity(kept.count + numbers.count)
    var rest = kept[...]
    for (index, number) in zip(insertions, numbers) {
      let before = rest.prefix(index - result.count)
      result.append(contentsOf: before)
      rest = rest.dropFirst(before.count)
      result.append(number)
    }
    result.append(contentsOf: rest)
    return OrderedSequence(result)
  }
}
