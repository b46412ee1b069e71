internal import CLMDB
internal import Glibc
internal import Synchronization

/// A store's file as this process has it open: once, however many stores share it.
///
/// An LMDB handle can become unusable: after a disk failure, when another process has grown the
/// file beyond its map, or when a store that was opened for reading is to be written. It is then
/// replaced by another handle of the same file, and stays open for its remaining transactions.
final class OpenStore: Sendable {
  private struct State {
    /// The last one is in use. The others are closed once they are unreferenced, when another is added.
    var files: [OpenFile]
    /// The lock file's descriptors of the handles that are closed.
    var locks: [OwnedDescriptor] = []
  }

  private let state: Mutex<State>
  let journaled = JournaledCommits()

  /// The largest number of handles open at a time.
  private static let limit = 64

  init(_ file: OpenFile) { state = Mutex(State(files: [file])) }

  var current: OpenFile { state.withLock { $0.files[$0.files.count - 1] } }

  /// Whether the store gets its file with its first commit.
  var isNameless: Bool { current.isNameless }

  /// Whether that file, or with the suffix its lock file, will be at a path.
  func isNameless(at path: String, _ suffix: String = "") -> Bool {
    let file = current
    return file.isNameless && StorageEnvironment.isOneFile(path, file.path + suffix)
  }

  /// Replaces a file by the one that `open` returns, unless another thread has already replaced it.
  func replace(
    _ stale: OpenFile, by open: (OpenFile) throws(StorageError) -> OpenFile
  ) throws(StorageError) {
    try state.withLock { state throws(StorageError) in
      guard let last = state.files.last, last === stale else { return }
      guard state.files.count < Self.limit else {
        throw .diskFailed(path: last.path, reason: StorageError.message(for: MDB_PANIC))
      }
      let file = try open(last)
      Self.append(file, &state)
    }
  }

  private static func append(_ file: OpenFile, _ state: inout State) {
    if let last = state.files.last, last.table == nil, last.options.isWithoutLock {
      state.files.removeLast()
    }
    state.files.append(file)
    closeUnused(&state)
  }

  /// Closes the unreferenced files. No new reference to a file other than the last one can appear.
  private static func closeUnused(_ state: inout State) {
    for index in state.files.indices.dropLast().reversed()
    where isKnownUniquelyReferenced(&state.files[index]) {
      guard let lock = state.files[index].closeBesideOthers() else { continue }
      state.locks.append(lock)
      state.files.remove(at: index)
    }
  }

  /// Throws if the store's file, or its lock file, is no longer at its path. After `compact` the
  /// lock file names another file, and this process continues with that one; a store without a file continues with
  /// the one that another process has made.
  func checkFiles() throws(StorageError) {
    while true {
      let file = current
      do throws(StorageError) {
        try file.files?.check()
        return
      } catch .replaced(let path) {
        guard path == file.path else { throw .replaced(path: path) }
        try replace(file) { stale throws(StorageError) in try stale.successor() }
        file.files?.supersede()
      } catch {
        throw error
      }
    }
  }

  /// Commits the first transaction of a store without a file, which becomes durable with the file's name; returns
  /// LMDB's code, or the system's, such as `EEXIST` if another process has made the file meanwhile.
  func commitFirst(_ transaction: OpaquePointer, of file: OpenFile) -> Int32 {
    state.withLock { state in
      guard state.files.last === file, let files = file.files, let named = files.named else {
        mdb_txn_abort(transaction)
        return EEXIST
      }
      let code = file.commit(transaction)
      guard code == 0 else { return code }
      // What gets a name is complete and on the disk.
      guard fsync(files.store.number) == 0 else { return errno }
      guard LinkFolder.give(files.store, theName: files.path) else {
        let code = errno
        // Not every system gives a name to a file without one. The write begins again in the file that is made now.
        guard code != EEXIST, let opened = try? named.atOnce.open(FileOpening.Taken()) else {
          return code
        }
        Self.append(opened, &state)
        return EEXIST
      }
      _ = FileFolder.sync(of: files.path)
      // The commit is made: if this fails, the next use of the store opens the file, or fails.
      if let opened = try? named.open(insteadOf: files.store) {
        Self.append(opened, &state)
      } else {
        WriterLock.release(files.store)
      }
      StoreLocks.opening(files.store).release()
      return 0
    }
  }

  /// Closes all files; the caller has ended every transaction.
  func close() {
    journaled.gate.take()
    // If the disk refuses this, the next opening does it.
    try? checkpoint()
    let keepsJournal = journaled.current != nil
    journaled.end()
    journaled.gate.leave()
    state.withLock { state in
      // A disk failure may have left several.
      for file in state.files { file.keepsJournal.store(keepsJournal, ordering: .relaxed) }
      for file in state.files { file.close() }
      state.locks = []
    }
  }
}

extension OpenFile {
  /// Opens another handle of the same files. `mapSize`: the smallest size of its map, in bytes.
  func reopened(mapSize: Int) throws(StorageError) -> OpenFile {
    guard let files else { throw .explaining(MDB_PANIC, "open", path: path) }
    return try opened(files, mapSize: mapSize)
  }

  private func opened(_ files: StoreFiles, mapSize: Int) throws(StorageError) -> OpenFile {
    var options = options
    options.isFirst = false
    options.isAlone = false
    options.isNew = false
    options.mapSize = max(options.mapSize, mapSize)
    // LMDB has closed a descriptor of the lock file on failure, and our locks were lost with it.
    defer { if let lock = files.lock { ProcessNumber.takeLocks(files.processNumber, lock) } }
    let file = try OpenFile.open(files, options)
    guard file.databases == databases, file.id == id else {
      file.closeUnusable()
      throw .replaced(path: path)
    }
    return file
  }

  /// Opens the store in the file that it has been moved to. Errors: `replaced` if the file at the
  /// path is not the one that the processes that have the store open have agreed on.
  func successor() throws(StorageError) -> OpenFile {
    if let named = files?.named { return try named.open(FileOpening.Taken()) }
    guard let files, let table, let lock = files.lock, let lockIdentity = files.lockIdentity,
      let moved = files.successor(agreedBy: table, isReadOnly: isReadOnly)
    else { throw .replaced(path: path) }
    let pair = StoreLocks.pair(lock, with: moved.storeIdentity)
    _ = pair.take(.shared, waiting: false)
    _ = StoreLocks.pair(moved.store, with: lockIdentity).take(.shared, waiting: false)
    if !isReadOnly { _ = StoreLocks.writing(moved.store).take(.shared, waiting: false) }
    let file: OpenFile
    do throws(StorageError) {
      file = try opened(moved, mapSize: usedSize)
    } catch {
      pair.release()
      throw error
    }
    StoreLocks.pair(lock, with: files.storeIdentity).release()
    return file
  }
}
