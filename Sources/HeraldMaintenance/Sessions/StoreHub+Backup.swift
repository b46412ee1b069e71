package import HeraldEngine
package import HeraldModel
package import HeraldQuery
import HeraldStorage

extension StoreHub {
  /// Copies the newest version into a new file, on any thread; returns the version.
  package func backup(
    to path: String, interruption: Interruption?, _ progress: (Int, Int) -> Void
  ) throws(HeraldError) -> Int {
    try stored { () throws(StorageError) in
      try environment.backup(to: path) { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }
    }
  }

  /// Updates a backup that is at version `old` to the newest version, on any thread; returns that version.
  package func update(
    backup path: String, since old: Int, interruption: Interruption?,
    _ progress: (Int, Int) -> Void
  ) throws(HeraldError) -> Int {
    let backup = try stored { () throws(StorageError) in try environment.openBackup(path) }
    let others = StoreHub.hub(of: backup)
    guard others.writer.take(waiting: false) else { throw .locked(path: path) }
    defer { others.writer.leave() }
    return try stored { () throws(StorageError) in
      try environment.update(backup, since: old) { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }.version
    }
  }
}
