import HeraldModel
import HeraldQuery

// By a property's name, the type can be given. That parameter also has the compiler prefer the methods that take a key path
// where one is misspelt, and name the word.
extension StoredCollection where Element: ResultElement {
  /// Returns one property of every object, in order. Costs some nanoseconds a row for numbers in order of creation,
  /// and about as much as reading each for others.
  ///
  ///     let ages = store.objects(Dog.self).values(\.age)
  ///
  /// A path to something other than a property of the class, or goes through a collection, stops the program.
  public func values<Value: PersistableElement>(_ path: KeyPath<Element, Value>) -> [Value] {
    if case .local = _base.kind { return map { $0[keyPath: path] } }
    return values(ofProperty: requiredName(of: path))
  }

  /// Returns a property of every object by its name, over links with dots.
  public func values<Value: PersistableElement>(
    ofProperty name: String, as type: Value.Type = Value.self
  ) -> [Value] {
    if case .local = _base.kind { return localValues(name) }
    guard let (core, dynamic, column) = queried(name) else { return [] }
    let values: [Value] = results { try dynamic.values(of: column, core, name) }
    trackValues(of: name)
    return values
  }

  /// The sum of a property; nil values count nothing. About a nanosecond a row for the integers and doubles of a
  /// class. A sum out of the type's range stops the program.
  public func sum<Number: PersistableNumber>(_ path: KeyPath<Element, Number>) -> Number {
    total(.sum, path)
  }

  /// The sum of a property; nil values count nothing.
  public func sum<Number: PersistableNumber>(_ path: KeyPath<Element, Number?>) -> Number {
    total(.sum, path)
  }

  /// The sum of a property by its name.
  public func sum<Number: PersistableNumber>(
    ofProperty name: String, as type: Number.Type = Number.self
  ) -> Number {
    required(aggregate(.sum, name), name)
  }

  /// The smallest value of a property; nil without one.
  public func min<Value: PersistableMeasure>(_ path: KeyPath<Element, Value>) -> Value? {
    aggregate(.min, path)
  }

  /// The smallest value of a property; nil without one.
  public func min<Value: PersistableMeasure>(_ path: KeyPath<Element, Value?>) -> Value? {
    aggregate(.min, path)
  }

  /// The smallest value of a property by its name; nil without one.
  public func min<Value: PersistableMeasure>(
    ofProperty name: String, as type: Value.Type = Value.self
  ) -> Value? {
    aggregate(.min, name)
  }

  /// The largest value of a property; nil without one.
  public func max<Value: PersistableMeasure>(_ path: KeyPath<Element, Value>) -> Value? {
    aggregate(.max, path)
  }

  /// The largest value of a property; nil without one.
  public func max<Value: PersistableMeasure>(_ path: KeyPath<Element, Value?>) -> Value? {
    aggregate(.max, path)
  }

  /// The largest value of a property by its name; nil without one.
  public func max<Value: PersistableMeasure>(
    ofProperty name: String, as type: Value.Type = Value.self
  ) -> Value? {
    aggregate(.max, name)
  }

  /// The average of a property; nil without a value.
  public func average<Number: PersistableNumber>(
    _ path: KeyPath<Element, Number>
  ) -> Number.Average? {
    aggregate(.average, path)
  }

  /// The average of a property; nil without a value.
  public func average<Number: PersistableNumber>(
    _ path: KeyPath<Element, Number?>
  ) -> Number.Average? {
    aggregate(.average, path)
  }

  /// The average of a property by its name, rounded to the type of the result, as an integer without its fraction; nil
  /// without a value.
  public func average<Average: PersistableNumber>(
    ofProperty name: String, as type: Average.Type = Average.self
  ) -> Average? {
    aggregate(.average, name)
  }
}

extension StoredCollection where Element: ResultElement {
  private func total<Number: PersistableNumber>(
    _ operation: CollectionOperation, _ path: KeyPath<Element, some PersistableElement>
  ) -> Number {
    required(aggregate(operation, path), "\(path)")
  }

  private func required<Number>(_ sum: Number?, _ name: String) -> Number {
    guard let sum else {
      stopProgram("the sum of '\(name)' is out of the range of '\(Number.self)'")
    }
    return sum
  }

  private func aggregate<Result: PersistableElement, Value: PersistableElement>(
    _ operation: CollectionOperation, _ path: KeyPath<Element, Value>
  ) -> Result? {
    if case .local = _base.kind {
      return map { $0[keyPath: path] }.aggregate(operation).aggregate()
    }
    return aggregate(operation, requiredName(of: path))
  }

  private func aggregate<Result: PersistableElement>(
    _ operation: CollectionOperation, _ name: String
  ) -> Result? {
    aggregate(operation, name) { $0.aggregate() }
  }

