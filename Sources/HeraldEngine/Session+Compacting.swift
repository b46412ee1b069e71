import HeraldModel
import HeraldQuery
import HeraldStorage

extension Session {
  /// Puts the store into a new file without free pages; returns the sizes of both, in bytes.
  ///
  /// Errors: as of a write that begins; `full`; `interrupted` where the session's interruption is
  /// requested. Then the store is as it was. Cost: the store is read and written once.
  package func compact(
    _ progress: (Int, Int) -> Void
  ) throws -> (before: Int, after: Int) {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    guard case .none = writing else { throw HeraldError.writeInProgress }
    _ = hub.takeWriter(waiting: true)
    defer { hub.leaveWriter() }
    let done = try stored { () throws(StorageError) in
      try hub.environment.compact { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }
    }
    return (done.before, done.after)
  }
}
