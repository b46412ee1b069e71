internal import Glibc

/// The steps from a path to an open file, which leave no trace when one of them fails.
///
/// The files are opened here, without following links and after checking their kind, and LMDB uses
/// these descriptors. Every process opens a store under a lock (`StoreLocks.opening`): a store that is
/// being created is not read, and of two processes that would use the store with different lock
/// files the second is refused.
struct FileOpening: Sendable {
  struct Settings: Sendable {
    var isReadOnly = false
    /// The largest size of the store in bytes.
    var mapSize: Int
    /// The permissions of a new store and of its lock file.
    var permissions: mode_t = 0o600
    /// Whether a store that does not exist is created.
    var createsStore = true
  }

  var path: String
  let settings: Settings
  /// The file as this process has it open for reading only, if it is to be opened for writing.
  var previous: OpenFile?
  /// Whether this process has no other handle of the file. Tests open one to act as another program.
  var isFirst = true
  /// Whether the file of a new store is made at once, rather than with its first commit.
  var makesFile = false

  /// The files that this process has open; closing a second descriptor of one would drop its locks.
  struct Taken {
    var isStoreAt: (String) -> Bool = { _ in false }
    /// Whether a path is that of a lock file, or has a lock file whose path is that of a store.
    var isLockAt: (String) -> Bool = { _ in false }
    var isLock: (FileIdentity) -> Bool = { _ in false }
  }

  /// Opens the store; if there is none, creates one whose file gets its name with the first commit.
  func open(_ taken: Taken) throws(StorageError) -> OpenFile {
    // The attempts are limited in case a process keeps removing and creating files at the path.
    for _ in 0..<1000 {
      do throws(StorageError) {
        if let file = try attempt(taken) { return file }
      } catch .commitInJournal where settings.createsStore {
        try applyJournal(taken)
      } catch {
        throw error
      }
    }
    throw .locked(path: path)
  }

  /// Opens the store for writing, which applies the commits that are only in its journal, and closes it. Errors:
  /// `commitInJournal` if this process may not write to it.
  private func applyJournal(_ taken: Taken) throws(StorageError) {
    var settings = settings
    settings.isReadOnly = false
    settings.createsStore = false
    do throws(StorageError) {
      try FileOpening(path: path, settings: settings).open(taken).close()
    } catch {
      switch error {
      case .readOnly, .cannotOpen, .lockNeeded: throw .commitInJournal(path: path)
      case _: throw error
      }
    }
  }

  /// Returns nil if the file at the path changed in the meantime.
  private func attempt(_ taken: Taken) throws(StorageError) -> OpenFile? {
    let canonical = try canonicalPath()
    guard !taken.isStoreAt(canonical) else {
      throw .cannotOpen(path: path, reason: "it replaced a file that is still open")
    }
    var store = try openStore(canonical, taken)
    guard !taken.isLockAt(canonical) else {
      throw .cannotOpen(
        path: path, reason: "one of two open stores would be the lock file of the other")
    }
    var made: OwnedDescriptor?
    if let store {
      _ = StoreLocks.opening(store).take(settings.isReadOnly ? .shared : .exclusive, waiting: true)
    } else {
      let creation = try creation(canonical)
      if !makesFile, let nameless = try creation.makeNameless() {
        return try openNameless(nameless, at: canonical, taken)
      }
      made = try creation.makeEmpty()
      if made != nil { store = try openStore(canonical, taken) }
    }
    guard let store, let facts = FileFacts(store.number),
      FileFacts(at: canonical)?.identity == facts.identity
    else { return nil }
    defer { StoreLocks.opening(made ?? store).release() }
    do throws(StorageError) {
      return try open(store, facts, at: canonical, taken)
    } catch {
      if made != nil { unlink(canonical) } else if facts.size == 0 { ftruncate(store.number, 0) }
      throw error
    }
  }

  private func creation(_ canonical: String) throws(StorageError) -> StoreCreation {
    if settings.isReadOnly || !settings.createsStore {
      throw .cannotOpen(path: path, reason: StorageError.message(for: ENOENT))
    }
    return StoreCreation(path: canonical, permissions: permissions)
  }

  private var permissions: mode_t { settings.permissions & 0o666 | 0o600 }
}

// MARK: A store without a file

extension FileOpening {
  /// Opens a new store whose file has no name yet.
  private func openNameless(
    _ store: OwnedDescriptor, at canonical: String, _ taken: Taken
  ) throws(StorageError) -> OpenFile {
    // Once the file has a name, others write to it, while this process may still read through this descriptor.
    _ = StoreLocks.readingWithoutLock(store).take(.shared, waiting: false)
    var named = self
    named.path = canonical
    guard let files = StoreFiles(canonical, store, nil, processNumber: getpid(), named: named)
    else { throw failure }
    try checkLockFile(of: store, at: canonical, taken)
    var options = OpenFile.Options(mapSize: settings.mapSize)
    options.isFirst = isFirst
    options.isWithoutLock = true
    return try OpenFile.open(files, options)
  }

