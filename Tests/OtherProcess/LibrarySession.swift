package import Herald
package import TestModel

/// Performs a twin's commands in one session of the library.
package final class LibrarySession: ModelLink {
  /// The error that a block throws when it is instructed to fail.
  struct Rollback: Error {}

  package let store: DynamicStore
  private let rests: Bool
  let callBack: (ModelCall) -> ModelAnswer
  var tokens: [String: ObservationToken] = [:]
  private var frozen: [String: DynamicResults] = [:]

  /// `rests`: whether the session releases its version at the end of each turn.
  package init(
    _ store: DynamicStore, rests: Bool = true, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) {
    (self.store, self.rests) = (store, rests)
    self.callBack = callBack
  }

  package func leave() { store.close() }

  package func perform(_ command: ModelCommand) -> ModelReply {
    do {
      return try execute(command)
    } catch HeraldError.duplicateKey {
      return .refused(ModelRefusal(reason: .duplicateKey, words: "duplicate key"))
    } catch HeraldError.writerBusy, HeraldError.locked {
      return .refused(ModelRefusal(reason: .writerBusy, words: "writer busy"))
    } catch HeraldError.writeInProgress {
      return .refused(ModelRefusal(reason: .writeInProgress, words: "write in progress"))
    } catch is Rollback {
      return .refused(ModelRefusal(reason: .rollback, words: "the block failed"))
    } catch {
      return .refused(ModelRefusal(reason: .other, words: "\(error)"))
    }
  }

  private func execute(_ command: ModelCommand) throws -> ModelReply {
    switch command {
    case .add, .addEmbeddedObject, .upsert, .set, .delete, .change, .changeInside:
      return try change(command)
    case .write(let names):
      try store.write(without: tokens(names)) { try call(.inside) }
    case .queueWrite(let names):
      try store.writeAsync(without: tokens(names)) { [unowned self] in try call(.queued) }
    case .begin: try store.beginWrite()
    case .commit(let names): try store.commitWrite(without: tokens(names))
    case .rollback: try store.rollbackWrite()
    case .writeAtOnce: try store.write(waiting: false) {}
    case .declare(let name, let target):
      try store.declare(
        ClassDefinition(
          name: name, properties: [.init(name: "first", element: .link(target))]))
    case .alter(let name, let alteration): try store.alter(name, alteration.changes)
    case .drop(let name): try store.drop(name)
    case .freeze(let name, let className): frozen[name] = try store.objects(className).frozen
    case .observe(let name, let sight, let restriction):
      tokens[name] = try observe(name, sight, restriction)
    case .stop(let name, let isDropped):
      if !isDropped {
        tokens[name]?.invalidate()
        tokens[name]?.invalidate()
      }
      let isLive = !isDropped && tokens[name]?.isLive ?? false
      tokens[name] = nil
      return .answer(isLive)
    case .endTurn:
      // Rest first, as a waiting session does: that must not change what is delivered.
      if rests { store.rest() }
      return .answer(try store.endTurn())
    case .refresh: return .answer(try store.refresh())
    case .setAutorefresh(let isOn): store.autorefresh = isOn
    case .read, .readFrozen, .ask, .askCollection, .check: return try read(command)
    }
    return .done(version: store.version)
  }

  private func call(_ call: ModelCall) throws {
    switch callBack(call) {
    case .goOn: break
    case .fail: throw Rollback()
    }
  }

  private func tokens(_ names: [String]) -> [ObservationToken] { names.compactMap { tokens[$0] } }
}

// MARK: - Changing

