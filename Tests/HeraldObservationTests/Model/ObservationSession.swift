import HeraldModel
import HeraldObservation
import HeraldQuery

@testable import TestModel

/// A session that consists of an observatory.
final class ObservationSession: ModelLink {
  struct Unknown: Error { var what: String }

  let level: ObservationLevel
  let observatory = Observatory()
  let reader: ModelReader
  let callBack: (ModelCall) -> ModelAnswer
  private(set) var version: Int
  /// The transaction that is open.
  var write: RecordingTransaction?
  private var autorefresh = true
  private(set) var tokens: [String: TokenID] = [:]
  private var observed: [TokenID: (name: String, target: ObservedTarget)] = [:]

  init(_ level: ObservationLevel, _ callBack: @escaping (ModelCall) -> ModelAnswer) {
    self.level = level
    self.callBack = callBack
    version = level.version
    reader = ModelReader(level.state)
    // Every filter is folded as soon as it has nothing pending.
    observatory.unfoldedLimit = 0
  }

  func leave() { observatory.invalidateAll() }

  func perform(_ command: ModelCommand) throws -> ModelReply {
    switch command {
    case .add, .addEmbeddedObject, .upsert, .set, .delete, .change, .declare:
      return try change(command)
    case .write(let names): return try write(without: names)
    case .begin: try begin()
    case .commit(let names): try commit(without: names)
    case .rollback: rollBack()
    case .writeAtOnce:
      if level.isWriting { return .refused(ModelRefusal(reason: .writerBusy, words: "busy")) }
    case .observe(let name, let sight, let restriction):
      let target = try target(sight, restriction)
      let token = observatory.register(target)
      tokens[name] = token
      observed[token] = (name, target)
    case .stop(let name, let isDropped):
      guard let token = tokens.removeValue(forKey: name) else { break }
      if isDropped { observatory.forget(token) } else { observatory.invalidate(token) }
      return .answer(observatory.isLive(token))
    case .endTurn: return .answer(try endTurn())
    case .refresh: return .answer(try refresh())
    case .setAutorefresh(let isOn): autorefresh = isOn
    case .read, .ask, .askCollection, .check: return try read(command)
    case .changeInside, .queueWrite, .alter, .drop, .freeze, .readFrozen:
      return .refused(ModelRefusal(reason: .other, words: "observers alone cannot do that"))
    }
    return .done(version: version)
  }

  // MARK: Transactions

  private func write(without names: [String]) throws -> ModelReply {
    try begin()
    if case .fail = callBack(.inside) {
      rollBack()
      return .refused(ModelRefusal(reason: .rollback, words: "rolled back"))
    }
    try commit(without: names)
    return .done(version: version)
  }

  private func begin() throws {
    advance()
    try deliver()
    level.isWriting = true
    write = RecordingTransaction(level.state, nextElement: level.nextElement)
  }

  private func commit(without names: [String]) throws {
    guard let write else { throw Unknown(what: "transaction") }
    let record = level.commit(write)
    close()
    observatory.take(
      record, silencing: Set(names.compactMap { tokens[$0] }), ownCommit: true, reader)
    try deliver(storeOnly: true)
  }

  private func rollBack() {
    if let write { level.rollBack(write) }
    close()
  }

  private func close() {
    write = nil
    level.isWriting = false
    version = level.version
    reader.state = level.state
  }

  // MARK: Delivery points

  private func advance() {
    guard version < level.version else { return }
    let records = (version + 1...level.version).compactMap { level.records[$0] }
    version = level.version
    reader.state = level.state
    observatory.take(records, reader)
  }

  private func refresh() throws -> Bool {
    if write != nil { return false }
    let isNew = version < level.version
    advance()
    try deliver()
    return isNew
  }

  private func endTurn() throws -> Bool {
    if write != nil { return false }
    var wasCalled = false
    repeat {
      if autorefresh { advance() }
      if version < level.version { observatory.scheduleRefreshRequired() }
      guard try deliver() else { return wasCalled }
      wasCalled = true
    } while true
  }

  @discardableResult
  private func deliver(storeOnly: Bool = false) throws -> Bool {
    let round = observatory.beginRound(isStoreOnly: storeOnly)
    var wasCalled = false
    while let due = try observatory.next(in: round, reader) {
      wasCalled = true
      guard let (name, target) = observed[due.token] else { throw Unknown(what: "token") }
      let (event, faults) = try event(due.report, due.token, target)
      _ = callBack(.notified(name: name, event, faults: faults))
    }
    return wasCalled
  }
}
