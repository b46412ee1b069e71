import HeraldModel

/// A list of values or of links to objects, in an order of its own: a property of an object.
///
///     class Person: Object { @Persisted var dogs: List<Dog> }
///     try store.write { person.dogs.append(dog) }
///
/// A list of a managed object is live: each read and each edit is one of the store. Edits need an open transaction;
/// without one, and with an index out of range, they stop the program. Deleting an object removes it from every
/// list. Reads and edits of one element take O(log n).
public final class List<Element: PersistableElement> {
  private enum Storage {
    case local([Element])
    case managed(ManagedProperty)
  }

  private var storage: Storage
  public let _delivered: DeliveredChanges?

  /// An empty list of no object.
  public init() {
    storage = .local([])
    _delivered = nil
  }

  init(_ property: ManagedProperty, _ delivered: DeliveredChanges? = nil) {
    storage = .managed(property)
    _delivered = delivered
  }

  /// A list of no object with some elements.
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    storage = .local(Array(elements))
  }
}

extension List: StoredCollection {
  public var _base: CollectionBase {
    switch storage {
    case .local: CollectionBase(.local)
    case .managed(let property): CollectionBase(.property(property))
    }
  }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> List<Element>? {
    if case .property(let property) = base.kind { List(property, changes) } else { nil }
  }

  /// The number of elements; 0 after the object was deleted. O(log n).
  public var count: Int {
    switch storage {
    case .local(let elements): elements.count
    case .managed(let property): property.readCount
    }
  }

  /// Whether there are no elements.
  public var isEmpty: Bool {
    switch storage {
    case .local(let elements): elements.isEmpty
    case .managed(let property): property.readIsEmpty
    }
  }

  /// The first element; nil without one.
  public var first: Element? {
    switch storage {
    case .local(let elements): elements.first
    case .managed(let property): property.readFirst.map { property.decode($0) }
    }
  }

  /// The last element; nil without one.
  public var last: Element? {
    switch storage {
    case .local(let elements): elements.last
    case .managed(let property): property.readLast.map { property.decode($0) }
    }
  }

  /// The element at an index. Assigning one replaces it.
  public subscript(index: Int) -> Element {
    get {
      switch storage {
      case .local(let elements):
        check(index, below: elements.count)
        return elements[index]
      case .managed(let property): return property.decode(property.readElement(at: index))
      }
    }
    set {
      check(index, below: count)
      edit {
        $0[index] = newValue
      } managed: {
        .replace(at: index, with: try newValue._encode($0))
      }
    }
  }

  /// Iterates over the elements that there are at this moment. O(n) at once.
  public func makeIterator() -> AnyIterator<Element> {
    switch storage {
    case .local(let elements): return AnyIterator(elements.makeIterator())
    case .managed(let property):
      var values = property.readElements.makeIterator()
      return AnyIterator { values.next().map { property.decode($0) } }
    }
  }
}

extension List {
  /// Stops the program if an index is not below a limit.
  private func check(_ index: Int, below limit: Int) {
    switch storage {
    case .local(let elements):
      if index < 0 || index >= limit {
        stopIndex(index, "a list of an unmanaged object", elements.count)
      }
    case .managed(let property): property.check(index, below: limit)
    }
  }

  private func edit(
    _ local: (inout [Element]) -> Void, managed: (LinkEncoder) throws -> CollectionEdit
  ) {
    switch storage {
    case .local(var elements):
      storage = .local([])
      local(&elements)
      storage = .local(elements)
    case .managed(let property): property.edit(try managed(LinkEncoder(property.core)))
    }
  }

  /// Adds an element at the end. An unmanaged object is added to the store first.
  public func append(_ element: Element) {
    edit {
      $0.append(element)
    } managed: {
      .insert([try element._encode($0)], at: count)
    }
  }

  /// Adds elements at the end.
  public func append(contentsOf elements: some Sequence<Element>) {
    // They may be the list's own.
    let elements = Array(elements)
    edit {
      $0.append(contentsOf: elements)
    } managed: { links in
      .insert(try elements.map { try $0._encode(links) }, at: count)
    }
  }

