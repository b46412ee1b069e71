import HeraldModel

/// The values of a list, a set or a map in their order, each of them once, or those that match.
final class ResultValues<Element: CollectionElement> {
  let base: CollectionBase
  /// The values that there were in an unmanaged object's collection.
  private let local: [Element]

  init(_ base: CollectionBase, _ local: [Element]) {
    self.base = base
    self.local = local
  }

  /// The values at present.
  var elements: [Element] {
    guard case .property(let property) = base.kind else { return local }
    return base.valueStages.values(property.readElements, property.core)
      .map { property.decode($0) }
  }
}

extension Results where Element: PersistableElement {
  /// The values of a collection, as a stage makes them.
  init(_ collection: some StoredCollection<Element>, _ stage: ValueStage) {
    var base = collection._base
    base.valueStages.append(stage)
    var local: [Element] = []
    if base.core == nil {
      let elements = Array(collection)
      let context = QueryContext(nil)
      local = stage.order(elements.map { context.encode($0) }, nil).map { elements[$0] }
    }
    self.init(.values(ResultValues(base, local)))
  }

  /// The values of a property, as stages make them.
  init(_ property: ManagedProperty, _ stages: [ValueStage]) {
    var base = CollectionBase(.property(property))
    base.valueStages = stages
    self.init(base)
  }
}

extension StoredCollection where Element: PersistableElement {
  /// Returns the values in order; nil is first. Live, unless they are those of an unmanaged object.
  package func sortedValues(ascending: Bool) -> Results<Element> {
    Results(self, .sorted(isAscending: ascending))
  }

  /// Returns each value once, in the order of their first places.
  package func distinctValues() -> Results<Element> { Results(self, .distinct) }
}
