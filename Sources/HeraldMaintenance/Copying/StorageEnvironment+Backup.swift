internal import CLMDB
internal import Glibc
package import HeraldStorage

extension StorageEnvironment {
  /// Copies the newest version into a file that does not exist yet, while others write; returns the version.
  ///
  /// The file is a store with the same content and without free pages, readable by its owner alone,
  /// and on disk on return. No writer waits for it. Errors: `cannotWrite` if the path is taken;
  /// `full`; `interrupted` if `progress` returns false. After an error no file is left. The store
  /// is read and written once.
  package func backup(
    to path: String, _ progress: CopyProgress
  ) throws(StorageError) -> Int {
    try checkFree(path)
    try checkpoint()
    let copy = try NewFile(path)
    let version: Int
    do throws(StorageError) {
      version =
        try isInMemory ? copyRecords(into: copy, progress) : copyPages(into: copy, progress)
    } catch .damaged(copy.temporaryPath, let reason) {
      throw .damaged(path: file.path, reason: reason)
    } catch {
      throw error.naming(path, inPlaceOf: copy.temporaryPath)
    }
    try verify(copy)
    try copy.finish()
    return version
  }

  /// Creates a store from the records in memory, which have no checksums, and adds these.
  private func copyRecords(
    into copy: NewFile, _ progress: CopyProgress
  ) throws(StorageError) -> Int {
    let source = try beginRead()
    return try withFile(of: copy, isNew: true) { file throws(StorageError) in
      var writer = try RecordWriter(file)
      var comparison = try RecordComparison(source, copy: file)
      try comparison.run(&writer, progress)
      _ = try writer.commitBackup(as: source.state, digest: nil)
      return source.version
    }
  }

  /// Copies the pages of the newest version, except free ones.
  private func copyPages(
    into copy: NewFile, _ progress: CopyProgress
  ) throws(StorageError) -> Int {
    try copyAllPages(into: copy, progress)
    let version = try withFile(of: copy, isNew: false) { file throws(StorageError) in
      var writer = try RecordWriter(file)
      let state = writer.old
      _ = try writer.commitBackup(as: state, digest: nil, ahead: .random(in: Self.aheadInBackup))
      return state.version
    }
    try restoreTransaction(of: copy)
    return version
  }

  /// How far the transactions of a backup are numbered ahead of the store's, so that a backup that is copied
  /// into the file of an open store is recognized: the lock file lists another number.
  private static let aheadInBackup: ClosedRange<UInt64> = 1 << 24...1 << 32

  /// Copies the store at its newest version, with the number of the transaction that wrote it.
  func copyAllPages(into copy: NewFile, _ progress: CopyProgress) throws(StorageError) {
    let total = usedBytes
    var outcome = try copyPages(into: copy, isCompact: true, of: total, progress)
    if outcome == MDB_INCOMPATIBLE {
      // LMDB cannot compact a file with unreferenced pages, which are harmless.
      try copy.empty()
      outcome = try copyPages(into: copy, isCompact: false, of: total, progress)
      try dropJournal(of: copy)
    }
    guard outcome == 0 else { throw .explaining(outcome, "copy", path: file.path) }
    guard progress(total, total) else { throw .interrupted }
    try restoreTransaction(of: copy)
  }

  /// Erases the records of the journal, which LMDB copies with the meta pages.
  private func dropJournal(of copy: NewFile) throws(StorageError) {
    guard let meta = try PageFile(copy.descriptor).metas.first else { return }
    let zeros = [UInt8](repeating: 0, count: JournalArea.size(pageSize: meta.pageSize))
    for transaction in 0..<UInt64(2) {
      let start = JournalArea.offset(after: transaction, pageSize: meta.pageSize)
      try copy.write(zeros, at: start)
    }
  }

  /// Returns LMDB's result code, 0 on success.
  func copyPages(
    into copy: NewFile, isCompact: Bool, of total: Int, _ progress: CopyProgress
  ) throws(StorageError) -> Int32 {
    var copied = 0
    let file = fileInUse()
    defer { file.files?.endUse() }
    return try CopyStream.run(file.handle, isCompact: isCompact) { bytes throws(StorageError) in
      try copy.write(bytes)
      copied += bytes.count
      guard progress(min(copied, total - 1), total) else { throw .interrupted }
    }
  }

