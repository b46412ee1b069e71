import HeraldModel
import HeraldObservation

enum ModelTarget {
  case store
  /// No key paths: every own property. Empty: only the deletion.
  case object(ObjectID, keyPaths: [[String]]?, isExclusive: Bool)
  case results(ModelQuery, ModelFilter)
  case collection(owner: ObjectID, property: Int, ModelFilter)
  case collectionResults(owner: ObjectID, property: Int, ModelQuery, ModelFilter)
  /// The index of a projection in the schema; nil: all its names.
  case projection(ObjectID, Int, names: [String]?)
  case inside(ModelInside, ModelFilter)
  /// An observer of one property (8).
  case property(ObjectID, Int)
  /// Of the end of an object, by itself or by a collection of its own.
  case end(ObjectID, ofCollection: Int?)

  /// The object with which the token ends.
  var owner: ObjectID? {
    switch self {
    case .store, .results: nil
    case .object(let id, _, _), .projection(let id, _, _), .collection(let id, _, _),
      .collectionResults(let id, _, _, _), .property(let id, _), .end(let id, _):
      id
    case .inside(let place, _): place.owner
    }
  }

  var query: ModelQuery? {
    switch self {
    case .results(let query, _), .collectionResults(_, _, let query, _): query
    case .store, .object, .projection, .collection, .property, .end, .inside: nil
    }
  }

  /// The object and the key paths that the token shares with others on the same object (3.5).
  var shared: (id: ObjectID, keyPaths: [[String]])? {
    guard case .object(let id, let paths?, isExclusive: false) = self, !paths.isEmpty else {
      return nil
    }
    return (id, paths)
  }
}

/// A nested list or map, recognised wherever it moves by its number in the object.
struct ModelInside {
  let owner: ObjectID
  let property: Int
  /// Its position when it was observed.
  let path: [ValueStep]
  let id: Int

  func node(_ state: ModelStore) -> NestedNode? { state[owner]?.inside?.node(id) }
}

/// A token as the twin knows it.
final class ModelToken {
  let name: String
  let target: ModelTarget
  /// The statement that observes.
  let text: String
  var isLive = true
  /// The version up to which the token knows everything.
  var deliveredUpTo: Int
  /// What that was before the delivery under way.
  var notified = 0
  /// Whether `initial` is still pending (2.2).
  var awaitsInitial: Bool
  /// Whether the owner was deleted at `initial`: one more call is to come (2.5).
  var isOrphan = false
  /// Whether a store token was notified that a refresh is required, since the last advance (1.3),
  /// or is to be.
  var notifiedRefresh = false
  var hasPendingRefresh = false
  /// How many writes under way are silent for it: these hold it.
  var holders = 0

  init(name: String, target: ModelTarget, _ schema: ModelSchema, deliveredUpTo: Int) {
    self.name = name
    self.target = target
    text = target.text(schema, name)
    self.deliveredUpTo = deliveredUpTo
    switch target {
    case .store, .object, .projection, .property, .end: awaitsInitial = false
    case .results, .collection, .collectionResults, .inside: awaitsInitial = true
    }
  }

  var isStoreToken: Bool { if case .store = target { true } else { false } }

  /// Whether it receives its own session's writes at once (8.1).
  var isPropertyToken: Bool {
    switch target {
    case .property, .end: true
    case .store, .object, .results, .collection, .collectionResults, .projection, .inside: false
    }
  }

}

