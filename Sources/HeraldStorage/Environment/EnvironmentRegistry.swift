internal import Glibc
internal import Synchronization

/// The files that this process has open; LMDB forbids opening one twice.
final class EnvironmentRegistry: Sendable {
  static let shared = EnvironmentRegistry()

  private struct Entry {
    let store: OpenStore
    weak var environment: StorageEnvironment?
    /// The environments that have not ended yet: the current one, and those whose `deinit` is pending.
    var uses: Int
  }

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Returns the environment of the file at `path`, and opens it if this process has not done so yet.
  func environment(
    at path: String, _ settings: FileOpening.Settings
  ) throws(StorageError) -> StorageEnvironment {
    try entries.withLock { entries throws(StorageError) in
      guard let key = Self.key(of: path, in: entries), let entry = entries[key] else {
        return try Self.open(path, settings, &entries)
      }
      if settings.isReadOnly, entry.store.isNameless {
        throw .cannotOpen(path: path, reason: StorageError.message(for: ENOENT))
      }
      if !settings.isReadOnly { try Self.upgrade(entry.store, settings, entries) }
      if let environment = entry.environment {
        if !settings.isReadOnly { environment.allowWriting() }
        return environment
      }
      let environment = StorageEnvironment(
        entry.store, isInMemory: false, isReadOnly: settings.isReadOnly)
      entries[key]?.environment = environment
      entries[key]?.uses += 1
      return environment
    }
  }

  /// Returns the key of a store in `entries`.
  private static func key(
    of path: String, in entries: [ObjectIdentifier: Entry]
  ) -> ObjectIdentifier? {
    if FileIdentity(path) == nil,
      let nameless = entries.first(where: { $0.value.store.isNameless(at: path) })
    {
      return nameless.key
    }
    // A thread may have made the file in between.
    guard let identity = FileIdentity(path) else { return nil }
    func entered() -> ObjectIdentifier? {
      entries.first { $0.value.store.current.files?.storeIdentity == identity }?.key
    }
    if let key = entered() { return key }
    // Another process may have moved a store into another file, which this one has not noticed yet.
    // This calls the store rather than the environment: the last reference to an environment must
    // not end here, since `release` takes the lock that is held.
    for entry in entries.values { try? entry.store.checkFiles() }
    return entered()
  }

  private static func open(
    _ path: String, _ settings: FileOpening.Settings, _ entries: inout [ObjectIdentifier: Entry]
  ) throws(StorageError) -> StorageEnvironment {
    let opened = entries.values.map(\.store.current)
    let file = try FileOpening(path: path, settings: settings).open(
      FileOpening.Taken(
        // The lock file is found by the path, so a file that replaces one that is open would share
        // the other's lock.
        isStoreAt: { canonical in opened.contains { $0.path == canonical } },
        isLockAt: { canonical in
          opened.contains { file in
            file.path + LockFile.suffix == canonical
              || file.isNameless && file.path == canonical + LockFile.suffix
          }
        },
        isLock: { identity in opened.contains { $0.files?.isLock(identity) ?? false } }))
    let store = OpenStore(file)
    let environment = StorageEnvironment(
      store, isInMemory: false, isReadOnly: settings.isReadOnly)
    entries[ObjectIdentifier(store)] = Entry(store: store, environment: environment, uses: 1)
    return environment
  }

  /// Reopens for writing a file that was opened for reading only.
  private static func upgrade(
    _ store: OpenStore, _ settings: FileOpening.Settings, _ entries: [ObjectIdentifier: Entry]
  ) throws(StorageError) {
    let file = store.current
    guard file.isReadOnly else { return }
    let others = entries.values.map(\.store.current).filter { $0 !== file }
    try store.replace(file) { file throws(StorageError) in
      try FileOpening(path: file.path, settings: settings, previous: file).open(
        FileOpening.Taken(
          isLock: { identity in others.contains { $0.files?.isLock(identity) ?? false } }))
    }
  }

  /// Ends one use of a store. The last one closes it, before anyone else can open it.
  func release(_ store: OpenStore) {
    let key = ObjectIdentifier(store)
    entries.withLock { entries in
      guard let entry = entries[key] else { return }
      entries[key]?.uses = entry.uses - 1
      guard entry.uses == 1 else { return }
      entries[key] = nil
      entry.store.close()
    }
  }

  /// Returns whether the file at a path is a store that this process has open, or the lock file of one, or will be.
  func contains(_ path: String) -> Bool {
    let identity = FileIdentity(path)
    return entries.withLock { entries in
      entries.values.map(\.store).contains { store in
        guard let identity else {
          return store.isNameless(at: path) || store.isNameless(at: path, LockFile.suffix)
        }
        return store.current.files?.contains(identity) ?? false
      }
    }
  }
}
