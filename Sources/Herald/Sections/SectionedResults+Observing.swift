public import Dispatch
import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

extension SectionedResults {
  /// Observes the rows and the sections: `initial` at the next turn of the store's executor, or at the next `refresh`, then
  /// the changes of each commit. `keyPaths` and what goes wrong as in `StoredCollection.observe`. Cost: the query runs
  /// once; then O(changes · (log rows + √sections)) for each commit.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (SectionedChange<Self>) -> Void
  ) -> NotificationToken {
    switch query.keys {
    case .block(let keys, _):
      SectionsOfBlock<Key, Row>.observe(self, keys, keyPaths) { change, _ in block(change) }
    case .expression(let query):
      .observing(core, block) {
        try SectionedQuery.register(query, Row.self, keyPaths) { sections, change in
          SectionedQuery(sections).map { block(SectionedChange(change, $0)) }
        }
      }
    }
  }

  /// Observes the rows and the sections; `keyPaths` are properties of the rows.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Row>], _ block: @escaping (SectionedChange<Self>) -> Void
  ) -> NotificationToken where Row: ResultElement {
    do {
      return observe(keyPaths: try Row.names(of: keyPaths), block)
    } catch {
      return .failed(error, core, block)
    }
  }

  /// Observes the sections on an actor: the block is called there, with objects of the actor's own session.
  public func observe<Owner: Actor>(
    keyPaths: [String]? = nil, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, SectionedChange<Self>) -> Void
  ) async -> NotificationToken {
    await ActorObserver.register(self, on: owner, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Observes the sections on a queue: the block is called there, with objects of the queue's own session.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (SectionedChange<Self>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(self, on: queue, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Returns the changes of the sections. `keyPaths` and what goes wrong as in `observe`.
  public func changes(keyPaths: [String]? = nil) -> ObservedSequence<SectionedChange<Self>> {
    ObservedSequence(of: self) { $0.observe(keyPaths: keyPaths, $1) }
  }
}

extension SectionedQuery {
  /// The sections that were observed; nil where their store is gone.
  fileprivate convenience init?(_ sections: DynamicSections) {
    guard let core = sections.store.core else { return nil }
    self.init(core, .expression(ResultsQuery(core, sections.rows)))
  }

  /// Observes the sections of an expression. Errors: those of the query, and an unknown name in a key path.
  fileprivate static func register(
    _ query: ResultsQuery, _ row: any CollectionElement.Type, _ keyPaths: [String]?,
    _ silenced: @escaping (DynamicSections) -> Void = { _ in },
    _ block: @escaping (DynamicSections, DynamicSections.Change) -> Void
  ) throws -> NotificationToken {
    try query.core.token {
      let rows = try query.dynamic
      let projection = row as? any ProjectionElement.Type
      let shown = try projection?.paths(of: keyPaths)
      let filter = try shown.map(rows.shown) ?? rows.rowFilter(keyPaths, nil)
      return try DynamicSections(rows: rows).observe(filter, silenced: silenced, block)
    }
  }
}

extension SectionedChange {
  fileprivate init<Key, Row>(_ change: DynamicSections.Change, _ query: SectionedQuery)
  where Collection == SectionedResults<Key, Row> {
    switch change {
    case .initial: self = .initial(SectionedResults(query))
    case .update(let changes, ownerDeleted: _):
      self = .update(
        SectionedResults(query, changes), deletions: changes.deletions,
        insertions: changes.insertions, modifications: changes.modifications,
        sectionsToInsert: changes.sectionInsertions, sectionsToDelete: changes.sectionDeletions)
    case .error(let error): self = .error(error)
    }
  }

  /// The changes with new positions and moves; nil but for an update.
  public func changes<Key, Row>() -> SectionChangeSet?
  where Collection == SectionedResults<Key, Row> {
    if case .update(let sections, _, _, _, _, _) = self { sections._delivered } else { nil }
  }
}

extension ResultsSection {
  /// Observes the section: `initial`, then the updates of its rows, with `sectionsToInsert` and `sectionsToDelete` when its
  /// first row comes and when its last one goes. `keyPaths` and what goes wrong as in `SectionedResults.observe`. Cost: that
  /// of observing all sections, and O(sections) for each of their changes.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (SectionedChange<Self>) -> Void
  ) -> NotificationToken {
    let query: ResultsQuery
    switch sections.query.keys {
    case .block(let keys, _): return observe(keys, keyPaths, block)
    case .expression(let expression): query = expression
    }
    return .observing(_core, block) { [value] in
      var last: Int?
      func position(_ sections: DynamicSections) -> Int? {
        sections.observed.firstIndex { Value.order($0.key, value) == 0 }
      }
      let silenced = { last = position($0) }
      return try SectionedQuery.register(query, Element.self, keyPaths, silenced) {
        sections, change in
        guard let found = SectionedQuery(sections) else { return }
        let all = SectionedResults<Key, Element>(found)
        let own = ResultsSection(all, all.key(value), value)
        switch change {
        case .initial:
          last = position(sections)
          block(.initial(own))
        case .update(let changes, ownerDeleted: let isGone):
          let (old, new) = (last, isGone ? nil : position(sections))
          last = new
          let update = SectionedChange<Self>(own, changes, from: old, to: new)
          if !update.isEmpty { block(update) }
        case .error(let error): block(.error(error))
        }
      }
    }
  }

  /// Observes the section on a queue: the block is called there, with objects of the queue's own session.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (SectionedChange<Self>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(self, on: queue, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Returns the changes of the section, as `observe` reports them.
  public func changes(keyPaths: [String]? = nil) -> ObservedSequence<SectionedChange<Self>> {
    ObservedSequence(of: self) { $0.observe(keyPaths: keyPaths, $1) }
  }
}

extension SectionedChange {
  /// What of the changes of all sections concerns one, by its positions before and after.
  fileprivate init(
    _ section: Collection, _ changes: SectionChangeSet, from old: Int?, to new: Int?
  ) {
    self = .update(
      section, deletions: new == nil ? [] : changes.deletions.filter { $0.section == old },
      insertions: changes.insertions.filter { $0.section == new },
      modifications: changes.modifications.filter { $0.section == old },
      sectionsToInsert: old == nil ? [new].compactMap(\.self) : [],
      sectionsToDelete: new == nil ? [old].compactMap(\.self) : [])
  }

  /// Whether it is an update of nothing.
  var isEmpty: Bool {
    guard
      case .update(
        _, let deletions, let insertions, let modifications, let inserted, let deleted) = self
    else { return false }
    return deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && inserted.isEmpty
      && deleted.isEmpty
  }
}
