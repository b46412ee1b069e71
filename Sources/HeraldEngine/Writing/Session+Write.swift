import Dispatch
package import HeraldModel
package import HeraldObservation
import HeraldStorage

/// The maximum number of writes begun within nested deliveries (observation 6.5).
package let nestedWriteLimit = 64

/// The maximum number of blocks that write in a row, each in reaction to the previous one's write.
package let chainLimit = 1000

/// How often a write releases the writer lock to deliver newer versions before it delivers with the lock.
private let attemptsBeforeHolding = 100

extension Session {
  /// Begins a write, runs `body` and commits; rolls back if `body` throws. If another machine has committed
  /// first, or another process the first commit of the store, it begins again, a few times.
  package func write<R>(
    silencing tokens: [TokenID] = [], message: String? = nil, waiting: Bool = true,
    _ body: () throws -> R
  ) throws -> R {
    var attempts = raceLimit
    while true {
      do {
        try beginWrite(byHand: false, waiting: waiting)
        let result: R
        do {
          result = try body()
        } catch {
          // The block may have ended the write itself.
          if isInWrite { try rollback() }
          throw writing.takeGroupFailure() ?? error
        }
        do {
          if isInWrite { try commit(silencing: tokens, message: message) }
        } catch {
          throw writing.takeGroupFailure() ?? error
        }
        return result
      } catch HeraldError.raceLost where attempts > 1 {
        try hub.replicator?.catchUp()
      } catch HeraldError.storeMade where attempts > 1 {
        if !waiting { hub.environment.awaitWriter() }
      }
      attempts -= 1
    }
  }

  /// Queues a write that runs after the current turn, first in, first out. `onEnd` is called after its commit, or with the
  /// error if there was none.
  package func queueWrite(
    silencing tokens: [TokenID], message: String? = nil, _ body: @escaping () throws -> Void,
    onEnd: (((any Error)?) -> Void)? = nil
  ) throws {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    try checkSilenced(tokens)
    try checkChain()
    countWriteOfBlock()
    delivery.enqueue(silencing: tokens, message: message, body, onEnd: onEnd)
  }

  /// Counts a write that is committed or queued, if a block, or a queued write, does that.
  private func countWriteOfBlock() {
    guard delivery.isInBlock else { return }
    delivery.writesOfBlocks += 1
    hub.countWriteOfBlock()
  }

  /// Advances to the newest version, delivers pending changes, and opens a write at that version.
  package func beginWrite(byHand: Bool, waiting: Bool = true) throws {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    switch writing.state {
    case .none: break
    case .beginning where byHand: break
    case .beginning, .open, .openInGroup: throw HeraldError.writeInProgress
    }
    guard delivery.nestedWrites < nestedWriteLimit else {
      throw HeraldError.tooManyNestedWrites(nestedWriteLimit)
    }
    try checkChain()
    try checkReplicator()
    if !waiting { try checkWriterIsFree() }
    delivery.nestedWrites += 1
    let chainBefore = delivery.chain
    defer {
      delivery.nestedWrites -= 1
      delivery.chain = chainBefore
    }
    var attempt = 0
    // Blocks are called without the writer lock; if others commit meanwhile, begin again.
    while true {
      writing.begin()
      do {
        try advanceObservers()
        if isDeliveryDue { try deliver() }
      } catch {
        if writing.isBeginning { writing.end() }
        throw error
      }
      // A block ended the write that is beginning, and left its own open, or none.
      switch writing.state {
      case .open, .openInGroup: return
      case .none:
        delivery.chain += 1
        try checkChain()
        continue
      case .beginning: break
      }
      attempt += 1
      do {
        if try openWrite(
          waiting: waiting, joins: waiting && mayJoin(byHand: byHand),
          atAnyVersion: attempt > attemptsBeforeHolding || observatory.isEmpty)
        {
          return
        }
      } catch {
        writing.end()
        throw error
      }
    }
  }

  /// Throws if another session or process is writing, before anything is delivered: a write that cannot
  /// begin is not a delivery point (observation 1.2). One that begins to write during the deliveries is
  /// detected after them.
  private func checkWriterIsFree() throws {
    guard hub.writer.isFree else { throw HeraldError.writerBusy }
    if hub.replicator != nil { return }
    try stored { () throws(StorageError) in try hub.environment.checkWriterLock() }
  }

  /// The net effect so far of the open write, by class; nil without one. Cost: the changes.
  package var openChanges: [ClassID: ClassChange]? {
    guard let write = writing.open else { return nil }
    return write.netChanges(before: snapshot)
  }

  /// Whether the open write has changed the schema.
  package var hasChangedSchema: Bool { writing.open?.schemaChange.isMade ?? false }

  /// Makes the next write of other processes wait for this one's, if no other process is before it.
  package func joinWriterQueue() { hub.environment.joinQueue() }

  package func leaveWriterQueue() { hub.environment.leaveQueue() }

  /// Takes the writer lock and opens the transaction; returns false if the store has a newer version. `joins`: whether
  /// the write may be one of a group of commits.
  private func openWrite(waiting: Bool, joins: Bool = false, atAnyVersion: Bool) throws -> Bool {
    let group = joins ? hub.writer.takeToJoin() : nil
    if !joins, !hub.writer.take(waiting: waiting) { throw HeraldError.writerBusy }
    if !hub.environment.isInMemory { writing.startClock() }
    do {
      if let group, try join(group) { return true }
      // Another process that follows the same stream may be taking in a commit.
      let isFollowing = hub.hasReplicator
      if !isFollowing,
        let spare = try stored({ () throws(StorageError) in try position.beginSpareWrite() })
      {
        writing.open(spare)
        return true
      }
      let transaction = try stored { () throws(StorageError) in
        try hub.environment.beginWrite(
          over: position.reader.storage, waiting: waiting,
          attempts: isFollowing && !waiting ? 200 : 1)
      }
      let isCurrent = transaction.nextVersion == version + 1
      guard isCurrent || atAnyVersion else {
        transaction.abort()
        hub.writer.leave()
        return false
      }
      if !isCurrent { try advance() }
      if isFollowing { transaction.capture() }
      writing.open(OpenWrite(transaction, layout: snapshot.layout, observatory, of: self))
      return true
    } catch {
      hub.writer.leave()
      throw error
    }
  }

