import HeraldEngine
import HeraldMaintenance
package import HeraldModel
package import HeraldQuery

extension DynamicStore {
  /// Copies the store's newest version into a new file, while sessions and programs continue to write.
  ///
  ///     let version = try store.backup(to: "pets-monday.hdb")
  ///
  /// The file is a store with the same content, and is durable when this returns. After an error nothing
  /// is left of it. A store in memory can be saved this way. `progress` is called on this thread, a few
  /// times per megabyte. Uncommitted changes of an open transaction are not in the copy.
  ///
  /// - Returns: The version of the copy.
  ///
  /// Errors: `cannotWrite` if the file exists or cannot be written, `full`, `frozen`, and `interrupted`
  /// if the store's `interruption` is requested. Cost: the store is read and written once; until then
  /// pages that commits free are not reused.
  @discardableResult
  package func backup(
    to path: String, progress: (BackupProgress) -> Void = { _ in }
  ) throws -> Int {
    try session.backup(to: path) { progress(BackupProgress(done: $0, total: $1)) }
  }

  /// Updates an earlier backup of this store, which is at `version`, to the store's newest version.
  ///
  ///     let monday = try store.backup(to: "pets.backup.hdb")
  ///     let tuesday = try store.backup(to: "pets.backup.hdb", since: monday)
  ///
  /// The update is one transaction of the backup, which writes only the differences. Programs that have
  /// the backup open are not disturbed. After an error the backup is unchanged. Cost: both files are read
  /// once.
  ///
  /// - Returns: The new version of the backup.
  ///
  /// Errors: `cannotUpdate` if the file is at another version, is a backup of another store, or was
  /// written to; `locked` if a program is writing to it; the errors of opening; `full`; `interrupted`.
  @discardableResult
  package func backup(
    to path: String, since version: Int, progress: (BackupProgress) -> Void = { _ in }
  ) throws -> Int {
    try session.backup(to: path, since: version) {
      progress(BackupProgress(done: $0, total: $1))
    }
  }
}

extension DynamicStore {
  /// Checks the whole store and returns a description of each inconsistency; empty if there is none.
  /// Cost: O(store).
  ///
  /// If `interruption` is requested, it returns what was found by then.
  package func check() -> [String] { session.check() }

  /// Checks the store in a file and returns a description of each inconsistency, also of damage that
  /// prevents opening it. Cost: O(store).
  ///
  ///     for problem in try DynamicStore.check(path: "pets.hdb") { print(problem) }
  ///
  /// The store is opened for reading; other sessions and programs can use it meanwhile. Errors: those of
  /// opening, such as `cannotOpen` and `notAStore`, except `damaged`, which is returned as a problem;
  /// `interrupted` if `interruption` is requested.
  package static func check(
    path: String, interruption: Interruption? = nil
  ) throws -> [String] {
    let store: DynamicStore
    do {
      store = try DynamicStore(path: path, readOnly: true)
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

/// The result of compacting a store.
package struct StoreCompaction: Hashable, Sendable {
  /// The size of the file before, in bytes.
  package let before: Int
  /// The size of the file after, in bytes.
  package let after: Int
}

extension DynamicStore {
  /// Returns the free pages of the store's file to the disk, while sessions and programs continue.
  ///
  ///     let sizes = try store.compact()
  ///     print("\(sizes.before - sizes.after) bytes smaller")
  ///
  /// The store is copied to a new file in the same directory, which replaces the old one atomically:
  /// after a power failure or a kill, one of the two is there. Writers wait meanwhile, readers do not.
  /// Other sessions and programs switch to the new file at their next read or write, and keep their
  /// version and their observers. Frozen values stay with the old file, whose space is freed when nothing
  /// has it open any more. `progress` is called on this thread.
  ///
  /// Errors, after which the store is unchanged: `writeInProgress`, `readOnly`, `frozen`, `cannotWrite`
  /// if the file cannot be replaced, `full` if the disk has no space for both files, `damaged`,
  /// `interrupted` if `interruption` is requested. Cost: the store is read and written once.
  @discardableResult
  package func compact(
    progress: (BackupProgress) -> Void = { _ in }
  ) throws -> StoreCompaction {
    let done = try session.compact { progress(BackupProgress(done: $0, total: $1)) }
    return StoreCompaction(before: done.before, after: done.after)
  }

  /// The bytes of the file's free pages. Errors: `closed`.
  package var freeBytes: Int { get throws { try session.freeBytes() } }

  /// All readers that hold a version of the store, in this process and in others, oldest first.
  ///
  ///     for reader in try store.readers where reader.bytes > 100_000_000 {
  ///       print("process \(reader.process) has been at version \(reader.version) since \(reader.since)")
  ///     }
  ///
  /// Resting sessions hold no version. Entries of programs that have died are removed first. Cost:
  /// O(entries of the reader table and of the free list).
  package var readers: [StoreReader] {
    get throws { try session.readers() }
  }
}
