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
  /// or something is pending; nor for a store in memory, which no other process makes grow, nor for one that follows a
  /// stream, whose content a snapshot may replace with its log. O(1).
  package func rest() {
    guard mayRest, !hub.environment.isInMemory else { return }
    position.rest()
  }

  /// Releases the version of a session without observers, which no commit concerns until it is used again.
  /// Otherwise each commit would cost each session of the process a step forward. O(1).
  package func restWithoutObservers() {
    guard mayRest, observatory.isEmpty else { return }
    position.rest()
    position.leave(hub)
  }

  private var mayRest: Bool {
    guard writing.isNone, hub.replicator == nil else { return false }
    return position.isLive && autorefresh && !isClosed && !isDelivering && !observatory.hasPending
      && delivery.queue.isEmpty
  }

  /// Takes the newest version and passes the records up to it to the observers; returns whether it is newer.
  /// Errors: `logTrimmed` if the log no longer reaches back to the version that was released; the
  /// observers have then ended, of which the next delivery notifies them, and the session is at the newest
  /// version.
  @discardableResult
  func resume() throws -> Bool {
    guard position.isResting else { return false }
    let old = version
    try stored { () throws(StorageError) in try position.wake() }
    let reader = position.reader
    guard reader.version != old else {
      position.enter(hub)
      return false
    }
    if observatory.isEmpty {
      // Nobody needs the records in between.
      reader.layout = try layout(of: reader)
      position.reach(reader.version)
      position.enter(hub)
      return true
    }
    let records = try loggedRecords(after: old, to: reader)
    position.reach(reader.version)
    if records?.contains(where: \.schemaChanged) ?? true { reader.layout = try layout(of: reader) }
    position.enter(hub)
    guard let records else {
      let error = HeraldError.logTrimmed(version: old)
      observatory.fail(error)
      throw error
    }
    take(records)
    return true
  }

  /// Resumes on behalf of `snapshot`, which cannot throw: `checkIntact` throws the error.
  package func resumeOnUse() {
    guard position.isResting else { return }
    do {
      try resume()
    } catch {
      position.fail(error)
    }
  }
}
