import HeraldModel

/// Observers by the number of the object that they depend on.
struct ObserversByObject {
  private(set) var members: [ObjectNumber: [Observer]] = [:]

  var isEmpty: Bool { members.isEmpty }

  subscript(number: ObjectNumber) -> [Observer] { members[number] ?? [] }

  mutating func add(_ observer: Observer, _ number: ObjectNumber) {
    members[number, default: []].insertInOrder(observer)
  }

  /// Removes an observer once: what is read besides its rows may have added it more than once.
  mutating func remove(_ observer: Observer, _ number: ObjectNumber) {
    members[number]?.removeInOrder(observer)
    if members[number]?.isEmpty ?? false { members[number] = nil }
  }
}

/// Observers in the order of registration, of which one is found in O(log n), however many observe one object.
extension [Observer] {
  mutating func insertInOrder(_ observer: Observer) {
    insert(observer, at: partitionPoint { $0.id < observer.id })
  }

  mutating func removeInOrder(_ observer: Observer) {
    let index = partitionPoint { $0.id < observer.id }
    if index < count, self[index] === observer { remove(at: index) }
  }
}
