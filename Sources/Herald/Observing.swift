import HeraldEngine
import HeraldModel
public import HeraldObservation
import HeraldQuery

/// What a store token is told.
public enum StoreChange: Hashable, Sendable {
  /// Some transaction was committed.
  case changed
  /// Others have committed and the session does not advance by itself.
  case refreshRequired
}

/// What a collection token is told.
public enum CollectionChange: Hashable, Sendable {
  /// Once, at the first delivery: the rows there are.
  case initial(count: Int)
  /// What happened since. `ownerDeleted`: the object that held the list is gone, and the token dead.
  case update(ChangeSet, ownerDeleted: Bool)
}

/// What an object token is told.
public enum ObjectChange: Hashable, Sendable {
  /// The properties that changed, in the order of the schema.
  case change([PropertyChange])
  /// Once; the token is then dead.
  case deleted
}

/// Keeps one observer alive: it stops when `invalidate` is called or when nothing holds the token.
public final class ObservationToken {
  let store: Store
  let id: TokenID

  init(store: Store, id: TokenID) {
    self.store = store
    self.id = id
  }

  deinit { store.session.dropped.note(id) }

  /// Stops the observer, also in the midst of a delivery. Twice does nothing.
  public func invalidate() { store.session.invalidate(id) }

  public var isLive: Bool { !store.isClosed && store.session.isLive(id) }
}

extension Store {
  /// Observes every commit; the block learns nothing of what changed.
  public func observe(
    _ block: @escaping (StoreChange) throws -> Void
  ) throws -> ObservationToken {
    try token(for: .store) { _, report in
      switch report {
      case .changed: try block(.changed)
      case .refreshRequired: try block(.refreshRequired)
      case .initial, .update, .change, .deleted: break
      }
    }
  }

  fileprivate func token(
    for target: ObservedTarget, _ body: @escaping (Store, Report) throws -> Void
  ) throws -> ObservationToken {
    // The token holds the store, so the observer must not: it would never end.
    let id = try session.observe(target) { [weak self] report in
      if let self { try body(self, report) }
    }
    return ObservationToken(store: self, id: id)
  }

  fileprivate func rowFilter(
    _ keyPaths: [String]?, _ depth: Int?, _ classID: ClassID
  ) throws -> RowFilter {
    guard let keyPaths else { return .deep(limit: depth ?? documentedDepth) }
    return .keyPaths(try keyPaths.flatMap { try schema.paths($0, from: classID) })
  }
}

/// How many links away a change is heard without key paths.
private let documentedDepth = 4

extension Object {
  /// Observes the object: its own properties, and its deletion.
  ///
  /// `keyPaths` restricts which changes are told (nil: every own property; empty: none but the
  /// deletion). Tokens with key paths on one object share them, unless `isExclusive`.
  public func observe(
    keyPaths: [String]? = nil, isExclusive: Bool = false,
    _ block: @escaping (Object, ObjectChange) throws -> Void
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    _ = try classSchema
    let filter: ObjectFilter =
      if let keyPaths {
        .keyPaths(
          try keyPaths.flatMap { try store.schema.paths($0, from: self.id.classID) },
          isExclusive: isExclusive)
      } else { .everything }
    let id = self.id
    return try store.token(for: .object(id, filter)) { store, report in
      let object = Object(store: store, id: id)
      switch report {
      case .change(let properties): try block(object, .change(properties))
      case .deleted: try block(object, .deleted)
      case .changed, .refreshRequired, .initial, .update: break
      }
    }
  }
}

extension Results {
  /// Observes the rows. `keyPaths` restricts modifications (nil: anything up to `depth` links away,
  /// 4 by default; empty: no modifications).
  public func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (Results, CollectionChange) throws -> Void
  ) throws -> ObservationToken {
    guard case .allObjects = base else {
      throw HeraldError.cannotObserve("a query over a list or over limited rows")
    }
    let filter = try store.rowFilter(keyPaths, depth, query.classID)
    let query = self.query
    return try store.token(for: .results(query, filter)) { store, report in
      try report.collectionChange.map {
        try block(Results(store: store, base: .allObjects, query: query), $0)
      }
    }
  }
}

extension LiveCollection {
  /// Observes the elements, as `Results.observe` does.
  public func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (LiveCollection, CollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let store = owner.store
    try store.session.checkOpen()
    _ = try owner.classSchema
    if keyPaths != nil, property.type.target == nil {
      throw HeraldError.keyPathsOnValues(property.name)
    }
    let filter = try store.rowFilter(keyPaths, depth, property.type.target ?? owner.id.classID)
    let (id, property) = (owner.id, property)
    return try store.token(for: .list(owner: id, property: property.id, filter)) { store, report in
      let list = LiveCollection(owner: Object(store: store, id: id), property: property)
      try report.collectionChange.map { try block(list, $0) }
    }
  }
}

extension Report {
  fileprivate var collectionChange: CollectionChange? {
    switch self {
    case .initial(let count): .initial(count: count)
    case .update(let changes, let ownerDeleted): .update(changes, ownerDeleted: ownerDeleted)
    case .changed, .refreshRequired, .change, .deleted: nil
    }
  }
}
