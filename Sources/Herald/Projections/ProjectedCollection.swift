import HeraldModel

/// One property of each object of a collection: live, in the collection's order, and read-only.
///
///     @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
///
/// Observers receive its changes as those of the collection: a row is modified when its property changes, or one of the
/// key paths of its object that the observer names.
public struct ProjectedCollection<Element> {
  public let _base: CollectionBase
  /// Of a collection of an unmanaged object, its objects.
  private let local: [ObjectBase]
  private let read: (ObjectBase) -> Element
  public let _delivered: DeliveredChanges?

  init<Owner: ObjectBase>(
    _ objects: some StoredCollection<Owner>, _ path: KeyPath<Owner, Element>
  ) {
    read = { unsafeDowncast($0, to: Owner.self)[keyPath: path] }
    _delivered = nil
    var base = objects._base
    base.projection = ElementProjection(read: read) { try propertyName(of: path, from: Owner.self) }
    _base = base
    if case .local = base.kind {
      local = (0..<objects.count).map { objects[$0] }
      KeyPathTrace.read(element: local.first) { _ = read($0) }
    } else {
      local = []
    }
  }

  fileprivate init(
    _ property: CollectionBase, _ read: @escaping (ObjectBase) -> Element,
    _ delivered: DeliveredChanges?
  ) {
    _base = property
    self.read = read
    local = []
    _delivered = delivered
  }
}

/// What a projected collection reads of each object.
///
/// `@unchecked Sendable`: its functions hold nothing but a key path of a property.
final class ElementProjection: @unchecked Sendable {
  /// Of type `(ObjectBase) -> Element`.
  let read: Any
  /// The dotted name of the property. Errors: `KeyPathError`.
  let name: () throws -> String

  init(read: Any, name: @escaping () throws -> String) {
    self.read = read
    self.name = name
  }

  /// Returns the key paths for an observer: the property that is read, unless it names some of the objects.
  func paths(_ keyPaths: [String]?) throws -> [String] { try keyPaths ?? [name()] }
}

extension ProjectedCollection: StoredCollection {
  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> ProjectedCollection<Element>? {
    guard case .property = base.kind,
      let read = base.projection?.read as? (ObjectBase) -> Element
    else { return nil }
    return ProjectedCollection(base, read, changes)
  }

  /// The number of values.
  public var count: Int {
    if case .property(let property) = _base.kind { property.readCount } else { local.count }
  }

  /// Whether there are no values.
  public var isEmpty: Bool {
    if case .property(let property) = _base.kind { property.readIsEmpty } else { local.isEmpty }
  }

  /// The property of the first object; nil without one.
  public var first: Element? {
    guard case .property(let property) = _base.kind else { return local.first.map(read) }
    return property.readFirst.map { element($0, property) }
  }

  /// The property of the last object; nil without one.
  public var last: Element? {
    guard case .property(let property) = _base.kind else { return local.last.map(read) }
    return property.readLast.map { element($0, property) }
  }

  /// The property of the object at an index.
  public subscript(index: Int) -> Element {
    if case .property(let property) = _base.kind {
      return element(property.readElement(at: index), property)
    }
    guard local.indices.contains(index) else {
      stopProgram("index \(index) is out of range: the collection has \(local.count) elements")
    }
    return read(local[index])
  }

  /// Goes over the elements that there were when it began.
  public func makeIterator() -> AnyIterator<Element> {
    guard case .property(let property) = _base.kind else {
      return AnyIterator(local.lazy.map(read).makeIterator())
    }
    var values = property.readElements.makeIterator()
    return AnyIterator { values.next().map { element($0, property) } }
  }

  private func element(_ value: Value, _ property: ManagedProperty) -> Element {
    guard case .link(let id) = value,
      let type = property.binding.table.property(atSlot: property.slot)?.objectType,
      let object = property.core.instance(of: type, id)
    else { return property.stop(wrong: value) }
    return read(object)
  }
}

extension ProjectedCollection: Equatable where Element: Equatable {
  /// Whether both have the same elements in the same order. O(n).
  public static func == (a: ProjectedCollection, b: ProjectedCollection) -> Bool {
    a.elementsEqual(b)
  }
}

extension ProjectedCollection: CustomStringConvertible {
  /// The values in brackets.
  public var description: String {
    "[" + map { ($0 as? any Persistable)?._text ?? String(describing: $0) }.joined(separator: ", ")
      + "]"
  }
}

extension ProjectedCollection: CollectionOfProjected {}

/// The properties of a collection's objects, by their names: `friends.projectTo.firstName`.
@dynamicMemberLookup
public struct ElementProjector<Owner: ObjectBase> {
  private let objects: any StoredCollection<Owner>

  init(_ objects: some StoredCollection<Owner>) { self.objects = objects }

  /// One property of each object.
  public subscript<Element>(
    dynamicMember path: KeyPath<Owner, Element>
  ) -> ProjectedCollection<Element> {
    ProjectedCollection(objects, path)
  }
}

extension List where Element: ObjectBase {
  /// The properties of the objects, for projections.
  public var projectTo: ElementProjector<Element> { ElementProjector(self) }
}

extension MutableSet where Element: ObjectBase {
  /// The properties of the objects, for projections.
  public var projectTo: ElementProjector<Element> { ElementProjector(self) }
}

extension LinkingObjects {
  /// The properties of the objects, for projections.
  public var projectTo: ElementProjector<Element> { ElementProjector(self) }
}
