/// What a snapshot reads: a transaction of LMDB's, and what its version has beside that.
struct ReadVersion {
  private(set) var transaction: OpaquePointer
  /// That of the transaction.
  private(set) var file: OpenFile
  /// Nil until it is read.
  var state: StoreState?
  /// In memory, the entries of indexes that are in no tree.
  var memtable: IndexMemtable?
  /// What the version has in place of LMDB's; nil if that is all.
  var overlay: Overlay?
  /// The writes, not committed yet, of which the last one has made the version; nil for a committed one.
  var group: SharedWrite?

  init(transaction: OpaquePointer, file: OpenFile, state: StoreState? = nil) {
    self.transaction = transaction
    self.file = file
    self.state = state
  }

  /// Reads, with the transaction, what the commits after it have changed: `newest` was the newest version when it began.
  mutating func take(_ newest: Overlay?) {
    guard let newest, newest.base == transaction.number else { return }
    (state, overlay) = (newest.state, newest)
  }

  /// Reads the same as `lender`, mostly the one that was read before. In memory its state is read when it is needed.
  @inline(__always)
  mutating func follow(_ lender: StorageSnapshot) {
    transaction = lender.transaction
    if file !== lender.file { file = lender.file }
    if memtable !== lender.memtable { memtable = lender.memtable }
    if overlay !== lender.overlay { overlay = lender.overlay }
    if group !== lender.read.group { group = lender.read.group }
    state = lender.isChecked ? lender.state : nil
  }
}
