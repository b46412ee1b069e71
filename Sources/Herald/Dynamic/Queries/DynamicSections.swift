import HeraldEngine
package import HeraldModel
import HeraldObservation
package import HeraldQuery

/// Live results in sections: the rows of each have an equal value of an expression, and stand in the order of the results.
///
///     Dog where age > 3 sort(name) sections by breed
package struct DynamicSections {
  /// All rows, section after section.
  package let rows: DynamicResults
  /// The observer in whose block they are; nil elsewhere.
  private let observer: TokenID?

  init(rows: DynamicResults, observer: TokenID? = nil) {
    self.rows = rows
    self.observer = observer
  }

  /// A section that is read.
  package struct Section {
    package let key: Value
    package let objects: [ObjectHandle]
  }

  /// One delivery to an observer of the sections.
  package enum Change {
    /// The number of rows, and the sections with theirs.
    case initial(count: Int, sections: [(key: Value, count: Int)])
    case update(SectionChangeSet, ownerDeleted: Bool)
    /// The sections can no longer be maintained; the last call.
    case error(HeraldError)
  }

  /// The session that the sections belong to.
  package var store: DynamicStore { rows.store }

  /// The sections with their objects. Runs the query. Errors: those of `DynamicResults.objects`.
  package var sections: [Section] {
    get throws {
      let numbers = try rows.numbers()
      return try store.run { reader in
        rows.query.sections(of: numbers, reader).map { key, numbers in
          Section(
            key: key,
            objects: numbers.map { ObjectHandle(store: store, id: ObjectID(rows.classID, $0)) })
        }
      }
    }
  }

  /// Observes the rows and the sections; `keyPaths` and `depth` are those of `DynamicResults.observe`. A row that goes to
  /// another section is deleted and inserted, and moved if both sections stay. Cost: the query runs once; then
  /// O(changes · (log rows + √sections)). Errors: those of `DynamicResults.observe`.
  package func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (DynamicSections, Change) throws -> Void
  ) throws -> ObservationToken {
    try observe(rows.rowFilter(keyPaths, depth), block)
  }

  /// The same with what modifies a row. `silenced` is called after each commit of which the observer is not notified.
  func observe(
    _ filter: RowFilter, silenced: @escaping (DynamicSections) -> Void = { _ in },
    _ block: @escaping (DynamicSections, Change) throws -> Void
  ) throws -> ObservationToken {
    let kept = rows.compacted
    var (owner, property): (ObjectID?, PropertyID?) = (nil, nil)
    if case .collection(let collection) = kept.base {
      _ = try collection.owner.classSchema
      (owner, property) = (collection.owner.id, collection.property.id)
    }
    var id: TokenID?
    let token = try store.token(
      for: .sections(kept.query, owner: owner, property: property, filter)
    ) { [unheld = kept.unheld] store, report in
      let sections = DynamicSections(rows: unheld.results(in: store), observer: id)
      if case .sections(let changes, let ownerDeleted) = report {
        return try block(sections, .update(changes, ownerDeleted: ownerDeleted))
      }
      switch report.collectionChange {
      case .initial(let count):
        try block(sections, .initial(count: count, sections: sections.observed))
      case .error(let error): try block(sections, .error(error))
      case .update, .mapUpdate, nil: break
      }
    }
    id = token.id
    token.onSilenced { [weak store, unheld = kept.unheld] _ in
      guard let store else { return }
      silenced(DynamicSections(rows: unheld.results(in: store), observer: id))
    }
    return token
  }

  /// In the block of an observer, the keys of its sections with the numbers of their rows. O(sections).
  var observed: [(key: Value, count: Int)] {
    (observer.flatMap { store.session.groups(of: $0, at: 0..<Int.max) } ?? []).map(Self.section)
  }

  private static func section(_ values: [Value]) -> (key: Value, count: Int) {
    if case .int(let count)? = values.last { (values[0], count) } else { (.null, 0) }
  }
}

extension DynamicStore {
  /// Returns the rows of results in sections, in the names of their projection if they have one. Errors: `QueryError`.
  package func sections(
    of results: DynamicResults, _ syntax: SectionsSyntax, names: any QueryNames
  ) throws -> DynamicSections {
    DynamicSections(rows: try self.results(of: results, syntax.tail, names: names))
  }
}
