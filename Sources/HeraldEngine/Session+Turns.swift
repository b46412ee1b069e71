import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// The delivery points of a session (observation 1.2), and no others: the end of its turn, `refresh`,
// the beginning of a write, and, for store tokens, its own commit.

extension Session {
  /// Advances to the newest version and delivers everything; whether anything was new. Inside a
  /// delivery or a write it does nothing and answers false.
  package func refresh() throws -> Bool {
    try checkOpen()
    guard !isDelivering, !isFrozen, case .none = writing else { return false }
    let isNew = try advance()
    try deliver()
    return isNew
  }

  /// Ends a turn: delivers what is owed and runs queued writes until nothing is left. Whether any
  /// block was called. `chain`: how many blocks of this session and others, whose turns have ended
  /// before, have written in a row, each because of the one before.
  package func endTurn(after chain: Int = 0) throws -> Bool {
    try checkOpen()
    guard !isFrozen else { return false }
    let before = self.chain
    if !isInBlock { self.chain = chain }
    defer { self.chain = before }
    var called = false
    var failure: (any Error)?
    while case .none = writing, !isDelivering {
      if autorefresh { try advance() } else { noteRefreshRequired() }
      do {
        // What blocks have written is told before the queue goes on: at the beginning of a queued
        // write nobody else may write.
        let delivered = try deliverInChain()
        if !delivered, try !runQueuedWrite() { break }
      } catch {
        // What is still owed is told before the first failure ends the turn.
        failure = failure ?? error
        if interruption?.isRequested ?? false { break }
      }
      called = true
    }
    if !observatory.owes { graveyard = [:] }
    if let failure { throw failure }
    return called
  }

  /// Delivers; where blocks write meanwhile, what is delivered next goes on their chain.
  private func deliverInChain() throws -> Bool {
    let before = writesOfBlocks
    defer { chain = writesOfBlocks == before ? 0 : chain + 1 }
    return try deliver()
  }

  /// The number of the newest version, whoever committed it.
  package var newestVersion: Int {
    get throws {
      try stored { () throws(StorageError) in try hub.environment.committedVersion() }
    }
  }

  /// Whether the end of a turn would do anything where `newest` is the newest version.
  package func isTurnDue(at newest: Int) -> Bool {
    isClosed || isResting || version != newest || observatory.owes || !queue.isEmpty
      || !graveyard.isEmpty || isInWrite
  }

  private func noteRefreshRequired() {
    if let newest = try? hub.environment.committedVersion(), newest > version {
      observatory.oweRefresh()
    }
  }

  /// Where another session has a write open, the queue waits for a later turn: a turn's end never
  /// blocks.
  private func runQueuedWrite() throws -> Bool {
    guard !queue.isEmpty, hub.isWriterFree else { return false }
    let next = queue.removeFirst()
    chain = next.chain
    isRunningQueue = true
    defer {
      isRunningQueue = false
      chain += 1
    }
    try write(silencing: next.silencing, next.body)
    return true
  }

  /// Moves the snapshot to the newest version and hands the records on the way to the observers.
  @discardableResult
  func advance() throws -> Bool {
    let isNew = try resume()
    let old = version
    guard try stored({ () throws(StorageError) in try hub.environment.committedVersion() }) != old
    else { return isNew }
    let records = try renew(from: old)
    if records.isEmpty { return isNew }
    take(records, silencing: [])
    return true
  }

  /// Notes what records, one after another, owe to the observers; the session stands at the last one's
  /// version.
  func take(_ records: [CommitRecord], silencing: Set<TokenID>, ownCommit: Bool = false) {
    for record in records {
      for (classID, change) in record.classes {
        for (number, object) in change.deleted where !object.key.isNull {
          graveyard[ObjectID(classID, number)] = object.key
        }
      }
    }
    observatory.take(records, silencing: silencing, ownCommit: ownCommit, snapshot)
  }

  /// Calls every block that is owed something, without advancing: what a turn's end does besides.
  package func deliverOwed() throws {
    try checkOpen()
    if !isDelivering, case .none = writing { try deliver() }
  }

  /// Calls every block that is owed something; whether any was called. The first error that a block
  /// throws is thrown when all were called, or when the scan for a first call was interrupted.
  @discardableResult
  func deliver(toStoreTokensOnly storeOnly: Bool = false) throws -> Bool {
    invalidateDropped()
    guard storeOnly ? observatory.owesStore : observatory.owes else { return false }
    let round = storeOnly ? observatory.beginStoreRound() : observatory.beginRound()
    deliveryDepth += 1
    defer { deliveryDepth -= 1 }
    var called = false
    var failure: (any Error)?
    do {
      while let due = try observatory.next(in: round, standing) {
        called = true
        // What was made of damaged records is nobody's to see.
        try checkIntact()
        do {
          try due.handler?(due.report)
        } catch {
          failure = failure ?? error
        }
        invalidateDropped()
        // A block that left a write open by hand: the rest is owed until that write ends (1.2a).
        if isInWrite { break }
      }
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
    return called
  }

  /// Tokens that nothing holds any more stop (observation 1.10).
  func invalidateDropped() {
    for token in dropped.take() { observatory.forget(token) }
  }
}
