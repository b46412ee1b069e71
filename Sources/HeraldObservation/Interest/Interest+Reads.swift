import HeraldModel
import HeraldQuery

// Subscriptions of observers to what their queries read besides their rows. One observer may subscribe to the same more
// than once, and ends one of these subscriptions at a time.

extension Interest {
  /// Adds an observer that a change along a path from some objects concerns; from any object if there are none.
  func add(_ observer: Observer, to watch: PathWatch, from objects: [ObjectID]?) {
    forgetValueSubscribers()
    guard let objects else { return watch.observers.append(observer) }
    for object in objects {
      watch.objects[object.number, default: []].append(observer)
      // Deletion changes no property.
      interest(in: object.classID).objects.add(observer, object.number)
    }
  }

  func remove(_ observer: Observer, from watch: PathWatch, from objects: [ObjectID]?) {
    forgetValueSubscribers()
    guard let objects else { return watch.observers.remove(observer) }
    for object in objects {
      var others = watch.objects[object.number] ?? []
      others.removeOne(observer)
      watch.objects[object.number] = others.isEmpty ? nil : others
      classes[object.classID]?.objects.removeOne(observer, object.number)
    }
  }
}

extension ObserversByObject {
  /// Removes an observer of an object once.
  mutating func removeOne(_ observer: Observer, _ number: ObjectNumber) {
    var observers = self[number]
    observers.removeOne(observer)
    replace(observers, number)
  }
}

extension [Observer] {
  fileprivate mutating func removeOne(_ observer: Observer) {
    if let index = lastIndex(where: { $0 === observer }) { remove(at: index) }
  }
}
