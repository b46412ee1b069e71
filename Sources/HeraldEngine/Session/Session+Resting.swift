import HeraldModel
import HeraldObservation
import HeraldStorage

// A session that waits, for a line of input, for a commit or for a slow reader, holds no version: otherwise
// no page of that version could be reused, and the file would grow with every commit.

extension Session {
  /// Releases the session's version until the session is used again. It is then at the newest version, and
  /// the changes in between are pending for its observers.
  ///
  /// Has no effect if the version must stay: autorefresh is off, something is frozen at it, a write is open,
  /// or something is pending; nor for a store in memory, which no other process makes grow. O(1).
  package func rest() {
    guard !isResting, autorefresh, !isFrozen, !isClosed, pinned == nil, !isDelivering,
      !hub.environment.isInMemory, !observatory.hasPending, queue.isEmpty, case .none = writing
    else { return }
    held.storage.release()
    isResting = true
  }

  /// Takes the newest version and passes the records up to it to the observers; returns whether it is newer.
  /// Errors: `logTrimmed` if the change log no longer reaches back to the version that was released; the
  /// observers have then ended, of which the next delivery notifies them, and the session is at the newest
  /// version.
  @discardableResult
  func resume() throws -> Bool {
    guard isResting else { return false }
    isResting = false
    let old = version
    do {
      try stored { () throws(StorageError) in try held.storage.renew() }
    } catch {
      // Nothing can be read until that succeeds; the next use of the session tries again.
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

  /// Resumes on behalf of `snapshot`, which cannot throw: `checkIntact` throws the error.
  func resumeOnUse() {
    do {
      try resume()
    } catch {
      resumeFailure = resumeFailure ?? error
    }
  }
}
