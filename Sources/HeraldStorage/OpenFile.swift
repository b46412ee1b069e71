internal import CLMDB
internal import Glibc

/// The named databases of a store.
///
///     meta      "format", "state", "m:" + name       see StoreFormat, StoreState, setMetadata
///     columns   blocks, large values, class records   see FlatBlock, FixedKey, ClassRecord
///     lists     roots and runs                        see ListRoot
///     links     reverse links, DUPFIXED               see addLink
///     index     IndexKey -> object number, DUPFIXED
///     log       version -> what a commit did
struct Databases: Sendable {
  let meta: MDB_dbi
  let columns: MDB_dbi
  let lists: MDB_dbi
  let links: MDB_dbi
  let index: MDB_dbi
  let log: MDB_dbi

  static let count: UInt32 = 6

  /// Opens, and with `MDB_CREATE` makes, each of them.
  init(_ transaction: OpaquePointer, flags: UInt32, path: String) throws(StorageError) {
    func open(_ name: String, _ sorting: Int32 = 0) throws(StorageError) -> MDB_dbi {
      var handle: MDB_dbi = 0
      let code = mdb_dbi_open(
        transaction, name, flags == 0 ? 0 : flags | UInt32(sorting), &handle)
      if code == MDB_NOTFOUND {
        throw .damaged(path: path, reason: "it has no \(name)")
      }
      guard code == 0 else { throw .explaining(code, "open \(name)", path: path) }
      return handle
    }
    meta = try open("meta")
    columns = try open("columns")
    lists = try open("lists")
    links = try open("links", MDB_DUPSORT | MDB_DUPFIXED)
    index = try open("index", MDB_DUPSORT | MDB_DUPFIXED)
    log = try open("log")
  }
}

/// A store's file as this process has it open, once, however many stores ask for it.
///
/// `@unchecked Sendable`: every property is immutable, and LMDB guards what the handle leads to.
final class OpenFile: @unchecked Sendable {
  let handle: OpaquePointer
  let databases: Databases
  /// Where the file is, empty for a store in memory.
  let path: String
  /// Whether nobody can write through this handle.
  let isReadOnly: Bool
  /// The descriptor that holds the writers' lock; nil in memory, where nobody else can write.
  let lockDescriptor: Int32?

  fileprivate init(
    handle: OpaquePointer, databases: Databases, path: String, isReadOnly: Bool,
    lockDescriptor: Int32?
  ) {
    self.handle = handle
    self.databases = databases
    self.path = path
    self.isReadOnly = isReadOnly
    self.lockDescriptor = lockDescriptor
  }

  /// Closes the file; whoever opened it does so once, when no transaction is left.
  func close() { mdb_env_close(handle) }

