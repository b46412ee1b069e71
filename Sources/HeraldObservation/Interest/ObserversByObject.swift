import HeraldModel

/// Observers by the number of the object that they depend on.
struct ObserversByObject {
  private(set) var members: [ObjectNumber: [Observer]] = [:]

  var isEmpty: Bool { members.isEmpty }

  subscript(number: ObjectNumber) -> [Observer] { members[number] ?? [] }

  mutating func add(_ observer: Observer, _ number: ObjectNumber) {
    members[number, default: []].append(observer)
  }

  mutating func remove(_ observer: Observer, _ number: ObjectNumber) {
    guard var observers = members[number] else { return }
    observers.removeAll { $0 === observer }
    members[number] = observers.isEmpty ? nil : observers
  }
}
