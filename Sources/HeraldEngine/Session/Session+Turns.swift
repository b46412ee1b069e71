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
    let isNew = try advanceObservers()
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
      if autorefresh { try advanceObservers() } else { noteRefreshRequired() }
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

  /// As `advance`. Where that finds that no view can be kept any more, every observer is notified before
  /// the error is thrown.
  @discardableResult
  func advanceObservers() throws -> Bool {
    do {
      return try advance()
    } catch let error as HeraldError where error.endsObservers {
      observatory.fail(error)
      _ = try? deliverFailures()
      throw error
    }
  }

  /// Notes what records, one after another, owe to the observers; the session stands at the last one's
  /// version. Where damage is met no view can be kept any more.
  func take(_ records: [CommitRecord], silencing: Set<TokenID>, ownCommit: Bool = false) {
    for record in records {
      for (classID, change) in record.classes {
        for (number, object) in change.deleted where !object.key.isNull {
          graveyard[ObjectID(classID, number)] = object.key
        }
      }
    }
    observatory.take(records, silencing: silencing, ownCommit: ownCommit, snapshot)
    if let error = takeFailure() {
      observatory.fail(error)
      failure = failure ?? error
    }
  }

  /// Calls every block that is owed something, without advancing: what a turn's end does besides.
  package func deliverOwed() throws {
    try checkOpen()
    if !isDelivering, case .none = writing { try deliver() }
  }

  /// Calls every block that is owed something; whether any was called. The first error that a block
  /// throws is thrown when all were called, or when the scan for a first call was interrupted. So is
  /// damage, after the observers of which the report would have been made of it have ended with that.
  @discardableResult
  func deliver(toStoreTokensOnly storeOnly: Bool = false) throws -> Bool {
    invalidateDropped()
    var called = false
    var failure = self.failure.take()
    do {
      called = try deliverFailures()
    } catch {
      failure = failure ?? error
    }
    if storeOnly ? observatory.owesStore : observatory.owes {
      do {
        if try deliverRound(storeOnly) { called = true }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return called
  }

  private func deliverRound(_ storeOnly: Bool) throws -> Bool {
    let round = storeOnly ? observatory.beginStoreRound() : observatory.beginRound()
    deliveryDepth += 1
    defer { deliveryDepth -= 1 }
    var called = false
    // What others have read is no matter of the observers.
    var failure: (any Error)? = takeFailure()
    do {
      while let due = try observatory.next(
        in: round, standing,
        failure: {
          let damage = takeFailure()
          failure = failure ?? damage
          return damage
        })
      {
        called = true
        do {
          try due.handler?(due.report)
        } catch {
          failure = failure ?? error
        }
        failure = failure ?? takeFailure()
        invalidateDropped()
        // A block that left a write open by hand: the rest is owed until that write ends (1.2a).
        if isInWrite { break }
      }
    } catch {
      failure = failure ?? error
    }
    failure = failure ?? takeFailure()
    if let failure { throw failure }
    return called
  }

  /// Calls the blocks of observers that have ended because their views cannot be kept, for the last time;
  /// whether any was called. Reads nothing.
  func deliverFailures() throws -> Bool {
    guard let first = observatory.nextFailure() else { return false }
    deliveryDepth += 1
    defer { deliveryDepth -= 1 }
    var failure: (any Error)?
    var next: Due? = first
    while let due = next {
      do {
        try due.handler?(due.report)
      } catch {
        failure = failure ?? error
      }
      next = observatory.nextFailure()
    }
    if let failure { throw failure }
    return true
  }

  /// Tokens that nothing holds any more stop (observation 1.10).
  func invalidateDropped() {
    for token in dropped.take() { observatory.forget(token) }
  }
}
