package import HeraldModel
package import HeraldQuery
import HeraldStorage

extension Session {
  /// Runs a query that the session's interruption may stop: the partial result is then discarded, and
  /// `interrupted` is thrown.
  package func ask<R>(
    _ query: (any ObjectReader) throws -> R
  ) throws -> R {
    try checkOpen()
    guard let interruption else {
      let result = try query(reader)
      try checkIntact()
      return result
    }
    if interruption.isRequested { throw HeraldError.interrupted }
    let reader = reader
    let result = try reader.withInterruption(interruption) { try query(reader) }
    if interruption.isRequested { throw HeraldError.interrupted }
    try checkIntact()
    return result
  }

  /// Gives the memory of the file's pages that were read back to the system.
  package func releaseMemory() { snapshot.storage.releaseMemory() }

  /// Throws `damaged` if anything that was read since the session moved to its version was damaged. Such
  /// data reads as nil or missing, so results made of it must not be returned.
  @inline(__always)
  package func checkIntact() throws(HeraldError) {
    if let failure = takeFailure() { throw failure }
  }

  /// Removes and returns the error that `checkIntact` would throw.
  @inline(__always)
  func takeFailure() -> HeraldError? {
    if position.resumeFailure == nil, !position.isDamaged, !writing.isDamaged { return nil }
    return takeNotedFailure()
  }

  @inline(never)
  private func takeNotedFailure() -> HeraldError? {
    if position.resumeFailure != nil, let failure = position.takeResumeFailure() as? HeraldError {
      return failure
    }
    guard position.isDamaged || writing.isDamaged else { return nil }
    let failure = writing.reader?.storage.takeFailure() ?? standing { $0.storage.takeFailure() }
    if case .damaged(let path, let reason)? = failure {
      return .damaged(path: path, reason: position.reader.layout.schema.named(reason))
    }
    return failure.map { HeraldError($0) }
  }

  /// Runs `body` atomically: if it throws, the whole write is rolled back.
  func wholly<R>(_ write: OpenWrite, _ body: () throws -> R) throws -> R {
    do {
      return try write.reader.withInterruption(interruption, body)
    } catch {
      if isInWrite { try rollback() }
      throw error
    }
  }
}

extension Session {
  /// Returns a session that stays at this one's version: it cannot write or observe, and every thread may
  /// read it.
  ///
  /// It holds the version rather than a copy of it: creating one costs a read transaction whatever the size
  /// of the store, and the pages of that version stay in the file until it is released. Everything frozen at
  /// one version shares one such session. While a write is open, that is the version at which it began.
  package func freeze() throws -> Session {
    try checkOpen()
    if isFrozen { return self }
    resumeOnUse()
    try continueAlone()
    return try frozenHere()
  }

  /// Returns a reader of the session's version. Storage can open only the newest version; a session that is
  /// behind it shares its own reader with the frozen session until it advances.
  func sharedReader() throws -> SharedReader {
    if let shared = position.shared { return shared }
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    if transaction.version == version {
      return SharedReader(TransactionReader(transaction, layout: snapshot.layout))
    }
    // What rests has no version to share, if it cannot resume.
    try resume()
    return position.share()
  }
}
