internal import CLMDB
internal import Glibc
internal import Synchronization

/// A store's file as LMDB has it open.
///
/// `@unchecked Sendable`: every property is immutable or guards itself, and LMDB guards what the
/// handle leads to.
package final class OpenFile: @unchecked Sendable {
  package let handle: OpaquePointer
  package let databases: Databases
  /// The path of the file, empty for a store in memory.
  package let path: String
  /// Whether the file belongs to this process alone.
  var isInMemory: Bool { path.isEmpty }
  /// Whether the file gets its name with the first commit.
  var isNameless: Bool { files?.named != nil }
  /// Whether nobody can write through this handle.
  let isReadOnly: Bool
  /// The descriptors of the file and its lock file; nil for a store in memory, which no other
  /// process can open.
  package let files: StoreFiles?
  /// The memory shared by all who have the lock file open; nil without one, or if its layout is not ours.
  package let table: LockTable?
  let options: Options
  /// The id of the store; nil for one that was created without.
  let id: StoreID?
  /// Whether a process that could write has ended without closing the store.
  let isUnclean: Bool
  let pin = VersionPin()
  /// The version of the file's format.
  let format: Atomic<Int>
  /// Whether the meta page of this process's last commit may not be on the disk yet.
  let hasUnsyncedMeta = Atomic(false)
  /// The number of syncs that are not to wait for a write on the processor, since one was slow.
  let slowWrites = Atomic(0)
  /// Whether the journal has commits that could not be put into LMDB's pages.
  let keepsJournal = Atomic(false)
  /// The time of the last check for dead readers' slots.
  let readersChecked = Atomic(0)
  /// The offset up to which the file is known to have space on disk.
  let reservedSize = Atomic(0)
  private let isClosed = Atomic(false)

  fileprivate init(
    _ handle: OpaquePointer, _ path: String, _ options: Options, _ files: StoreFiles?
  ) throws(StorageError) {
    self.handle = handle
    self.path = path
    self.options = options
    self.files = files
    isReadOnly = options.isReadOnly
    do throws(StorageError) {
      table = files?.lock.flatMap { LockTable($0, isAlone: options.isAlone) }
      isUnclean =
        options.isFirst && table?.isInUse ?? false
        && files.map { StoreLocks.writing($0.store).isFree } ?? false
      if let files, options.isFirst {
        table?.clearReaders(of: files.processNumber)
        // Slots of processes that were killed would keep their old pages forever.
        let code = mdb_reader_check(handle, nil)
        guard code == 0 else { throw StorageError.explaining(code, "check readers", path: path) }
      }
      let contents = try Self.contents(handle, path, options, isUnclean: isUnclean)
      (databases, id) = (contents.databases, contents.id)
      format = Atomic(contents.format)
    } catch {
      Self.close(unusable: handle, options, files)
      throw error
    }
  }

  /// Closes an unusable handle; other handles of this process stay usable.
  private static func close(
    unusable handle: OpaquePointer, _ options: Options, _ files: StoreFiles?
  ) {
    if !options.isFirst, let lock = files?.lockIdentity,
      let descriptor = ProcessNumber.willClose(handle, besideOthersOf: lock)
    {
      // Closing it would drop the others' locks. It stays open until the process ends.
      _ = Unmanaged.passRetained(descriptor)
    }
    mdb_env_close(handle)
  }

  /// The descriptor of the store's file.
  package var descriptor: Int32 {
    var descriptor: mdb_filehandle_t = -1
    mdb_env_get_fd(handle, &descriptor)
    return descriptor
  }

  deinit { close() }

  /// Closes the file. No transaction is left, except the file's own.
  package func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    pin.end()
    if let files {
      syncMeta()
      leave(files)
      ProcessNumber.willClose(handle, of: files.processNumber)
    }
    mdb_env_close(handle)
  }

  /// Closes a handle that was just opened and turned out to be unusable.
  func closeUnusable() {
    isClosed.store(true, ordering: .relaxed)
    pin.end()
    Self.close(unusable: handle, options, files)
  }

  /// Closes a handle while others of the store stay open, and returns the descriptor that must stay
  /// open for them; nil if the handle itself must stay open. No transaction of it is left.
  func closeBesideOthers() -> OwnedDescriptor? {
    try? pin.check(self)
    guard !pin.isHeld, let lock = files?.lockIdentity,
      let descriptor = ProcessNumber.willClose(handle, besideOthersOf: lock)
    else { return nil }
    isClosed.store(true, ordering: .relaxed)
    mdb_env_close(handle)
    return descriptor
  }

  /// Records a clean end if nobody else can write. A process that is opening the store still sees this one.
  private func leave(_ files: StoreFiles) {
    guard !isReadOnly, !keepsJournal.load(ordering: .relaxed), let table, let lock = files.lock,
      table.storeInode == UInt64(files.storeIdentity.inode)
    else { return }
    let opening = StoreLocks.opening(lock)
    guard opening.take(.exclusive, waiting: false) else { return }
    if StoreLocks.writing(files.store).isFree {
      dropUnacknowledged()
      table.isInUse = false
    }
    opening.release()
  }

  /// Whether the file system is full, or the file size limit of this process is reached: LMDB
  /// reports a short write like any other failure of a device.
  var isDiskFull: Bool {
    var descriptor: mdb_filehandle_t = -1
    var system = statvfs()
    var file = stat()
    var limit = rlimit()
    guard mdb_env_get_fd(handle, &descriptor) == 0, fstatvfs(descriptor, &system) == 0,
      fstat(descriptor, &file) == 0,
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    else { return false }
    let room: UInt64 = 1 << 20
    return UInt64(system.f_bavail) * UInt64(system.f_frsize) < room
      || UInt64(limit.rlim_cur) - min(UInt64(file.st_size), UInt64(limit.rlim_cur)) < room
  }
}

