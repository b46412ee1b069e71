public import Herald

extension StoredCollection where Element: PersistableValue & Comparable {
  /// Returns the values in order, live.
  public func sorted(ascending: Bool = true) -> ValueResults<Element> {
    sortedValues(ascending: ascending)
  }
}

extension StoredCollection where Element: OptionalMeasure & PersistableValue {
  /// Returns the values in order, nil first, live.
  public func sorted(ascending: Bool = true) -> ValueResults<Element> {
    sortedValues(ascending: ascending)
  }
}

extension StoredCollection where Element: PersistableValue {
  /// Returns each value once, in the order of their first places, live.
  public func distinct() -> ValueResults<Element> { distinctValues() }

  /// Returns each value once; `keyPaths` are `["self"]`.
  public func distinct(by keyPaths: [String]) -> ValueResults<Element> {
    keyPaths.forEach(checkSelf)
    return distinctValues()
  }

  /// Returns the values in order, nil first; `keyPath` is `"self"`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> ValueResults<Element> {
    checkSelf(keyPath)
    return sortedValues(ascending: ascending)
  }

  /// Returns the values in order, nil first; the key path is `"self"`.
  public func sorted(by descriptors: [SortDescriptor]) -> ValueResults<Element> {
    guard descriptors.count == 1, let descriptor = descriptors.first else {
      fatalError("values are sorted by 'self' alone")
    }
    return sorted(byKeyPath: descriptor.keyPath, ascending: descriptor.ascending)
  }

  private func checkSelf(_ keyPath: String) {
    if keyPath != "self" { fatalError("values have no property '\(keyPath)'; use 'self'") }
  }
}

extension StoredCollection where Element: PersistableElement & Equatable {
  /// Returns the index of the first value that is equal to another; nil without one. O(n).
  public func index(of value: Element) -> Int? { firstIndex(of: value) }
}