  /// Returns an aggregate of a property by its name as `convert` makes it of the store's value.
  package func aggregate<Result>(
    _ operation: CollectionOperation, _ name: String,
    _ convert: @escaping @Sendable (HeraldModel.Value) -> Result?
  ) -> Result? {
    if case .local = _base.kind { return convert(localAggregate(operation, name)) }
    guard let (_, dynamic, column) = queried(name) else {
      return convert([Int]().aggregate(operation))
    }
    let value = convert(results { try dynamic.aggregate(operation, of: column) })
    LiveValue(self, operation, name, convert).track()
    return value
  }

  /// A property of every object of an unmanaged object's collection.
  private func localValues<Value: PersistableElement>(_ name: String) -> [Value] {
    let path = localPath(name)
    return map { element in
      guard let value = Self.value(at: path, of: element) as? Value else {
        stopProgram("'\(name)' of class '\(Element._rootType().className)' is no '\(Value.self)'")
      }
      return value
    }
  }

  /// The property at the end of a path; nil where a link on it is nil.
  private static func value(at path: [ObjectTable.Property], of element: Element) -> Any? {
    var value: Any? = element._object
    for property in path { value = (value as? ObjectBase).map(property.value) }
    return value
  }

  private func localAggregate(
    _ operation: CollectionOperation, _ name: String
  ) -> HeraldModel.Value {
    let path = localPath(name)
    func aggregate<Value: PersistableElement>(_: Value.Type) -> HeraldModel.Value {
      compactMap { Self.value(at: path, of: $0) as? Value }.aggregate(operation)
    }
    guard let type = path.last?.type as? any PersistableElement.Type,
      path.dropLast().allSatisfy({ $0.definition.shape == .single })
    else {
      stopProgram(
        "'\(name)' of class '\(Element._rootType().className)' is a collection, or leads through one"
      )
    }
    return aggregate(type)
  }

  private func localPath(_ name: String) -> [ObjectTable.Property] {
    results { try ObjectTable.properties(at: Element._path(of: name), from: Element._rootType()) }
  }

  /// Nil where the store has none of the objects, nor their class.
  private func queried(
    _ name: String
  ) -> (StoreCore, DynamicResults, DynamicResults.Column)? {
    guard let core = _base.core else {
      stopProgram("'\(name)' of the objects of an unmanaged object cannot be read")
    }
    core.checkOwner()
    return results {
      switch _base.kind {
      case .query(let query): if try query.dynamicIfAny == nil { return nil }
      case .property(let property): if property.propertyID == nil { return nil }
      case .local: break
      }
      let dynamic = try _base.results(nil, NoNames())
      let path = core.storedPath(try Element._path(of: name), from: dynamic.classID)
      return (core, dynamic, try dynamic.column(path))
    }
  }

  private func results<R>(_ read: () throws -> R) -> R {
    do {
      return try read()
    } catch {
      stopProgram("the objects cannot be read: \(error)")
    }
  }
}

extension StoredCollection where Element: PersistableNumber {
  /// The sum of the values. One out of the type's range stops the program.
  public func sum() -> Element {
    guard let sum: Element = aggregate(.sum).aggregate() else {
      stopProgram("the sum is out of the range of '\(Element.self)'")
    }
    return sum
  }

  /// The average of the values; nil without one.
  public func average() -> Element.Average? { aggregate(.average).aggregate() }
}

extension Sequence where Element: PersistableElement {
  /// Returns an aggregate of the values, as a store has it.
  package func aggregate(_ operation: CollectionOperation) -> Value {
    let element: ElementType =
      switch Element._element.type {
      case .int: .int
      case .float: .float
      case .decimal, .any: .decimal
      case .date: .date
      case .bool, .double, .string, .data, .uuid, .objectID, .link: .double
      }
    let context = QueryContext(nil)
    return operation.apply(to: map { context.encode($0) }, of: element)
  }
}

extension DynamicResults {
  /// Returns a property of every row as a type of the program's.
  fileprivate func values<Element: PersistableElement>(
    of column: Column, _ core: StoreCore, _ name: String
  ) throws -> [Element] {
    if let type = Element.self as? any ColumnElement.Type,
      let values = try columnValues(type, of: column, as: Element.self)
    {
      return values
    }
    return try values(of: column).map { value in
      guard let decoded = Element._decode(value, core) else {
        stopProgram("'\(name)' is \(value.literalText) in the store, which is no '\(Element.self)'")
      }
      return decoded
    }
  }

  private func columnValues<Column: ColumnElement, Element>(
    _ type: Column.Type, of column: DynamicResults.Column, as element: Element.Type
  ) throws -> [Element]? {
    var values: [Column] = []
    if case .allObjects = base, query.predicate.isAlways { values.reserveCapacity(try count) }
    guard try forEachBlock(of: column, { Column._append($0, to: &values) }) else { return nil }
    // A cast of the array would cast every element.
    return Column.self == Element.self ? unsafeBitCast(values, to: [Element].self) : nil
  }
}
