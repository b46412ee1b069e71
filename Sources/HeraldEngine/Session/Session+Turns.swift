package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// The only delivery points of a session (observation 1.2): the end of its turn, `refresh`,
// the beginning of a write, and, for store tokens, its own commit.

extension Session {
  /// Advances to the newest version and delivers everything; returns whether the version is newer. In a
  /// delivery or a write it has no effect and returns false.
  package func refresh() throws -> Bool {
    try checkOpen()
    guard !isDelivering, !isFrozen, writing.isNone else { return false }
    let isNew = try advanceObservers()
    try deliver()
    return isNew
  }

  /// Ends a turn: delivers pending changes and runs queued writes until none are left; returns whether any
  /// block was called. `chain`: how many blocks, of this session and of others whose turns have ended, have
  /// written in a row, each in reaction to the previous one.
  package func endTurn(after chain: Int = 0) throws -> Bool {
    try checkOpen()
    guard !isFrozen else { return false }
    let chainBefore = delivery.chain
    if !delivery.isInBlock { delivery.chain = chain }
    defer { delivery.chain = chainBefore }
    var called = false
    var failure: (any Error)?
    while writing.isNone, !isDelivering {
      if autorefresh { try advanceObservers() } else { scheduleRefreshRequired() }
      do {
        // Deliver the writes of blocks before the next queued write: the deliveries that begin a
        // queued write may not write.
        let delivered = try deliverInChain()
        if !delivered, try !runQueuedWrite() { break }
      } catch {
        // Deliver everything that is pending before the first failure ends the turn.
        failure = failure ?? error
        if interruption?.isRequested ?? false { break }
      }
      called = true
    }
    if !observatory.hasPending { delivery.deletedKeys = [:] }
    if let failure { throw failure }
    return called
  }

  /// Delivers; if blocks write or fail meanwhile, the next delivery continues their chain.
  private func deliverInChain() throws -> Bool {
    let writesBefore = delivery.writesOfBlocks
    do {
      let called = try isDeliveryDue && deliver()
      delivery.chain = delivery.writesOfBlocks == writesBefore ? 0 : delivery.chain + 1
      return called
    } catch {
      delivery.chain += 1
      throw error
    }
  }

  /// Whether writes wait for the end of a turn.
  package var hasQueuedWrites: Bool { !delivery.queue.isEmpty }

  /// The number of the newest version, of any process.
  package var newestVersion: Int {
    get throws {
      try stored { () throws(StorageError) in try hub.environment.committedVersion() }
    }
  }

  /// Returns whether the end of a turn has any effect if `newest` is the newest version.
  package func isTurnDue(at newest: Int) -> Bool {
    if isClosed || hasQueuedWrites { return true }
    if position.isResting { return !observatory.isEmpty }
    return version != newest || observatory.hasPending || !delivery.deletedKeys.isEmpty || isInWrite
  }

  private func scheduleRefreshRequired() {
    if let newest = try? hub.environment.committedVersion(), newest > version {
      observatory.scheduleRefreshRequired()
    }
  }

  /// Runs the next queued write; returns false if there is none. If another session has a write open, the
  /// queue waits for a later turn, because the end of a turn never blocks.
  private func runQueuedWrite() throws -> Bool {
    guard hasQueuedWrites, hub.writer.isFree else { return false }
    let next = delivery.beginQueued()
    defer { delivery.endQueued() }
    do {
      try write(silencing: next.silencing, message: next.message, next.body)
    } catch {
      next.onEnd?(error)
      throw error
    }
    next.onEnd?(nil)
    return true
  }

  /// Moves the snapshot to the newest version and passes the records up to it to the observers; returns
  /// whether it is newer.
  @discardableResult
  func advance() throws -> Bool {
    let isNew = try resume()
    let old = version
    guard try stored({ () throws(StorageError) in try hub.environment.committedVersion() }) != old
    else { return isNew }
    let records = try renew(from: old)
    if records.isEmpty { return isNew }
    take(records)
    return true
  }

  /// Advances as `advance` does. If no view can be kept up to date any more, it notifies every observer
  /// before it throws the error.
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

