import Herald

enum TwinTarget {
  case store
  /// No key paths: every own property. Empty: only the deletion.
  case object(ObjectID, keyPaths: [[String]]?, isExclusive: Bool)
  case results(TwinQuery, TwinFilter)
  case list(owner: ObjectID, property: Int, TwinFilter)
}

/// A token as the twin knows it.
final class TwinToken {
  let name: String
  let target: TwinTarget
  /// What the library gave; nil once it was dropped.
  var token: ObservationToken?
  var isLive = true
  /// The version up to which the token knows everything.
  var heard: Int
  /// Whether `initial` is still owed (2.2).
  var awaitsInitial: Bool
  /// Whether a store token was told that a refresh is required, since the last advance (1.3).
  var toldRefresh = false

  init(name: String, target: TwinTarget, heard: Int) {
    self.name = name
    self.target = target
    self.heard = heard
    switch target {
    case .store, .object: awaitsInitial = false
    case .results, .list: awaitsInitial = true
    }
  }

  var isStoreToken: Bool {
    switch target {
    case .store: true
    case .object, .results, .list: false
    }
  }

  /// The object and the key paths that the token shares with others on the same object (3.5).
  var shared: (id: ObjectID, keyPaths: [[String]])? {
    switch target {
    case .object(let id, .some(let paths), isExclusive: false) where !paths.isEmpty: (id, paths)
    case .store, .object, .results, .list: nil
    }
  }

  func text(_ schema: TwinSchema) -> String {
    switch target {
    case .store: return "observe store as \(name)"
    case .object(let id, let paths, let isExclusive):
      var text = "observe \(id.literal) as \(name)"
      if let paths { text += " keypaths " + paths.text }
      return text + (isExclusive ? " exclusive" : "")
    case .results(let query, let filter):
      return
        "observe \(schema.classes[query.type].name) \(query.text(schema)) as \(name)\(filter.text)"
    case .list(let owner, let property, let filter):
      let type = schema.place(of: owner.classID) ?? 0
      let list = schema.classes[type].properties[property].name
      return "observe \(owner.literal).\(list) as \(name)\(filter.text)"
    }
  }
}

extension [[String]] {
  var text: String {
    isEmpty ? "none" : map { $0.joined(separator: ".") }.joined(separator: ", ")
  }
}

extension TwinFilter {
  var text: String {
    switch self {
    case .depth(let limit): limit == 4 ? "" : " depth \(limit)"
    case .keyPaths(let paths): " keypaths " + paths.text
    }
  }
}

extension ObjectID {
  var literal: String { Value.link(self).literal }
}

/// What a token was told, with the rows that were read inside the block (1.7).
enum TwinEvent {
  case store(StoreChange)
  case object(ObjectChange)
  case collection(CollectionChange, rows: [Value])

  var text: String {
    switch self {
    case .store(let change): "\(change)"
    case .object(.deleted): "deleted"
    case .object(.change(let properties)):
      "change "
        + properties.map {
          $0.hasValues ? "\($0.name) \($0.old.literal) -> \($0.new.literal)" : $0.name
        }.joined(separator: ", ")
    case .collection(.initial(let count), let rows): "initial \(count), rows \(rows.text)"
    case .collection(.update(let changes, let ownerDeleted), let rows):
      changes.text + (ownerDeleted ? " owner deleted" : "") + ", rows \(rows.text)"
    case .collection(.mapUpdate(let changes, _), _): "\(changes)"
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

/// What a token must be told at a delivery: in words, and as a check of what it is told, which
/// answers what is wrong or nil.
struct TwinExpectation {
  var text: String
  var fault: (TwinEvent) -> String?
}
