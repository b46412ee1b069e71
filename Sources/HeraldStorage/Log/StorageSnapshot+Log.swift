extension StorageSnapshot {
  /// Returns the entry that `setLogEntry` stored for a version; nil if there is none, or it was trimmed.
  package func logEntry(_ version: Int) -> [UInt8]? {
    guard version >= 0 else { return nil }
    return get(.log, .version(version)).map { [UInt8]($0) }
  }

  /// Calls `body` with the bytes of the entry of a version, which are valid during the call only; nil if there
  /// is none, or it was trimmed.
  package func withLogEntry<R>(_ version: Int, _ body: (UnsafeRawBufferPointer) throws -> R)
    rethrows -> R?
  {
    guard version >= 0 else { return nil }
    return try get(.log, .version(version)).map(body)
  }

  /// The oldest version with an entry in the log.
  package var oldestLogVersion: Int? {
    var oldest: Int?
    forEachRecord(.log, from: nil) { key, _ in
      oldest = Int(truncatingIfNeeded: key.bigEndian(at: 0, as: UInt64.self))
      return false
    }
    return oldest
  }
}
