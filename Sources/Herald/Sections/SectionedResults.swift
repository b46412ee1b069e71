import HeraldEngine
import HeraldModel
import HeraldQuery

/// Results in sections of equal values of a property or an expression, each a ``ResultsSection``; live, as results are.
///
///     let breeds = store.objects(Dog.self).sorted(by: \.name).sectioned(by: \.breed)
///     for breed in breeds { print(breed.key, breed.map(\.name)) }
///
/// Sections stand in the order of their keys, and within one the rows in the order of the results. There is no section
/// without rows. The query runs at the first read after a change, and where sections begin is kept until the next one.
public struct SectionedResults<Key: Storable & Hashable, Row: CollectionElement> {
  let query: SectionedQuery
  public let _delivered: SectionChangeSet?

  init(_ query: SectionedQuery, _ delivered: SectionChangeSet? = nil) {
    self.query = query
    _delivered = delivered
  }

  /// The sections that a block makes of rows.
  init(_ rows: Results<Row>, _ block: SectionKeys, _ core: StoreCore) {
    self.init(SectionedQuery(core, .block(block, rows._base)))
  }

  /// All rows.
  var rows: Results<Row> { Results(query.base) }

  var core: StoreCore { query.core }

  var bounds: [SectionedQuery.Bounds] {
    let bounds = found { try query.bounds }
    query.track()
    return bounds
  }

  /// Returns what the query finds; stops the program where it cannot be run.
  func found<Found>(_ find: () throws -> Found) -> Found { rows.run(core, find) }

  /// The keys of the sections, in order.
  public var allKeys: [Key] { map(\.key) }

  /// Whether the results are immutable, at one version of their store.
  public var isFrozen: Bool { core.session.isFrozen }

  /// Whether the store of the results was closed.
  public var isInvalidated: Bool { core.session.isClosed }

  /// The store of the results.
  public var store: Store { core.facade }

  /// Whether both are sections of the same results, not of two of equal queries.
  package func isSame(as other: SectionedResults) -> Bool { query === other.query }

  /// The element at a position; one out of range stops the program.
  public subscript(position: SectionPosition) -> Row { self[position.section][position.row] }

  func key(_ value: Value) -> Key {
    // Arithmetic may give another form of number; what is out of the range of an optional type is nil.
    if let key = Key._decode(value, core) ?? value.aggregate() ?? Key._decode(.null, core) {
      return key
    }
    stopProgram("the key of a section is not a '\(Key.self)': \(value)")
  }
}

extension SectionedResults: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of sections.
  public var endIndex: Int { bounds.count }
  /// The number of sections. The first read after a change runs the query.
  public var count: Int { bounds.count }

  /// The section at an index; one out of range stops the program.
  public subscript(index: Int) -> ResultsSection<Key, Row> {
    let bounds = bounds
    guard bounds.indices.contains(index) else {
      stopProgram("index \(index) is out of range: there are \(bounds.count) sections")
    }
    return ResultsSection(self, key(bounds[index].key), bounds[index].key)
  }

  /// Iterates over the sections that there are at this moment.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, Row>]> {
    bounds.map { ResultsSection(self, key($0.key), $0.key) }.makeIterator()
  }
}

extension SectionedResults: Freezable {
  public var _core: StoreCore? { core }

  public var _finder: ConfinedFinder? {
    guard let core = _core, let finder = rows._finder else { return nil }
    return ConfinedFinder(core) { [block = query.block] core in
      guard let rows = try finder.find(core) as? Results<Row> else { return nil }
      if let block { return SectionedResults(rows, block, core) }
      guard case .query(let query) = rows.source else { return nil }
      return SectionedResults(SectionedQuery(core, .expression(query)))
    }
  }
}

extension SectionedResults: CustomStringConvertible {
  /// The sections in brackets.
  public var description: String {
    "SectionedResults<\(Key.self), \(Row.self)> ["
      + map { "\($0.key._text): \($0.count)" }.joined(separator: ", ") + "]"
  }
}
