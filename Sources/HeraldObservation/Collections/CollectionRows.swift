import HeraldModel
import HeraldQuery

/// The elements of a collection of links in its order, each with a number of its own: what the
/// results of the collection are made of. About 25 bytes an element.
final class CollectionRows {
  /// Elements that went, came, or were told as moved, by number.
  struct Change {
    var removed: [Int] = []
    var added: [Int] = []
    var moved: [Int] = []
  }

  private(set) var place: CollectionPlace
  /// The elements by number, in order.
  private(set) var rows = OrderedSequence()
  /// Their objects in the same order; 0 where the value of a map is nil.
  private(set) var objects = OrderedSequence()
  /// The object of each element, by the element's number.
  private var objectByRow: [UInt32] = [0]
  private var freeRows: [Int] = []
  /// Numbers of elements that went in the change at hand.
  private var retired: [Int] = []

  /// O(n).
  init(_ place: CollectionPlace, _ reader: any ObjectReader) {
    self.place = place
    let numbers = Self.objects(place, reader)
    objectByRow += numbers.map(UInt32.init)
    rows = OrderedSequence(1..<numbers.count + 1)
    objects = OrderedSequence(numbers)
  }

  var count: Int { rows.count }

  var byteCount: Int { rows.byteCount + objects.byteCount + objectByRow.capacity * 4 }

  func object(of row: Int) -> ObjectNumber { Int(objectByRow[row]) }

  /// Where an element stands, which must be there. O(log n).
  func position(of row: Int) -> Int { rows.position(of: row) ?? 0 }

  func contains(_ row: Int) -> Bool { rows.contains(row) }

  /// The elements that are an object. O(found · log n).
  func rows(of object: ObjectNumber) -> [Int] {
    objects.contains(object) ? objects.positions(of: object).map(rows.number(at:)) : []
  }

  /// Some of the elements, given by ascending numbers, in their order. O(some · log n), at most
  /// O(n).
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

  /// Backlinks begin, which had no elements.
  func begin(_ place: CollectionPlace) { self.place = place }

  /// Brings the elements to `reader`'s version. An element that was replaced went, and another came.
  /// O(changes · log n).
  func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> Change {
    freeRows += retired
    retired = []
    let change = changes.change(of: place.owner.classID)
    let (property, owner) = (place.property, place.owner)
    switch place.shape {
    case .single: return Change()
    case .list:
      guard let list = change?.lists[property]?[owner.number] else { return Change() }
      return apply(list.changeSet(), reader)
    case .set:
      guard let set = change?.sets[property]?[owner.number] else { return Change() }
      return apply(set.shift(of: property, owner, reader).changeSet(modified: []), reader)
    case .map:
      guard let map = change?.maps[property]?[owner.number] else { return Change() }
      var modified: [Int] = []
      for key in Array(map.modified.keys) + map.restored.keys {
        let index = reader.place(ofKey: key, inMap: property, of: owner).index
        modified.append(index)
      }
      return apply(map.shift(of: property, owner, reader).changeSet(modified: modified), reader)
    case .backlinks:
      guard let origin = place.origin else { return Change() }
      let (shift, inserted) = origin.shift(of: objects, target: owner, changes, reader)
      return apply(shift.changeSet(modified: []), inserted)
    }
  }

  private func apply(_ told: ChangeSet, _ reader: any ObjectReader) -> Change {
    let new = told.insertions.map { number(at: $0, reader) }
    let replacing = told.modificationsNew.map { number(at: $0, reader) }
    return apply(told, new, replacing: replacing)
  }

  /// `new` are the objects of the insertions, `replacing` those of the modifications.
  private func apply(
    _ told: ChangeSet, _ new: [ObjectNumber], replacing: [ObjectNumber] = []
  ) -> Change {
    var change = Change()
    var edit = Edit(deletions: told.deletions, insertions: told.insertions)
    var movedRows: [Int: Int] = [:]
    for move in told.moves { movedRows[move.new] = rows.number(at: move.old) }
    change.moved = movedRows.values.sorted()
    let stays = Set(change.moved)
    for index in told.deletions {
      let row = rows.number(at: index)
      if !stays.contains(row) { change.removed.append(row) }
    }
    for (index, object) in zip(told.insertions, new) {
      let row = movedRows[index] ?? newRow(object)
      if movedRows[index] == nil { change.added.append(row) }
      edit.rows.append(row)
      edit.objects.append(object)
    }
    let kept = zip(told.modifications, replacing).filter { index, object in
      objects.number(at: index) != object
    }
    for (index, _) in kept { change.removed.append(rows.number(at: index)) }
    perform(edit)
    let newIndices = Dictionary(
      uniqueKeysWithValues: zip(told.modifications, told.modificationsNew))
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

  private func number(at index: Int, _ reader: any ObjectReader) -> ObjectNumber {
    Self.number(reader.listElement(place.property, of: place.owner, at: index))
  }

  private static func number(_ element: Value) -> ObjectNumber {
    if case .link(let target) = element { target.number } else { 0 }
  }

  /// The objects of a collection in its order. O(n).
  static func objects(_ place: CollectionPlace, _ reader: any ObjectReader) -> [ObjectNumber] {
    if place.origin != nil { return place.originRows(reader) }
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(reader.listCount(place.property, of: place.owner))
    reader.forEachElement(place.property, of: place.owner) { element in
      numbers.append(number(element))
      return true
    }
    return numbers
  }
}

extension OrderedSequence {
  /// The sequence after many deletions and insertions, made anew. O(n).
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