  /// Throws if a store could not be opened with the lock file that is beside it now, or that would be made.
  func checkLockFile(
    of store: OwnedDescriptor, at canonical: String, _ taken: Taken = Taken()
  ) throws(StorageError) {
    guard let facts = FileFacts(store.number) else { throw failure }
    let lockPath = canonical + LockFile.suffix
    let found = try LockFile.open(lockPath, of: facts, makes: false, isOpenHere: taken.isLock)
    if case .closed = found {
      throw .cannotOpen(path: lockPath, reason: StorageError.message(for: EACCES))
    }
  }

  /// The same that makes the file at once.
  var atOnce: FileOpening {
    var opening = self
    opening.makesFile = true
    return opening
  }

  /// Opens a store to whose file this process has just given its name; `nameless` has the lock of its opening. The writer
  /// lock of that descriptor becomes the new one's, which is listed with its name for as long as it is open.
  func open(insteadOf nameless: OwnedDescriptor) throws(StorageError) -> OpenFile {
    guard let store = try openStore(path, Taken()), let facts = FileFacts(store.number),
      facts.identity == FileFacts(nameless.number)?.identity,
      let file = try open(store, facts, at: path, Taken())
    else { throw .replaced(path: path) }
    WriterLock.release(nameless)
    _ = WriterLock.take(store, waiting: false)
    return file
  }
}

// MARK: The store's file

extension FileOpening {
  /// Returns the path without links: of the file, or of its folder if there is no file.
  private func canonicalPath() throws(StorageError) -> String {
    if let whole = Self.resolved(path) { return whole }
    guard errno == ENOENT else { throw failure }
    guard FileFacts(at: path) == nil else {
      throw .cannotOpen(path: path, reason: "it is a dangling symbolic link")
    }
    let slash = path.lastIndex(of: "/")
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let parent = slash.map { path[...$0] } ?? "./"
    guard !name.isEmpty, let folder = Self.resolved(String(parent)) else {
      throw .cannotOpen(path: path, reason: StorageError.message(for: ENOENT))
    }
    return (folder == "/" ? "" : folder) + "/" + name
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Opens the file at the canonical path; returns nil if there is none.
  private func openStore(
    _ canonical: String, _ taken: Taken
  ) throws(StorageError) -> OwnedDescriptor? {
    guard let facts = FileFacts(at: canonical) else {
      if errno == ENOENT { return nil }
      throw failure
    }
    guard !taken.isLock(facts.identity) else {
      throw .cannotOpen(path: path, reason: "it is the lock file of an open store")
    }
    switch facts.kind {
    case .regular: break
    case .directory: throw .cannotOpen(path: path, reason: "it is a directory")
    case .symbolicLink, .other:
      throw .cannotOpen(path: path, reason: "it is not a regular file")
    }
    guard settings.isReadOnly || Self.isWritable(canonical, facts) else { throw .readOnly }
    let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = Glibc.open(canonical, (settings.isReadOnly ? O_RDONLY : O_RDWR) | flags)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure
    }
    return OwnedDescriptor(descriptor)
  }

  /// Returns whether this process may write to a file. A file without any write permission is
  /// read-only for everyone, even the superuser.
  private static func isWritable(_ path: String, _ facts: FileFacts) -> Bool {
    access(path, W_OK) == 0 && facts.permissions & 0o222 != 0
  }

  private var failure: StorageError {
    .cannotOpen(path: path, reason: StorageError.message(for: errno))
  }

  /// Returns the kind of the file. If it looks damaged, checks it again while nobody can write to
  /// it: a commit may come between reading two of its pages.
  private func judge(_ store: OwnedDescriptor) throws(StorageError) -> FileProbe.Verdict {
    for _ in 0..<100 {
      do throws(StorageError) {
        return try FileProbe.look(at: path)
      } catch {
        let writers = WriterLock.byte(store)
        if writers.take(.shared, waiting: false) {
          defer { writers.release() }
          return try FileProbe.look(at: path)
        }
        usleep(1000)
      }
    }
    return try FileProbe.look(at: path)
  }
}

// MARK: The lock file

