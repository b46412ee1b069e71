import HeraldEngine
import HeraldModel
import HeraldQuery

/// A class whose instances results consist of: `Object`, `EmbeddedObject` and `Projection`.
public protocol ResultElement: SendableMetatype {
  static func _rootType() -> ObjectBase.Type
  static func _instance(_ object: ObjectBase) -> Self
}

extension ObjectBase: ResultElement {
  public static func _rootType() -> ObjectBase.Type { self }
  public static func _instance(_ object: ObjectBase) -> Self {
    unsafeDowncast(object, to: self)
  }
}

/// The objects that a query finds, at the version of the store's session.
///
///     let old = store.objects(Dog.self).where { $0.age > 10 }
///     for dog in old { print(dog.name) }
///
/// The query runs at the first read after a change, and the rows are kept until the next one. An iteration goes over
/// the rows there were when it began.
public struct Results<Element: ResultElement> {
  let core: StoreCore
  let source: Result<Source, any Error>
  public let _delivered: DeliveredChanges?

  struct Source {
    let dynamic: DynamicResults
    let binding: ClassBinding
    let kept: KeptRows

    init(dynamic: DynamicResults, binding: ClassBinding) {
      self.dynamic = dynamic
      self.binding = binding
      kept = KeptRows(dynamic.query.dependencies)
    }
  }

  /// The rows of the last run of a query.
  final class KeptRows {
    var stamp: Session.ReadStamp?
    var rows = QueryRows.numbers([])
    /// What the query reads besides which objects there are.
    let dependencies: [PropertyPath]

    init(_ dependencies: [PropertyPath]) { self.dependencies = dependencies }
  }

  init(
    _ core: StoreCore, _ source: Result<Source, any Error>, _ delivered: DeliveredChanges? = nil
  ) {
    self.core = core
    self.source = source
    _delivered = delivered
  }

  init(_ core: StoreCore, classOf type: Element.Type) {
    self.init(
      core,
      Result {
        let binding = try core.binding(of: type._rootType())
        return Source(
          dynamic: try core.dynamic.objects(binding.table.className), binding: binding)
      })
  }

  /// The query, or why there is none; stops the program where there is none.
  var query: Source {
    core.checkOwner()
    switch source {
    case .success(let source): return source
    case .failure(let error): stopProgram("the query cannot be made: \(error)")
    }
  }

  /// The rows at present.
  var rows: QueryRows {
    let query = query
    let stamp = core.session.readStamp(of: query.kept.dependencies)
    if query.kept.stamp == stamp { return query.kept.rows }
    query.kept.rows = run { try query.dynamic.rows() }
    query.kept.stamp = stamp
    return query.kept.rows
  }

  /// The rows of the last run, if they are those at present.
  var keptRows: QueryRows? {
    let query = query
    let isCurrent = query.kept.stamp == core.session.readStamp(of: query.kept.dependencies)
    return isCurrent ? query.kept.rows : nil
  }

  /// Runs the query, or what it needs of it; stops the program where that cannot be.
  func run<R>(_ body: () throws -> R) -> R {
    do {
      return try body()
    } catch {
      stopProgram("the query cannot be run: \(error)")
    }
  }

  func instance(_ number: ObjectNumber) -> Element {
    Element._instance(query.binding.instance(number))
  }
}

extension Results: StoredCollection {
  public var _base: CollectionBase {
    switch source {
    case .success(let source): CollectionBase(.query(core, source.dynamic))
    case .failure(let error): CollectionBase(.failed(core, error))
    }
  }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> Results<Element>? {
    guard case .query(let core, let dynamic) = base.kind,
      let binding = try? core.binding(of: Element._rootType())
    else { return nil }
    return Results(core, .success(Source(dynamic: dynamic, binding: binding)), changes)
  }

  /// The number of rows. O(1) for all objects of a class; else the query is run, without an order.
  public var count: Int {
    keptRows?.count ?? run { try query.dynamic.count }
  }

  /// The object at an index. The first read after a change runs the query, later ones take O(log n).
  public subscript(index: Int) -> Element {
    let rows = rows
    guard index >= 0, index < rows.count else {
      stopProgram("index \(index) is out of range: the results have \(rows.count) rows")
    }
    return instance(rows[index])
  }

  /// The first object; nil without one. Reads no more of an unsorted query than it needs.
  public var first: Element? {
    if let rows = keptRows { return rows.count == 0 ? nil : instance(rows[0]) }
    return run { try query.dynamic.first() }.map(instance)
  }

  /// The last object; nil without one.
  public var last: Element? {
    let rows = rows
    return rows.count == 0 ? nil : instance(rows[rows.count - 1])
  }

  /// Iterates over the rows that there are at this moment.
  public func makeIterator() -> ResultsIterator<Element> {
    ResultsIterator(binding: query.binding, rows: rows)
  }

  func indexOfObject(_ object: some ObjectBase) -> Int? {
    guard let binding = object._binding, binding.core.session === core.session,
      binding.classID == query.binding.classID
    else { return nil }
    return rows.index(of: object._number)
  }
}

/// The rows that there were when an iteration began: of an unsorted query a bit for each object of its blocks.
public struct ResultsIterator<Element: ResultElement>: IteratorProtocol {
  private let binding: ClassBinding
  private var blocks: RowBlocks.Iterator
  private var numbers: IndexingIterator<[ObjectNumber]>

  init(binding: ClassBinding, rows: QueryRows) {
    self.binding = binding
    switch rows {
    case .numbers(let rows):
      (blocks, numbers) = (RowBlocks.Iterator(RowBlocks()), rows.makeIterator())
    case .blocks(let rows):
      (blocks, numbers) = (RowBlocks.Iterator(rows), [].makeIterator())
    }
  }

  /// The next object; nil after the last one.
  public mutating func next() -> Element? {
    guard let number = blocks.next() ?? numbers.next() else { return nil }
    return Element._instance(binding.instance(number))
  }
}

extension Results: CustomStringConvertible {
  /// The objects in brackets.
  public var description: String {
    "Results<\(Element.self)> [" + map { String(describing: $0) }.joined(separator: ", ") + "]"
  }
}