  /// Commits the open write, moves the session to the new version and notifies store tokens.
  ///
  /// A token to silence that has died in the meantime is ignored.
  package func commit(silencing tokens: [TokenID] = [], message: String? = nil) throws {
    try checkOpen()
    if writing.isBeginning { try openForEmptyCommit() }
    if writing.open?.reader.layout.retained.isEmpty == false { try deleteExpired() }
    guard let write = writing.open else { throw HeraldError.noOpenWrite }
    // Each of them is retained once, and not for each use.
    let (hub, snapshot) = (hub, snapshot)
    let isInMemory = hub.environment.isInMemory
    if !isInMemory { writing.stopClock() }
    var record: CommitRecord
    do {
      try stored { () throws(StorageError) in try write.settleAssignments(before: snapshot) }
      record = try write.record(
        version: write.reader.version + 1, before: snapshot, limit: hub.environment.writeLimit)
      // Each other session reads the change of each class.
      if !hub.isAlone { record.expand() }
      let time = hub.clock.next()
      if write.schemaChange.isMade {
        try stored { () throws(StorageError) in try storeSchema(of: write) }
      }
      var usedRetention: (LogRetention, transaction: UInt64)?
      var lastInStream: StreamPosition?
      if !isInMemory {
        let number = write.transaction.number
        let lastRetention = hub.retention(ofTransaction: number)
        let retention = lastRetention ?? Self.retention(in: write.reader.storage)
        usedRetention = (retention, number)
        write.transaction.setLogEntry(
          LoggedCommit.encoded(
            record, at: time, writer.session, process: writer.process, message, write.reversal),
          LogLimits(of: retention, at: time))
        // A store that has just been written without a stream follows none.
        if lastRetention == nil || hub.hasReplicator {
          lastInStream = try streamPosition(of: write)
        }
      }
      try store(
        write,
        PreparedCommit(
          record: record, time: time, writer: writer, message: message, reversal: write.reversal,
          position: lastInStream))
      if let (retention, number) = usedRetention { hub.note(retention, ofTransaction: number) }
    } catch {
      abandon(write)
      throw error
    }
    endWrite()
    let old = version
    position.keep(write)
    countWriteOfBlock()
    try advance(from: old, after: record, of: write, silencing: tokens)
    guard isStoreDeliveryDue else { return }
    delivery.nestedWrites += 1
    defer { delivery.nestedWrites -= 1 }
    try deliver(toStoreTokensOnly: true)
  }

  /// Moves the session to the version that it has just committed, and passes the record to the observers.
  private func advance(
    from old: Int, after record: CommitRecord, of write: OpenWrite, silencing tokens: [TokenID]
  ) throws {
    var records: [CommitRecord] = []
    do {
      defer {
        if case .held = write.lock {
          hub.environment.releaseWriterLock()
          hub.writer.leave()
        }
      }
      let isNext = record.lastVersion == old + 1
      if try !isNext || !renew(to: record) { records = try renew(from: old, isChecked: true) }
    }
    hub.announce(by: ObjectIdentifier(self))
    if let computed = records.first(where: { $0.firstVersion != $0.lastVersion }) {
      // The log was trimmed: the record computed by comparison includes the session's own commit.
      take(computed)
    } else {
      take(record, silencing: Set(tokens), ownCommit: true)
    }
    if !tokens.isEmpty { notifySilenced() }
    // Another process committed between commit and renewal: the session has advanced over that.
    for later in records where later.firstVersion > record.lastVersion {
      take(later)
    }
  }

  /// Opens the write that is beginning for a block that commits it explicitly (6.5).
  private func openForEmptyCommit() throws {
    try checkChain()
    guard try openWrite(waiting: true, atAnyVersion: true) else { return }
  }

  /// Throws if blocks would react to each other's writes endlessly.
  private func checkChain() throws(HeraldError) {
    if delivery.isInBlock, delivery.chain >= chainLimit { throw .endlessWrites(chainLimit) }
  }

  /// Reverts all changes of the open write.
  package func rollback() throws {
    switch writing.state {
    case .open(let write), .openInGroup(let write, before: _):
      delivery.propertyReports.forget()
      let reversals = observatory.hasPropertyObservers ? write.reversals(before: snapshot) : []
      keepKeys(of: reversals, write)
      abandon(write)
      notify(reversals)
      observatory.forgetDeliveries(of: version + 1)
      // The write is rolled back even if blocks threw during the reversals.
      _ = delivery.propertyReports.takeFailure()
    case .beginning: writing.end()
    case .none: throw HeraldError.noOpenWrite
    }
  }

  private func abandon(_ write: OpenWrite) {
    write.abandon(hub)
    endWrite()
    leaveWriterLock(of: write)
  }

  /// Checks that tokens to silence are live in this session.
  package func checkSilenced(_ tokens: [TokenID]) throws(HeraldError) {
    for token in tokens where !observatory.isLive(token) { throw .deadToken("#\(token.rawValue)") }
  }
}
