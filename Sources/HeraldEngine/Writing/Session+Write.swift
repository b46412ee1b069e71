package import HeraldModel
package import HeraldObservation
import HeraldStorage

/// How many writes may be begun inside deliveries of one another (observation 6.5).
package let nestedWriteLimit = 64

/// How many blocks may write in a row, each because of what the one before has written.
package let chainLimit = 1000

/// How often a write steps back for deliveries before it holds the writer's place through them.
private let politeBeginnings = 100

extension Session {
  /// Begins a write, runs `body`, commits; rolls back where it throws.
  package func write<R>(
    silencing tokens: [TokenID] = [], waiting: Bool = true, _ body: () throws -> R
  ) throws -> R {
    try beginWrite(byHand: false, waiting: waiting)
    let result: R
    do {
      result = try body()
    } catch {
      // The block may have ended the write by hand.
      if isInWrite { try rollback() }
      throw error
    }
    if isInWrite { try commit(silencing: tokens) }
    return result
  }

  /// Queues a write that runs after the present turn, first in, first out.
  package func queueWrite(silencing tokens: [TokenID], _ body: @escaping () throws -> Void) throws {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    try checkSilenced(tokens)
    try checkChain()
    if isInBlock { writesOfBlocks += 1 }
    queue.append(
      QueuedWrite(
        silencing: tokens, chain: isDelivering || !isRunningQueue ? chain : chain + 1, body: body))
  }

  /// Advances to the newest version, delivers what is owed, and opens the write there.
  package func beginWrite(byHand: Bool, waiting: Bool = true) throws {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    switch writing {
    case .none: break
    case .beginning where byHand: break
    case .beginning, .open: throw HeraldError.writeInProgress
    }
    guard nestedBegins + nestedCommits < nestedWriteLimit else {
      throw HeraldError.tooManyNestedWrites(nestedWriteLimit)
    }
    try checkChain()
    if !waiting { try checkWriterPlace() }
    nestedBegins += 1
    let chainBefore = chain
    defer {
      nestedBegins -= 1
      chain = chainBefore
    }
    var attempt = 0
    // Blocks are called without the writer's place; where others commit meanwhile, begin again.
    while true {
      writing = .beginning
      do {
        try advanceObservers()
        try deliver()
      } catch {
        if case .beginning = writing { writing = .none }
        throw error
      }
      // A block ended the write that is being begun, and left one of its own open, or none.
      switch writing {
      case .open: return
      case .none:
        chain += 1
        try checkChain()
        continue
      case .beginning: break
      }
      attempt += 1
      do {
        if try openWrite(waiting: waiting, atAnyVersion: attempt > politeBeginnings) { return }
      } catch {
        writing = .none
        throw error
      }
    }
  }

  /// A write that cannot begin is no delivery point (observation 1.2): where another session or another
  /// process is writing, that is found out before anything is delivered. One that begins to write
  /// during the deliveries is still in the way afterwards.
  private func checkWriterPlace() throws {
    guard hub.isWriterFree else { throw HeraldError.writerBusy }
    try stored { () throws(StorageError) in try hub.environment.checkWriterLock() }
  }

  /// Takes the writer's place and opens the transaction; false where the store has moved on.
  private func openWrite(waiting: Bool, atAnyVersion: Bool) throws -> Bool {
    guard hub.takeWriter(waiting: waiting) else { throw HeraldError.writerBusy }
    do {
      let transaction = try stored { () throws(StorageError) in
        try hub.environment.beginWrite(waiting: waiting)
      }
      let isCurrent = transaction.nextVersion == version + 1
      guard isCurrent || atAnyVersion else {
        transaction.abort()
        hub.leaveWriter()
        return false
      }
      if !isCurrent { try advance() }
      let write = OpenWrite(transaction, layout: snapshot.layout, observatory)
      write.listener = { [unowned self] object, assignment in note(object, assignment) }
      writing = .open(write)
      return true
    } catch {
      hub.leaveWriter()
      throw error
    }
  }

  /// Commits the open write; the session stands at the version it made, and store tokens are told.
  ///
  /// Of the tokens to silence, one that has died since it was named has nothing to hear.
  package func commit(silencing tokens: [TokenID] = []) throws {
    try checkOpen()
    if case .beginning = writing { try openForEmptyCommit() }
    guard case .open(let write) = writing else { throw HeraldError.noOpenWrite }
    let old = version
    let record: CommitRecord
    do {
      record = try write.record(
        version: write.reader.version + 1, before: snapshot, limit: hub.environment.writeLimit)
      try stored { () throws(StorageError) in
        if !hub.environment.isInMemory {
          write.reader.transaction.setLogEntry(record.encoded())
        }
        // Whoever sees the version must find its record, so the record is there first.
        hub.publish(record)
        // Nobody is to commit before the session stands at what it committed itself.
        _ = try write.reader.transaction.commit(keepsLock: true)
      }
    } catch {
      hub.withdraw(version: version + 1)
      abandon(write)
      throw error
    }
    writing = .none
    if isInBlock { writesOfBlocks += 1 }
    let records: [CommitRecord]
    do {
      defer {
        hub.environment.releaseWriterLock()
        hub.leaveWriter()
      }
      records = try renew(from: old)
    }
    hub.announce(by: ObjectIdentifier(self))
    if let computed = records.first(where: { $0.firstVersion != $0.lastVersion }) {
      // The log was trimmed behind our back: our own commit is in what was computed.
      take([computed], silencing: [])
    } else {
      take([record], silencing: Set(tokens), ownCommit: true)
    }
    tellSilenced()
    // Another process slipped in between commit and renewal: the session has advanced over it.
    for later in records where later.firstVersion > record.lastVersion {
      take([later], silencing: [])
    }
    nestedCommits += 1
    defer { nestedCommits -= 1 }
    try deliver(toStoreTokensOnly: true)
  }

  /// A block that is called while a write is being begun may end that write by hand (6.5).
  private func openForEmptyCommit() throws {
    try checkChain()
    guard try openWrite(waiting: true, atAnyVersion: true) else { return }
  }

  /// Whether a block of an observer or of a queued write is running.
  var isInBlock: Bool { isDelivering || isRunningQueue }

  /// Blocks that would go on answering each other's writes for ever are refused one.
  private func checkChain() throws(HeraldError) {
    if isInBlock, chain >= chainLimit { throw .endlessWriting(chainLimit) }
  }

  /// Takes back everything that the open write did.
  package func rollback() throws {
    switch writing {
    case .open(let write):
      tellings.forget()
      let reversals = observatory.hasPropertyObservers ? write.reversals(before: snapshot) : []
      keepKeys(of: reversals, write)
      abandon(write)
      tell(reversals)
      observatory.forgetTold(of: version + 1)
      // The write is gone whatever its reversals' blocks threw.
      _ = tellings.takeFailure()
    case .beginning: writing = .none
    case .none: throw HeraldError.noOpenWrite
    }
  }

  private func abandon(_ write: OpenWrite) {
    write.abandon(hub)
    writing = .none
    hub.leaveWriter()
  }

  /// Tokens that are to be silenced must live in this session.
  package func checkSilenced(_ tokens: [TokenID]) throws(HeraldError) {
    for token in tokens where !isLive(token) { throw .deadToken("#\(token.rawValue)") }
  }
}
