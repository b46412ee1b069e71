// What a write transaction does for other copies of the store: it notes what it changes, and makes changes that another
// copy has made. How these are sent is no matter of storage.

extension WriteTransaction {
  /// Notes from now on what changes; to be called before anything is changed.
  package func capture() { changes.capture = WriteCapture() }

  /// What has been noted; nil without `capture`.
  package var captured: WriteCapture? { changes.capture }

  /// The sums of all records and entries, as the changes have left them.
  package var digest: StoreDigest {
    var digest = snapshot.state.digest
    digest &+= changes.digest
    return digest
  }

  /// Makes reads by keys find contents that the caller puts into their records before it commits.
  package func hold(_ contents: any HeldContents) {
    changes.held = contents
    changes.hasWritten = true
  }

  /// Makes reads by keys find what has changed of the contents that are held.
  package func prepareReading() { snapshot.cache.forgetAll() }

  /// Ends one version of several that one transaction commits together: what follows belongs to the next.
  package func endVersion() throws(StorageError) {
    try snapshot.checkFailure()
    try snapshot.beginOwn()
    try flush()
    snapshot.advance(to: try nextState())
    changes.logEntry = nil
    changes.loggedBytes = nil
    changes.digest = StoreDigest()
  }

  /// Adds an index entry or a reverse link, unless it is there, or removes it, if it is.
  package func changeEntry(
    _ space: RecordSpace, _ key: [UInt8], _ entry: [UInt8], isAdded: Bool
  ) throws(StorageError) {
    _ = try key.span.bytes.withUnsafeBytes { key throws(StorageError) in
      try entry.span.bytes.withUnsafeBytes { entry throws(StorageError) in
        try snapshot.change(space, key, entry, isAdded: isAdded)
      }
    }
  }
}
