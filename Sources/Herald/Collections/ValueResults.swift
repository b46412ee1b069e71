import HeraldModel

/// The values of a list or a set in their order, each of them once, or those that match: live, as the collection is.
///
///     let ages = person.ages.sorted()
///     print(ages.first ?? 0, ages.distinct().count)
///
/// Those of an unmanaged object are the values that there were. A read costs O(n log n) for n values.
public struct ValueResults<Element: PersistableElement> {
  private let base: CollectionBase
  /// The values that there were in an unmanaged object's collection.
  private let local: [Element]
  public let _delivered: DeliveredChanges?

  private init(_ base: CollectionBase, _ local: [Element], _ delivered: DeliveredChanges? = nil) {
    self.base = base
    self.local = local
    _delivered = delivered
  }

  /// The values of a collection, as a stage makes them.
  init(_ collection: some StoredCollection<Element>, _ stage: ValueStage) {
    var base = collection._base
    base.valueStages.append(stage)
    var local: [Element] = []
    if base.core == nil { local = Self.values(stage, Array(collection)) }
    self.init(base, local)
  }

  /// The values of a property, as stages make them.
  init(_ property: ManagedProperty, _ stages: [ValueStage]) {
    var base = CollectionBase(.property(property))
    base.valueStages = stages
    self.init(base, [])
  }

  private static func values(_ stage: ValueStage, _ elements: [Element]) -> [Element] {
    let context = QueryContext(nil)
    let encoded = elements.map { context.encode($0) }
    return stage.order(encoded, nil).map { elements[$0] }
  }

  private var elements: [Element] {
    guard case .property(let property) = base.kind else { return local }
    return base.valueStages.values(property.readElements, property.core)
      .map { property.decode($0) }
  }
}

extension ValueResults: StoredCollection {
  public var _base: CollectionBase { base }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> ValueResults<Element>? {
    guard case .property = base.kind, !base.valueStages.isEmpty else { return nil }
    return ValueResults(base, [], changes)
  }

  /// The number of values.
  public var count: Int { elements.count }

  /// The value at an index; one out of range stops the program.
  public subscript(index: Int) -> Element {
    let elements = elements
    guard elements.indices.contains(index) else {
      stopProgram("index \(index) is out of range: there are \(elements.count) values")
    }
    return elements[index]
  }

  /// Iterates over the values that there are at this moment.
  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}

extension ValueResults: CustomStringConvertible {
  /// The values in brackets.
  public var description: String {
    "ValueResults<\(Element.self)> [" + map(\._text).joined(separator: ", ") + "]"
  }
}

extension StoredCollection where Element: PersistableElement {
  /// Returns the values in order; nil is first. Live, unless they are those of an unmanaged object.
  package func sortedValues(ascending: Bool) -> ValueResults<Element> {
    ValueResults(self, .sorted(isAscending: ascending))
  }

  /// Returns each value once, in the order of their first places.
  package func distinctValues() -> ValueResults<Element> { ValueResults(self, .distinct) }
}
