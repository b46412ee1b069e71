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
      case .locked(let path): .locked(path: path)
      case .readOnly: .readOnly
      case .full(let path): .full(path: path)
      case .interrupted: .interrupted
      case .failed(let operation, _, let reason): .storage("\(operation): \(reason)")
      }
  }
}

/// Runs a storage operation and says its error in the library's words.
func stored<R: ~Copyable>(_ body: () throws(StorageError) -> R) throws(HeraldError) -> R {
  do {
    return try body()
  } catch {
    throw HeraldError(error)
  }
}
