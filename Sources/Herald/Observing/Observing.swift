import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

extension Store {
  /// Observes every commit; the block learns nothing of what changed.
  public func observe(
    _ block: @escaping (StoreChange) throws -> Void
  ) throws -> ObservationToken {
    try observeItself { _, change in try block(change) }
  }

  /// The same; the block is handed the session.
  func observeItself(
    _ block: @escaping (Store, StoreChange) throws -> Void
  ) throws -> ObservationToken {
    try token(for: .store) { store, report in try report.storeChange.map { try block(store, $0) } }
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
    let filter = try objectFilter(keyPaths, isExclusive: isExclusive)
    let id = self.id
    return try store.token(for: .object(id, filter)) { store, report in
      let object = Object(store: store, id: id)
      try report.objectChange.map { try block(object, $0) }
    }
  }

  func objectFilter(_ keyPaths: [String]?, isExclusive: Bool) throws -> ObjectFilter {
    try store.session.checkOpen()
    _ = try classSchema
    guard let keyPaths else { return .everything }
    return .keyPaths(
      try keyPaths.flatMap { try store.schema.paths($0, from: id.classID) },
      isExclusive: isExclusive)
  }

  /// Observes one property as it is assigned in this session's writes, also with an equal value, and
  /// once for each advance over others' commits. Backlinks cannot be observed so.
  public func observeProperty(
    _ name: String, _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try observeProperty(name) { _, event in try block(event) }
  }

  /// The same; the block is handed the object.
  func observeProperty(
    _ name: String, _ block: @escaping (Object, PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    let property = try observableProperty(name)
    return try observe(.property(id, property.id), block)
  }

  func observableProperty(_ name: String) throws -> PropertySchema {
    try store.session.checkOpen()
    let property = try store.session.checkedProperty(name, of: classSchema)
    guard !property.type.isBacklinks else {
      throw HeraldError.cannotObserve("the backlinks property '\(name)'")
    }
    return property
  }

  private func observe(
    _ target: ObservedTarget, _ block: @escaping (Object, PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.token(for: target) { [id] store, report in
      let object = Object(store: store, id: id)
      try report.propertyEvent.map { try block(object, $0) }
    }
  }

  /// Observes the end of the object.
  public func observeInvalidation(
    _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try observeInvalidation { _, event in try block(event) }
  }

  /// The same; the block is handed the object that went.
  func observeInvalidation(
    _ block: @escaping (Object, PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    try store.session.checkOpen()
    _ = try classSchema
    return try observe(.invalidated(id, name: "invalidated"), block)
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
    let filter = try rowFilter(keyPaths, depth)
    let question = question
    let target: ObservedTarget
    var place: (owner: ObjectID, property: PropertySchema)?
    switch base {
    case .allObjects: target = .results(question.query, filter)
    case .collection(let collection):
      _ = try collection.owner.classSchema
      place = (collection.owner.id, collection.property)
      target = .collectionResults(
        owner: collection.owner.id, property: collection.property.id, question.query, filter)
    }
    return try store.token(for: target) { [place] store, report in
      let base: Base =
        if let place {
          .collection(
            LiveCollection(owner: Object(store: store, id: place.owner), property: place.property))
        } else { .allObjects }
      try report.collectionChange.map {
        try block(Results(store: store, base: base, question: question), $0)
      }
    }
  }
}

extension Results {
  func rowFilter(_ keyPaths: [String]?, _ depth: Int?) throws -> RowFilter {
    try store.rowFilter(keyPaths, depth, query.classID)
  }
}

extension LiveCollection {
  /// Observes the elements, as `Results.observe` does.
  public func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (LiveCollection, CollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let filter = try rowFilter(keyPaths, depth)
    let (id, property) = (owner.id, property)
    return try store.token(for: .collection(owner: id, property: property.id, filter)) {
      store, report in
      let list = LiveCollection(owner: Object(store: store, id: id), property: property)
      try report.collectionChange.map { try block(list, $0) }
    }
  }

  func rowFilter(_ keyPaths: [String]?, _ depth: Int?) throws -> RowFilter {
    try store.session.checkOpen()
    _ = try owner.classSchema
    if keyPaths?.isEmpty == false, property.type.linkedClass == nil {
      throw HeraldError.keyPathsOnValues(property.name)
    }
    return try store.rowFilter(keyPaths, depth, property.type.linkedClass ?? owner.id.classID)
  }
}