  /// Sets the transaction number of a copy to that of its state record: LMDB restarts the numbers in a copy
  /// without free pages.
  func restoreTransaction(of copy: NewFile) throws(StorageError) {
    let pages = try PageFile(copy.descriptor)
    guard let meta = pages.metas.first, let state = PageSearch(pages, meta).state else {
      throw .damaged(path: file.path, reason: "its state record cannot be read")
    }
    if meta.transaction == state.transaction { return }
    let size = meta.pageSize
    let used = pages.meta(at: 0) == meta ? 0 : 1
    // LMDB writes the meta pages alternately. Both lead to this commit, so that the next one may
    // overwrite either.
    let page = UnsafeRawBufferPointer(start: pages.base + used * size, count: size)
    var both = [UInt8](page) + page
    both.withUnsafeMutableBytes { bytes in
      for number in 0..<2 {
        let start = number * size
        bytes.storeBytes(of: UInt64(number).littleEndian, toByteOffset: start, as: UInt64.self)
        bytes.storeBytes(
          of: state.transaction.littleEndian, toByteOffset: start + 144, as: UInt64.self)
      }
    }
    try copy.write(both, at: 0)
  }

  /// Calls `body` with the store in a file that has no name yet.
  private func withFile<Result>(
    of copy: NewFile, isNew: Bool, _ body: (OpenFile) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    var options = OpenFile.Options(mapSize: Self.largestMapOnDisk)
    options.isNew = isNew
    options.isWithoutLock = true
    let opened = try OpenFile.open(copy.temporaryPath, named: copy.temporaryPath, options)
    defer { opened.close() }
    return try body(opened)
  }

  /// Verifies every page and record of a copy, so that damage is not copied silently.
  func verify(_ copy: NewFile) throws(StorageError) {
    let pages = try PageFile(copy.descriptor)
    let transaction = pages.metas.first?.transaction ?? 0
    let problems = try StoreVerification(copy.descriptor, transaction, .records).problems
    if let first = problems.first { throw .damaged(path: file.path, reason: first) }
  }

  /// The size of the pages that are not free, in bytes.
  private var usedBytes: Int {
    var information = MDB_envinfo()
    var statistics = MDB_stat()
    let file = file
    withExtendedLifetime(file) {
      mdb_env_info(file.handle, &information)
      _ = mdb_env_stat(file.handle, &statistics)
    }
    let free = (try? freedPages())?.reduce(0) { $0 + $1.pages } ?? 0
    return max(1, Int(information.me_last_pgno) + 1 - free) * Int(statistics.ms_psize)
  }
}

extension StorageEnvironment {
  /// Throws unless a new file may be created at a path.
  private func checkFree(_ path: String) throws(StorageError) {
    var status = stat()
    let exists = lstat(path, &status) == 0
    guard exists || errno == ENOENT else { throw NewFile.failure(errno, path) }
    if let own = self.path {
      try refuse(path, where: Self.isOneFile(path, own), "it is the store itself")
      try refuse(
        path, where: Self.isOneFile(path, own + "-lock"), "it is the lock file of the store")
      try refuse(
        path, where: Self.isOneFile(path + "-lock", own), "its lock file would be the store itself")
    }
    guard exists else { return }
    try refuse(path, where: status.st_mode & S_IFMT == S_IFLNK, "it is a symbolic link")
    try refuse(path, where: status.st_mode & S_IFMT == S_IFDIR, "it is a directory")
    try refuse(path, where: status.st_mode & S_IFMT != S_IFREG, "it is not a regular file")
    try refuse(
      path, where: true,
      "it exists already; choose another name, or give the version of the backup to update it"
    )
  }

  private func refuse(
    _ path: String, where isWrong: Bool, _ reason: String
  ) throws(StorageError) {
    if isWrong { throw .cannotWrite(path: path, reason: reason) }
  }
}
