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
  /// The same of a map, by keys.
  case mapUpdate(MapChangeSet, ownerDeleted: Bool)
}

/// What a property observer is told.
public enum PropertyEvent: Hashable, Sendable {
  case changed(name: String, old: Value, new: Value)
  /// What happened to a collection property; rows where the kind has any.
  case rows(name: String, kind: ListChangeKind, rows: [Int])
  /// The object is gone. The token is then dead.
  case invalidated(name: String)
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
  /// The session that calls the block; nil for an object that is not in a store.
  let store: Store?
  let id: TokenID
  /// The block of an observer of a new object, until it stops.
  private(set) var detached: ((PropertyEvent) throws -> Void)?
  private let object: NewObject?

  /// False for observers of properties: they are told at the assignment, before there is a commit to
  /// be silent about.
  public let canBeSilenced: Bool

  init(store: Store, id: TokenID, canBeSilenced: Bool) {
    self.store = store
    self.id = id
    self.canBeSilenced = canBeSilenced
    object = nil
  }

  init(of object: NewObject, _ block: @escaping (PropertyEvent) throws -> Void) {
    store = nil
    id = TokenID(rawValue: -1)
    canBeSilenced = false
    detached = block
    self.object = object
  }

  deinit { store?.session.dropped.note(id) }

  /// Stops the observer, also in the midst of a delivery. Twice does nothing.
  public func invalidate() {
    store?.session.invalidate(id)
    detached = nil
  }

  /// Whether the first call, which tells the rows there are, is still to come.
  public var awaitsInitial: Bool { store?.session.awaitsInitial(id) ?? false }

  public var isLive: Bool {
    guard let store else { return detached != nil }
    return !store.isClosed && store.session.isLive(id)
  }
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
      case .initial, .update, .mapUpdate, .change, .deleted, .property, .propertyRows,
        .invalidated:
        break
      }
    }
  }

  func token(
    for target: ObservedTarget, _ body: @escaping (Store, Report) throws -> Void
  ) throws -> ObservationToken {
    // The token holds the store, so the observer must not: it would never end.
    let id = try session.observe(target) { [weak self] report in
      if let self { try body(self, report) }
    }
    let isOfProperty =
      switch target {
      case .property, .invalidated: true
      case .store, .object, .results, .collection, .inside, .collectionResults, .projection: false
      }
    return ObservationToken(store: self, id: id, canBeSilenced: !isOfProperty)
  }

  func rowFilter(
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
      try report.objectChange.map { try block(object, $0) }
    }
  }

  /// Observes one property as it is assigned in this session's writes, also with an equal value, and
  /// once for each advance over others' commits. Backlinks cannot be observed so.
  public func observeProperty(
    _ name: String, _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    let property = try store.session.checkedProperty(name, of: classSchema)
    guard !property.type.isBacklinks else {
      throw HeraldError.cannotObserve("the backlinks property '\(name)'")
    }
    return try store.token(for: .property(id, property.id)) { _, report in
      try report.propertyEvent.map(block)
    }
  }

  /// Observes the end of the object.
  public func observeInvalidation(
    _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    _ = try classSchema
    return try store.token(for: .invalidated(id, name: "invalidated")) { _, report in
      try report.propertyEvent.map(block)
    }
  }
}

extension LiveCollection {
  /// Observes the end of the object that holds the collection.
  public func observeInvalidation(
    _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try owner.observeInvalidation(block)
  }
}

extension Results {
  /// Observes the rows. `keyPaths` restricts modifications (nil: anything up to `depth` links away,
  /// 4 by default; empty: no modifications).
  public func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (Results, CollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let filter = try store.rowFilter(keyPaths, depth, query.classID)
    let (query, schema) = (self.query, self.schema)
    let target: ObservedTarget
    var place: (owner: ObjectID, property: PropertySchema)?
    switch base {
    case .allObjects: target = .results(query, filter)
    case .collection(let collection):
      _ = try collection.owner.classSchema
      place = (collection.owner.id, collection.property)
      target = .collectionResults(
        owner: collection.owner.id, property: collection.property.id, query, filter)
    }
    return try store.token(for: target) { [place] store, report in
      let base: Base =
        if let place {
          .collection(
            LiveCollection(owner: Object(store: store, id: place.owner), property: place.property))
        } else { .allObjects }
      try report.collectionChange.map {
        try block(Results(store: store, base: base, query: query, schema: schema), $0)
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
    if keyPaths?.isEmpty == false, property.type.linkedClass == nil {
      throw HeraldError.keyPathsOnValues(property.name)
    }
    let filter = try store.rowFilter(
      keyPaths, depth, property.type.linkedClass ?? owner.id.classID)
    let (id, property) = (owner.id, property)
    return try store.token(for: .collection(owner: id, property: property.id, filter)) {
      store, report in
      let list = LiveCollection(owner: Object(store: store, id: id), property: property)
      try report.collectionChange.map { try block(list, $0) }
    }
  }
}

extension Report {
  var collectionChange: CollectionChange? {
    switch self {
    case .initial(let count): .initial(count: count)
    case .update(let changes, let ownerDeleted): .update(changes, ownerDeleted: ownerDeleted)
    case .mapUpdate(let changes, let ownerDeleted):
      .mapUpdate(changes, ownerDeleted: ownerDeleted)
    case .changed, .refreshRequired, .change, .deleted, .property, .propertyRows, .invalidated:
      nil
    }
  }

  fileprivate var propertyEvent: PropertyEvent? {
    switch self {
    case .property(let name, let old, let new): .changed(name: name, old: old, new: new)
    case .propertyRows(let name, let kind, let rows): .rows(name: name, kind: kind, rows: rows)
    case .invalidated(let name): .invalidated(name: name)
    case .changed, .refreshRequired, .initial, .update, .mapUpdate, .change, .deleted: nil
    }
  }

  var objectChange: ObjectChange? {
    switch self {
    case .change(let properties): .change(properties)
    case .deleted: .deleted
    case .changed, .refreshRequired, .initial, .update, .mapUpdate, .property, .propertyRows,
      .invalidated:
      nil
    }
  }
}
