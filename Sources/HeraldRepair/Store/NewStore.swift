import Glibc
import HeraldMaintenance
import HeraldStorage

/// A store that gets its name once it is complete: if dropped before, it leaves nothing behind.
final class NewStore {
  /// The final name of the store.
  let path: String
  private let file: NewFile
  private var environment: StorageEnvironment?

  /// Throws `cannotWrite` if the path is taken. `source`: a file that must not become the lock file
  /// of the store, nor the other way round.
  init(_ path: String, besides source: String) throws(StorageError) {
    if FileFacts(at: path) != nil { throw NewFile.failure(EEXIST, path) }
    for (one, other) in [(path + LockFile.suffix, source), (path, source + LockFile.suffix)]
    where StorageEnvironment.isOneFile(one, other) {
      throw .cannotWrite(
        path: path, reason: "one of the two stores would be the lock file of the other")
    }
    self.path = path
    file = try NewFile(path)
    do throws(StorageError) {
      environment = try StorageEnvironment.open(.file(file.temporaryPath))
    } catch {
      throw error.naming(path, inPlaceOf: file.temporaryPath)
    }
  }

  deinit {
    environment = nil
    removeLock()
  }

  /// Begins the next transaction of the store.
  func beginWrite() throws(StorageError) -> WriteTransaction {
    guard let environment else { throw .readOnly }
    return try environment.beginWrite()
  }

  /// Returns an error of the store with its final name.
  func named(_ error: StorageError) -> StorageError {
    error.naming(path, inPlaceOf: file.temporaryPath)
  }

  /// Verifies every page and record, and gives the store its name; it is on disk on return. The
  /// caller has ended every transaction.
  func finish() throws(StorageError) {
    environment = nil
    removeLock()
    let transaction = try PageFile(file.descriptor).metas.first?.transaction ?? 0
    let problems = try StoreVerification(file.descriptor, transaction, .records).problems
    if let first = problems.first { throw .damaged(path: path, reason: first) }
    try file.finish()
  }

  private func removeLock() { unlink(file.temporaryPath + LockFile.suffix) }
}
