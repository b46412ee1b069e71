import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

extension DynamicStore {
  /// Observes every commit, of any session or process, without details of what changed. There is no
  /// initial call. Errors: `closed`, `cannotObserve` for a frozen session, `observeAfterChange` in a
  /// transaction that has changed something.
  package func observe(
    _ block: @escaping (StoreChange) throws -> Void
  ) throws -> ObservationToken {
    try token(for: .store) { _, report in try report.storeChange.map(block) }
  }

  func token(
    for target: ObservedTarget, _ body: @escaping (DynamicStore, Report) throws -> Void
  ) throws -> ObservationToken {
    try token(for: target, SessionReceiver(body: body))
  }

  func token(
    for target: ObservedTarget, _ receiver: some ReportReceiver
  ) throws -> ObservationToken {
    // The token retains the store, so the observer must not, or neither would ever be released.
    let observatory = session.observatory
    if observatory.publicSession == nil { observatory.publicSession = self }
    let id = try session.observe(target, receiver)
    let isOfProperty =
      switch target {
      case .property, .invalidated: true
      case .store, .object, .results, .collection, .nested, .elements, .collectionResults, .groups,
        .sections, .value, .projection:
        false
      }
    return ObservationToken(store: self, id: id, canBeSilenced: !isOfProperty)
  }

  func rowFilter(
    _ keyPaths: [String]?, _ depth: Int?, _ classID: ClassID
  ) throws -> RowFilter {
    guard let keyPaths else { return .deep(limit: depth ?? RowFilter.defaultDepth) }
    return .keyPaths(try paths(keyPaths, from: classID))
  }

  /// Returns what key paths lead to, also in the program's names of properties.
  func paths(_ keyPaths: [String], from classID: ClassID) throws -> [PropertyPath] {
    try keyPaths.flatMap { path in
      try schema.paths(core?.storedPath(path, from: classID) ?? path, from: classID)
    }
  }
}

/// Calls the block of an observer with the session and each report.
private struct SessionReceiver: ReportReceiver {
  let body: (DynamicStore, Report) throws -> Void

  func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) throws {
    if let store = session as? DynamicStore { try body(store, report) }
  }
}

/// Calls the block of an observer with the observed object and each change of it.
private struct ObjectReceiver: ReportReceiver {
  let block: (ObjectHandle, DynamicObjectChange) throws -> Void

  func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) throws {
    guard let store = session as? DynamicStore, let object, let change = report.objectChange else {
      return
    }
    try block(ObjectHandle(store: store, id: object), change)
  }
}

extension ObjectHandle {
  /// Observes the object: its own properties, and its deletion. There is no initial call.
  ///
  /// `keyPaths` restricts the changes that are delivered: nil for every own property, empty for the
  /// deletion alone. Tokens with key paths on the same object also receive the matches of each other,
  /// unless `isExclusive`. Errors: `objectDeleted`, `closed`, `cannotObserve`, `observeAfterChange` in a
  /// transaction that has changed something, and an unknown name in a key path.
  package func observe(
    keyPaths: [String]? = nil, isExclusive: Bool = false,
    _ block: @escaping (ObjectHandle, DynamicObjectChange) throws -> Void
  ) throws -> ObservationToken {
    try observe(ObjectReceiver(block: block), keyPaths: keyPaths, isExclusive: isExclusive)
  }

  /// The same with anything that receives the reports.
  func observe(
    _ receiver: some ReportReceiver, keyPaths: [String]?, isExclusive: Bool = false
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    _ = try classSchema
    var filter = ObjectFilter.everything
    if let keyPaths {
      filter = .keyPaths(
        try store.paths(keyPaths, from: id.classID),
        isExclusive: isExclusive)
    }
    return try store.token(for: .object(id, filter), receiver)
  }

  /// Observes one property: each assignment in this session's transactions, also of an equal value, at
  /// once; and commits of others once for each advance. Errors: `unknownProperty`; `cannotObserve` for
  /// backlinks; those of `observe`.
  package func observeProperty(
    _ name: String, _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    let property = try store.session.checkedProperty(name, of: classSchema)
    guard !property.type.isBacklinks else {
      throw HeraldError.cannotObserve("the backlinks property '\(name)'")
    }
    return try observe(.property(id, property.id), block)
  }

  private func observe(
    _ target: ObservedTarget, _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.token(for: target) { _, report in try report.propertyEvent.map(block) }
  }

  /// Observes the deletion of the object, which is delivered as `invalidated`. Errors: those of
  /// `observe`.
  package func observeInvalidation(
    _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    _ = try classSchema
    return try observe(.invalidated(id, name: "invalidated"), block)
  }
}

extension LiveCollection {
  /// Observes the deletion of the object that owns the collection.
  package func observeInvalidation(
    _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try owner.observeInvalidation(block)
  }
}

extension DynamicResults {
  /// Observes the rows: `initial` at the next delivery, then the changes between deliveries.
  ///
  /// `keyPaths` restricts which rows count as modified: nil for changes of objects up to `depth` links
  /// away (4 by default, 0 for the rows' own properties), empty for none. Cost: the query runs once, at
  /// the first delivery; then O(changes · log rows). Errors: an unknown name in a key path,
  /// `objectDeleted`, `closed`, `cannotObserve`, `observeAfterChange` in a transaction that has changed
  /// something.
  package func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (DynamicResults, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let kept = compacted
    return try kept.observe(
      ResultsReceiver(unheld: kept.unheld, block: block), keyPaths, depth: depth)
  }

