public import Herald

// Collections are equal if they are the same property of the same object, not if they have the same elements.

extension List: Equatable {
  /// Whether both are the same list.
  public static func == (a: List, b: List) -> Bool { a === b || a._base.isSame(as: b._base) }
}

extension MutableSet: Equatable {
  /// Whether both are the same set.
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    a === b || a._base.isSame(as: b._base)
  }
}

extension Map: Equatable {
  /// Whether both are the same map.
  public static func == (a: Map, b: Map) -> Bool { a.isSame(as: b) }
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
