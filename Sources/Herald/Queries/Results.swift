import HeraldEngine
import HeraldModel
import HeraldQuery

/// A class that queries find objects of: `Object`, `EmbeddedObject` and `Projection`.
public protocol ResultElement: AnyObject, Freezable, CollectionElement {
  static func _rootType() -> ObjectBase.Type
  /// The object that is an element, or that it projects.
  var _object: ObjectBase { get }
  /// Returns the path from the objects' class for a name that queries use. Errors: `unknownField`.
  static func _path(of name: String) throws -> String
  /// Returns the name that queries use for a key path. Errors: `KeyPathError`.
  static func _name(of path: AnyKeyPath) throws -> String
  /// The names that queries use in the place of the class's; nil for those. Errors: those of the projection's table.
  static func _names() throws -> ElementNames?
  /// Registers an observer, whose block receives elements of the static type: `Observed` is this type or one that it
  /// inherits from. Errors: `cannotObserve`, `objectDeleted`, `closed`, and an unknown name in a key path.
  func _register<Observed: AnyObject>(
    _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Observed>) -> Void
  ) throws -> NotificationToken
}

/// The names of a projection in queries.
public struct ElementNames {
  let projection: ProjectionDefinition
}

extension ObjectBase: ResultElement {
  public static func _rootType() -> ObjectBase.Type { self }
  public static var _objectType: ObjectBase.Type? { self }
  @inlinable
  public static func _instance(_ object: ObjectBase) -> Self { unsafeDowncast(object, to: self) }
  public static func _path(of name: String) -> String { name }
  public static func _names() -> ElementNames? { nil }
}

extension ResultElement {
  public static var _objectType: ObjectBase.Type? { _rootType() }

  /// Returns the names that queries and observers use for key paths. Errors: `KeyPathError`.
  static func names(of paths: [PartialKeyPath<Self>]) throws -> [String] {
    try paths.map { try _name(of: $0) }
  }
}

extension ResultElement where Self: ObjectBase {
  public var _object: ObjectBase { self }

  public static func _name(of path: AnyKeyPath) throws -> String {
    try propertyName(of: unsafeDowncast(path, to: PartialKeyPath<Self>.self), from: Self.self)
  }
}

/// The objects that a query finds, or the values of a list, a set or a map in their order, each once, or those that match:
/// at the version of the store's session.
///
///     let old = store.objects(Dog.self).where { $0.age > 10 }
///     for dog in old { print(dog.name) }
///
/// A store that is read-only or frozen, and does not have the class, has no rows of it.
///
/// The query runs at the first read after a change, and the rows are kept until the next one. While the results are
/// observed, and in the block of an observer, their number and rows by index are what the observer keeps: the query does
/// not run. An iteration goes over the rows there were when it began. Of values, a read costs O(n log n) for n of them, and
/// those of an unmanaged object are the values that there were.
public struct Results<Element: CollectionElement> {
  /// What the elements are: objects that a query finds, or values of a collection.
  enum Source {
    case query(ResultsQuery)
    case values(ResultValues<Element>)
  }

  let source: Source
  public let _delivered: DeliveredChanges?

  init(_ source: Source, _ delivered: DeliveredChanges? = nil) {
    self.source = source
    _delivered = delivered
  }

  init(_ base: CollectionBase, _ delivered: DeliveredChanges? = nil) {
    let source: Source =
      if case .query(let query) = base.kind { .query(query) } else {
        .values(ResultValues(base, []))
      }
    self.init(source, delivered)
  }

  /// Every object of a class, or of a projection's. What is wrong with it is said at the first read.
  init(_ core: StoreCore, classOf type: Element.Type) where Element: ResultElement {
    let find: () throws -> DynamicResults = {
      _ = try type._names()
      return try core.dynamic.objects(core.binding(of: type._rootType()).table.className)
    }
    let found = Result { try find() }
    self.init(
      .query(
        ResultsQuery(core) {
          if case .failure(let error as SchemaError) = found, error.isMissingClass {
            return try find()
          }
          return try found.get()
        }))
  }

  /// The query that finds the elements; nil of values.
  var query: ResultsQuery? { if case .query(let query) = source { query } else { nil } }

  /// The same rows as elements of another type: objects as links to them, which may be nil elsewhere, or links as objects.
  package func elements<Other: CollectionElement>(_ type: Other.Type = Other.self) -> Results<Other>
  {
    Results<Other>(_base, _delivered)
  }

  /// Runs a query, or what is needed of it; stops the program where that cannot be.
  func run<R>(_ core: StoreCore, _ body: () throws -> R) -> R {
    core.checkOwner()
    do {
      return try body()
    } catch {
      stopProgram("the query for '\(Element.self)' cannot be run: \(error)")
    }
  }

  private func binding(_ query: ResultsQuery) -> ClassBinding {
    run(query.core) { try query.binding(of: Element._objectType ?? ObjectBase.self) }
  }

  private func instance(_ number: ObjectNumber, _ query: ResultsQuery) -> Element {
    Element._instance(binding(query).instance(number))
  }

  /// Returns the elements at some places; stops the program where they cannot be read.
  func elements(at places: [Int]) -> [Element] {
    switch source {
    case .query(let query):
      let rows = run(query.core) { try query.rows }
      return places.map { instance(rows[$0], query) }
    case .values(let values):
      let values = values.elements
      return places.map { values[$0] }
    }
  }
}

