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
      watch.objects.add(observer, object.number)
      // Deletion changes no property.
      interest(in: object.classID).objects.add(observer, object.number)
    }
  }

  func remove(_ observer: Observer, from watch: PathWatch, from objects: [ObjectID]?) {
    forgetValueSubscribers()
    guard let objects else { return watch.observers.remove(observer) }
    for object in objects {
      watch.objects.remove(observer, object.number)
      classes[object.classID]?.objects.remove(observer, object.number)
    }
  }
}
