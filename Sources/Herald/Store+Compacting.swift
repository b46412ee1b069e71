import HeraldEngine
import HeraldModel

/// What compacting a store has done.
public struct StoreCompaction: Hashable, Sendable {
  /// The size of the file before, in bytes.
  public let before: Int
  /// Its size now.
  public let after: Int
}

extension Store {
  /// Gives the free pages of the store's file back to the disk, while sessions and programs go on.
  ///
  ///     let sizes = try store.compact()
  ///     print("\(sizes.before - sizes.after) bytes smaller")
  ///
  /// The store is copied beside itself, and the copy takes its place at once: when the power fails or the
  /// program is killed, the old file or the new one is there. Writers wait meanwhile, readers do not. Other
  /// sessions and programs go on with the new file at their next read or write, with their version and
  /// their observers. What holds a version goes on with the old file, the room of which is given back when
  /// nobody has it open any more. `progress` is called on this thread.
  ///
  /// Errors: `writeInProgress`, `readOnly`, `frozen`, `cannotWrite` where a new file cannot take the
  /// store's place, `full` where the disk has no room for both, `damaged`, `interrupted` where
  /// `interruption` is requested; then the store is as it was. Cost: the store is read and written once.
  @discardableResult
  public func compact(
    progress: (BackupProgress) -> Void = { _ in }
  ) throws -> StoreCompaction {
    let done = try session.compact { progress(BackupProgress(done: $0, total: $1)) }
    return StoreCompaction(before: done.before, after: done.after)
  }
}
