public import Dispatch
public import Herald

// A queue that may be nil: the block is then called on the store's executor.

extension StoredCollection {
  /// Observes the collection, on a queue if it is not nil.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?,
    _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let queue else { return observe(keyPaths: keyPaths, block) }
    let unchecked = CalledOnQueue(block)
    return observe(keyPaths: keyPaths, on: queue) { unchecked.block($0) }
  }
}

extension StoredCollection where Element: ObjectBase {
  /// Observes the collection, on a queue if it is not nil; `keyPaths` are properties of its elements.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?,
    _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: _name(for: keyPaths), on: queue, block) }
}

extension Map {
  /// Observes the map, on a queue if it is not nil.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?,
    _ block: @escaping (MapChange<Key, Value>) -> Void
  ) -> NotificationToken {
    guard let queue else { return observe(keyPaths: keyPaths, block) }
    let unchecked = CalledOnQueue(block)
    return observe(keyPaths: keyPaths, on: queue) { unchecked.block($0) }
  }

  /// Observes the map, on a queue if it is not nil; `keyPaths` are properties of its objects.
  public func observe<Linked: ObjectBase>(
    keyPaths: [PartialKeyPath<Linked>], on queue: DispatchQueue? = nil,
    _ block: @escaping (MapChange<Key, Value>) -> Void
  ) -> NotificationToken where Value == Linked? {
    observe(keyPaths: _name(for: keyPaths), on: queue, block)
  }
}

extension Map {
  /// Observes the map, whose changes have its type; on a queue if it is not nil.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, on: queue) { (change: MapChange) in block(RealmMapChange(change)) }
  }

  /// Observes the map, whose changes have its type; `keyPaths` are properties of its objects.
  @_disfavoredOverload
  public func observe<Linked: ObjectBase>(
    keyPaths: [PartialKeyPath<Linked>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken where Value == Linked? {
    observe(keyPaths: _name(for: keyPaths), on: queue, block)
  }
}

extension ResultElement {
  /// Observes the object or the projection, on a queue if it is not nil.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let queue else { return observe(keyPaths: keyPaths, block) }
    let unchecked = CalledOnQueue(block)
    return observe(keyPaths: keyPaths, on: queue) { unchecked.block($0) }
  }

  /// Observes properties of the object, or fields of the projection, on a queue if it is not nil.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue?,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { requiredName(of: $0) }, on: queue, block)
  }
}
