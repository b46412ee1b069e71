public import Herald

extension StoredCollection where Element: PersistableValue & Comparable {
  /// Returns the values in order, live.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sortedValues(ascending: ascending)
  }
}

extension StoredCollection where Element: OptionalMeasure & PersistableValue {
  /// Returns the values in order, nil first, live.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sortedValues(ascending: ascending)
  }
}

extension StoredCollection where Element: PersistableValue {
  /// Returns each value once, in the order of their first places, live.
  public func distinct() -> Results<Element> { distinctValues() }

  /// Returns each value once; `keyPaths` are `["self"]`.
  public func distinct(by keyPaths: [String]) -> Results<Element> {
    keyPaths.forEach(checkSelf)
    return distinctValues()
  }

  /// Returns the values in order, nil first; `keyPath` is `"self"`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    checkSelf(keyPath)
    return sortedValues(ascending: ascending)
  }

  /// Returns the values in order, nil first; the key path is `"self"`.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Element> {
    guard descriptors.count == 1, let descriptor = descriptors.first else {
      fatalError("values are sorted by 'self' alone")
    }
    return sorted(byKeyPath: descriptor.keyPath, ascending: descriptor.ascending)
  }

  /// Returns each value once; `keyPaths` is `"self"` alone.
  @_disfavoredOverload
  public func distinct(by keyPaths: some Sequence<String>) -> Results<Element> {
    distinct(by: Array(keyPaths))
  }

  private func checkSelf(_ keyPath: String) {
    if keyPath != "self" { fatalError("values have no property '\(keyPath)'; use 'self'") }
  }
}

// For generic code, which does not know that its values are no objects.

extension StoredCollection where Element: PersistableElement & Comparable {
  /// Returns each value once, in the order of their first places, live.
  @_disfavoredOverload
  public func distinct() -> Results<Element> { distinctValues() }
}

extension StoredCollection where Element: PersistableElement, Element.PersistedType: SortableType {
  /// Returns each value once, in the order of their first places, live.
  @_disfavoredOverload
  public func distinct() -> Results<Element> { distinctValues() }

  /// Returns the values in order, nil first, live.
  @_disfavoredOverload
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sortedValues(ascending: ascending)
  }
}

extension Map where Value: PersistableValue {
  /// Returns each value once, in the order of the first keys, live.
  public func distinct() -> Results<Value> { valueList.distinct() }

  /// Returns each value once; `keyPaths` is `"self"` alone.
  @_disfavoredOverload
  public func distinct(by keyPaths: some Sequence<String>) -> Results<Value> {
    valueList.distinct(by: Array(keyPaths))
  }

  /// Returns the values in order, nil first, live; `keyPath` is `"self"`.
  @_disfavoredOverload
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    valueList.sorted(byKeyPath: keyPath, ascending: ascending)
  }
}

extension Map where Value.PersistedType: SortableType {
  /// Returns the values in order, nil first, live.
  @_disfavoredOverload
  public func sorted(ascending: Bool = true) -> Results<Value> {
    valueList.sortedValues(ascending: ascending)
  }
}

extension StoredCollection where Element: ResultElement {
  /// Returns the first object of each combination of values of some properties.
  @_disfavoredOverload
  public func distinct(by keyPaths: some Sequence<String>) -> Results<Element> {
    distinct(by: Array(keyPaths))
  }
}

extension StoredCollection where Element: PersistableValue {
  /// Returns the values that match a condition, live: `numbers.where { $0 > 3 }`.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    checked { try matchingValues(isIncluded) }
  }

  /// Returns the values that match a predicate in the query language, in which `self` is the value; live.
  public func filter(_ predicate: String, _ arguments: Any?...) -> Results<Element> {
    checked { try matchingValues(predicate, arguments) }
  }

  /// Returns the index of the first value that matches a condition, of a store or not; nil without one. O(n).
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    checked { try indexOfValue(matching: isIncluded) }
  }

  /// Returns the index of the first value that matches a predicate in the query language, in which `self` is the value, of a
  /// store or not; nil without one. O(n).
  public func index(matching predicate: String, _ arguments: Any?...) -> Int? {
    checked { try indexOfValue(matching: predicate, arguments) }
  }
}

extension Map where Value: PersistableValue {
  /// Returns the values that match a condition, in the order of their keys, live.
  @_disfavoredOverload
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    checked { try matchingValues(isIncluded) }
  }

  /// Returns the values that match a predicate in the query language, in which `self` is the value, in the order of their
  /// keys; live.
  @_disfavoredOverload
  public func filter(_ predicate: String, _ arguments: Any?...) -> Results<Value> {
    checked { try matchingValues(predicate, arguments) }
  }
}

/// What a query of values makes; stops the program where it cannot be used.
func checked<Found>(_ query: () throws -> Found) -> Found {
  do {
    return try query()
  } catch {
    fatalError("the query of values cannot be used: \(error)")
  }
}

extension StoredCollection where Element: PersistableElement & Equatable {
  /// Returns the index of the first value that is equal to another; nil without one. O(n).
  public func index(of value: Element) -> Int? { firstIndex(of: value) }
}
