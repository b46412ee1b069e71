import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// How a session moves to a newer version. What happened in between comes from this process's hub,
// from the store's change log where other processes committed, and, where the log no longer reaches
// back, from comparing the two versions: so a session can stay behind for as long as it likes.

extension Session {
  /// Moves the snapshot to the newest version and answers the records that lead there from `old`,
  /// in order.
  func renew(from old: Int) throws -> [CommitRecord] {
    let records =
      hub.environment.isInMemory ? try renewInPlace(from: old) : try renewByReplacing(from: old)
    version = snapshot.version
    if records.contains(where: \.schemaChanged) {
      snapshot.layout = try layout(of: snapshot)
    }
    labelVersion()
    hub.moved(self, to: version)
    return records
  }

  /// In memory nobody commits but this process, whose records are all in the hub.
  private func renewInPlace(from old: Int) throws -> [CommitRecord] {
    if pinned != nil {
      let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
      snapshot = TransactionReader(transaction, layout: snapshot.layout)
      pinned = nil
    } else {
      try stored { () throws(StorageError) in try snapshot.transaction.renew() }
    }
    return hub.records(after: old, through: snapshot.version)
  }

  /// The old version stays readable until it is known how the new one came about.
  private func renewByReplacing(from old: Int) throws -> [CommitRecord] {
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    let newer = TransactionReader(transaction, layout: snapshot.layout)
    let records = try records(after: old, to: newer)
    newer.layout = snapshot.layout
    snapshot = newer
    pinned = nil
    return records
  }

  private func records(
    after old: Int, to newer: TransactionReader<ReadTransaction>
  ) throws -> [CommitRecord] {
    if let records = try loggedRecords(after: old, to: newer) { return records }
    newer.layout = try layout(of: newer)
    return [CommitRecord(comparing: standing, at: old, with: newer, at: newer.version)]
  }

  /// The records of this process and of the change log that lead from a version to another; nil where the
  /// log no longer reaches back.
  func loggedRecords(
    after old: Int, to newer: TransactionReader<ReadTransaction>
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
      } else if let bytes = newer.transaction.logEntry(version),
        let record = try record(of: bytes, version)
      {
        records.append(record)
      } else {
        return nil
      }
    }
    return records
  }

  /// Nil for what a program of another version wrote.
  private func record(of bytes: [UInt8], _ version: Int) throws -> CommitRecord? {
    do {
      return try CommitRecord(encoded: bytes)
    } catch {
      throw HeraldError.damaged(path: path ?? "", reason: "log entry \(version) cannot be read")
    }
  }

  func layout(of reader: TransactionReader<ReadTransaction>) throws -> Layout {
    try hub.layout(of: reader.transaction.metadata(schemaName))
  }
}
