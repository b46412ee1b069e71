package import HeraldModel
package import HeraldStorage

extension HeraldError {
  package init(_ error: StorageError) {
    self =
      switch error {
      case .notAStore(let path): .notAStore(path: path)
      case .newerFormat(let path, let found, let supported):
        .newerFormat(path: path, found: found, supported: supported)
      case .olderFormat(let path, let found, let oldest):
        .olderFormat(path: path, found: found, oldest: oldest)
      case .damaged(let path, let reason): .damaged(path: path, reason: reason)
      case .cannotOpen(let path, let reason): .cannotOpen(path: path, reason: reason)
      case .cannotWrite(let path, let reason): .cannotWrite(path: path, reason: reason)
      case .cannotUpdate(let path, let reason): .cannotUpdate(path: path, reason: reason)
      case .madeMeanwhile(let path): .storeMade(path: path)
      case .replaced(let path): .storeReplaced(path: path)
      case .removed(let path): .storeRemoved(path: path)
      case .lockReplaced(let path): .lockReplaced(path: path)
      case .lockRemoved(let path): .lockRemoved(path: path)
      case .otherLockInUse(let path): .otherLockInUse(path: path)
      case .otherStoreInUse(let path): .otherStoreInUse(path: path)
      case .lockNeeded(let path): .lockNeeded(path: path)
      case .commitInJournal(let path):
        .cannotOpen(
          path: path,
          reason: "its last commit is still in the journal; open it once for writing, which applies"
            + " the commit")
      case .diskFailed(let path, let reason): .diskFailed(path: path, reason: reason)
      case .locked(let path): .locked(path: path)
      case .readOnly: .readOnly
      case .full(let path): .full(path: path)
      case .writeTooLarge(let limit): .writeTooLarge(limit: limit)
      case .interrupted: .interrupted
      case .failed(let operation, _, let reason): .storage("\(operation): \(reason)")
      }
  }
}

/// Runs a storage operation and rethrows its error as a `HeraldError`.
package func stored<R: ~Copyable>(_ body: () throws(StorageError) -> R) throws(HeraldError) -> R {
  do {
    return try body()
  } catch {
    throw HeraldError(error)
  }
}
