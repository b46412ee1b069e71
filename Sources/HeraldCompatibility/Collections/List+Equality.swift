public import Herald

// Collections of stores are equal if they are the same property of the same object, those of no store if they have equal
// elements.

extension List: Equatable {
  /// Whether both are the same list, or lists of no store with equal elements in the same order.
  public static func == (a: List, b: List) -> Bool {
    a === b || a._base.isSame(as: b._base)
      || a.store == nil && b.store == nil && a.map(contents) == b.map(contents)
  }
}

extension MutableSet: Equatable {
  /// Whether both are the same set, or sets of no store with equal elements.
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    a === b || a._base.isSame(as: b._base)
      || a.store == nil && b.store == nil && Set(a.map(contents)) == Set(b.map(contents))
  }
}

extension Map: Equatable {
  /// Whether both are the same map, or maps of no store with equal keys and values.
  public static func == (a: Map, b: Map) -> Bool {
    a.isSame(as: b)
      || a.store == nil && b.store == nil && a.keys == b.keys
        && a.values.map(contents) == b.values.map(contents)
  }
}

extension Results: Equatable {
  /// Whether both are the same results, not two of equal queries.
  public static func == (a: Results, b: Results) -> Bool { a._base.isSame(as: b._base) }
}

extension StoredCollection where Self: Equatable {
  /// Whether another value is the same collection.
  public func isEqual(_ other: Any?) -> Bool { other as? Self == self }
}

extension Map {
  /// Whether another value is the same map.
  public func isEqual(_ other: Any?) -> Bool { other as? Map == self }
}

extension SectionedResults: Equatable {
  /// Whether both are sections of the same results, not of two of equal queries.
  public static func == (a: SectionedResults, b: SectionedResults) -> Bool { a.isSame(as: b) }
}

extension ResultsSection: Equatable {
  /// Whether both are the section of one key of the same results.
  public static func == (a: ResultsSection, b: ResultsSection) -> Bool { a.isSame(as: b) }
}

extension LinkingObjects: Equatable {
  /// Whether both are the links to the same object.
  public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
    a._base.isSame(as: b._base)
  }
}

/// What an element is compared by: a value of a type of the program's own by what is stored of it; nil for nil.
private func contents(_ element: some PersistableElement) -> AnyHashable? {
  guard let converted = element as? any ConvertedPersistable else { return element as? AnyHashable }
  return contents(converted.persistableValue)
}
