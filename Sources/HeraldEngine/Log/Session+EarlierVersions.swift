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
    try continueAlone()
    if !isFrozen { resumeOnUse() }
    if wanted == version { return try frozenHere() }
    if let lastPast, lastPast.version == wanted, lastPast.position.later === lastFrozen {
      return lastPast
    }
    try check(wanted)
    let present = try frozenHere()
    let past = try frozen(at: wanted, over: present)
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
    return try frozen(at: wanted, over: later)
  }

  /// Returns a session that is frozen at an earlier version than a frozen one.
  private func frozen(at wanted: Int, over later: Session) throws -> Session {
    guard let reader = later.position.shared else { throw HeraldError.closed }
    let previous = try previous(of: later.standing, from: later.version, to: wanted)
    return Session(frozen: .earlier(previous, over: later, reader), at: wanted, reader, hub)
  }

  /// Freezes the session's version, even while a write is open.
  func frozenHere() throws -> Session {
    if isFrozen { return self }
    if let lastFrozen, lastFrozen.version == version { return lastFrozen }
    let reader = try sharedReader()
    let frozen = Session(frozen: .frozen(reader), at: reader.version, reader, hub)
    lastFrozen = frozen
    return frozen
  }

  /// Returns a reader of an earlier version, over one of a later.
  private func previous(
    of reader: any ObjectReader, from last: Int, to wanted: Int
  ) throws -> PreviousReader {
    var commits = MergedCommits()
    for version in wanted + 1...last {
      guard let record = try commitIfLogged(version)?.record else {
        throw HeraldError.versionNotKept(wanted, oldest: version)
      }
      try commits.append(record)
    }
    return commits.reader(over: reader)
  }

  /// Returns what the commits between two versions changed. O(changes).
  ///
  /// Errors: those of `loggedCommit`.
  package func changes(
    of classID: ClassID, from first: Int, to last: Int
  ) throws -> ClassDifference {
    var difference = ClassDifference(classID)
    guard first < last else { return difference }
    for version in first + 1...last { difference.append(try loggedCommit(version).record) }
    return difference
  }
}

/// Consecutive commits as few records: those between changes of the schema are one.
struct MergedCommits {
  private var runs: [CommitRecord] = []

  /// Errors: `versionNotKept` for a change of the schema that lacks what was before it.
  mutating func append(_ record: CommitRecord) throws {
    if let previous = record.previous, !previous.isComplete {
      let first = runs.first?.firstVersion ?? record.firstVersion
      throw HeraldError.versionNotKept(first - 1, oldest: record.lastVersion)
    }
    if !record.schemaChanged, let run = runs.last, !run.schemaChanged {
      runs[runs.count - 1].merge(record)
    } else {
      runs.append(record)
    }
  }

  /// Returns a reader of the version before the commits, over one of the version after them. There must be a commit.
  func reader(over reader: any ObjectReader) -> PreviousReader {
    var reader = reader
    for run in runs.reversed().dropLast() { reader = PreviousReader(reader, before: run) }
    return PreviousReader(reader, before: runs[0])
  }
}

/// What consecutive commits changed that may concern the objects of one class.
package struct ClassDifference {
  private let classID: ClassID
  /// The commits as one record; nil without any, or once one of them changed the schema.
  package private(set) var record: CommitRecord?
  package private(set) var isSchemaChanged = false
  /// The objects of the class that may have changed, once the schema has; nil if they may all have.
  private var changed: Set<ObjectNumber>? = []

  fileprivate init(_ classID: ClassID) { self.classID = classID }

  fileprivate mutating func append(_ later: CommitRecord) {
    if later.schemaChanged, !isSchemaChanged {
      isSchemaChanged = true
      if let record { note(record) }
      record = nil
    }
    if isSchemaChanged {
      note(later)
    } else if record == nil {
      record = later
    } else {
      record?.merge(later)
    }
  }

  private mutating func note(_ record: CommitRecord) {
    if record.losses.properties[classID] != nil { changed = nil }
    if changed != nil, let change = record.classes[classID] {
      changed?.formUnion(change.numbersOfChanged)
    }
  }

  /// The objects of the class that existed before and may have changed; nil if they may all have.
  package var changedObjects: Set<ObjectNumber>? {
    guard !isSchemaChanged else { return changed }
    return record?.classes[classID]?.numbersOfChanged ?? []
  }
}

extension ClassChange {
  /// The objects that were deleted, and may have been restored, or of which a property was changed.
  fileprivate var numbersOfChanged: Set<ObjectNumber> {
    var changed = Set(deleted.keys)
    for delta in properties.values { delta.forEachNumber { changed.insert($0) } }
    return changed
  }
}
