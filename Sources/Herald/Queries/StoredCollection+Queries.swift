import HeraldModel
import HeraldQuery

extension CollectionBase {
  /// The rows among those of the collection that a query finds, in the names of a projection where there is one.
  func results(
    _ tail: QueryTail?, _ names: any QueryNames, of elements: ElementNames? = nil
  ) throws -> DynamicResults {
    switch kind {
    case .query(let query):
      return try query.core.dynamic.results(
        of: query.dynamic, tail, names: names, projection: elements?.projection)
    case .property(let property):
      if property.propertyID == nil {
        throw SchemaError("the version has no property '\(property.name)'", isMissingClass: true)
      }
      return try property.core.dynamic.results(of: property.live, tail, names: names)
    case .local: stopProgram("a collection of an unmanaged object cannot be queried")
    }
  }
}

extension StoredCollection where Element: ResultElement {
  /// The query of the elements and of what follows. Stops the program for a collection of no store.
  func resultsQuery(
    _ names: (any QueryNames)? = nil, inNamesOfElements: Bool = true,
    _ tail: @escaping (StoreCore) throws -> QueryTail
  ) -> ResultsQuery {
    let base = _base
    guard let core = base.core else {
      stopProgram("a collection of an unmanaged object cannot be queried")
    }
    core.checkOwner()
    return ResultsQuery(core) {
      try base.results(
        tail(core), names ?? ProgramNames(core), of: inNamesOfElements ? Element._names() : nil)
    }
  }

  private func results(
    _ clause: QueryKeyword, _ content: StageSyntax.Content
  ) -> Results<Element> {
    Results(
      .query(
        resultsQuery { _ in
          QueryTail(predicate: nil, stages: [StageSyntax(clause, content, .none)], span: .none)
        }))
  }

  /// Returns the objects that match a condition, in the same order; live, like every result.
  ///
  ///     let old = store.objects(Dog.self).where { $0.age > 5 && $0.name.starts(with: "M") }
  ///
  /// What is wrong with the condition, such as an object of another store, stops the program at the first read, and
  /// reaches an observer as `error`. Making it costs some microseconds, and reads nothing.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let context = QueryContext(_base.core)
    let predicate = isIncluded(Query(.path([], collection: nil), context)).predicate
    // The key paths of a projection are replaced by those of its class.
    let query = resultsQuery(inNamesOfElements: false) { _ in
      if let error = context.error { throw error }
      return QueryTail(predicate: predicate, stages: [], span: .none)
    }
    return Results(.query(query))
  }

  /// Returns the objects that match a predicate in the query language, in which `%@` stands for an argument and
  /// `%K` for the name of a property.
  ///
  ///     store.objects(Dog.self).filter("age > %@ AND name BEGINSWITH 'M'", 5)
  ///
  /// Text that is not a predicate stops the program; `query` throws instead.
  public func filter(_ predicate: String, _ arguments: Any?...) -> Results<Element> {
    filter(predicate, arguments: arguments)
  }

  func filter(_ predicate: String, arguments: [Any?]) -> Results<Element> {
    do {
      return try query(predicate, arguments: arguments)
    } catch {
      stopProgram("the predicate '\(predicate)' cannot be used: \(error)")
    }
  }

  /// Returns the objects that match a predicate in the query language, as `filter` does. Errors: `QueryError`,
  /// `QueryArgumentError`; that of an object which is not in the store.
  public func query(_ predicate: String, _ arguments: Any?...) throws -> Results<Element> {
    try query(predicate, arguments: arguments)
  }

  package func query(_ predicate: String, arguments: [Any?]) throws -> Results<Element> {
    guard let core = _base.core else {
      stopProgram("a collection of an unmanaged object cannot be queried")
    }
    let names = try QueryArguments(predicate, arguments, core)
    let syntax = try names.predicate()
    let query = resultsQuery(names) { _ in
      QueryTail(predicate: syntax, stages: [], span: syntax.span)
    }
    _ = try query.dynamicIfAny
    return Results(.query(query))
  }

  /// Returns the objects sorted by a property; objects with equal values keep their order. Nil is first.
  public func sorted<Value: Persistable>(
    by path: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(byKeyPath: requiredName(of: path), ascending: ascending)
  }

  /// Returns the objects sorted by a property by its name, over links with dots: `owner.name`. An unknown name
  /// stops the program at the first read, and reaches an observer as `error`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the objects sorted by several properties, the first one first.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Element> {
    results(
      .sort,
      .keys(
        descriptors.map {
          StageSyntax.SortKey(
            path: PathSyntax(PathSyntax.steps($0.keyPath)), isAscending: $0.ascending)
        }))
  }

  /// Returns the first object of each combination of values of some properties.
  public func distinct(by keyPaths: [String]) -> Results<Element> {
    results(
      .distinct,
      .keys(
        keyPaths.map {
          StageSyntax.SortKey(path: PathSyntax(PathSyntax.steps($0)), isAscending: true)
        }))
  }

  /// Returns the first object of each combination of values of some properties.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    distinct(by: keyPaths.map(requiredName))
  }

  /// Returns the index of the first object that matches a condition.
  ///
  /// The objects may be of no store. The condition may then have their properties and those of objects that they link to;
  /// links back, and objects to compare with, stop the program. It costs a copy of each object and all that it links to.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    indexOfFirst { $0.where(isIncluded) }
  }

  /// Returns the index of the first object that matches a predicate in the query language, also of objects of no store.
  public func index(matching predicate: String, _ arguments: Any?...) -> Int? {
    index(matching: predicate, arguments: arguments)
  }

  package func index(matching predicate: String, arguments: [Any?]) -> Int? {
    indexOfFirst { try $0.query(predicate, arguments: arguments) }
  }

  private func indexOfFirst(
    _ query: (any StoredCollection<Element>) throws -> Results<Element>
  ) -> Int? {
    do {
      if _base.core == nil { return try indexAmongCopies(query) }
      return try query(self).first.flatMap(index(ofRow:))
    } catch {
      stopProgram("the query for '\(Element.self)' cannot be run: \(error)")
    }
  }

  private func index(ofRow row: Element) -> Int? {
    if let results = self as? Results<Element> { return results.indexOfObject(row._object) }
    return firstIndex { $0._object == row._object }
  }
}

extension StoredCollection where Element: ObjectBase {
  /// Returns the index of an object; nil if the collection does not have it. O(n), of results in order of creation
  /// O(log n) after their first read.
  public func index(of object: Element) -> Int? {
    if let results = self as? Results<Element> { return results.indexOfObject(object) }
    return firstIndex { $0 == object }
  }
}

extension StoredCollection where Element: Comparable {
  /// Returns the values in order.
  @_disfavoredOverload
  public func sorted(ascending: Bool) -> [Element] {
    ascending ? sorted(by: <) : sorted(by: >)
  }
}
