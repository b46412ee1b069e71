import HeraldEngine
import HeraldModel
import HeraldQuery

/// A class whose instances results consist of: `Object`, `EmbeddedObject` and `Projection`.
public protocol ResultElement: AnyObject, Freezable {
  static func _rootType() -> ObjectBase.Type
  static func _instance(_ object: ObjectBase) -> Self
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
  @inlinable
  public static func _instance(_ object: ObjectBase) -> Self { unsafeDowncast(object, to: self) }
  public static func _path(of name: String) -> String { name }
  public static func _names() -> ElementNames? { nil }
}

extension ResultElement {
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

/// The objects that a query finds, at the version of the store's session.
///
///     let old = store.objects(Dog.self).where { $0.age > 10 }
///     for dog in old { print(dog.name) }
///
/// A store that is read-only or frozen, and does not have the class, has no rows of it.
///
/// The query runs at the first read after a change, and the rows are kept until the next one. While the results are
/// observed, and in the block of an observer, their number and rows by index are what the observer keeps: the query does
/// not run. An iteration goes over the rows there were when it began.
public struct Results<Element: ResultElement> {
  let query: ResultsQuery
  public let _delivered: DeliveredChanges?

  var core: StoreCore { query.core }

  init(_ query: ResultsQuery, _ delivered: DeliveredChanges? = nil) {
    self.query = query
    _delivered = delivered
  }

  /// Every object of a class, or of a projection's. What is wrong with it is said at the first read.
  init(_ core: StoreCore, classOf type: Element.Type) {
    let find: () throws -> DynamicResults = {
      _ = try type._names()
      return try core.dynamic.objects(core.binding(of: type._rootType()).table.className)
    }
    let found = Result { try find() }
    self.init(
      ResultsQuery(core) {
        if case .failure(let error as SchemaError) = found, error.isMissingClass {
          return try find()
        }
        return try found.get()
      })
  }

  /// The rows at present; stops the program where they cannot be found.
  var rows: QueryRows { run { try query.rows } }

  /// Runs the query, or what it needs of it; stops the program where that cannot be.
  func run<R>(_ body: () throws -> R) -> R {
    core.checkOwner()
    do {
      return try body()
    } catch {
      stopProgram("the query for '\(Element.self)' cannot be run: \(error)")
    }
  }

  private var binding: ClassBinding { run { try query.binding(of: Element._rootType()) } }

  func instance(_ number: ObjectNumber) -> Element {
    Element._instance(binding.instance(number))
  }
}

extension Results: StoredCollection {
  public var _base: CollectionBase { CollectionBase(.query(query)) }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> Results<Element>? {
    guard case .query(let query) = base.kind, query.canHave(Element._rootType()) else {
      return nil
    }
    return Results(query, changes)
  }

  /// The number of rows. O(1) for all objects of a class; else the query is run, without an order.
  public var count: Int {
    let count = run { try query.count }
    query.track(.count)
    return count
  }

  /// Whether there are no rows. Costs what `count` does.
  public var isEmpty: Bool {
    let count = run { try query.count }
    query.track(.isEmpty)
    return count == 0
  }

  /// The object at an index. The first read after a change runs the query, later ones, and all of results that are
  /// observed, take O(log n).
  public subscript(index: Int) -> Element {
    let (number, count) = run { try query.row { _ in index } }
    guard let number else {
      stopProgram("index \(index) is out of range: the results have \(count) rows")
    }
    query.track(.row(index))
    return instance(number)
  }

  /// The first object; nil without one. Reads no more of an unsorted query than it needs.
  public var first: Element? {
    let first = run {
      if let rows = try query.rowsIfKept { return rows.count == 0 ? nil : rows[0] }
      if let found = try query.dynamicIfAny?.keptRow({ _ in 0 }) { return found.number }
      return try query.dynamicIfAny?.first()
    }
    query.track(.row(0))
    return first.map(instance)
  }

  /// The last object; nil without one.
  public var last: Element? {
    let last = run { try query.row { $0 - 1 } }
    query.track(.last)
    return last.number.map(instance)
  }

  /// Iterates over the rows that there are at this moment.
  public func makeIterator() -> ResultsIterator<Element> {
    let rows = rows
    query.track(.all)
    return ResultsIterator(binding: rows.count == 0 ? nil : binding, rows: rows)
  }

  func indexOfObject(_ object: some ObjectBase) -> Int? {
    guard let binding = object._binding, binding.core.session === core.session,
      binding.classID == (try? query.binding(of: Element._rootType()))?.classID
    else { return nil }
    let rows = rows
    query.track(.all)
    return rows.index(of: object._number)
  }
}

/// The rows that there were when an iteration began: of an unsorted query a bit for each object of its blocks.
public struct ResultsIterator<Element: ResultElement>: IteratorProtocol {
  @usableFromInline var instances: InstanceIterator

  init(binding: ClassBinding?, rows: QueryRows) {
    instances = InstanceIterator(binding: binding, rows: rows)
  }

  /// The next object; nil after the last one.
  @inlinable
  public mutating func next() -> Element? {
    guard let object = instances.next() else { return nil }
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

  init(binding: ClassBinding?, rows: QueryRows) {
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
  /// The objects in brackets.
  public var description: String {
    "Results<\(Element.self)> [" + map { String(describing: $0) }.joined(separator: ", ") + "]"
  }
}
