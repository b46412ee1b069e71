import HeraldEngine
import HeraldModel
import HeraldObservation

extension ManagedProperty {
  /// Notes a read of a part of a collection.
  @inline(__always)
  func track(_ part: @autoclosure () -> TrackedPart) {
    if core.owner.isTracking { trackPart(part()) }
  }

  @inline(never)
  private func trackPart(_ part: TrackedPart) {
    guard core.canTrack, binding.exists(number), let place = objectProperty else { return }
    // Of backlinks the observer finds an element faster than the store.
    let elements = schema.type.isBacklinks ? nil : place
    core.track(
      part, of: TrackedRows(core, elementsOf: elements), in: &core.tracker.sources,
      as: .rows(place)
    ) { source in
      try live.observe(keyPaths: []) { [weak source] collection, change in
        source?.receive(change, collection.owner.store)
      }
    }
  }

  /// The property of the object; nil where a frozen store lacks it.
  var objectProperty: ObjectProperty? {
    propertyID.map { ObjectProperty(object: id, property: $0) }
  }
}

// The reads of a collection.
extension ManagedProperty {
  var isOfDeletedObject: Bool {
    let exists = binding.exists(number)
    if exists, binding.owner.isTracking { binding.track(.existence, of: number) }
    return !exists
  }

  var readCount: Int {
    let count = elementCount
    track(.count)
    return count
  }

  var readIsEmpty: Bool {
    let count = elementCount
    track(.isEmpty)
    return count == 0
  }

  var readFirst: Value? {
    let element = elementCount == 0 ? nil : element(at: 0)
    track(.row(0))
    return element
  }

  var readLast: Value? {
    let count = elementCount
    let element = count == 0 ? nil : element(at: count - 1)
    track(.last)
    return element
  }

  var readElements: [Value] {
    let elements = elements
    track(.all)
    return elements
  }

  /// The keys of a map, in order.
  var readKeys: [String] {
    let keys = propertyID.map { core.session.reader.mapKeys($0, of: id) } ?? []
    track(.keys)
    return keys
  }

  func readElement(at index: Int) -> Value {
    let element = element(at: index)
    track(.row(index))
    return element
  }

  /// The value of a map's key; nil if it has none.
  func readValue(forKey key: String) -> Value? {
    let value = propertyID.flatMap { core.session.reader.mapValue(forKey: key, $0, of: id) }
    track(.named(key))
    return value
  }
}
