package import HeraldModel
package import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Returns a session at an earlier version, frozen as `freeze` does it: what the commits since have changed
  /// is undone in what it reads. O(changes since then), and the time of a read grows with the number of
  /// changes of the schema since then only.
  ///
  /// Errors: `noSuchVersion`, `versionNotKept`, `closed`.
  package func freeze(at wanted: Int) throws -> Session {
    try checkOpen()
    if !isFrozen { resumeOnUse() }
    if wanted == version { return try frozenHere() }
    if let lastPast, lastPast.version == wanted, lastPast.base === lastFrozen { return lastPast }
    try check(wanted)
    let present = try frozenHere()
    guard let reader = present.pinned else { throw HeraldError.closed }
    let past = Session(
      past: try previous(of: present.standing, from: version, to: wanted), at: wanted,
      over: present, reader)
    lastPast = past
    return past
  }

  /// Returns a frozen session at an earlier version than that of `later`, a frozen session of the same store.
  /// O(changes in between).
  ///
  /// Errors: those of `freeze(at:)`.
  package func earlier(_ wanted: Int, than later: Session) throws -> Session {
    if wanted == later.version { return later }
    try check(wanted)
    guard let reader = later.pinned else { throw HeraldError.closed }
    return Session(
      past: try previous(of: later.standing, from: later.version, to: wanted), at: wanted,
      over: later, reader)
  }

  /// Freezes the session's version, even while a write is open.
  private func frozenHere() throws -> Session {
    if isFrozen { return self }
    if let lastFrozen, lastFrozen.version == version { return lastFrozen }
    let frozen = Session(frozen: try sharedReader(), hub)
    lastFrozen = frozen
    return frozen
  }

  /// Returns a reader of an earlier version, over one of a later. Commits between changes of the schema are
  /// undone together.
  func previous(
    of reader: any ObjectReader, from last: Int, to wanted: Int
  ) throws -> PreviousReader {
    var runs: [CommitRecord] = []
    for version in wanted + 1...last {
      guard let record = try commitIfLogged(version)?.record else {
        throw HeraldError.versionNotKept(wanted, oldest: version)
      }
      if let former = record.former, !former.isComplete {
        throw HeraldError.versionNotKept(wanted, oldest: version)
      }
      if !record.schemaChanged, let run = runs.last, !run.schemaChanged {
        runs[runs.count - 1].merge(record)
      } else {
        runs.append(record)
      }
    }
    var reader = reader
    for run in runs.reversed().dropLast() { reader = PreviousReader(reader, before: run) }
    return PreviousReader(reader, before: runs[0])
  }
}

extension Session {
  /// Returns the commits between two versions as one record, `.some(nil)` if they changed nothing, and nil if one of them
  /// changed the schema. O(changes).
  package func record(from first: Int, to last: Int) throws -> CommitRecord?? {
    guard first < last else { return .some(nil) }
    var merged: CommitRecord?
    for version in first + 1...last {
      let record = try loggedCommit(version).record
      if record.schemaChanged { return nil }
      if merged == nil { merged = record } else { merged?.merge(record) }
    }
    return .some(merged)
  }

  /// Returns the objects of a class that commits between two versions may have changed; nil if they may have
  /// changed all of them. O(changes).
  package func changedObjects(
    of classID: ClassID, from first: Int, to last: Int
  ) throws -> Set<ObjectNumber>? {
    var changed: Set<ObjectNumber> = []
    guard first < last else { return changed }
    for version in first + 1...last {
      let record = try loggedCommit(version).record
      if record.losses.properties[classID] != nil { return nil }
      guard let change = record.classes[classID] else { continue }
      changed.formUnion(change.deleted.keys)
      for delta in change.properties.values { delta.forEachNumber { changed.insert($0) } }
    }
    return changed
  }
}
