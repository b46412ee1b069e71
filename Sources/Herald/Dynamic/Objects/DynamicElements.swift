import HeraldEngine
package import HeraldModel
import HeraldObservation
package import HeraldQuery

/// The elements of a collection of values that match a query, in which `self` is the element: of a list, a set or
/// a map, whose rows are its values.
package struct DynamicElements {
  /// The collection that the query reads.
  package let collection: LiveCollection
  let query: ElementQuery
  /// The rows that an observer keeps; nil outside of its block.
  private var observed: ElementRows?

  init(collection: LiveCollection, query: ElementQuery, observed: ElementRows? = nil) {
    self.collection = collection
    self.query = query
    self.observed = observed
  }

  /// The values as the rows of a variable in an observed value; nil if they are of a list in a value of any type.
  package var variableRows: VariableRows? {
    collection.stored.map { VariableRows(query, of: $0) }
  }

  /// The values that match, in the order of the query. Runs the query. Errors: `interrupted`, `closed`, `damaged`.
  package var values: [Value] {
    get throws {
      let elements = collection.values
      return try collection.store.run { query.rows(elements, $0) }.map { elements[$0] }
    }
  }

  /// Returns some of the values. In the block of an observer, and of what it received there, those of which it was
  /// last notified, without running the query: O(requested rows · log rows).
  package func values(in rows: Range<Int>) throws -> [Value] {
    guard collection.isValid else { return [] }
    if let observed { return observed.values(in: rows) }
    let values = try values
    return Array(values[rows.clamped(to: 0..<values.count)])
  }

  /// Binds expressions over the values, in which `self` is the value, as the columns of a table. Variables are read
  /// now. Errors: `QueryError`.
  package func columns(
    _ columns: [ColumnSyntax], names: any QueryNames
  ) throws -> DynamicColumns {
    DynamicColumns(
      store: collection.store,
      columns: try query.columns(columns, names: names, reader: collection.store.session.reader),
      elements: query)
  }

  /// Returns the values of these that match further clauses. Errors: `QueryError`.
  package func elements(_ tail: QueryTail?, names: any QueryNames) throws -> DynamicElements {
    let later = try collection.elements(tail, names: names)
    return DynamicElements(collection: collection, query: query.followed(by: later.query))
  }

  /// Observes the rows, as `LiveCollection.observe` does its own. The cost of a change is that of the changed
  /// elements, not of all.
  package func observe(
    _ block: @escaping (DynamicElements, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    try observe(silenced: { _, _ in }, block)
  }

  /// Observes the rows, and calls `silenced` with the change that a silent transaction withholds, as
  /// `ObservationToken.onSilenced` does.
  package func observe(
    silenced: @escaping (DynamicElements, DynamicCollectionChange) -> Void,
    _ block: @escaping (DynamicElements, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    func elements(_ collection: LiveCollection, _ rows: ElementRows?) -> DynamicElements {
      DynamicElements(collection: collection, query: query, observed: rows)
    }
    return try observe(
      groupedBy: nil, silenced: { silenced(elements($0, $1), $2) },
      { try block(elements($0, $1), $2) })
  }

  /// Observes the rows, or the groups of them, with what the observer keeps of them: nil if it cannot be read.
  func observe(
    groupedBy grouping: BoundGrouping?,
    silenced: @escaping (LiveCollection, ElementRows, DynamicCollectionChange) -> Void,
    _ block: @escaping (LiveCollection, ElementRows?, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let query = query
    var present = collection
    var rows: ElementRows?
    let filter = try collection.rowFilter(nil, nil)
    let followed = grouping.map(query.query.grouped(by:)) ?? query.query
    let token = try collection.observe(filter, for: followed) { collection, change in
      present = collection
      let elements = DynamicElements(collection: collection, query: query)
      if case .error = change { return try block(collection, rows, change) }
      guard let known = rows else {
        let begun = try elements.begin(grouping)
        rows = begun
        return try block(collection, begun, .initial(count: begun.count))
      }
      let isEnd = change.endsCollection || !collection.isValid
      let changes = isEnd ? known.end() : try elements.advance(known, change)
      if isEnd || !changes.isEmpty {
        try block(collection, known, .update(changes, ownerDeleted: change.endsCollection))
      }
    }
    token.onSilenced { change in
      guard let known = rows, present.isValid else { return }
      do {
        let elements = DynamicElements(collection: present, query: query)
        let changes = try elements.advance(known, change)
        silenced(present, known, .update(changes, ownerDeleted: false))
      } catch {
        // The collection cannot be read: the next delivery reports it.
      }
    }
    return token
  }

  private func begin(_ grouping: BoundGrouping?) throws -> ElementRows {
    let values = collection.isValid ? collection.values : []
    return try collection.store.run {
      ElementRows(query, groupedBy: grouping, of: values, $0)
    }
  }

  private func advance(
    _ rows: ElementRows, _ change: DynamicCollectionChange
  ) throws -> ChangeSet {
    let changes: ChangeSet
    switch change {
    case .initial, .error: return ChangeSet()
    case .update(let update, _): changes = update
    case .mapUpdate(let update, _): changes = collection.rows(of: update)
    }
    return rows.advance(
      changes, inserted: try changes.insertions.map { try collection[$0] },
      modified: try changes.modificationsNew.map { try collection[$0] },
      collection.store.session.reader)
  }
}

extension DynamicCollectionChange {
  /// Whether the collection's owner was deleted.
  fileprivate var endsCollection: Bool {
    switch self {
    case .update(_, let ownerDeleted), .mapUpdate(_, let ownerDeleted): ownerDeleted
    case .initial, .error: false
    }
  }
}

extension [Int] {
  /// Returns how many of these ascending numbers are less than another. O(log n).
  fileprivate func count(before limit: Int) -> Int {
    partitionPoint { $0 < limit }
  }
}

extension LiveCollection {
  /// Returns a change of a map's keys as one of its rows, from the rows that the keys have now. O(changes · log n).
  fileprivate func rows(of update: MapChangeSet) -> ChangeSet {
    func row(_ key: String) -> Int { position(ofKey: key).row }
    let inserted = update.insertions.map(row)
    // The rows before which the deleted keys would be.
    let deleted = update.deletions.map(row)
    let modified = update.modifications.map(row)
    func previous(_ row: Int, after deletions: Int) -> Int {
      row - inserted.count(before: row) + deletions
    }
    return ChangeSet(
      deletions: deleted.enumerated().map { previous($1, after: $0) }, insertions: inserted,
      modifications: modified.map { row in
        previous(row, after: deleted.count(before: row + 1))
      },
      modificationsNew: modified)
  }
}

extension LiveCollection {
  /// Returns the values that match a query, such as `where self > 3 sort(self desc)`, in which `self` is the
  /// element. Errors: `QueryError`.
  package func elements(_ text: String) throws -> DynamicElements {
    let bytes = Array(text.utf8)
    let (tail, end) = try QueryParser.parseTail(bytes, from: 0)
    guard end == bytes.count else {
      throw QueryError(
        message: "expected clauses, and no more, found '\(text)'",
        span: SourceSpan(start: 0, end: bytes.count))
    }
    return try elements(tail, names: NoNames())
  }

  /// Returns the values that match a parsed query, in which `self` is the element. Errors: `QueryError`.
  package func elements(_ tail: QueryTail?, names: any QueryNames) throws -> DynamicElements {
    let store = owner.store
    let name = "\(try owner.classSchema.name).\(property.name)"
    let element: ElementType = path == nil ? property.type.element : .any
    return DynamicElements(
      collection: self,
      query: try ElementQuery.bind(
        tail, of: element, named: name, schema: store.schema, names: names,
        reader: store.session.reader))
  }
}

extension DynamicStore {
  /// Returns those of some values that match a parsed query, in which `self` is the value. Errors: `QueryError`.
  ///
  /// - Parameter name: the values in messages.
  package func elements(
    of values: [Value], named name: String, _ tail: QueryTail?, names: any QueryNames
  ) throws -> [Value] {
    let query = try elementQuery(of: values, named: name, tail, names)
    return try run { query.rows(values, $0) }.map { values[$0] }
  }

  /// Binds a query of values that are in no collection of the store.
  func elementQuery(
    of values: [Value], named name: String, _ tail: QueryTail?, _ names: any QueryNames
  ) throws -> ElementQuery {
    try ElementQuery.bind(
      tail, ofValues: values, named: name, schema: schema, names: names, reader: session.reader)
  }
}
