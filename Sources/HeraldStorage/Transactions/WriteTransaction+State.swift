extension WriteTransaction {
  /// Stores bytes under a name of at most 500 bytes.
  package func setMetadata(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
    try snapshot.put(.meta, StorageSnapshot.metadataKey(name), bytes)
  }

  /// Makes the commit one of settings alone, without a version, but in memory; to be called before anything is
  /// changed.
  package func keepVersion() { changes.keepsVersion = snapshot.isChecked }

  /// Advances the state, and the log with it, to the version that this commit creates.
  ///
  /// In memory the number of the transaction is enough, if that has written anything at all: LMDB gives none to a
  /// transaction without changes.
  func flushState() throws(StorageError) {
    if !snapshot.isChecked, changes.hasPut, changes.logEntry == nil { return }
    let state = try nextState()
    try state.withContent { content throws(StorageError) in
      try snapshot.put(.meta, .state, content)
    }
  }

  /// Writes the entry of the log, and returns the state after the version that the changes so far make.
  func nextState() throws(StorageError) -> StoreState {
    var state = snapshot.state
    if !changes.keepsVersion { state.version += 1 }
    if let entry = changes.logEntry { try putLogEntry(entry, &state) }
    state.transaction = snapshot.transaction.number
    state.digest &+= changes.digest
    return state
  }
}