extension FileOpening {
  /// Opens a store whose opening is locked; returns nil if it or its lock file was replaced.
  private func open(
    _ store: OwnedDescriptor, _ facts: FileFacts, at canonical: String, _ taken: Taken
  ) throws(StorageError) -> OpenFile? {
    var options = OpenFile.Options(mapSize: settings.mapSize)
    options.isReadOnly = settings.isReadOnly
    options.isFirst = isFirst && previous == nil
    switch try judge(store) {
    case .missing: return nil
    case .empty:
      guard !settings.isReadOnly, settings.createsStore else { throw .notAStore(path: path) }
      options.isNew = true
    case .store: break
    }
    let lockPath = canonical + LockFile.suffix
    if let lock = previous?.files?.lock {
      return try open(canonical, store, lock, options)
    }
    switch try LockFile.open(
      lockPath, of: facts, makes: !settings.isReadOnly, isOpenHere: taken.isLock)
    {
    case .file(let lock, let isMade):
      do throws(StorageError) {
        return try open(canonical, store, lock, options)
      } catch {
        if isMade { unlink(lockPath) }
        throw error
      }
    case .missing, .closed:
      guard settings.isReadOnly else {
        throw .cannotOpen(path: lockPath, reason: StorageError.message(for: EACCES))
      }
      return try openWithoutLock(canonical, store, options)
    }
  }

  /// Whether a lock is held, and not just by a child that a fork has given it and that has not started its program yet.
  private func lasts(_ isHeld: () -> Bool) -> Bool {
    for _ in 0..<20 {
      if !isHeld() { return false }
      usleep(5_000)
    }
    return true
  }

  private func open(
    _ canonical: String, _ store: OwnedDescriptor, _ lock: OwnedDescriptor,
    _ options: OpenFile.Options
  ) throws(StorageError) -> OpenFile? {
    _ = StoreLocks.opening(lock).take(.exclusive, waiting: true)
    defer { StoreLocks.opening(lock).release() }
    guard let lockFacts = FileFacts(lock.number), let storeFacts = FileFacts(store.number),
      FileFacts(at: canonical + LockFile.suffix)?.identity == lockFacts.identity
    else { return nil }
    guard !lasts({ StoreLocks.isPaired(store, besidesWith: lockFacts.identity) }) else {
      throw .otherLockInUse(path: path)
    }
    // Programs that have not noticed yet that the store has moved hold pair locks for its old file.
    guard
      !lasts({ StoreLocks.isPaired(lock, besidesWith: storeFacts.identity) })
        || LockTable.storeInode(in: lock) == UInt64(storeFacts.identity.inode)
    else {
      throw .otherStoreInUse(path: path)
    }
    var options = options
    let pairs = [
      StoreLocks.pair(lock, with: storeFacts.identity),
      StoreLocks.pair(store, with: lockFacts.identity),
    ]
    options.isAlone = pairs[0].isFree
    for pair in pairs { _ = pair.take(.shared, waiting: false) }
    let number = previous?.files?.processNumber ?? ProcessNumber.choose(lock)
    guard let files = StoreFiles(canonical, store, lock, processNumber: number) else { return nil }
    LockTable.prepare(lock, isAlone: options.isAlone)
    // LMDB has closed a descriptor of the lock file on failure, and our locks were lost with it.
    defer { if previous != nil { ProcessNumber.takeLocks(number, lock) } }
    let file = try OpenFile.open(files, options)
    do throws(StorageError) {
      try file.register()
      // Others open the store only after this, and see what was applied.
      if options.isAlone { try file.applyJournal() } else { try file.awaitCheckpoint() }
      return file
    } catch {
      file.closeUnusable()
      throw error
    }
  }

  /// Opens the store for reading without a slot in the reader table: only if nobody can write.
  private func openWithoutLock(
    _ canonical: String, _ store: OwnedDescriptor, _ options: OpenFile.Options
  ) throws(StorageError) -> OpenFile? {
    _ = StoreLocks.readingWithoutLock(store).take(.shared, waiting: false)
    guard StoreLocks.writing(store).isFree else { throw .lockNeeded(path: path) }
    guard let files = StoreFiles(canonical, store, nil, processNumber: getpid()) else { return nil }
    var options = options
    options.isWithoutLock = true
    let file = try OpenFile.open(files, options)
    do throws(StorageError) {
      try file.applyJournal()
      return file
    } catch {
      file.closeUnusable()
      throw error
    }
  }
}

extension OpenFile {
  /// Registers this process among those that have the store open.
  fileprivate func register() throws(StorageError) {
    guard let files, let lock = files.lock else { return }
    // LMDB resets the table for a process that finds no other's lock here, and its own lock is lost
    // when this process closes any descriptor of the file.
    _ = LockedBytes(descriptor: lock.number, start: 0).take(.shared, waiting: false)
    if let id, let table {
      guard options.isAlone || table.storeID == nil || table.storeID == id else {
        throw .otherStoreInUse(path: path)
      }
      table.storeID = id
    }
    table?.storeInode = UInt64(files.storeIdentity.inode)
    if !isReadOnly {
      _ = StoreLocks.writing(files.store).take(.shared, waiting: false)
      table?.isInUse = true
      try pin.take(self)
    }
  }
}
