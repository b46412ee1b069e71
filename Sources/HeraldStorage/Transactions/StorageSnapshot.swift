internal import CLMDB
internal import Glibc
package import HeraldModel

/// A snapshot of the store, which no commit changes; that of a write transaction includes the
/// changes made so far.
///
///     let snapshot = try environment.beginRead()
///     let age = snapshot.integer(ages, 7)
///     try snapshot.renew()
///
/// It prevents the pages of its version from being reused, so it should be short-lived. Used by one
/// thread at a time. A read that fails records the error in `failure` and returns nil or no rows; a
/// write transaction with a failure cannot be committed.
///
/// Nil values, values of missing objects, and those of numbers never issued all read as nil. Memory
/// that is lent to a closure is the store's own, and valid during the call only. A block is 256
/// object numbers: number / 256. Reading a column as a kind other than the one it was written as is
/// a programming error and stops the program.
package final class StorageSnapshot {
  package let environment: StorageEnvironment
  /// What it reads.
  @exclusivity(unchecked) var read: ReadVersion
  /// What it is for.
  @exclusivity(unchecked) var role: Role
  /// Whether it can be read.
  @exclusivity(unchecked) private(set) var condition = Condition.open
  /// The error of the first read that failed, since it was taken last.
  @exclusivity(unchecked) private var noted: StorageError?
  /// Whether records are checked against their trailers. In memory no other process can damage them.
  package let isChecked: Bool
  /// Nil in a read transaction.
  let pending: WriteBuffer?
  /// Whether it includes the changes of a write transaction.
  package var isOfWrite: Bool { pending != nil }
  @exclusivity(unchecked) var cache: BlockCache
  /// Unused in a write transaction, whose records move.
  @exclusivity(unchecked) private var scans = ScanCursors()
  /// How others learn that it holds its version.
  @exclusivity(unchecked) var holding = Holding()
  /// The epoch of the addresses that were noted of this snapshot; nil if none may be.
  @exclusivity(unchecked) package var epoch: AddressEpoch?

  /// A reader, or, with `pending`, a write with a transaction of LMDB's.
  init(_ environment: StorageEnvironment, _ read: ReadVersion, pending: WriteBuffer? = nil) {
    self.environment = environment
    self.read = read
    self.pending = pending
    role = pending == nil ? .reader : .writer
    isChecked = !read.file.isInMemory
    cache = environment.takeCache()
  }

  /// A write that reads through `lender`: at the newest version, or at that of a group of writes, which `complete`
  /// commits.
  init(
    over lender: StorageSnapshot, pending: WriteBuffer,
    _ complete: (() throws(StorageError) -> Void)? = nil
  ) {
    environment = lender.environment
    read = lender.read
    isChecked = lender.isChecked
    cache = read.group == nil ? lender.cache : lender.environment.takeCache()
    self.pending = pending
    role = .borrower(Loan(lender, complete))
    open(over: lender)
  }

  deinit {
    end()
    if cache !== lender?.cache { environment.giveBack(cache) }
    if let pending, loan?.complete == nil { environment.giveBack(pending) }
  }

  /// Gives the memory of the file's pages that were read back to the system.
  package func releaseMemory() { file.releaseMemory() }

  /// The state that the last commit wrote.
  package var state: StoreState {
    if let known = read.state { return known }
    guard var state = StoreState(transaction, databases, isChecked: isChecked) else {
      note(.damaged(path: file.path, reason: "its state record cannot be read"))
      return StoreState()
    }
    // In memory the record is only written where it is needed.
    if !isChecked { state.version = version }
    // A write transaction has a number of its own, one above that of the commit that wrote the state.
    guard !isChecked || pending != nil || state.transaction == transaction.number else {
      note(.damaged(path: file.path, reason: "its meta pages and its state record disagree"))
      return StoreState()
    }
    read.state = state
    return state
  }

  package var isEnded: Bool { condition == .ended }

  /// Whether a read has failed, or the snapshot has ended.
  @inline(__always) package var hasFailed: Bool { noted != nil || condition == .ended }

  /// The error of the first read that failed, and returned nil or no rows instead; nil if none did.
  package var failure: StorageError? { noted ?? (isEnded ? Self.hasEnded : nil) }

  /// Whether the snapshot can be read at its version.
  var isReadable: Bool { condition == .open && !hasFailed }

  /// Begins to read through `lender`, for the first time or after the end of another write that has done that.
  func open(over lender: StorageSnapshot) {
    noted = nil
    condition = .open
    read.follow(lender)
    lender.lend(to: self)
    if isChecked { _ = file.files?.beginUse() }
  }

  /// Continues a write transaction after a version that it commits with others.
  func advance(to state: StoreState) { read.state = state }

  /// Continues a write after its version, which it commits with others.
  func advance(after version: Overlay) {
    // Over what it has read so far: a checkpoint may have come since.
    read.overlay = Overlay(
      overlay, base: version.base, version.state, draft?.items ?? OverlayItems())
    loan?.draft = nil
    read.state = version.state
    cache.forgetAll()
  }

  /// The number of the commit that the transaction reads, or began at; 0 for a new store.
  package var version: Int {
    if isChecked { return state.version }
    // A write transaction has a number of its own.
    return OpenFile.versionInMemory(number) + environment.memory.commitsInPlace
      - (pending == nil ? 0 : 1)
  }

  /// The newest version of a readable record: in a write transaction, that of its own commit.
  package var newestReadable: Int { version + (pending?.keepsVersion ?? true ? 0 : 1) }

  /// Returns another snapshot of the same version, for another thread; nil in a write transaction, after a failure, and
  /// if the store has a newer version by now.
  package func another() -> StorageSnapshot? {
    guard pending == nil, isReadable,
      let other = try? environment.beginRead(), other.version == version, !other.hasFailed
    else { return nil }
    return other
  }

  package func note(_ error: StorageError) {
    if noted == nil { noted = error }
    epoch?.end()
  }

  /// Returns and clears the failure of a read, for its caller to throw, after which other records
  /// can be read. A write transaction that met damage keeps its failure, and is never committed.
  package func takeFailure() -> StorageError? {
    guard pending == nil, !isEnded else { return failure }
    return noted.take()
  }

  /// Throws an earlier failure, after which nothing may be changed.
  @inline(__always) package func checkFailure() throws(StorageError) {
    if hasFailed, let failure { throw failure }
  }

  /// Returns the record of a column's block: by one step of the cursor if the block before was read last.
  func block(_ column: ColumnID, _ block: Int) -> UnsafeRawBufferPointer? {
    let key = FixedKey.block(column, block)
    if let item = overlaid(.columns, key) { return item.content }
    if pending == nil,
      let (code, value) = scans.next(
        column.packed, block, key, transaction, databases.columns)
    {
      return content(code, value, .columns, key)
    }
    return get(.columns, key)
  }

  /// Ends the transaction; uncommitted changes are dropped.
  func end() {
    guard !isEnded else { return }
    forgetHolder()
    scans.end()
    if loan != nil { return finish() }
    withdrawLoan()
    mdb_txn_abort(transaction)
    if pending == nil, condition != .released { environment.memory.leave() }
    if pending?.dirtyPages.isSpilled ?? false { file.dropUnusedEnd() }
    finish()
  }

  /// Commits LMDB's transaction, which ends whether that succeeds or not. `keepsLock`: if it
  /// succeeds, writers of other processes keep waiting.
  func commit(version: Int, keepsLock: Bool = false) throws(StorageError) {
    do throws(StorageError) {
      try file.files?.check()
      try file.checkReserve(transaction, isDeleting: pending?.isDeleting ?? false)
      if let files = file.files, let named = files.named {
        try named.checkLockFile(of: files.store, at: files.path)
      }
    } catch {
      end()
      if case .replaced(let path) = error, file.isNameless { throw .madeMeanwhile(path: path) }
      throw error
    }
    let transactionID = mdb_txn_id(transaction)
    let number = transaction.number
    var code =
      file.isNameless
      ? environment.store.commitFirst(transaction, of: file) : file.commit(transaction)
    if code == 0 { environment.note(version: version, transactionID) }
    if code != 0, isChecked { MetaPages.restore(file.descriptor, failed: number) }
    if code == EIO && file.isDiskFull { code = ENOSPC }
    finish(committing: code == 0 ? version : nil, keepsLock: keepsLock && code == 0)
    guard code == 0 else { throw file.commitError(code) }
    file.announceCommit()
  }

  /// Moves a read transaction to a version that is in the journal alone, and that has the pages which it reads.
  func advance(to newest: Overlay) {
    forgetAddresses()
    read.overlay = newest
    read.state = newest.state
  }

  /// Continues with another transaction.
  func adopt(_ begun: ReadVersion) {
    read = begun
    cache.forgetAll()
  }

  /// `version`: the one that was committed; nil if none was.
  func finish(committing version: Int? = nil, keepsLock: Bool = false) {
    condition = .ended
    epoch?.end()
    if isChecked { file.files?.endUse() }
    if let pending {
      finish(pending, committing: version)
      if read.group == nil, isChecked { environment.endWrite(keepsLock: keepsLock) }
    }
    if let loan {
      loan.lender.endLoan()
      loan.draft = nil
      if cache !== loan.lender.cache {
        environment.giveBack(cache)
        cache = loan.lender.cache
      }
    } else {
      cache.forgetAll()
    }
    read.memtable = nil
    read.overlay = nil
    pending?.forgetAll()
  }

  /// Keeps what the next write can use of one that ends.
  private func finish(_ pending: WriteBuffer, committing version: Int?) {
    if pending.classes.isEmpty { return }
    let issued = environment.issuedNumbers
    if version == nil { issued.keep(pending.classes) } else { issued.forget(pending.classes) }
    // In memory nothing but this process's next transaction changes the class.
    if let version, !isChecked { pending.keepClass(at: version) }
  }

  private static let hasEnded = StorageError.failed(
    operation: "use", code: 0, reason: "the transaction has ended")

  /// Allows the pages of a read transaction's version to be reused. Every read fails until it is renewed.
  package func release() {
    forgetHolder()
    scans.end()
    withdrawLoan()
    mdb_txn_reset(transaction)
    if condition != .released { environment.memory.leave() }
    forgetAddresses()
    read.state = nil
    read.overlay = nil
    condition = .released
  }

  /// Moves a read transaction to the newest version; some ten nanoseconds if it is there already. The
  /// cache is kept if the version is the same.
  package func renew() throws(StorageError) {
    try environment.checkFiles()
    let (old, number) = (read, transaction.number)
    let wasReleased = condition == .released
    scans.end()
    withdrawLoan()
    if wasReleased { environment.memory.enter() }
    mdb_txn_reset(transaction)
    // Until it is renewed.
    condition = .released
    defer { if condition == .released { environment.memory.leave() } }
    if let renewed = try renewedInPlace() {
      read = renewed
    } else {
      let begun = try environment.beginReading()
      environment.memory.leave()
      mdb_txn_abort(transaction)
      file.files?.endUse()
      read = begun
      holding.slot = nil
    }
    condition = .open
    if transaction.number == number, file === old.file, overlay === old.overlay, !wasReleased {
      read.state = old.state
    } else {
      forgetAddresses()
      noted = nil
    }
  }

  private func forgetAddresses() {
    cache.forgetAll()
    epoch?.end()
  }

  /// Returns the newest version in the same file; nil if its handle is no longer in use, or should not be, or if LMDB
  /// has mixed two versions.
  private func renewedInPlace() throws(StorageError) -> ReadVersion? {
    guard file === environment.file else { return nil }
    let newest = file.isInMemory ? nil : environment.store.journaled.current
    let code = mdb_txn_renew(transaction)
    if code == MDB_MAP_RESIZED || code == MDB_PANIC { return nil }
    guard code == 0 else { throw .explaining(code, "renew", path: file.path) }
    var renewed = ReadVersion(transaction: transaction, file: file)
    if file.isInMemory {
      if file.isSettled(transaction),
        environment.memory.take(&renewed.memtable, of: transaction.number)
      {
        return renewed
      }
      mdb_txn_reset(transaction)
      return try renewedInPlace()
    }
    do throws(StorageError) {
      try file.checkNewest()
      renewed.state = file.settledState(of: transaction)
      if renewed.state != nil {
        renewed.take(newest)
        return renewed
      }
    } catch {}
    mdb_txn_reset(transaction)
    return nil
  }
}
