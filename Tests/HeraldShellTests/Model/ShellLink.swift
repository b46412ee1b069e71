import Foundation
import Herald

@testable import TestModel

/// Performs commands as statements of one session of the shell, and calls back for the events that the
/// session has printed.
final class ShellLink: ModelLink {
  /// The error that ends a write that is to be rolled back.
  private static let rollback = ModelRefusal(reason: .rollback, words: "the block failed")

  /// What comes before the session's statements.
  let prefix: String
  /// Events that were printed and not called back for.
  var events: [[String: Any]] = []
  private let name: String
  unowned let level: ShellLevel
  private let callBack: (ModelCall) -> ModelAnswer
  private var tokens: [String: ModelObservation] = [:]
  /// The objects by their keys before the open transaction; nil if none is open.
  private var keyedBefore: ShellKeys?
  /// The version up to which all events have been called back for: from it the old values of events are.
  private var deliveredVersion = 0

  init(
    _ name: String, _ level: ShellLevel, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) {
    (self.name, self.level, self.callBack) = (name, level, callBack)
    prefix = name == "main" ? "" : "@\(name) "
  }

  func leave() {}

  func perform(_ command: ModelCommand) throws -> ModelReply {
    do { return try execute(command) } catch let refusal as ModelRefusal {
      return .refused(refusal)
    }
  }

  private func execute(_ command: ModelCommand) throws -> ModelReply {
    switch command {
    case .add(let name, let given), .addEmbeddedObject(let name, let given):
      try run("add \(name) \(text(given))")
      return .object(level.added(name, given))
    case .upsert(let name, let given): return .object(try upsert(name, given))
    case .set(let id, let given): try run("set \(level.name(id)) \(text(given))")
    case .delete(let id):
      try run("delete \(level.name(id))")
      level.deleted(id)
      return .answer(false)
    case .change(_, property: _, .insert(let values, at: _)) where values.isEmpty: break
    case .change(let id, let property, let operation):
      try run(operation.statement("\(level.name(id)).\(property)", level))
    case .write(let names): try write(names)
    case .begin: try begin()
    case .commit(let names): try commit(names)
    case .rollback: try rollBack()
    case .declare(let name, let target): try run("class \(name) { first: \(target) }")
    case .observe(let name, let observation, let restriction):
      tokens[name] = observation
      try observe(name, observation, restriction)
    case .stop(let name, _):
      try run("invalidate \(name)")
      return .answer(false)
    case .endTurn: return .answer(try notify())
    case .refresh:
      let before = try level.version(of: name)
      try run("refresh")
      let isNew = try level.version(of: name) > before
      return .answer(isNew)
    case .setAutorefresh(let isOn): _ = try level.run("\(prefix)autorefresh \(isOn ? "on" : "off")")
    case .read(let name): return .objects(try objects(name).map(reading))
    case .ask(let name, let text): return try rows("\(name) \(text)")
    case .askCollection(let id, let property, let text):
      return try rows(rows(id, property, text))
    case .check: return .faults(level.faults)
    case .changeInside, .queueWrite, .writeAtOnce, .alter, .drop, .freeze, .readFrozen:
      throw ModelRefusal(reason: .other, words: "not a command of the shell")
    }
    return .done(version: try level.version(of: name))
  }

  /// Runs a statement, and calls back for what it delivers at once.
  private func run(_ statement: String) throws {
    _ = try level.run(prefix + statement)
    _ = try notify()
  }

  private func text(_ given: [ModelGiven]) -> String {
    "{ \(given.map { "\($0.property): \(level.text($0.content))" }.joined(separator: ", ")) }"
  }

  private func upsert(_ name: String, _ given: [ModelGiven]) throws -> ObjectID {
    let schema = level.schema
    guard let type = schema.classes.firstIndex(where: { $0.name == name }),
      let place = schema.classes[type].primaryKey,
      let key = given.first(where: { $0.property == schema.classes[type].properties[place].name }),
      case .value(let value) = key.content
    else { throw ModelRefusal(reason: .other, words: "no key of \(name)") }
    let count = try level.run(
      "\(prefix)count \(name) where \(key.property) == \(level.text(value))")
    try run("upsert \(name) \(text(given))")
    let isKnown = count.first?["result"] as? Int == 1
    let known = try keyed[schema.ids[type]]?[value]
    if isKnown, let known { return known }
    return level.added(name, given)
  }

  // MARK: - Writes