  /// Adds consecutive records to the pending changes of the observers; the session is at the last one's
  /// version. If it finds damage, no view can be kept up to date any more.
  func take(_ records: [CommitRecord]) {
    for record in records where record.single == nil { keepDeletedKeys(of: record) }
    observatory.take(records, snapshot)
    if let error = takeFailure() { fail(error) }
  }

  /// The same for one record, without the tokens that it silences.
  func take(_ record: CommitRecord, silencing: Set<TokenID> = [], ownCommit: Bool = false) {
    if record.single == nil { keepDeletedKeys(of: record) }
    observatory.take(record, silencing: silencing, ownCommit: ownCommit, snapshot)
    if let error = takeFailure() { fail(error) }
  }

  private func keepDeletedKeys(of record: CommitRecord) {
    for (classID, change) in record.classes where !change.deleted.isEmpty {
      for (number, object) in change.deleted where !object.key.isNull {
        delivery.deletedKeys[ObjectID(classID, number)] = object.key
      }
    }
  }

  /// Ends every observer, with an error that the next delivery throws.
  private func fail(_ error: HeraldError) {
    observatory.fail(error)
    delivery.failure = delivery.failure ?? error
  }

  /// Whether `deliver` may have any effect.
  var isDeliveryDue: Bool { isDeliveryForced || observatory.hasPending }

  /// The same for store tokens only.
  var isStoreDeliveryDue: Bool { isDeliveryForced || observatory.hasPendingStoreReport }

  private var isDeliveryForced: Bool {
    delivery.failure != nil || observatory.hasFailures || dropped.mayBeAny
  }

  /// Calls every block with pending changes, as the end of a turn does, without advancing.
  package func deliverPending() throws {
    try checkOpen()
    if !isDelivering, writing.isNone { try deliver() }
  }

  /// Ends every observer with an error as its last call.
  package func failObservers(_ error: HeraldError) {
    observatory.fail(error)
    _ = try? deliver()
  }

  /// Calls every block with pending changes; returns whether any was called. The first error that a block
  /// throws is rethrown when all have been called, or when the scan for a first call is interrupted. So is
  /// damage, after the observers whose reports it affects have ended with that error.
  @discardableResult
  func deliver(toStoreTokensOnly storeOnly: Bool = false) throws -> Bool {
    invalidateDropped()
    var called = false
    var failure = delivery.failure.take()
    if observatory.hasFailures {
      do {
        called = try deliverFailures()
      } catch {
        failure = failure ?? error
      }
    }
    if storeOnly ? observatory.hasPendingStoreReport : observatory.hasPending {
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
    let round = observatory.beginRound(isStoreOnly: storeOnly)
    delivery.beginRound()
    defer {
      delivery.endRound()
      observatory.keepSpare(nil)
    }
    let program = observatory.publicSession
    var called = false
    // Take failures of earlier reads first, which are not the observers'.
    var failure: (any Error)? = takeFailure()
    do {
      while let due = try observatory.next(
        in: round, standing,
        failure: { takeFailure() })
      {
        called = true
        if let error = due.report.failure, !error.isOfOneQuery { failure = failure ?? error }
        do {
          try due.deliver(in: program)
        } catch {
          failure = failure ?? error
        }
        failure = failure ?? takeFailure()
        invalidateDropped()
        // The block began a write and left it open: the rest is pending until that write ends (1.2a).
        if isInWrite { break }
        if observatory.isComplete(round) { break }
      }
    } catch {
      failure = failure ?? error
    }
    failure = failure ?? takeFailure()
    if let failure { throw failure }
    return called
  }

  /// Calls, for the last time, the blocks of observers that have ended because their views cannot be kept up
  /// to date; returns whether any was called. Reads nothing.
  func deliverFailures() throws -> Bool {
    guard let first = observatory.nextFailure() else { return false }
    delivery.beginRound()
    defer { delivery.endRound() }
    let program = observatory.publicSession
    var failure: (any Error)?
    var next: Due? = first
    while let due = next {
      do {
        try due.deliver(in: program)
      } catch {
        failure = failure ?? error
      }
      next = observatory.nextFailure()
    }
    if let failure { throw failure }
    return true
  }

  /// Stops the tokens that were released (observation 1.10).
  func invalidateDropped() {
    guard dropped.mayBeAny else { return }
    for token in dropped.take() { observatory.forget(token) }
  }
}
