import HeraldModel
import HeraldQuery

extension StoredCollection where Element: ResultElement {
  /// Returns the objects in sections of equal values of a property, in the order of these values; within one the objects
  /// are in the order of the collection. Nil is the first key, or the last one if it is not `ascending`.
  ///
  ///     store.objects(Dog.self).sorted(by: \.name).sectioned(by: \.breed)
  ///
  /// Of a property that is computed of one that the store keeps, the objects are sorted by that one, and the sections are
  /// those of the block `{ $0[keyPath: path] }`. A path to anything else stops the program.
  public func sectioned<Key: Storable & Hashable>(
    by path: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    if let source = computedSource(of: path) {
      return sectioned(
        by: { $0[keyPath: path] },
        sortDescriptors: [SortDescriptor(keyPath: source, ascending: ascending)])
    }
    return sectioned(byKeyPath: requiredName(of: path), ascending: ascending)
  }

  /// Returns the objects in sections, sorted by properties within each. If the property of the sections is the first of
  /// them, it gives their direction.
  public func sectioned<Key: Storable & Hashable>(
    by path: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor], ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    if computedSource(of: path) != nil {
      return sectioned(by: { $0[keyPath: path] }, sortDescriptors: sortDescriptors)
    }
    let name = requiredName(of: path)
    let first = sortDescriptors.first.flatMap { $0.keyPath == name ? $0.ascending : nil }
    return sorted(by: sortDescriptors)
      .sectioned(byKeyPath: name, ascending: first ?? ascending)
  }

  /// Returns the objects in sections of equal values of a property by its name, over links with dots: `owner.name`. What is
  /// wrong with the name stops the program at the first read, and reaches an observer as `error`; so does a value that is not
  /// a `Key`: over a link it may be nil.
  public func sectioned<Key: Storable & Hashable>(
    byKeyPath keyPath: String, as type: Key.Type = Key.self, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let path = PathSyntax(PathSyntax.steps(keyPath))
    return sectioned(ExpressionSyntax(.path(path), .none), ascending, inNamesOfElements: true) {}
  }

  /// Returns the objects in sections of equal values of an expression, which are nil where they cannot be computed:
  ///
  ///     store.objects(Dog.self).sectioned { $0.age / 10 }
  public func sectioned<Key: Storable & Hashable>(
    ascending: Bool = true, by key: (Query<Element>) -> Query<Key>
  ) -> SectionedResults<Key?, Element> {
    let context = QueryContext(_base.core)
    let expression = key(Query(.path([], collection: nil), context)).expression
    return sectioned(expression, ascending, inNamesOfElements: false) {
      if let error = context.error { throw error }
    }
  }

  /// Returns the objects in sections of equal values of an expression, in the direction of the first sort descriptor, and
  /// sorted by all of them within each.
  @_disfavoredOverload
  public func sectioned<Key: Storable & Hashable>(
    sortDescriptors: [SortDescriptor], _ key: (Query<Element>) -> Query<Key>
  ) -> SectionedResults<Key?, Element> {
    sorted(by: sortDescriptors)
      .sectioned(ascending: sortDescriptors.first?.ascending ?? true, by: key)
  }

  /// Returns the objects, sorted by properties, in sections of equal values of a block; the sections stand in the order of
  /// their first objects. A read after a change, and each change that an observer receives, call the block for every object.
  ///
  ///     store.objects(Dog.self).sectioned(by: { $0.firstLetter }, sortDescriptors: ["name"])
  public func sectioned<Key: Storable & Hashable>(
    by key: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sorted(by: sortDescriptors).sectioned(by: key)
  }

  private func sectioned<Key>(
    _ expression: ExpressionSyntax, _ isAscending: Bool, inNamesOfElements: Bool,
    _ check: @escaping () throws -> Void
  ) -> SectionedResults<Key, Element> {
    let key = ColumnSyntax(name: Name(text: "key", span: .none), expression: expression)
    let stage = StageSyntax(sectionsBy: key, isAscending: isAscending, .none)
    let query = resultsQuery(inNamesOfElements: inNamesOfElements) { _ in
      try check()
      return QueryTail(predicate: nil, stages: [stage], span: .none)
    }
    return SectionedResults(SectionedQuery(query.core, .expression(query)))
  }
}

extension StoredCollection where Element: PersistableElement & Persistable {
  /// Returns the values in order, in sections of equal values of a block; the sections stand in the order of their first
  /// values. Nil is the first value, or the last one if it is not `ascending`. A read after a change, and each change that
  /// an observer receives, call the block for every value.
  ///
  ///     person.nicknames.sectioned(by: { $0.first.map(String.init) ?? "" })
  public func sectioned<Key: Storable & Hashable>(
    by key: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { sortedValues(ascending: ascending).sectioned(by: key) }
}

extension Results {
  /// Returns the elements in sections of equal values of a block; the sections stand in the order of their first elements.
  fileprivate func sectioned<Key: Storable & Hashable>(
    by key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    guard let core = _base.core else {
      stopProgram("a collection of an unmanaged object cannot be divided into sections")
    }
    return SectionedResults(self, SectionKeys(key), core)
  }
}