  private func begin() throws {
    try run("begin")
    keyedBefore = level.keyed
  }

  private func commit(_ names: [String]) throws {
    // Some may have ended when the write began.
    let tokens = try level.run("tokens").flatMap { $0["tokens"] as? [[String: Any]] ?? [] }
    let live = names.filter { name in tokens.contains { $0["token"] as? String == name } }
    let without = live.isEmpty ? "" : " without \(live.joined(separator: ", "))"
    _ = try level.run("\(prefix)commit\(without)")
    keyedBefore = nil
    level.committed(try level.version(of: name))
    // The rest is delivered at the end of the turn.
    _ = try notify(moments) { $0["event"] as? String == "changed" }
  }

  private func rollBack() throws {
    _ = try level.run("\(prefix)rollback")
    let rolledBack = level.keyed
    level.keyed = keyedBefore ?? rolledBack
    // What these events take back are values of the transaction.
    _ = try notify(Moments(old: rolledBack, new: level.keyed)) {
      $0["event"] as? String == "property"
    }
    keyedBefore = nil
  }

  private func write(_ names: [String]) throws {
    try begin()
    switch callBack(.inside) {
    case .goOn: try commit(names)
    case .fail:
      try rollBack()
      throw Self.rollback
    }
  }

  // MARK: - Observers

  private func observe(
    _ name: String, _ observation: ModelObservation, _ restriction: ModelRestriction
  ) throws {
    var words = "observe \(text(observation)) as \(name)"
    if let paths = restriction.keyPaths {
      words += " keypaths " + (paths.isEmpty ? "none" : paths.joined(separator: ", "))
    }
    if let depth = restriction.depth { words += " depth \(depth)" }
    if case .object(_, isExclusive: true) = observation { words += " exclusive" }
    // Its initial event is delivered at the end of the turn.
    _ = try level.run(prefix + words)
  }

  /// Without a clause it would be the collection.
  private func rows(_ id: ObjectID, _ property: String, _ text: String) -> String {
    "\(level.name(id)).\(property) \(text.isEmpty ? "where TRUEPREDICATE" : text)"
  }

  func text(_ observation: ModelObservation) -> String {
    switch observation {
    case .store: "store"
    case .object(let id, _): level.name(id)
    case .results(let name, let text): "\(name) \(text)"
    case .collection(let id, let property): "\(level.name(id)).\(property)"
    case .collectionResults(let id, let property, let text): rows(id, property, text)
    case .projection(let id, let name): "\(name) of \(level.name(id))"
    case .property(let id, let name): "property \(level.name(id)).\(name)"
    case .inside(let id, let property, let path): "\(level.name(id)).\(property)\(path.text)"
    case .end(let id, ofCollection: let property):
      "property \(level.name(id)).\(property.map { "\($0)." } ?? "")invalidated"
    }
  }

  /// The objects by their keys when the old and the new values of an event were there.
  private struct Moments {
    let old: ShellKeys
    let new: ShellKeys
  }

  /// The moments of the events that have arrived.
  private var moments: Moments {
    get throws {
      let new = try keyed
      return Moments(old: keyedBefore == nil ? level.keyed(at: deliveredVersion) : new, new: new)
    }
  }

  /// The objects by their keys that the session reads.
  var keyed: ShellKeys {
    get throws {
      keyedBefore == nil ? level.keyed(at: try level.version(of: name)) : level.keyed
    }
  }

  /// Calls back for all events that have arrived; returns whether there were any.
  private func notify() throws -> Bool {
    let hasNotified = try notify(moments) { _ in true }
    deliveredVersion = try level.version(of: name)
    return hasNotified
  }

  /// Calls back for the first of the events that have arrived; returns whether there were any.
  private func notify(
    _ moments: Moments, while isNext: ([String: Any]) -> Bool
  ) throws -> Bool {
    var hasNotified = false
    while let event = events.first, isNext(event) {
      events.removeFirst()
      hasNotified = true
      let name = event["token"] as? String ?? ""
      guard let observation = tokens[name] else {
        throw ModelRefusal(reason: .other, words: "an event of no token: \(event)")
      }
      let notified = ModelCall.notified(
        name: name, try read(event, observation, moments), faults: [])
      guard case .goOn = callBack(notified) else { throw Self.rollback }
    }
    return hasNotified
  }

