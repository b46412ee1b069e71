import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// How a session moves to a newer version. The commit records in between come from this process's hub, from
// the store's log where other processes committed, and, if the log no longer reaches back, from
// comparing the two versions: a session may stay behind without limit.

extension Session {
  /// Moves the snapshot to the newest version; returns the records from version `old` to it, in order. `isChecked`:
  /// whether the file was just found at its path.
  func renew(from old: Int, isChecked: Bool = false) throws -> [CommitRecord] {
    let records =
      hub.environment.isInMemory
      ? try renewInPlace(from: old) : try renewByReplacing(from: old, isChecked: isChecked)
    position.reach(snapshot.version)
    if records.contains(where: \.schemaChanged) {
      snapshot.layout = try layout(of: snapshot)
    }
    position.labelVersion()
    position.enter(hub)
    return records
  }

  /// Moves the snapshot to the version that the session has just committed, while nobody else can, without looking for
  /// other commits; returns false if that is not possible.
  func renew(to record: CommitRecord) throws -> Bool {
    if hub.environment.isInMemory {
      if position.isShared {
        _ = try renewInPlace(from: version)
      } else if position.reader.version != record.lastVersion {
        // What was changed in place is there already.
        try stored { () throws(StorageError) in try snapshot.storage.renew() }
      }
    } else if position.isShared
      || !position.reader.storage.advanceInJournal(to: record.lastVersion)
    {
      return false
    }
    position.reach(record.lastVersion)
    if record.schemaChanged { snapshot.layout = try layout(of: snapshot) }
    position.labelVersion()
    position.enter(hub)
    return true
  }

  /// Renews the snapshot of a store in memory: only this process commits, and its records are all in the hub.
  private func renewInPlace(from old: Int) throws -> [CommitRecord] {
    if position.isShared {
      let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
      position.read(with: TransactionReader(transaction, layout: snapshot.layout))
    } else {
      try stored { () throws(StorageError) in try snapshot.storage.renew() }
    }
    return hub.records(after: old, through: snapshot.version)
  }

  /// Renews the snapshot of a file: the old version stays readable until the records have been found.
  private func renewByReplacing(from old: Int, isChecked: Bool) throws -> [CommitRecord] {
    let transaction = try stored { () throws(StorageError) in
      try hub.environment.beginRead(isChecked: isChecked)
    }
    let newer = TransactionReader(transaction, layout: snapshot.layout)
    let records = try records(after: old, to: newer)
    newer.layout = snapshot.layout
    position.read(with: newer)
    return records
  }

  private func records(
    after old: Int, to newer: TransactionReader
  ) throws -> [CommitRecord] {
    if let records = try loggedRecords(after: old, to: newer) { return records }
    newer.layout = try layout(of: newer)
    return [CommitRecord(comparing: standing, at: old, with: newer, at: newer.version)]
  }

  /// Returns the records of this process and of the log between two versions; nil if the log no
  /// longer reaches back.
  func loggedRecords(
    after old: Int, to newer: TransactionReader
  ) throws -> [CommitRecord]? {
    let new = newer.version
    guard old < new else { return [] }
    let known = hub.records(after: old, through: new)
    if known.count == new - old { return known }
    var byVersion = Dictionary(uniqueKeysWithValues: known.map { ($0.lastVersion, $0) })
    var records: [CommitRecord] = []
    for version in old + 1...new {
      if let record = byVersion.removeValue(forKey: version) {
        records.append(record)
      } else if let bytes = newer.storage.logEntry(version),
        let record = try commit(of: bytes, version)?.record
      {
        records.append(record)
      } else {
        return nil
      }
    }
    return records
  }

  func layout(of reader: TransactionReader) throws -> Layout {
    try hub.layout(of: reader.storage.metadata(schemaName))
  }
}

extension Session {
  /// Moves the session's reader to the pages of its version, if that is the newest: of its last commits they may have
  /// been in the journal alone.
  package func readFromPages() throws {
    guard position.isLive, !isInWrite, !hub.environment.isInMemory else { return }
    try stored { () throws(StorageError) in
      try hub.environment.checkpoint()
      let newest = try hub.environment.beginRead()
      if newest.version == version {
        position.read(with: TransactionReader(newest, layout: position.reader.layout))
      }
    }
    position.labelVersion()
  }
}
