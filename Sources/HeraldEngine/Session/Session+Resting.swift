import HeraldModel
import HeraldObservation
import HeraldStorage

// A session that waits, for a line, for news or for a slow reader, holds no version: as long as it did, no
// page of that version could be used again, and the file would grow with every commit.

extension Session {
  /// Releases the session's version until it is used again; whoever uses it next finds the newest version,
  /// with what happened in between pending for the observers.
  ///
  /// Does nothing where the version must stay: autorefresh is off, something is frozen at it, a write is
  /// open, or something is pending. A store in memory grows with its own program only. O(1).
  package func rest() {
    guard !isResting, autorefresh, !isFrozen, !isClosed, pinned == nil, !isDelivering,
      !hub.environment.isInMemory, !observatory.owes, queue.isEmpty, case .none = writing
    else { return }
    held.transaction.release()
    isResting = true
  }

  /// Takes the newest version again and hands the records on the way to the observers; whether it is a newer
  /// one. Errors: `logTrimmed` where the change log no longer reaches back to the version that was released;
  /// the observers have then ended, which the next delivery tells them, and the session is at the newest
  /// version.
  @discardableResult
  func resume() throws -> Bool {
    guard isResting else { return false }
    isResting = false
    let old = version
    do {
      try stored { () throws(StorageError) in try held.transaction.renew() }
    } catch {
      // Nothing can be read until that succeeds; whoever uses the session next tries again.
      isResting = true
      throw error
    }
    labelVersion()
    guard held.version != old else { return false }
    let records = try loggedRecords(after: old, to: held)
    version = held.version
    if records?.contains(where: \.schemaChanged) ?? true {
      held.layout = try layout(of: held)
    }
    hub.moved(self, to: version)
    guard let records else {
      let error = HeraldError.logTrimmed(version: old)
      observatory.fail(error)
      throw error
    }
    take(records, silencing: [])
    return true
  }

  /// `snapshot` cannot throw: what it meets is thrown by `checkIntact`.
  func resumeOnUse() {
    do {
      try resume()
    } catch {
      resumeFailure = resumeFailure ?? error
    }
  }
}