  private func read(
    _ event: [String: Any], _ observation: ModelObservation, _ moments: Moments
  ) throws -> ModelEvent {
    let isDeleted = event["ownerDeleted"] as? Bool ?? false
    switch event["event"] as? String {
    case "changed": return .changed
    case "refreshRequired": return .refreshRequired
    case "deleted": return .deleted
    case "initial":
      let rows = try rows(observation)
      return .initial(count: event["count"] as? Int ?? -1, rows)
    case "update":
      let rows = isDeleted ? ModelRows([]) : try rows(observation)
      if isMap(observation) {
        return .mapUpdate(
          ModelKeyChanges(
            deletions: event["deletions"] as? [String] ?? [],
            insertions: event["insertions"] as? [String] ?? [],
            modifications: event["modifications"] as? [String] ?? []),
          ownerDeleted: isDeleted, rows)
      }
      return .update(ModelRowChanges(changes(event)), ownerDeleted: isDeleted, rows)
    case "change": return try readChange(event, observation, moments)
    case "property": return try readProperty(event, observation, moments)
    case let other:
      throw ModelRefusal(reason: .other, words: "an event \(other ?? "without a name")")
    }
  }

  private func changes(_ event: [String: Any]) -> ChangeSet {
    var changes = ChangeSet()
    changes.deletions = event["deletions"] as? [Int] ?? []
    changes.insertions = event["insertions"] as? [Int] ?? []
    changes.modifications = event["modifications"] as? [Int] ?? []
    changes.modificationsNew = event["modificationsNew"] as? [Int] ?? []
    changes.moves = (event["moves"] as? [[Int]] ?? []).map {
      ChangeSet.Move(old: $0[0], new: $0[1])
    }
    return changes
  }

  private func readChange(
    _ event: [String: Any], _ observation: ModelObservation, _ moments: Moments
  ) throws -> ModelEvent {
    let properties = try (event["properties"] as? [[String: Any]] ?? []).map { change in
      let name = change["name"] as? String ?? ""
      guard let old = change["old"], let new = change["new"],
        let property = property(name, of: observation)
      else { return DynamicPropertyChange(name: name, hasValues: false) }
      return DynamicPropertyChange(
        name: name, old: try level.value(old, property, moments.old),
        new: try level.value(new, property, moments.new))
    }
    let object = try owner(observation).flatMap { id in
      try level.run("\(prefix)show \(level.name(id))").flatMap(Self.result).first
    }
    return .change(
      properties.map(ModelPropertyChange.init), try object.map(reading))
  }

  private func readProperty(
    _ event: [String: Any], _ observation: ModelObservation, _ moments: Moments
  ) throws -> ModelEvent {
    let name = event["name"] as? String ?? ""
    if let kind = event["kind"] as? String {
      let rows = event["rows"] as? [Int] ?? []
      let assignment: ModelAssignment =
        switch kind {
        case "insertion": .insertion(rows)
        case "removal": .removal(rows)
        case "replacement": .replacement(rows)
        case _: .setting
        }
      return .assigned(property: name, assignment)
    }
    guard let old = event["old"], let new = event["new"] else {
      return .assigned(property: name, .setting)
    }
    if name == "invalidated" {
      if new as? Bool == true { return .invalidated }
      return .assigned(property: name, .value(old: .bool(true), new: .bool(false)))
    }
    guard let property = property(name, of: observation) else {
      throw ModelRefusal(reason: .other, words: "no property \(name)")
    }
    return .assigned(
      property: name,
      .value(
        old: try level.value(old, property, moments.old),
        new: try level.value(new, property, moments.new)))
  }
}

extension ModelOperation {
  /// The statement that does it to a collection.
  fileprivate func statement(_ rows: String, _ level: ShellLevel) -> String {
    switch self {
    case .insert(let values, let row):
      "insert \(values.map(level.text).joined(separator: ", ")) into \(rows) at \(row)"
    case .remove(let row): "remove \(rows)[\(row)]"
    case .move(let from, let to): "move \(rows)[\(from)] to \(to)"
    case .replace(let row, let value): "set \(rows)[\(row)] = \(level.text(value))"
    case .insertValue(let value): "insert \(level.text(value)) into \(rows)"
    case .removeValue(let value): "remove \(level.text(value)) from \(rows)"
    case .setKey(let key, let value): "set \(rows)[\(key.quoted)] = \(level.text(value))"
    case .removeKey(let key): "remove \(rows)[\(key.quoted)]"
    case .removeAll: "clear \(rows)"
    }
  }
}
