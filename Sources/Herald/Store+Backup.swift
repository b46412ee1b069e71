import Dispatch
import HeraldEngine
import HeraldQuery

/// How far a backup is.
public struct BackupProgress: Hashable, Sendable {
  /// Bytes copied or records compared.
  public let done: Int
  public let total: Int

  /// From 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}

extension Store {
  /// Copies the store's newest version into a new file, while sessions and programs go on writing.
  ///
  ///     let version = try store.backup(to: "pets-monday.hdb")
  ///
  /// The file is a store with the same content; when this returns it is on disk, with its name. Where
  /// it fails or is stopped nothing is left. A store in memory is saved so. `progress` is called on
  /// this thread, some times a megabyte. What an open write has done is not in the copy.
  ///
  /// - Returns: The version of the copy.
  ///
  /// Errors: `cannotWrite` where the path is taken or cannot be written, `full`, `frozen`, and
  /// `interrupted` where `interruption` is requested. Cost: the store is read and written once; for as
  /// long its pages are not used again.
  @discardableResult
  public func backup(
    to path: String, progress: (BackupProgress) -> Void = { _ in }
  ) throws -> Int {
    try session.backup(to: path) { progress(BackupProgress(done: $0, total: $1)) }
  }

  /// Brings an earlier backup of this store, which is at `version`, to the store's newest version.
  ///
  ///     let monday = try store.backup(to: "pets.backup.hdb")
  ///     let tuesday = try store.backup(to: "pets.backup.hdb", since: monday)
  ///
  /// It is one transaction of that file, which writes only what differs; both are read. Whoever has
  /// the backup open goes on. Where it fails or is stopped the backup is as it was.
  ///
  /// - Returns: The version that the backup is at now.
  ///
  /// Errors: `cannotUpdate` where the file is at another version, is a backup of another store, or was
  /// written to; `locked` where somebody writes to it; those of opening; `full`; `interrupted`.
  @discardableResult
  public func backup(
    to path: String, since version: Int, progress: (BackupProgress) -> Void = { _ in }
  ) throws -> Int {
    try session.backup(to: path, since: version) {
      progress(BackupProgress(done: $0, total: $1))
    }
  }

  /// As `backup(to:)` or, with a version, `backup(to:since:)`, on a thread of its own: how far it is,
  /// until it is done.
  ///
  ///     for try await progress in try store.backingUp(to: "pets-monday.hdb") {
  ///       print(progress.fraction)
  ///     }
  ///
  /// It begins at once. It is stopped, and nothing is left, when the task is cancelled or nobody
  /// iterates any more. Progress that comes while nobody awaits it is one step.
  public func backingUp(
    to path: String, since version: Int? = nil
  ) throws -> AsyncThrowingStream<BackupProgress, any Error> {
    try session.checkOpen()
    let hub = session.hub
    let interruption = Interruption()
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: BackupProgress.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in interruption.request() }
    DispatchQueue.global().async {
      let tell = { (done: Int, total: Int) in
        _ = continuation.yield(BackupProgress(done: done, total: total))
      }
      do {
        if let version {
          _ = try hub.update(backup: path, since: version, interruption: interruption, tell)
        } else {
          _ = try hub.backup(to: path, interruption: interruption, tell)
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return stream
  }
}
