import HeraldEngine
import HeraldModel

/// A set of values or of links to objects: a property of an object. Values are in order of value, objects in order
/// of creation; those of an unmanaged object in order of insertion.
///
/// Edits need an open transaction, like those of `List`. Looking for a value takes O(log n).
public final class MutableSet<Element: PersistableElement> {
  private enum Storage {
    case local(LocalSet<Element>)
    case managed(ManagedProperty)
  }

  private var storage: Storage
  public let _delivered: DeliveredChanges?

  /// An empty set of no object.
  public init() {
    storage = .local(LocalSet())
    _delivered = nil
  }

  init(_ property: ManagedProperty, _ delivered: DeliveredChanges? = nil) {
    storage = .managed(property)
    _delivered = delivered
  }
}

extension MutableSet: StoredCollection {
  public var _base: CollectionBase {
    switch storage {
    case .local: CollectionBase(.local)
    case .managed(let property): CollectionBase(.property(property))
    }
  }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> MutableSet<Element>? {
    if case .property(let property) = base.kind { MutableSet(property, changes) } else { nil }
  }

  /// The number of elements; 0 after the object was deleted.
  public var count: Int {
    switch storage {
    case .local(let set): set.elements.count
    case .managed(let property): property.readCount
    }
  }

  /// Whether there are no elements.
  public var isEmpty: Bool {
    switch storage {
    case .local(let set): set.elements.isEmpty
    case .managed(let property): property.readIsEmpty
    }
  }

  /// The first element; nil without one.
  public var first: Element? {
    switch storage {
    case .local(let set): set.elements.first
    case .managed(let property): property.readFirst.map { property.decode($0) }
    }
  }

  /// The last element; nil without one.
  public var last: Element? {
    switch storage {
    case .local(let set): set.elements.last
    case .managed(let property): property.readLast.map { property.decode($0) }
    }
  }

  /// The element at an index. An index out of range stops the program. O(log n).
  public subscript(index: Int) -> Element {
    switch storage {
    case .local(let set):
      guard set.elements.indices.contains(index) else {
        stopIndex(index, "a set of an unmanaged object", set.elements.count)
      }
      return set.elements[index]
    case .managed(let property): return property.decode(property.readElement(at: index))
    }
  }

  /// Iterates over the elements that there are at this moment.
  public func makeIterator() -> AnyIterator<Element> {
    switch storage {
    case .local(let set): return AnyIterator(set.elements.makeIterator())
    case .managed(let property):
      var values = property.readElements.makeIterator()
      return AnyIterator { values.next().map { property.decode($0) } }
    }
  }
}

extension MutableSet {
  /// Whether the set has an element.
  public func contains(_ element: Element) -> Bool {
    switch storage {
    case .local(let set): return set.contains(element)
    case .managed(let property):
      if let object = element as? ObjectBase, object._binding == nil { return false }
      guard let value = try? element._encode(LinkEncoder(property.core)) else { return false }
      guard let propertyID = property.propertyID else { return false }
      property.track(.all)
      return property.core.session.reader.position(of: value, inSet: propertyID, of: property.id)
        .isPresent
    }
  }

  /// Adds an element, unless the set has it.
  public func insert(_ element: Element) {
    switch storage {
    case .local(var set):
      storage = .local(LocalSet())
      set.insert(element)
      storage = .local(set)
    case .managed(let property):
      property.edit(.insertValue(try element._encode(LinkEncoder(property.core))))
    }
  }

  /// Adds elements that the set does not have.
  public func insert(objectsIn elements: some Sequence<Element>) {
    // They may be the set's own.
    for element in Array(elements) { insert(element) }
  }

  /// Removes an element, if the set has it.
  public func remove(_ element: Element) {
    switch storage {
    case .local(var set):
      storage = .local(LocalSet())
      set.remove(element)
      storage = .local(set)
    case .managed(let property):
      if let object = element as? ObjectBase, object._binding == nil { return }
      property.edit(.removeValue(try element._encode(LinkEncoder(property.core))))
    }
  }

  /// Removes every element.
  public func removeAll() {
    switch storage {
    case .local: storage = .local(LocalSet())
    case .managed(let property): property.edit(.removeAll)
    }
  }

  /// Adds the elements of another collection.
  public func formUnion(_ other: some Sequence<Element>) { insert(objectsIn: other) }

  /// Removes the elements of another collection.
  public func subtract(_ other: some Sequence<Element>) {
    for element in Array(other) { remove(element) }
  }

  /// Removes the elements that another collection does not have.
  public func formIntersection(_ other: some Sequence<Element>) {
    let kept = MutableSet()
    kept.insert(objectsIn: other)
    for element in Array(self) where !kept.contains(element) { remove(element) }
  }

  /// Whether another set has every element of this one.
  public func isSubset(of other: MutableSet) -> Bool { allSatisfy(other.contains) }

  /// Whether another set has an element of this one.
  public func intersects(_ other: MutableSet) -> Bool { contains { other.contains($0) } }
}

/// The set of an unmanaged object.
private struct LocalSet<Element: PersistableElement> {
  private(set) var elements: [Element] = []
  /// Of values, which have no links, the elements once more.
  private var values: Set<Value> = []

  private func value(_ element: Element) -> Value? {
    element is ObjectBase ? nil : try? element._encode(LinkEncoder(nil))
  }

  private func isSame(_ a: Element, _ b: Element) -> Bool {
    if let a = a as? ObjectBase, let b = b as? ObjectBase { return a == b }
    if let value = value(a) { return value == self.value(b) }
    // One of any type that has objects.
    return (a as? AnyValue).map { $0 == b as? AnyValue } ?? false
  }

  /// O(1) for values, O(n) for objects, which are equal to other instances of theirs once they are in a store.
  func contains(_ element: Element) -> Bool {
    if let value = value(element) { return values.contains(value) }
    return elements.contains { isSame($0, element) }
  }

  mutating func insert(_ element: Element) {
    if contains(element) { return }
    elements.append(element)
    if let value = value(element) { values.insert(value) }
  }

  mutating func remove(_ element: Element) {
    guard contains(element) else { return }
    if let value = value(element) { values.remove(value) }
    elements = elements.filter { !isSame($0, element) }
  }
}

extension MutableSet: Persistable {
  public typealias PersistedType = MutableSet<Element>

  public static var _type: PersistedProperty { PersistedProperty(Element._element, shape: .set) }
  public static func _initial() -> MutableSet<Element> { MutableSet() }

  public static func _read(_ reference: PropertyReference) -> MutableSet<Element> {
    MutableSet(reference.property)
  }

  public func _attach(to reference: PropertyReference) {
    storage = .managed(reference.property)
  }
  public var _text: String { "MutableSet<\(Element.self)> of \(count)" }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// A set of no object with some elements.
  public convenience init(arrayLiteral elements: Element...) {
    self.init()
    insert(objectsIn: elements)
  }
}

extension MutableSet: CustomStringConvertible {}