  /// Whether the file system has hardly a page left, or lets no file of this process grow further:
  /// LMDB tells a write that was cut short from any other failure of a device no better.
  var isWithoutRoom: Bool {
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
  /// How LMDB is to open a file.
  struct Options {
    var isReadOnly = false
    /// Nothing of it outlives the process: no waiting for a disk, no lock among processes.
    var isTemporary = false
    /// Whether pages are changed where they lie. Of a file that a file system can refuse a page to,
    /// such a change would end the program.
    var isWrittenThroughMap = false
    /// Whether the reader table can be left out: nobody can write beside us.
    var isWithoutLock = false
    /// The file has no store in it yet.
    var isNew = false
    /// The largest size of the store, in bytes; only address space until it is used.
    var mapSize: Int

    fileprivate var flags: UInt32 {
      var flags = MDB_NOSUBDIR | MDB_NOTLS
      if isReadOnly { flags |= MDB_RDONLY }
      if isWithoutLock { flags |= MDB_NOLOCK }
      if isTemporary { flags |= MDB_NOSYNC | MDB_NOMETASYNC | MDB_NOMEMINIT }
      if isWrittenThroughMap { flags |= MDB_WRITEMAP }
      return UInt32(flags)
    }
  }

  /// Readers of all processes together; the table takes 64 bytes for each.
  private static let readerLimit: UInt32 = 4096
  private static let smallestMap = 1 << 26

  /// Opens `file`, which the caller has looked at, with as large a map as the system grants.
  static func open(_ file: String, _ options: Options) throws(StorageError) -> OpenFile {
    let path = options.isTemporary ? "" : file
    var options = options
    while true {
      let (handle, code) = openHandle(file, options)
      if let handle { return try OpenFile(handle, path, options) }
      guard code == ENOMEM, options.mapSize / 8 >= smallestMap else {
        if code == EACCES || code == EPERM || code == EROFS {
          throw .cannotOpen(path: path, reason: StorageError.words(for: code))
        }
        throw .explaining(code, "open", path: path)
      }
      options.mapSize /= 8
    }
  }

  private static func openHandle(
    _ file: String, _ options: Options
  ) -> (handle: OpaquePointer?, code: Int32) {
    var handle: OpaquePointer?
    var code = mdb_env_create(&handle)
    guard code == 0, let handle else { return (nil, code) }
    code = mdb_env_set_maxdbs(handle, Databases.count)
    if code == 0 { code = mdb_env_set_maxreaders(handle, readerLimit) }
    if code == 0 { code = mdb_env_set_mapsize(handle, options.mapSize) }
    if code == 0 { code = mdb_env_open(handle, file, options.flags, 0o644) }
    guard code != 0 else { return (handle, 0) }
    mdb_env_close(handle)
    return (nil, code)
  }

  private convenience init(
    _ handle: OpaquePointer, _ path: String, _ options: Options
  ) throws(StorageError) {
    do throws(StorageError) {
      if !options.isWithoutLock {
        // Slots of processes that were killed would hold their old pages for ever.
        let code = mdb_reader_check(handle, nil)
        guard code == 0 else { throw StorageError.explaining(code, "check readers", path: path) }
      }
      var descriptor: mdb_filehandle_t = -1
      if !options.isTemporary && !options.isReadOnly { mdb_env_get_fd(handle, &descriptor) }
      let lock = descriptor >= 0 ? descriptor : nil
      self.init(
        handle: handle, databases: try Self.databases(handle, path, options, lock), path: path,
        isReadOnly: options.isReadOnly, lockDescriptor: lock)
    } catch {
      mdb_env_close(handle)
      throw error
    }
  }

  private static func databases(
    _ handle: OpaquePointer, _ path: String, _ options: Options, _ lock: Int32?
  ) throws(StorageError) -> Databases {
    if let lock, options.isNew { _ = WriterLock.take(lock, waiting: true) }
    defer { if let lock, options.isNew { WriterLock.release(lock) } }
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, options.isNew ? 0 : UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: path) }
    let databases: Databases
    do throws(StorageError) {
      let flags = options.isNew ? UInt32(MDB_CREATE) : 0
      databases = try Databases(transaction, flags: flags, path: path)
      if options.isNew { try makeStore(transaction, databases.meta, path) }
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    let outcome = mdb_txn_commit(transaction)
    guard outcome == 0 else { throw .explaining(outcome, "commit", path: path) }
    return databases
  }

  /// Another process may have made the store since we looked: what is there stays.
  private static func makeStore(
    _ transaction: OpaquePointer, _ meta: MDB_dbi, _ path: String
  ) throws(StorageError) {
    let entries = [(StoreFormat.key, StoreFormat.entry), (StoreState.key, StoreState().entry)]
    for (key, value) in entries {
      let code = [UInt8](key.utf8).withUnsafeBytes { key in
        value.withUnsafeBytes { value in
          var key = MDB_val(key)
          var value = MDB_val(value)
          return mdb_put(transaction, meta, &key, &value, UInt32(MDB_NOOVERWRITE))
        }
      }
      guard code == 0 || code == MDB_KEYEXIST else {
        throw .explaining(code, "make the store", path: path)
      }
    }
  }
}
