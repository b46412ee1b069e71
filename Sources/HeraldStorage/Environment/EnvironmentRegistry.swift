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

  private let entries = Mutex<[FileIdentity: Entry]>([:])

  /// Returns the environment of the file at `path`, and opens it if this process has not done so yet.
  func environment(
    at path: String, _ settings: FileOpening.Settings
  ) throws(StorageError) -> StorageEnvironment {
    try entries.withLock { entries throws(StorageError) in
      guard let identity = Self.key(of: path, in: entries), let entry = entries[identity] else {
        return try Self.open(path, settings, &entries)
      }
      if !settings.isReadOnly { try Self.upgrade(entry.store, settings, entries) }
      if let environment = entry.environment {
        if !settings.isReadOnly { environment.allowWriting() }
        return environment
      }
      let environment = StorageEnvironment(
        entry.store, identity, isReadOnly: settings.isReadOnly)
      entries[identity]?.environment = environment
      entries[identity]?.uses += 1
      return environment
    }
  }

  /// Returns the key of a store in `entries`: the identity of the file that it had when it was opened.
  private static func key(
    of path: String, in entries: [FileIdentity: Entry]
  ) -> FileIdentity? {
    guard let identity = FileIdentity(path) else { return nil }
    func entered() -> FileIdentity? {
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
    _ path: String, _ settings: FileOpening.Settings, _ entries: inout [FileIdentity: Entry]
  ) throws(StorageError) -> StorageEnvironment {
    let opened = entries.values.map(\.store.current)
    let file = try FileOpening(path: path, settings: settings).open(
      FileOpening.Taken(
        // The lock file is found by the path, so a file that replaces one that is open would share
        // the other's lock.
        isStoreAt: { canonical in opened.contains { $0.path == canonical } },
        isLock: { identity in opened.contains { $0.files?.isLock(identity) ?? false } }))
    guard let identity = file.files?.storeIdentity else {
      throw .failed(operation: "open", code: 0, reason: "the file has no identity")
    }
    let store = OpenStore(file)
    let environment = StorageEnvironment(store, identity, isReadOnly: settings.isReadOnly)
    entries[identity] = Entry(store: store, environment: environment, uses: 1)
    return environment
  }

  /// Reopens for writing a file that was opened for reading only.
  private static func upgrade(
    _ store: OpenStore, _ settings: FileOpening.Settings, _ entries: [FileIdentity: Entry]
  ) throws(StorageError) {
    let file = store.current
    guard file.isReadOnly else { return }
    let others = entries.values.map(\.store.current).filter { $0 !== file }
    try store.replace(file) { file throws(StorageError) in
      try FileOpening(path: file.path, settings: settings, previous: file).open(
        FileOpening.Taken(
          isStoreAt: { _ in false },
          isLock: { identity in others.contains { $0.files?.isLock(identity) ?? false } }))
    }
  }

  /// Ends one use of a file. The last one closes it, before anyone else can open it.
  func release(_ identity: FileIdentity) {
    entries.withLock { entries in
      guard let entry = entries[identity] else { return }
      entries[identity]?.uses = entry.uses - 1
      guard entry.uses == 1 else { return }
      entries[identity] = nil
      entry.store.close()
    }
  }

  /// Returns whether a file is a store that this process has open, or the lock file of one.
  func contains(_ identity: FileIdentity) -> Bool {
    entries.withLock { entries in
      entries.values.contains { $0.store.current.files?.contains(identity) ?? false }
    }
  }
}
