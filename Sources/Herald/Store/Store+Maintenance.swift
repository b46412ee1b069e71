import Dispatch
import HeraldEngine
public import HeraldModel
public import HeraldQuery

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

extension Store {
  /// Every inconsistency that a slow recount of the whole store finds; empty when all is well.
  ///
  /// Where `interruption` is requested, it returns what was found by then.
  public func check() -> [String] { session.check() }

  /// Every inconsistency of the store in a file, the one that keeps it from being opened included.
  ///
  ///     for problem in try Store.check(path: "pets.hdb") { print(problem) }
  ///
  /// The store is opened for reading; other sessions and programs go on using it. Errors:
  /// `cannotOpen`, `notAStore` and the other errors of opening, except `damaged`, which is returned as
  /// a problem; `interrupted` where `interruption` is requested.
  public static func check(
    path: String, interruption: Interruption? = nil
  ) throws -> [String] {
    let store: Store
    do {
      store = try Store(path: path, readOnly: true)
    } catch HeraldError.damaged(let path, let reason) {
      return Session.problems(ofDamaged: path, reason)
    }
    defer { store.close() }
    store.interruption = interruption
    let problems = store.check()
    if interruption?.isRequested == true { throw HeraldError.interrupted }
    return problems
  }
}

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

extension Store {
  /// Makes a new store of what can still be read of a damaged one, object by object.
  ///
  ///     let report = try Store.repair(path: "pets.hdb", to: "pets-repaired.hdb")
  ///     for loss in report.lost { print(loss) }
  ///
  /// The damaged file is only read, and nothing that it says is believed without its checksum: this
  /// neither crashes nor hangs on any file. Objects keep their primary keys and their numbers; links to
  /// lost objects become nil or leave their collection, and a property that must have a value and has
  /// lost one becomes optional. What stands in for a lost part is what an earlier version had, and is
  /// among what was lost. Of a store without damage the new one has the same content.
  ///
  /// The new file is readable by its owner alone and on disk when this returns; where it fails or is
  /// stopped, nothing of it is left. Writers of the damaged store wait.
  ///
  /// Errors: `cannotOpen`; `notAStore` where nothing of a store is found; `newerFormat`; `locked` where
  /// somebody is writing to it; `cannotWrite` where something is at the new path; `full`; `interrupted`
  /// where `interruption` is requested.
  public static func repair(
    path: String, to new: String, interruption: Interruption? = nil
  ) throws -> RepairReport {
    try StoreRepair.run(path, to: new, interruption: interruption)
  }
}
