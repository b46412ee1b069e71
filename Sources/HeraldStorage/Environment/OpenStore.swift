internal import CLMDB
internal import Synchronization

/// A store's file as this process has it open, once, however many stores ask for it.
///
/// A handle of LMDB can be of no more use: after a failure of the disk, when another process has made
/// the file larger than its map, or when the store is to be written that was opened for reading. It is
/// then replaced by another of the same file, and stays open for the transactions that it has.
final class OpenStore: Sendable {
  private struct State {
    /// The last one is in use. Those before it are closed when another comes and nobody reads them.
    var files: [OpenFile]
    /// The descriptors of the lock file of those that are closed.
    var locks: [OwnedDescriptor] = []
  }

  private let state: Mutex<State>

  /// As many may be read at a time.
  private static let limit = 64

  init(_ file: OpenFile) { state = Mutex(State(files: [file])) }

  var current: OpenFile { state.withLock { $0.files[$0.files.count - 1] } }

  /// Puts what `open` returns in the place of a file, unless somebody else was quicker.
  func replace(
    _ stale: OpenFile, by open: (OpenFile) throws(StorageError) -> OpenFile
  ) throws(StorageError) {
    try state.withLock { state throws(StorageError) in
      guard let last = state.files.last, last === stale else { return }
      guard state.files.count < Self.limit else {
        throw .diskFailed(path: last.path, reason: StorageError.words(for: MDB_PANIC))
      }
      let file = try open(last)
      if last.table == nil && last.options.isWithoutLock { state.files.removeLast() }
      state.files.append(file)
      Self.closeUnused(&state)
    }
  }

  /// Nobody comes to have a file that is not the last one.
  private static func closeUnused(_ state: inout State) {
    for place in state.files.indices.dropLast().reversed()
    where isKnownUniquelyReferenced(&state.files[place]) {
      guard let lock = state.files[place].closeBesideOthers() else { continue }
      state.locks.append(lock)
      state.files.remove(at: place)
    }
  }

  /// Throws where the store's file, or its lock file, is not where it was opened. After `compact` the lock
  /// file names another file: this process goes on with that one.
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

  /// Closes all of them; no transaction is left.
  func close() {
    state.withLock { state in
      for file in state.files { file.close() }
      state.locks = []
    }
  }
}

extension OpenFile {
  /// Another handle of the same files. `mapSize`: as large as the map is to be at least.
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
    // LMDB has closed a descriptor of the lock file where it failed, and with it our locks.
    defer { if let lock = files.lock { ProcessNumber.takeLocks(files.processNumber, lock) } }
    let file = try OpenFile.open(files, options)
    guard file.databases == databases, file.id == id else {
      file.closeUnusable()
      throw .replaced(path: path)
    }
    return file
  }

  /// The same store in the file that it is in by now. Errors: `replaced` where what is at the path is
  /// not what those who have the store open have agreed on.
  func successor() throws(StorageError) -> OpenFile {
    guard let files, let table, let lock = files.lock, let lockIdentity = files.lockIdentity,
      let moved = files.successor(agreedBy: table, isReadOnly: isReadOnly)
    else { throw .replaced(path: path) }
    let pair = Meeting.pair(lock, with: moved.storeIdentity)
    _ = pair.take(.shared, waiting: false)
    _ = Meeting.pair(moved.store, with: lockIdentity).take(.shared, waiting: false)
    if !isReadOnly { _ = Meeting.writing(moved.store).take(.shared, waiting: false) }
    let file: OpenFile
    do throws(StorageError) {
      file = try opened(moved, mapSize: usedSize)
    } catch {
      pair.release()
      throw error
    }
    Meeting.pair(lock, with: files.storeIdentity).release()
    return file
  }
}
