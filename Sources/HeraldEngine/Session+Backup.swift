extension Session {
  /// Copies the newest version of the store into a new file; returns the version. Errors: those of
  /// writing a file, and `interrupted`.
  package func backup(to path: String, _ progress: (Int, Int) -> Void) throws -> Int {
    try checkLive()
    return try hub.backup(to: path, interruption: interruption, progress)
  }

  /// Brings a backup that is at `old` to the newest version of the store, which is returned.
  package func backup(
    to path: String, since old: Int, _ progress: (Int, Int) -> Void
  ) throws -> Int {
    try checkLive()
    return try hub.update(backup: path, since: old, interruption: interruption, progress)
  }
}
