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
    let rows = KeptRows()
  }

  /// The rows of the last run of a query.
  final class KeptRows {
    var stamp: Session.ReadStamp?
    var numbers: [ObjectNumber] = []
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
  var numbers: [ObjectNumber] {
    let query = query
    let stamp = core.session.readStamp
    if query.rows.stamp == stamp { return query.rows.numbers }
    do {
      query.rows.numbers = try query.dynamic.numbers()
    } catch {
      stopProgram("the query cannot be run: \(error)")
    }
    query.rows.stamp = stamp
    return query.rows.numbers
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

  public var count: Int {
    let query = query
    if query.rows.stamp == core.session.readStamp { return query.rows.numbers.count }
    do {
      return try query.dynamic.count
    } catch {
      stopProgram("the query cannot be run: \(error)")
    }
  }

  /// The object at an index. O(1) after the first read of a version.
  public subscript(index: Int) -> Element {
    let numbers = numbers
    guard index >= 0, index < numbers.count else {
      stopProgram("index \(index) is out of range: the results have \(numbers.count) rows")
    }
    return Element._instance(query.binding.instance(numbers[index]))
  }

  public func makeIterator() -> ResultsIterator<Element> {
    ResultsIterator(binding: query.binding, numbers: numbers)
  }
}

/// The rows that there were when an iteration began.
public struct ResultsIterator<Element: ResultElement>: IteratorProtocol {
  private let binding: ClassBinding
  private let numbers: [ObjectNumber]
  private var position = 0

  init(binding: ClassBinding, numbers: [ObjectNumber]) {
    self.binding = binding
    self.numbers = numbers
  }

  public mutating func next() -> Element? {
    guard position < numbers.count else { return nil }
    defer { position += 1 }
    return Element._instance(binding.instance(numbers[position]))
  }
}

extension Results: CustomStringConvertible {
  public var description: String {
    "Results<\(Element.self)> [" + map { String(describing: $0) }.joined(separator: ", ") + "]"
  }
}
