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
  let environment: StorageEnvironment
  /// The file of `transaction`.
  @exclusivity(unchecked) private(set) var file: OpenFile
  @exclusivity(unchecked) var transaction: OpaquePointer
  let databases: Databases
  @exclusivity(unchecked) var cache: BlockCache
  /// Whether records are checked against their trailers. In memory no other process can damage them.
  let isChecked: Bool
  /// Nil in a read transaction.
  let pending: WriteBuffer?
  @exclusivity(unchecked) private var noted: StorageError?
  /// The error of the first read that failed, and returned nil or no rows instead; nil if none did.
  package var failure: StorageError? { noted ?? (isEnded ? Self.hasEnded : nil) }
  @exclusivity(unchecked) package private(set) var hasFailed = false
  @exclusivity(unchecked) private(set) var isEnded = false
  @exclusivity(unchecked) private(set) var isReleased = false
  /// The transaction's slot in the reader table; nil until it was looked up.
  @exclusivity(unchecked) var readerSlot: Int??
  @exclusivity(unchecked) private var knownState: StoreState?
  /// Who holds the version, if no reader table lists it.
  @exclusivity(unchecked) var holder: VersionHolding?
  /// Unused in a write transaction, whose records move.
  @exclusivity(unchecked) private var scans = ScanCursors()
  /// Of a write that has no transaction of LMDB's: the snapshot whose transaction it reads through.
  @exclusivity(unchecked) var lender: StorageSnapshot?
  /// The write that reads through this snapshot's transaction.
  @exclusivity(unchecked) unowned(unsafe) var borrower: StorageSnapshot?
  /// The writes, not committed yet, whose last version this snapshot reads, or that the write which it belongs to has
  /// joined.
  @exclusivity(unchecked) var joined: SharedWrite?
  /// Has the writes that this one has joined committed.
  @exclusivity(unchecked) var complete: (() throws(StorageError) -> Void)?
  /// Whether other threads may read this snapshot, too.
  @exclusivity(unchecked) var isShared = false
  /// The entries of indexes that commits in place have added to a store in memory, and that are not in the tree.
  @exclusivity(unchecked) var memtable: IndexMemtable?
  /// What the version has in place of LMDB's; nil if that is all.
  @exclusivity(unchecked) var overlay: Overlay?
  /// What a write has changed, without a transaction of LMDB's.
  @exclusivity(unchecked) var draft: OverlayDraft?
  /// The epoch of the addresses that were noted of this snapshot; nil if none may be.
  @exclusivity(unchecked) package var epoch: AddressEpoch?

  init(
    _ environment: StorageEnvironment, _ file: OpenFile, _ transaction: OpaquePointer,
    pending: WriteBuffer?, state: StoreState? = nil, memtable: IndexMemtable? = nil,
    overlay: Overlay? = nil
  ) {
    self.environment = environment
    self.file = file
    self.transaction = transaction
    self.pending = pending
    databases = file.databases
    isChecked = !file.isInMemory
    cache = environment.takeCache()
    knownState = state
    self.memtable = memtable
    self.overlay = overlay
  }

  /// A write that reads through `lender`: at the newest version, or at that of writes which `complete` has committed.
  init(
    over lender: StorageSnapshot, pending: WriteBuffer,
    _ complete: (() throws(StorageError) -> Void)? = nil
  ) {
    environment = lender.environment
    file = lender.file
    transaction = lender.transaction
    databases = lender.databases
    isChecked = lender.isChecked
    joined = lender.joined
    self.complete = complete
    cache = lender.joined == nil ? lender.cache : lender.environment.takeCache()
    self.pending = pending
    if isChecked {
      knownState = lender.state
      _ = file.files?.beginUse()
    }
    self.lender = lender
    memtable = lender.memtable
    overlay = lender.overlay
    lender.borrower = self
  }

  deinit {
    end()
    if cache !== lender?.cache { environment.giveBack(cache) }
    if let pending, complete == nil { environment.giveBack(pending) }
  }

  /// Gives the memory of the file's pages that were read back to the system.
  package func releaseMemory() { file.releaseMemory() }

  /// The state that the last commit wrote.
  var state: StoreState {
    if let knownState { return knownState }
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
    knownState = state
    return state
  }

  /// Forgets the state, after a commit in place.
  func forgetState() { knownState = nil }

  /// Whether the snapshot can be read at its version.
  /// The same as `hasFailed`, without the check of exclusive access that other modules make.
  package var isDamaged: Bool { hasFailed }

  var isReadable: Bool { !isEnded && !isReleased && !hasFailed }

  /// Begins again, after the end of a write that has read through `lender`.
  func reopen(over lender: StorageSnapshot) {
    transaction = lender.transaction
    memtable = lender.memtable
    overlay = lender.overlay
    knownState = nil
    if isChecked {
      knownState = lender.state
      _ = file.files?.beginUse()
    }
    noted = nil
    hasFailed = false
    isEnded = false
    lender.borrower = self
  }

  /// Continues a write transaction after a version that it commits with others.
  func advance(to state: StoreState) { knownState = state }

  /// Continues a write after its version, which it commits with others.
  func advance(after version: Overlay) {
    // Over what it has read so far: a checkpoint may have come since.
    overlay = Overlay(
      overlay, base: version.base, version.state, draft?.items ?? OverlayItems())
    draft = nil
    knownState = version.state
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
  var newestReadable: Int { version + (pending?.makesVersion ?? false ? 1 : 0) }

  /// Returns another snapshot of the same version, for another thread; nil in a write transaction, after a failure, and
  /// if the store has a newer version by now.
  package func another() -> StorageSnapshot? {
    guard pending == nil, !hasFailed, !isEnded, !isReleased,
      let other = try? environment.beginRead(), other.version == version, !other.hasFailed
    else { return nil }
    return other
  }

  package func note(_ error: StorageError) {
    if noted == nil { noted = error }
    hasFailed = true
    epoch?.end()
  }

  /// Returns and clears the failure of a read, for its caller to throw, after which other records
  /// can be read. A write transaction that met damage keeps its failure, and is never committed.
  package func takeFailure() -> StorageError? {
    guard pending == nil, !isEnded else { return failure }
    defer {
      noted = nil
      hasFailed = false
    }
    return noted
  }

  /// Throws an earlier failure, after which nothing may be changed.
  @inline(__always) func checkFailure() throws(StorageError) {
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
    if lender != nil { return finish() }
    withdrawLoan()
    mdb_txn_abort(transaction)
    if pending == nil, !isReleased { environment.memory.leave() }
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
    overlay = newest
    knownState = newest.state
  }

  /// Continues with another transaction.
  func adopt(
    _ begun: OpaquePointer, _ file: OpenFile, _ state: StoreState?
  ) {
    transaction = begun
    self.file = file
    knownState = state
    overlay = nil
    cache.forgetAll()
  }

  /// `version`: the one that was committed; nil if none was.
  func finish(committing version: Int? = nil, keepsLock: Bool = false) {
    isEnded = true
    hasFailed = true
    epoch?.end()
    if isChecked { file.files?.endUse() }
    if let pending {
      if !pending.classes.isEmpty {
        let issued = environment.issuedNumbers
        if version == nil { issued.keep(pending.classes) } else { issued.forget(pending.classes) }
        // In memory nothing but this process's next transaction changes the class.
        if let version, !isChecked { pending.keepClass(at: version) }
      }
      if joined == nil, isChecked { environment.endWrite(keepsLock: keepsLock) }
    }
    if let lender {
      lender.borrower = nil
      if cache !== lender.cache {
        environment.giveBack(cache)
        cache = lender.cache
      }
    } else {
      cache.forgetAll()
    }
    memtable = nil
    overlay = nil
    draft = nil
    pending?.forgetAll()
  }

  private static let hasEnded = StorageError.failed(
    operation: "use", code: 0, reason: "the transaction has ended")

  /// Allows the pages of a read transaction's version to be reused. Every read fails until it is renewed.
  package func release() {
    forgetHolder()
    scans.end()
    withdrawLoan()
    mdb_txn_reset(transaction)
    if !isReleased { environment.memory.leave() }
    forgetAddresses()
    knownState = nil
    overlay = nil
    isReleased = true
  }

  /// Moves a read transaction to the newest version; some ten nanoseconds if it is there already. The
  /// cache is kept if the version is the same.
  package func renew() throws(StorageError) {
    try environment.checkFiles()
    let old = (transaction.number, ObjectIdentifier(file))
    scans.end()
    withdrawLoan()
    if isReleased { environment.memory.enter() }
    mdb_txn_reset(transaction)
    var isRenewed = false
    var renewed: StoreState?
    let before = overlay
    defer {
      if !isRenewed {
        isReleased = true
        environment.memory.leave()
      }
    }
    if try !renewInPlace(&renewed) {
      let begun = try environment.beginReading()
      environment.memory.leave()
      mdb_txn_abort(transaction)
      file.files?.endUse()
      (transaction, file, renewed) = (begun.transaction, begun.file, begun.state)
      (memtable, overlay) = (begun.memtable, begun.overlay)
      readerSlot = nil
    }
    isRenewed = true
    if (transaction.number, ObjectIdentifier(file)) != old || isReleased || overlay !== before {
      isReleased = false
      forgetAddresses()
      knownState = renewed
      noted = nil
      hasFailed = false
    }
  }

  private func forgetAddresses() {
    cache.forgetAll()
    epoch?.end()
  }

  /// Returns false if the file's handle is no longer in use, or should not be, or if LMDB has mixed
  /// two versions. `state`: that of the version, nil in memory.
  private func renewInPlace(_ state: inout StoreState?) throws(StorageError) -> Bool {
    guard file === environment.file else { return false }
    let newest = file.isInMemory ? nil : environment.store.journaled.current
    let code = mdb_txn_renew(transaction)
    if code == MDB_MAP_RESIZED || code == MDB_PANIC { return false }
    guard code == 0 else { throw .explaining(code, "renew", path: file.path) }
    if file.isInMemory {
      if file.isSettled(transaction),
        environment.memory.take(&memtable, of: transaction.number)
      {
        return true
      }
      mdb_txn_reset(transaction)
      return try renewInPlace(&state)
    }
    do throws(StorageError) {
      try file.checkNewest()
      state = file.settledState(of: transaction)
      if state != nil {
        overlay = newest?.base == transaction.number ? newest : nil
        if let overlay { state = overlay.state }
        return true
      }
    } catch {}
    mdb_txn_reset(transaction)
    return false
  }
}
