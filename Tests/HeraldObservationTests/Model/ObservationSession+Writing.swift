import HeraldModel
import HeraldObservation
import HeraldQuery

@testable import TestModel

extension ObservationSession {
  /// Performs a command in the open transaction.
  func change(_ command: ModelCommand) throws -> ModelReply {
    guard var write else { throw Unknown(what: "transaction") }
    defer { self.write = write }
    switch command {
    case .add(let name, let given), .addEmbeddedObject(let name, let given):
      let type = try classSchema(name, write)
      if find(type, given, write) != nil {
        return .refused(ModelRefusal(reason: .duplicateKey, words: "duplicate key"))
      }
      return .object(try add(type, given, &write))
    case .upsert(let name, let given):
      let type = try classSchema(name, write)
      guard let object = find(type, given, write) else {
        return .object(try add(type, given, &write))
      }
      try set(given, of: object, &write, isUpsert: true)
      return .object(object)
    case .set(let object, let given): try set(given, of: object, &write)
    case .delete(let object):
      write.delete(object)
      return .answer(write.state[object] != nil)
    case .change(let object, let name, let operation):
      let property = try property(name, of: object, write)
      change(object, property, operation, &write)
    case .declare(let name, let target):
      let type = PropertyType(.link(try classSchema(target, write).id))
      let first = PropertySchema(id: PropertyID(1), name: "first", type: type)
      write.state.schema.put(
        ClassSchema(
          id: ClassID(UInt32(write.state.schema.classes.count + 1)), name: name,
          properties: [first]))
    case .write, .queueWrite, .begin, .commit, .rollback, .writeAtOnce, .observe, .stop, .endTurn,
      .refresh, .setAutorefresh, .read, .ask, .askCollection, .check, .changeInside,
      .alter, .drop, .freeze, .readFrozen:
      break
    }
    return .done(version: version)
  }

  private func classSchema(_ name: String, _ write: RecordingTransaction) throws -> ClassSchema {
    guard let found = write.state.schema.classSchema(named: name) else { throw Unknown(what: name) }
    return found
  }

  private func property(
    _ name: String, of object: ObjectID, _ write: RecordingTransaction
  ) throws -> PropertySchema {
    guard let found = write.state.schema.classSchema(object.classID)?.property(named: name) else {
      throw Unknown(what: name)
    }
    return found
  }

  /// The object with the primary key that is given.
  private func find(
    _ type: ClassSchema, _ given: [ModelGiven], _ write: RecordingTransaction
  ) -> ObjectID? {
    guard let key = type.primaryKey,
      case .value(let wanted)? = given.first(where: { $0.property == key.name })?.content
    else { return nil }
    return write.state.numbers(of: type.id).map { ObjectID(type.id, $0) }
      .first { write.state[$0]?.values[key.id] == wanted }
  }

  private func add(
    _ type: ClassSchema, _ given: [ModelGiven], _ write: inout RecordingTransaction
  ) throws -> ObjectID {
    var empty = RecordedObject()
    for property in type.properties {
      switch property.type.shape {
      case .single: empty.values[property.id] = .null
      case .list: empty.lists[property.id] = []
      case .set: empty.sets[property.id] = []
      case .map: empty.maps[property.id] = [:]
      case .backlinks: break
      }
    }
    let object = write.create(type.id, empty)
    try set(given, of: object, &write)
    return object
  }

  /// Assigns whole properties. A list is cleared and filled, except by `isUpsert` where it is equal.
  private func set(
    _ given: [ModelGiven], of object: ObjectID, _ write: inout RecordingTransaction,
    isUpsert: Bool = false
  ) throws {
    for given in given {
      let property = try property(given.property, of: object, write)
      switch given.content {
      case .value(let value): write.set(property.id, of: object, to: value)
      case .list(let values) where property.type.shape == .set:
        for old in write.state[object]?.sets[property.id] ?? [] where !values.contains(old) {
          write.removeValue(old, object, property.id)
        }
        for value in values { write.insertValue(value, object, property.id) }
      case .list(let values):
        let old = write.list(object, property.id).map(\.value)
        if isUpsert && old == values { continue }
        if !old.isEmpty { write.clear(object, property.id) }
        if !values.isEmpty { write.insert(values, at: 0, object, property.id) }
      case .map(let entries):
        for key in Array((write.state[object]?.maps[property.id] ?? [:]).keys)
        where entries[key] == nil {
          write.removeEntry(key, object, property.id)
        }
        for (key, value) in entries { write.setEntry(key, value, object, property.id) }
      }
    }
  }

  private func change(
    _ object: ObjectID, _ property: PropertySchema, _ operation: ModelOperation,
    _ write: inout RecordingTransaction
  ) {
    let id = property.id
    switch operation {
    case .insert(let values, let row):
      if !values.isEmpty { write.insert(values, at: row, object, id) }
    case .remove(let row): write.remove(at: row, object, id)
    case .move(let from, let to): if from != to { write.move(from: from, to: to, object, id) }
    case .replace(let row, let value):
      if write.list(object, id)[row].value != value { write.replace(at: row, value, object, id) }
    case .insertValue(let value): write.insertValue(value, object, id)
    case .removeValue(let value): write.removeValue(value, object, id)
    case .setKey(let key, let value): write.setEntry(key, value, object, id)
    case .removeKey(let key): write.removeEntry(key, object, id)
    case .removeAll:
      switch property.type.shape {
      case .list: if !write.list(object, id).isEmpty { write.clear(object, id) }
      case .set:
        for value in write.state[object]?.sets[id] ?? [] { write.removeValue(value, object, id) }
      case .map:
        for key in Array((write.state[object]?.maps[id] ?? [:]).keys) {
          write.removeEntry(key, object, id)
        }
      case .single, .backlinks: break
      }
    }
  }
}