extension ModelTarget {
  fileprivate func text(_ schema: ModelSchema, _ name: String) -> String {
    switch self {
    case .store: return "observe store as \(name)"
    case .object(let id, let paths, let isExclusive):
      var text = "observe \(id.literal) as \(name)"
      if let paths { text += " keypaths " + paths.text }
      return text + (isExclusive ? " exclusive" : "")
    case .results(let query, let filter):
      return "observe \(filter.words(query, schema)) as \(name)\(filter.text)"
    case .collection(let owner, let property, let filter):
      return "observe \(collection(owner, property, schema)) as \(name)\(filter.text)"
    case .collectionResults(let owner, let property, let query, let filter):
      return "observe \(collection(owner, property, schema)) \(query.text(schema)) as \(name)"
        + filter.text
    case .projection(let id, let place, let names):
      let words = names.map { " keypaths \($0.joined(separator: ", "))" } ?? ""
      return "observe \(schema.projections[place].name) of \(id.literal) as \(name)\(words)"
    case .inside(let place, let filter):
      return
        "observe \(collection(place.owner, place.property, schema))\(place.path.text) as \(name)"
        + filter.text
    case .property(let id, let place):
      return "observe property \(collection(id, place, schema)) as \(name)"
    case .end(let id, let place):
      let what = place.map { collection(id, $0, schema) } ?? id.literal
      return "observe property \(what).invalidated as \(name)"
    }
  }

  private func collection(_ owner: ObjectID, _ property: Int, _ schema: ModelSchema) -> String {
    "\(owner.literal).\(schema.name([property], from: schema.place(of: owner.classID) ?? 0))"
  }
}

extension [ValueStep] {
  var text: String {
    map { step in
      switch step {
      case .row(let row): "[\(row)]"
      case .key(let key): "[\"\(key)\"]"
      }
    }.joined()
  }
}

extension [[String]] {
  var text: String {
    isEmpty ? "none" : map { $0.joined(separator: ".") }.joined(separator: ", ")
  }
}

extension ModelFilter {
  var text: String {
    switch self {
    case .depth(let limit): limit == 4 ? "" : " depth \(limit)"
    case .keyPaths(let paths): " keypaths " + paths.text
    case .shown(_, let names): names.map { " keypaths " + $0.map { [$0] }.text } ?? ""
    }
  }

  /// The query, of a class or of a projection in its names.
  func words(_ query: ModelQuery, _ schema: ModelSchema) -> String {
    if case .shown(let place, _) = self {
      let projection = schema.projections[place]
      return "\(projection.name) \(query.text(schema.seen(through: projection)))"
    }
    return "\(schema.classes[query.type].name) \(query.text(schema))"
  }
}

extension ObjectID {
  var literal: String { Value.link(self).literal }
}

extension ModelEvent {
  var text: String {
    switch self {
    case .changed: "changed"
    case .refreshRequired: "refresh required"
    case .deleted: "deleted"
    case .change(let properties, _):
      "change "
        + properties.map {
          $0.hasValues ? "\($0.name) \($0.old.literal) -> \($0.new.literal)" : $0.name
        }.joined(separator: ", ")
    case .initial(let count, let rows): "initial \(count), rows \(rows.values.text)"
    case .update(let changes, let ownerDeleted, let rows):
      changes.changeSet.text + (ownerDeleted ? " owner deleted" : "")
        + ", rows \(rows.values.text)"
    case .mapUpdate(let changes, let ownerDeleted, let rows):
      "\(changes)" + (ownerDeleted ? " owner deleted" : "") + ", rows \(rows.values.text)"
    case .assigned(let property, let assignment): "\(property) \(assignment.text)"
    case .invalidated: "invalidated"
    }
  }
}

extension ModelAssignment {
  var text: String {
    switch self {
    case .value(let old, let new): "\(old.literal) -> \(new.literal)"
    case .insertion(let rows): "insertion \(rows)"
    case .removal(let rows): "removal \(rows)"
    case .replacement(let rows): "replacement \(rows)"
    case .setting: "setting"
    }
  }
}

extension [Value] {
  var text: String { "[" + map(\.literal).joined(separator: ", ") + "]" }
}

extension ChangeSet {
  var text: String {
    let moved = moves.map { "\($0.old)->\($0.new)" }.joined(separator: ", ")
    return "deletions \(deletions) insertions \(insertions) modifications \(modifications)"
      + " new \(modificationsNew) moves [\(moved)]"
  }
}
