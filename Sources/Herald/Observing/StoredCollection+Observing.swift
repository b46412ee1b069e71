import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

extension StoredCollection {
  /// Observes the collection: `initial` at the next turn of the store's executor, or at the next `refresh`, then the
  /// changes of each commit.
  ///
  ///     token = store.objects(Dog.self).observe { change in
  ///       guard case .update(let dogs, let deletions, let insertions, let modifications) = change else { return }
  ///     }
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes modify a row, by name and over links (`"owner.name"`): nil for
  ///     changes of objects up to four links away, empty for none.
  ///   - block: Called with each change, on the store's thread, queue or actor.
  ///
  /// An error, such as an unknown key path or a frozen collection, reaches the block as `error`. Cost: the query
  /// runs once; then O(changes · log rows) for each commit.
  @inlinable
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    // In the caller's module, where the types are known: to find them at each call takes longer than the call.
    _observe(keyPaths) { delivery in
      if let change = CollectionChange<Self>(delivery) { block(change) }
    }
  }

  public func _observe(
    _ keyPaths: [String]?, _ block: @escaping (CollectionDelivery) -> Void
  ) -> NotificationToken {
    .observing(_base.core, block) {
      guard let core = _base.core else {
        throw HeraldError.cannotObserve("a collection of an unmanaged object")
      }
      return try core.token { try register(core, keyPaths, block) }
    }
  }

  /// Observes the collection; `keyPaths` are properties of its elements, or fields of its projections.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ResultElement {
    do {
      return observe(keyPaths: try Element.names(of: keyPaths), block)
    } catch {
      guard let core = _base.core else { return observe(block) }
      return .failed(error, core, block)
    }
  }

  func register(
    _ core: StoreCore, _ keyPaths: [String]?, _ block: @escaping (CollectionDelivery) -> Void
  ) throws -> ObservationToken {
    // The block must not hold the store, whose session holds the block.
    switch _base.kind {
    case .local: throw HeraldError.cannotObserve("a collection of an unmanaged object")
    case .query(let query):
      let projection = Element.self as? any ProjectionElement.Type
      let shown = try projection?.paths(of: keyPaths)
      let dynamic = try query.dynamic.compacted
      let token = try dynamic.observe(
        TypedResultsReceiver(unheld: dynamic.unheld, block: block),
        try shown.map(dynamic.shown) ?? dynamic.rowFilter(keyPaths, nil))
      query.note(token.id)
      return token
    case .property(let property) where !_base.valueStages.isEmpty:
      return try ObservedValues(property, _base.valueStages)
        .register(property.live, keyPaths, block)
    case .property(let property):
      let (slot, number, table) = (property.slot, property.number, property.binding.table)
      let projection = _base.projection
      let keyPaths = try projection.map { try $0.paths(keyPaths) } ?? keyPaths
      return try property.live.observe(keyPaths: keyPaths) { [weak core] _, change in
        guard let core, let binding = try? core.binding(like: table) else { return }
        var base = CollectionBase(.property(ManagedProperty(binding, slot, number)))
        base.projection = projection
        block(CollectionDelivery(change, base))
      }
    }
  }
}

/// Calls the block of an observer with the observed results and each change of them, before they have the types of the
/// program.
private struct TypedResultsReceiver: ReportReceiver {
  let unheld: DynamicResults.Unheld
  let block: (CollectionDelivery) -> Void

  func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) throws {
    guard let store = session as? DynamicStore else { return }
    let observatory = store.session.observatory
    // Most blocks do not keep the results: the next receiver of the round uses the same query object.
    var query: ResultsQuery
    if let spare = observatory.takeSpare() as? ResultsQuery {
      query = spare
      query.replace(by: unheld.results(in: store, observer: observatory.reportedToken))
    } else {
      guard let core = store.core else { return }
      query = ResultsQuery(core, unheld.results(in: store, observer: observatory.reportedToken))
    }
    switch report {
    case .rows(let delivered): block(.update(CollectionBase(.query(query)), delivered))
    case .collection(let change):
      block(CollectionDelivery(change, CollectionBase(.query(query))))
    case .changed, .refreshRequired, .sections, .value, .change, .deleted, .property,
      .propertyRows, .invalidated, .error:
      break
    }
    if isKnownUniquelyReferenced(&query) { observatory.keepSpare(query) }
  }

  func folded(_ common: inout AnyObject?) -> (any ReportReceiver)? {
    unheld.folded(&common).map { TypedResultsReceiver(unheld: $0, block: block) }
  }

  func unfolded(_ query: BoundQuery) -> any ReportReceiver {
    TypedResultsReceiver(unheld: unheld.with(query), block: block)
  }
}

extension Map {
  /// Observes the map: `initial`, then the keys that each commit changed. `keyPaths` as in
  /// `StoredCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (MapChange<Key, Value>) -> Void
  ) -> NotificationToken {
    .observing(_core, block) {
      guard let property else {
        throw HeraldError.cannotObserve("a map of an unmanaged object")
      }
      return try property.core.token { try register(property, keyPaths, block) }
    }
  }

  private func register(
    _ property: ManagedProperty, _ keyPaths: [String]?,
    _ block: @escaping (MapChange<Key, Value>) -> Void
  ) throws -> ObservationToken {
    let (slot, number, table) = (property.slot, property.number, property.binding.table)
    return try property.live.observe(keyPaths: keyPaths) { [weak core = property.core] _, change in
      guard let core, let binding = try? core.binding(like: table) else { return }
      Self.deliver(change, ManagedProperty(binding, slot, number), block)
    }
  }

  private static func deliver(
    _ change: DynamicCollectionChange, _ property: ManagedProperty,
    _ block: (MapChange<Key, Value>) -> Void
  ) {
    switch change {
    case .initial: block(.initial(Map(property)))
    case .mapUpdate(let changes, _):
      block(
        .update(
          Map(property), deletions: changes.deletions.map(Key.init(_text:)),
          insertions: changes.insertions.map(Key.init(_text:)),
          modifications: changes.modifications.map(Key.init(_text:))))
    case .update: break
    case .error(let error): block(.error(error))
    }
  }
}
