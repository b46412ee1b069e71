internal import Glibc

/// A store that gets its name once it is complete: nothing of it is left where it is given up before.
package final class NewStore {
  /// The name that it is to have.
  package let path: String
  private let file: NewFile
  private var environment: StorageEnvironment?

  /// Throws `cannotWrite` where something is at the path already. `source`: a file that must not become
  /// the lock file of the store, nor its own.
  package init(_ path: String, besides source: String) throws(StorageError) {
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

  /// The next transaction of the store.
  package func beginWrite() throws(StorageError) -> WriteTransaction {
    guard let environment else { throw .readOnly }
    return try environment.beginWrite()
  }

  /// An error of the store under the name that it is to have.
  package func named(_ error: StorageError) -> StorageError {
    error.naming(path, inPlaceOf: file.temporaryPath)
  }

  /// Looks at every page and record, and gives the store its name; it is on disk on return. No
  /// transaction is left.
  package func finish() throws(StorageError) {
    environment = nil
    removeLock()
    let transaction = try PageFile(file.descriptor).metas.first?.transaction ?? 0
    let problems = try StoreVerification(file.descriptor, transaction, .records).problems
    if let first = problems.first { throw .damaged(path: path, reason: first) }
    try file.finish()
  }

  private func removeLock() { unlink(file.temporaryPath + LockFile.suffix) }
}

extension WriteTransaction {
  /// A new object with a number of its own, above those that the class has given: for a store that is
  /// made of another.
  package func create(_ classID: UInt32, number: Int) throws(StorageError) {
    try reserveNumbers(below: number, of: classID)
    let given = try create(classID)
    precondition(given == number, "object numbers in another order than that of creation")
  }

  /// Lets the next object of a class have that number, or a higher one.
  package func reserveNumbers(below number: Int, of classID: UInt32) throws(StorageError) {
    try snapshot.reserveNumbers(below: number, of: classID)
  }
}
