internal import Synchronization

extension StorageEnvironment {
  /// Whether a commit is on the disk when it returns, whatever it changes. If not, one that changes little and is in the
  /// journal alone is on the disk with the next checkpoint: a loss of power takes the last ones, in their order.
  package var syncsEveryCommit: Bool {
    get { store.journaled.syncs.load(ordering: .relaxed) }
    set { store.journaled.syncs.store(newValue, ordering: .relaxed) }
  }

  /// Puts the commits that are in the journal alone into the pages, for those who read the pages.
  func checkpoint(hasGate: Bool) throws(StorageError) {
    if isInMemory { return }
    if !hasGate { store.journaled.gate.take() }
    defer { if !hasGate { store.journaled.gate.leave() } }
    try store.checkpoint()
  }

  package func checkpoint() throws(StorageError) { try checkpoint(hasGate: false) }

  /// How many times commits of a few changes were made durable, those of several sessions together.
  package var journaledCommits: Int { store.journaled.count }

  /// Begins a read transaction of a version that is in the pages.
  package func beginReadOfPages() throws(StorageError) -> StorageSnapshot {
    while true {
      try checkpoint()
      let snapshot = try beginRead()
      if snapshot.overlay == nil { return snapshot }
    }
  }
}