  /// Adds elements at the end.
  public func append(objectsIn elements: some Sequence<Element>) { append(contentsOf: elements) }

  /// Inserts an element before the one at `index`, or at the end.
  public func insert(_ element: Element, at index: Int) {
    check(index, below: count + 1)
    edit {
      $0.insert(element, at: index)
    } managed: {
      .insert([try element._encode($0)], at: index)
    }
  }

  /// Inserts elements before the one at `index`, or at the end.
  public func insert(contentsOf elements: some Sequence<Element>, at index: Int) {
    check(index, below: count + 1)
    let elements = Array(elements)
    edit {
      $0.insert(contentsOf: elements, at: index)
    } managed: { links in
      .insert(try elements.map { try $0._encode(links) }, at: index)
    }
  }

  /// Replaces the elements at some indices by others.
  public func replaceSubrange(_ range: Range<Int>, with elements: some Sequence<Element>) {
    let elements = Array(elements)
    removeSubrange(range)
    insert(contentsOf: elements, at: range.lowerBound)
  }

  /// Removes the elements for which a condition is true.
  public func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    for (index, element) in Array(self).enumerated().reversed() where try isRemoved(element) {
      remove(at: index)
    }
  }

  /// Adds elements at the end of a list.
  public static func += (list: List<Element>, elements: some Sequence<Element>) {
    list.append(contentsOf: elements)
  }

  /// Removes and returns an element.
  @discardableResult
  public func remove(at index: Int) -> Element {
    let element = self[index]
    edit {
      $0.remove(at: index)
    } managed: { _ in
      .remove(at: index)
    }
    return element
  }

  /// Removes the first elements, one unless said otherwise.
  public func removeFirst(_ number: Int = 1) {
    let count = count
    guard number >= 0, number <= count else { stopNumber(number, count) }
    removeSubrange(0..<number)
  }

  private func stopNumber(_ number: Int, _ count: Int) -> Never {
    let place =
      switch storage {
      case .local: "a list of an unmanaged object"
      case .managed(let property): property.place
      }
    stopProgram(
      "\(number) element\(number == 1 ? "" : "s") cannot be removed: \(place) has \(count)")
  }

  /// Removes the last elements, one unless said otherwise.
  public func removeLast(_ number: Int = 1) {
    let count = count
    guard number >= 0, number <= count else { stopNumber(number, count) }
    removeSubrange(count - number..<count)
  }

  /// Removes the elements at some indices.
  public func removeSubrange(_ range: Range<Int>) {
    if range.isEmpty { return }
    check(range.upperBound - 1, below: count)
    check(range.lowerBound, below: count + 1)
    for index in range.reversed() { remove(at: index) }
  }

  /// Exchanges two elements.
  public func swapAt(_ first: Int, _ second: Int) {
    let (low, high) = (Swift.min(first, second), Swift.max(first, second))
    move(from: low, to: high)
    if high - low > 1 { move(from: high - 1, to: low) }
  }

  /// Moves an element; `destination` is its index after the move.
  public func move(from source: Int, to destination: Int) {
    check(source, below: count)
    check(destination, below: count)
    edit {
      $0.insert($0.remove(at: source), at: destination)
    } managed: { _ in
      .move(from: source, to: destination)
    }
  }

  /// Removes every element.
  public func removeAll() {
    edit {
      $0.removeAll()
    } managed: { _ in
      .removeAll
    }
  }
}

extension List: Persistable {
  public typealias PersistedType = List<Element>

  public static var _type: PersistedProperty { PersistedProperty(Element._element, shape: .list) }
  public static func _initial() -> List<Element> { List() }

  public static func _read(_ reference: PropertyReference) -> List<Element> {
    List(reference.property)
  }

  public func _attach(to reference: PropertyReference) {
    storage = .managed(reference.property)
  }
  public var _text: String { "List<\(Element.self)> of \(count)" }
}

extension List: ExpressibleByArrayLiteral {
  /// A list of no object with some elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: CustomStringConvertible {}