extension LibrarySession {
  private func change(_ command: ModelCommand) throws -> ModelReply {
    switch command {
    case .add(let name, let given):
      return .object(try store.add(name, given.map(\.named)).id)
    case .addEmbeddedObject(let name, let given):
      return .object(try store.addEmbeddedObject(name, given.map(\.named)).id)
    case .upsert(let name, let given):
      return .object(try store.upsert(name, given.map(\.named)).id)
    case .set(let id, let given): try object(id).set(given.map(\.named))
    case .delete(let id):
      let object = try object(id)
      try store.delete(object)
      return .answer(object.isValid)
    case .change(let id, let property, let operation):
      try change(object(id).collection(property), operation)
    case .changeInside(let id, let property, let path, let operation):
      try change(object(id).nested(property, path), operation)
    case .write, .queueWrite, .begin, .commit, .rollback, .writeAtOnce, .declare, .alter, .drop,
      .freeze, .readFrozen, .observe, .stop, .endTurn, .refresh, .setAutorefresh, .read, .ask,
      .askCollection, .check:
      break
    }
    return .done(version: store.version)
  }

  private func change(_ rows: LiveCollection, _ operation: ModelOperation) throws {
    switch operation {
    case .insert(let values, let row): try rows.insert(values, at: row)
    case .remove(let row): try rows.remove(at: row)
    case .move(let from, let to): try rows.move(from: from, to: to)
    case .replace(let row, let value): try rows.replace(at: row, with: value)
    case .insertValue(let value): try rows.insert(value)
    case .removeValue(let value): try rows.remove(value)
    case .setKey(let key, let value): try rows.set(key, to: value)
    case .removeKey(let key): try rows.removeKey(key)
    case .removeAll: try rows.removeAll()
    }
  }

  func object(_ id: ObjectID) throws -> ObjectHandle {
    guard let object = store.object(id) else {
      throw HeraldError.noSuchObject("object \(id.number) of class \(id.classID.rawValue)")
    }
    return object
  }
}

// MARK: - Reading

extension LibrarySession {
  private func read(_ command: ModelCommand) throws -> ModelReply {
    switch command {
    case .read(let name): return .objects(try store.objects(name).objects.map(reading))
    case .readFrozen(let name):
      return .objects(try frozen[name]?.objects.map(reading) ?? [])
    case .ask(let name, let text): return try rows(results(name, text))
    case .askCollection(let id, let property, let text):
      return try rows(results(object(id).collection(property), text))
    case .check: return .faults(store.check())
    case .add, .addEmbeddedObject, .upsert, .set, .delete, .change, .changeInside, .write,
      .queueWrite, .begin, .commit, .rollback, .writeAtOnce, .declare, .alter, .drop, .freeze,
      .observe,
      .stop,
      .endTurn, .refresh, .setAutorefresh:
      return .done(version: store.version)
    }
  }

  private func rows(_ results: DynamicResults) throws -> ModelReply {
    .rows(try results.objects.map(\.id), count: try results.count)
  }

  func reading(_ object: ObjectHandle) throws -> ModelReading {
    ModelReading(
      id: object.id,
      contents: try object.classSchema.properties.map { property in
        guard property.type.isCollection else { return .value(try object.value(property.name)) }
        let collection = try object.collection(property.name)
        return .rows(collection.values, keys: collection.keys)
      })
  }

  func results(_ className: String, _ text: String) throws -> DynamicResults {
    try followed(text) { try store.results(className, $0, names: NoNames()) }
  }

  func results(_ collection: LiveCollection, _ text: String) throws -> DynamicResults {
    try followed(text) { try store.results(of: collection, $0, names: NoNames()) }
  }

  /// Applies each further line of a text to the results of the one before.
  private func followed(_ text: String, _ first: (QueryTail?) throws -> DynamicResults) throws
    -> DynamicResults
  {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return try lines.dropFirst().reduce(first(tail(lines[0]))) { results, line in
      try store.results(of: results, tail(line), names: NoNames())
    }
  }

  /// Parses a text that must be a query as a whole.
  private func tail(_ text: String) throws -> QueryTail? {
    let source = Array(text.utf8)
    let (tail, end) = try QueryParser.parseTail(source, from: 0)
    guard end == source.count else { throw HeraldError.noSuchObject("a query in '\(text)'") }
    return tail
  }
}