extension OpenFile {
  /// The options with which LMDB opens a file.
  package struct Options {
    var isReadOnly = false
    /// The file does not outlive the process: commits skip the disk and need no lock among processes.
    var isTemporary = false
    /// Whether pages are changed in place. If the file system cannot supply a page, such a change
    /// crashes the program.
    var isWrittenThroughMap = false
    /// Whether the reader table can be omitted: no other process can write.
    package var isWithoutLock = false
    /// Whether commits skip the sync to disk, which is then up to the caller.
    var isUnsynced = false
    /// Whether the file has no store in it yet.
    package var isNew = false
    /// Whether no other program had the lock file open.
    var isAlone = false
    /// Whether this process has no other handle of the file.
    var isFirst = false
    /// The largest size of the store, in bytes; only address space until it is used.
    package var mapSize: Int

    package init(mapSize: Int) { self.mapSize = mapSize }

    fileprivate var flags: UInt32 {
      var flags = MDB_NOSUBDIR | MDB_NOTLS
      if isReadOnly { flags |= MDB_RDONLY }
      if isWithoutLock { flags |= MDB_NOLOCK }
      if isTemporary { flags |= MDB_NOMEMINIT }
      if isTemporary || isUnsynced { flags |= MDB_NOSYNC | MDB_NOMETASYNC }
      if isWrittenThroughMap { flags |= MDB_WRITEMAP }
      return UInt32(flags)
    }
  }

  private static let smallestMap = 1 << 26

  /// Opens files that the caller has checked, with the largest map that the system grants.
  static func open(_ files: StoreFiles, _ options: Options) throws(StorageError) -> OpenFile {
    for folder in LinkFolder.parents {
      if let links = LinkFolder.make(in: folder, files.store.number, files.lock?.number) {
        return try open(links.path, named: files.path, options, files)
      }
    }
    // Without a private folder LMDB opens the files by their public names.
    return try open(files.path, named: files.path, options, files)
  }

  /// Opens a file by a name; `name` is the one used in errors.
  package static func open(
    _ file: String, named name: String, _ options: Options, _ files: StoreFiles? = nil
  ) throws(StorageError) -> OpenFile {
    var options = options
    while true {
      let (handle, code) = openHandle(file, options, files)
      if let handle { return try OpenFile(handle, name, options, files) }
      // The second is what a program gets under valgrind.
      guard code == ENOMEM || code == EINVAL, options.mapSize / 8 >= smallestMap else {
        if code == EACCES || code == EPERM || code == EROFS {
          throw .cannotOpen(path: name, reason: StorageError.message(for: code))
        }
        throw .explaining(code, "open", path: name)
      }
      options.mapSize /= 8
    }
  }

