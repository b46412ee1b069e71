import Herald
import TestModel

extension LibrarySession {
  func observe(
    _ name: String, _ sight: ModelObservation, _ restriction: ModelRestriction
  ) throws -> ObservationToken {
    switch sight {
    case .store:
      return try store.observe { [unowned self] change in
        switch change {
        case .changed: try notify(name, .changed)
        case .refreshRequired: try notify(name, .refreshRequired)
        case .error(let error): throw error
        }
      }
    case .object(let id, let isExclusive):
      return try object(id).observe(keyPaths: restriction.keyPaths, isExclusive: isExclusive) {
        [unowned self] object, change in
        try notify(name, event(change, object))
      }
    case .projection(let id, let projection):
      return try store.projection(projection, of: object(id)).observe(
        keyPaths: restriction.keyPaths
      ) { [unowned self] projection, change in
        try notify(name, event(change, projection.object))
      }
    case .results(let className, let text):
      return try observe(name, results(className, text), restriction)
    case .collection(let id, let property):
      return try observe(name, object(id).collection(property), restriction)
    case .collectionResults(let id, let property, let text):
      return try observe(name, results(object(id).collection(property), text), restriction)
    case .inside(let id, let property, let path):
      return try object(id).nested(property, path).observe(
        keyPaths: restriction.keyPaths, depth: restriction.depth
      ) { [unowned self] nested, change in
        let rows = isDeleted(change) ? ModelRows([]) : ModelRows(nested.values, keys: nested.keys)
        try notify(name, event(change, rows))
      }
    case .property(let id, let property):
      return try object(id).observeProperty(property) { [unowned self] in try notify(name, $0) }
    case .end(let id, ofCollection: let property?):
      return try object(id).collection(property).observeInvalidation { [unowned self] in
        try notify(name, $0)
      }
    case .end(let id, ofCollection: nil):
      return try object(id).observeInvalidation { [unowned self] in try notify(name, $0) }
    }
  }

  private func notify(_ name: String, _ event: PropertyEvent) throws {
    switch event {
    case .changed(let property, let old, let new):
      try notify(name, .assigned(property: property, .value(old: old, new: new)))
    case .rows(let property, let kind, let rows):
      try notify(name, .assigned(property: property, ModelAssignment(kind, rows)))
    case .invalidated: try notify(name, .invalidated)
    case .error(let error): throw error
    }
  }

  private func observe(
    _ name: String, _ results: DynamicResults, _ restriction: ModelRestriction
  ) throws -> ObservationToken {
    try results.observe(keyPaths: restriction.keyPaths, depth: restriction.depth) {
      [unowned self] results, change in
      // Results cannot be read when what selected or ordered their rows was dropped.
      guard !isDeleted(change), let objects = try? results.objects else {
        return try notify(name, event(change, ModelRows([])))
      }
      let rows = ModelRows(objects.map { .link($0.id) })
      try notify(name, event(change, rows), kept(name, objects))
    }
  }

  private func observe(
    _ name: String, _ collection: LiveCollection, _ restriction: ModelRestriction
  ) throws -> ObservationToken {
    try collection.observe(keyPaths: restriction.keyPaths, depth: restriction.depth) {
      [unowned self] collection, change in
      guard collection.isValid else { return try notify(name, event(change, ModelRows([]))) }
      let rows = ModelRows(collection.values, keys: collection.keys)
      var faults: [String] = []
      let type = collection.property.type
      if type.linkedClass != nil, type.shape == .list || type.isBacklinks {
        faults = kept(name, try rows.values.compactMap { try self.object(at: $0) })
      }
      try notify(name, event(change, rows), faults)
    }
  }

  private func object(at value: Value) throws -> ObjectHandle? {
    if case .link(let id) = value { try object(id) } else { nil }
  }

  private func isDeleted(_ change: DynamicCollectionChange) -> Bool {
    switch change {
    case .initial: false
    case .update(_, let isDeleted), .mapUpdate(_, let isDeleted): isDeleted
    case .error: true
    }
  }

  /// Checks that in a delivery the rows that a token keeps are those of the collection (1.7).
  private func kept(_ name: String, _ objects: [ObjectHandle]) -> [String] {
    // The first call comes while the token is being registered, the last one of lost rows after its end.
    guard let token = tokens[name], token.isLive else { return [] }
    guard let kept = token.objects(in: 0..<objects.count + 1), kept == objects else {
      return ["a token's rows are not those of its collection"]
    }
    let part = objects.count / 3..<objects.count / 2
    return token.objects(in: part) == Array(objects[part]) ? [] : ["rows \(part) differ"]
  }

  private func notify(_ name: String, _ event: ModelEvent, _ faults: [String] = []) throws {
    switch callBack(.notified(name: name, event, faults: faults)) {
    case .goOn: break
    case .fail: throw Rollback()
    }
  }

  private func event(_ change: DynamicObjectChange, _ object: ObjectHandle) throws -> ModelEvent {
    switch change {
    case .deleted: return .deleted
    case .change(let properties):
      return .change(
        properties.map(ModelPropertyChange.init), object.isValid ? try reading(object) : nil)
    case .error(let error): throw error
    }
  }

  private func event(_ change: DynamicCollectionChange, _ rows: ModelRows) throws -> ModelEvent {
    switch change {
    case .initial(let count): return .initial(count: count, rows)
    case .update(let changes, let isDeleted):
      return .update(ModelRowChanges(changes), ownerDeleted: isDeleted, rows)
    case .mapUpdate(let changes, let isDeleted):
      return .mapUpdate(
        ModelKeyChanges(
          deletions: changes.deletions, insertions: changes.insertions,
          modifications: changes.modifications),
        ownerDeleted: isDeleted, rows)
    case .error(let error): throw error
    }
  }
}