extension Results: StoredCollection {
  public var _base: CollectionBase {
    switch source {
    case .query(let query): CollectionBase(.query(query))
    case .values(let values): values.base
    }
  }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> Results<Element>? {
    switch base.kind {
    case .query(let query):
      Element._objectType.map(query.canHave) == true ? Results(.query(query), changes) : nil
    case .property: base.valueStages.isEmpty ? nil : Results(base, changes)
    case .local: nil
    }
  }

  /// The number of elements. O(1) for all objects of a class; else the query is run, without an order.
  public var count: Int {
    switch source {
    case .query(let query):
      let count = run(query.core) { try query.count }
      query.track(.count)
      return count
    case .values(let values): return values.elements.count
    }
  }

  /// Whether there are no elements. Costs what `count` does.
  public var isEmpty: Bool {
    switch source {
    case .query(let query):
      let count = run(query.core) { try query.count }
      query.track(.isEmpty)
      return count == 0
    case .values(let values): return values.elements.isEmpty
    }
  }

  /// The element at an index. The first read after a change runs the query, later ones, and all of results that are
  /// observed, take O(log n).
  public subscript(index: Int) -> Element {
    switch source {
    case .query(let query):
      let (number, count) = run(query.core) { try query.row { _ in index } }
      guard let number else {
        stopProgram("index \(index) is out of range: the results have \(count) rows")
      }
      query.track(.row(index))
      return instance(number, query)
    case .values(let values):
      let elements = values.elements
      guard elements.indices.contains(index) else {
        stopProgram("index \(index) is out of range: there are \(elements.count) values")
      }
      return elements[index]
    }
  }

  /// The first element; nil without one. Reads no more of an unsorted query than it needs.
  public var first: Element? {
    switch source {
    case .query(let query):
      let first = run(query.core) {
        if let rows = try query.rowsIfKept { return rows.count == 0 ? nil : rows[0] }
        if let found = try query.dynamicIfAny?.keptRow({ _ in 0 }) { return found.number }
        return try query.dynamicIfAny?.first()
      }
      query.track(.row(0))
      return first.map { instance($0, query) }
    case .values(let values): return values.elements.first
    }
  }

  /// The last element; nil without one.
  public var last: Element? {
    switch source {
    case .query(let query):
      let last = run(query.core) { try query.row { $0 - 1 } }
      query.track(.last)
      return last.number.map { instance($0, query) }
    case .values(let values): return values.elements.last
    }
  }

  /// Iterates over the elements that there are at this moment.
  public func makeIterator() -> ResultsIterator<Element> {
    switch source {
    case .query(let query):
      let rows = run(query.core) { try query.rows }
      query.track(.all)
      let binding = rows.count == 0 ? nil : binding(query)
      return ResultsIterator(InstanceIterator(binding: binding, rows: rows))
    case .values(let values): return ResultsIterator(InstanceIterator(), values.elements)
    }
  }

  func indexOfObject(_ object: some ObjectBase) -> Int? {
    guard case .query(let query) = source, let type = Element._objectType,
      let binding = object._binding, binding.core.session === query.core.session,
      binding.classID == (try? query.binding(of: type))?.classID
    else { return nil }
    let rows = run(query.core) { try query.rows }
    query.track(.all)
    return rows.index(of: object._number)
  }
}

/// The elements that there were when an iteration began: of an unsorted query a bit for each object of its blocks.
public struct ResultsIterator<Element: CollectionElement>: IteratorProtocol {
  @usableFromInline var instances: InstanceIterator
  @usableFromInline var values: IndexingIterator<[Element]>

  init(_ instances: InstanceIterator, _ values: [Element] = []) {
    self.instances = instances
    self.values = values.makeIterator()
  }

  /// The next element; nil after the last one.
  @inlinable
  public mutating func next() -> Element? {
    guard let object = instances.next() else { return values.next() }
    return Element._instance(object)
  }
}

/// The instances of rows, whatever their class: `ResultsIterator` is inlined into the program, this is not.
@usableFromInline
struct InstanceIterator {
  /// Nil without rows.
  private let binding: ClassBinding?
  /// The same, without a retain for each row.
  private let reference: Unmanaged<ClassBinding>?
  private var blocks: RowMasks.Iterator
  private var numbers: IndexingIterator<[ObjectNumber]>

  init(binding: ClassBinding? = nil, rows: QueryRows = .numbers([])) {
    self.binding = binding
    reference = binding.map(Unmanaged.passUnretained)
    switch rows {
    case .numbers(let rows):
      (blocks, numbers) = (RowMasks.Iterator(RowMasks()), rows.makeIterator())
    case .blocks(let rows):
      (blocks, numbers) = (RowMasks.Iterator(rows), [].makeIterator())
    }
  }

  @usableFromInline
  mutating func next() -> ObjectBase? {
    guard let reference, let number = blocks.next() ?? numbers.next() else { return nil }
    return reference._withUnsafeGuaranteedRef { $0.instance(number) }
  }
}

extension Results: CustomStringConvertible {
  /// The elements in brackets.
  public var description: String {
    let texts =
      switch source {
      case .query: map { String(describing: $0) }
      case .values(let values):
        values.elements.map { ($0 as? any PersistableElement)?._text ?? String(describing: $0) }
      }
    return "Results<\(Element.self)> [" + texts.joined(separator: ", ") + "]"
  }
}
