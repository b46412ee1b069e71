public import Dispatch
import FoundationEssentials
@preconcurrency import Glibc
import Herald

extension Realm {
  /// What the store was opened with.
  public var configuration: Configuration {
    if let configuration = RealmSession.of(store).configuration { return configuration }
    guard let path = store.path else { return Configuration() }
    return Configuration(fileURL: URL(filePath: path), readOnly: store.isReadOnly)
  }

  /// Whether there is a file for a configuration: a store, or a Realm file of which one will be made.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard let path = configuration.fileURL?.path else { return false }
    return access(path, F_OK) == 0 || access(configuration.storePath(path), F_OK) == 0
  }

  /// Deletes the file of a configuration, and its lock file; returns whether there was one. A Realm file of which the store
  /// was made stays. Errors: `Realm.Error.alreadyOpen`, `fileAccess`.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard let url = configuration.fileURL else { return false }
    let path = configuration.storePath(url.path)
    if SharedStores.isOpen(file: path) { throw HeraldError.otherStoreInUse(path: path) }
    guard access(path, F_OK) == 0 else { return false }
    guard unlink(path) == 0 else {
      throw HeraldError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
    unlink(path + "-lock")
    return true
  }

  /// Opens a store, and calls `callback` on a queue, which must be serial, with its session for that queue.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    callbackQueue.async {
      if !task.isCancelled {
        callback(Result { try Realm(configuration: configuration, queue: callbackQueue) })
      }
    }
    return task
  }
}

extension Realm.Configuration {
  /// Whether a block of the configuration wants the file rewritten without its free pages, which is done. Not where
  /// another session has it open.
  func compactIfWanted(_ path: String) throws {
    guard let shouldCompactOnLaunch, !readOnly, access(path, F_OK) == 0,
      !SharedStores.isOpen(file: path)
    else { return }
    let store = try DynamicStore(path: path)
    defer { store.close() }
    var status = stat()
    stat(path, &status)
    let total = Int(status.st_size)
    if shouldCompactOnLaunch(total, try total - store.freeBytes) { try store.compact() }
  }
}