  /// The same results in less memory, for an observer to keep.
  var compacted: DynamicResults {
    DynamicResults(
      store: store, base: base,
      binding: binding.with(store.session.observatory.compacted(query)))
  }

  /// The same with anything that receives the reports.
  func observe(
    _ receiver: some ReportReceiver, _ keyPaths: [String]?, depth: Int? = nil
  ) throws -> ObservationToken {
    try observe(receiver, try rowFilter(keyPaths, depth))
  }

  func observe(
    _ receiver: some ReportReceiver, _ filter: RowFilter
  ) throws -> ObservationToken {
    switch base {
    case .allObjects: return try store.token(for: .results(query, filter), receiver)
    case .collection(let collection):
      _ = try collection.owner.classSchema
      return try store.token(
        for: .collectionResults(
          owner: collection.owner.id, property: collection.property.id, query, filter), receiver)
    }
  }
}

/// Calls the block of an observer with the observed results and each change of them.
private struct ResultsReceiver: ReportReceiver {
  let unheld: DynamicResults.Unheld
  let block: (DynamicResults, DynamicCollectionChange) throws -> Void

  func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) throws {
    guard let store = session as? DynamicStore, let change = report.collectionChange else { return }
    let observer = store.session.observatory.reportedToken
    try block(unheld.results(in: store, observer: observer), change)
  }

  func folded(_ common: inout AnyObject?) -> (any ReportReceiver)? {
    unheld.folded(&common).map { ResultsReceiver(unheld: $0, block: block) }
  }

  func unfolded(_ query: BoundQuery) -> any ReportReceiver {
    ResultsReceiver(unheld: unheld.with(query), block: block)
  }
}

extension DynamicResults {
  /// Results without their store, for an observer's block, which the store holds: one reference.
  enum Unheld {
    case allObjects(Binding)
    indirect case collection(Binding, owner: ObjectID, PropertySchema)

    /// The same with a binding that others share, of which only the query differs; nil if more does. The first one
    /// is shared.
    func folded(_ common: inout AnyObject?) -> Unheld? {
      guard case .allObjects(let binding) = self, binding.projection == nil else { return nil }
      guard let common else {
        common = binding
        return self
      }
      guard let shared = common as? Binding, shared.projection == nil,
        shared.schema.isIdentical(to: binding.schema)
      else { return nil }
      return .allObjects(shared)
    }

    /// What was folded, with its query.
    func with(_ query: BoundQuery) -> Unheld {
      guard case .allObjects(let binding) = self else { return self }
      return .allObjects(binding.with(query))
    }

    /// - Parameter observer: The observer in whose block they are read.
    func results(in store: DynamicStore, observer: TokenID? = nil) -> DynamicResults {
      switch self {
      case .allObjects(let binding):
        return DynamicResults(
          store: store, base: .allObjects, binding: binding, observer: observer)
      case .collection(let binding, let owner, let property):
        let owner = ObjectHandle(store: store, id: owner)
        return DynamicResults(
          store: store, base: .collection(LiveCollection(owner: owner, property: property)),
          binding: binding, observer: observer)
      }
    }
  }

  var unheld: Unheld {
    switch base {
    case .allObjects: .allObjects(binding)
    case .collection(let collection):
      .collection(binding, owner: collection.owner.id, collection.property)
    }
  }
}

extension DynamicResults {
  func rowFilter(_ keyPaths: [String]?, _ depth: Int?) throws -> RowFilter {
    guard let projection else { return try store.rowFilter(keyPaths, depth, query.classID) }
    let paths = try keyPaths?.map(projection.path) ?? projection.fields.map(\.path)
    return try shown(paths)
  }

  /// Rows that are modified if what some paths lead to differs.
  func shown(_ paths: [String]) throws -> RowFilter {
    .shown(try paths.flatMap { try store.schema.paths($0, from: query.classID) })
  }
}

extension LiveCollection {
  /// Observes the elements, as `DynamicResults.observe` does; of values the rows of a list, or the keys of a map,
  /// and changes of objects up to `depth` links away.
  ///
  /// The token of a nested list or map follows it when rows before it are inserted or removed. When the
  /// value no longer contains it, the last change is an update with `ownerDeleted`. Errors: also
  /// `keyPathsOnValues` for key paths on values, and `notACollection` if the path of a nested collection
  /// does not lead to one.
  package func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (LiveCollection, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    try observe(try rowFilter(keyPaths, depth), for: nil, block)
  }

  /// Observes the elements for a query of them: the block is also called when only what the query reads differs.
  func observe(
    _ filter: RowFilter, for query: BoundQuery?,
    _ block: @escaping (LiveCollection, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let (id, property, path) = (owner.id, property, path)
    var target =
      place.map { ObservedTarget.nested($0, filter) }
      ?? .collection(owner: id, property: property.id, filter)
    if let query { target = .elements(target, query) }
    return try store.token(for: target) { store, report in
      let path = path.map { store.session.observatory.reportedPath ?? $0 }
      let owner = ObjectHandle(store: store, id: id)
      let collection = LiveCollection(owner: owner, property: property, path: path)
      try report.collectionChange.map { try block(collection, $0) }
    }
  }

  func rowFilter(_ keyPaths: [String]?, _ depth: Int?) throws -> RowFilter {
    try store.session.checkOpen()
    let classSchema = try owner.classSchema
    if path != nil && place == nil {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    if keyPaths?.isEmpty == false, property.type.linkedClass == nil {
      throw HeraldError.keyPathsOnValues(property.name)
    }
    return try store.rowFilter(keyPaths, depth, property.type.linkedClass ?? owner.id.classID)
  }
}
