import HeraldStorage

/// The mark of a backup, with the version at which it was made or updated: writing to the file
/// creates later versions, which reveals the change.
///
///     backup := version:u64le                              as metadata under the name "backup"
struct BackupMark {
  static let key = StorageSnapshot.metadataKey("backup")

  let version: Int

  init(version: Int) { self.version = version }

  /// Returns nil if the content is malformed.
  init?(_ content: UnsafeRawBufferPointer) {
    guard content.count == 8 else { return nil }
    version = Int(truncatingIfNeeded: content.littleEndian(at: 0, as: UInt64.self))
  }

  /// The whole record, with its trailer.
  var record: [UInt8] {
    withUnsafeBytes(of: UInt64(version).littleEndian) { content in
      Self.key.withUnsafeBytes { RecordTrailer.record(.meta, $0, content, version: version) }
    }
  }
}

extension RecordWriter {
  /// Marks the file as a backup at the version of `state` and commits; returns the number of the transaction.
  ///
  /// If `digest` is given, the records without the backup mark must match it. The state records a transaction
  /// `ahead` of LMDB's, for `restoreTransaction`.
  mutating func commitBackup(
    as state: StoreState, digest expected: StoreDigest?, ahead: UInt64 = 0
  ) throws(StorageError) -> Int {
    try setMark(BackupMark(version: state.version), digest: expected)
    return try commit(as: state, ahead: ahead)
  }

  private mutating func setMark(
    _ mark: BackupMark, digest expected: StoreDigest?
  ) throws(StorageError) {
    let (old, new) = (record(.meta, BackupMark.key), mark.record)
    try BackupMark.key.span.bytes.withUnsafeBytes { key throws(StorageError) in
      var rest = digest
      if let old { rest[.meta] &-= StoreDigest.share(ofRecord: old, .meta, key) }
      guard expected == nil || rest == expected else {
        throw .damaged(
          path: file.path, reason: "its records are not those that its commits wrote")
      }
      if let old, old.elementsEqual(new) { return }
      try new.span.bytes.withUnsafeBytes { record throws(StorageError) in
        try put(.meta, key, record, replacing: old)
      }
    }
  }
}