  private static func openHandle(
    _ file: String, _ options: Options, _ files: StoreFiles?
  ) -> (handle: OpaquePointer?, code: Int32) {
    var handle: OpaquePointer?
    var code = mdb_env_create(&handle)
    guard code == 0, let handle else { return (nil, code) }
    code = mdb_env_set_maxdbs(handle, Databases.count)
    if code == 0 { code = mdb_env_set_maxreaders(handle, UInt32(LockTable.readerLimit)) }
    if code == 0 { code = mdb_env_set_mapsize(handle, options.mapSize) }
    if let files, code == 0, !ProcessNumber.set(files.processNumber, of: handle) { code = EAGAIN }
    if code == 0 { code = mdb_env_open(handle, file, options.flags, 0o600) }
    guard code != 0 else {
      // LMDB does not set close-on-exec for this one.
      var descriptor: mdb_filehandle_t = -1
      if mdb_env_get_fd(handle, &descriptor) == 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return (handle, 0)
    }
    mdb_env_close(handle)
    return (nil, code)
  }

  private static func contents(
    _ handle: OpaquePointer, _ path: String, _ options: Options, isUnclean: Bool
  ) throws(StorageError) -> (databases: Databases, id: StoreID?, format: Int) {
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, options.isNew ? 0 : UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: path) }
    let databases: Databases
    let id: StoreID?
    let format: Int
    do throws(StorageError) {
      if !options.isTemporary && !options.isNew {
        try verify(handle, transaction, path, isUnclean: isUnclean)
      }
      let flags = options.isNew ? UInt32(MDB_CREATE) : 0
      databases = try Databases(transaction, flags: flags, path: path)
      if options.isNew { try makeStore(transaction, databases.meta, path) }
      id = StoreID(transaction, databases.meta)
      format = StoreFormat.version(transaction, databases.meta) ?? 0
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    let outcome = mdb_txn_commit(transaction)
    guard outcome == 0 else { throw .explaining(outcome, "commit", path: path) }
    return (databases, id, format)
  }

  /// Checks the pages of the file, and the records of a small one, before LMDB follows them.
  private static func verify(
    _ handle: OpaquePointer, _ transaction: OpaquePointer, _ path: String, isUnclean: Bool
  ) throws(StorageError) {
    var descriptor: mdb_filehandle_t = -1
    var status = stat()
    guard mdb_env_get_fd(handle, &descriptor) == 0, fstat(descriptor, &status) == 0 else {
      throw .failed(operation: "check", code: errno, reason: StorageError.message(for: errno))
    }
    let scope = StoreVerification.Scope(
      size: Int(status.st_size), isUnclean: isUnclean)
    var verification = try StoreVerification(descriptor, transaction.number, scope)
    // Two commits since the transaction began have overwritten the meta page that it was read from.
    for _ in 0..<100 where verification.isOfAnotherVersion {
      mdb_txn_reset(transaction)
      let code = mdb_txn_renew(transaction)
      guard code == 0 else { throw .explaining(code, "begin", path: path) }
      verification = try StoreVerification(descriptor, transaction.number, scope)
    }
    let found = verification.problems
    guard let first = found.first else { return }
    let more = found.count > 1 ? " (and \(found.count - 1) more)" : ""
    throw .damaged(path: path, reason: first + more)
  }

  /// Another process may have created the store meanwhile: its records are kept.
  private static func makeStore(
    _ transaction: OpaquePointer, _ meta: MDB_dbi, _ path: String
  ) throws(StorageError) {
    let id = StoreID()
    var state = StoreState()
    state.transaction = transaction.number
    let record = id.record
    state.digest[.meta] = record.withUnsafeBytes { RecordTrailer(endOf: $0).digest }
    let entries = [
      (StoreFormat.key, StoreFormat.entry), (StoreState.key, state.record),
      (StoreID.key, record),
    ]
    for (key, value) in entries {
      let code = [UInt8](key.utf8).withUnsafeBytes { key in
        value.withUnsafeBytes { value in
          var key = MDB_val(key)
          var value = MDB_val(value)
          return mdb_put(transaction, meta, &key, &value, UInt32(MDB_NOOVERWRITE))
        }
      }
      guard code == 0 || code == MDB_KEYEXIST else {
        throw .explaining(code, "create the store", path: path)
      }
    }
  }
}
