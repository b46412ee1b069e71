extension StorageSnapshot {
  /// What a snapshot is for, and whose transaction it reads.
  ///
  ///     reader    its own, of one thread: until the thread's write reads through it, or it is shared
  ///     lender    the same, and a write of its thread reads through it: until that ends, or begins a transaction
  ///     shared    its own, of several threads: no write ever reads through it
  ///     borrower  a write that reads through another snapshot, and has changed nothing, or a draft (`Loan`): until
  ///               `beginOwn`, or its end, after which it can begin again
  ///     writer    a write with a transaction of LMDB's
  enum Role {
    case reader
    case lender(Unmanaged<StorageSnapshot>)
    case shared
    case borrower(Loan)
    case writer
  }

  /// Whether a snapshot can be read: `released` is one of a reader between two versions.
  enum Condition { case open, released, ended }

  /// What a write has that reads through another snapshot's transaction.
  final class Loan {
    let lender: StorageSnapshot
    /// What the write has changed, of a file; nil until it changes something.
    @exclusivity(unchecked) var draft: OverlayDraft?
    /// Has the group committed that the write has joined; nil if it has joined none, or continues alone.
    @exclusivity(unchecked) var complete: (() throws(StorageError) -> Void)?

    init(_ lender: StorageSnapshot, _ complete: (() throws(StorageError) -> Void)?) {
      self.lender = lender
      self.complete = complete
    }
  }

  /// How others learn that the snapshot holds its version.
  struct Holding {
    /// The transaction's slot in the reader table; nil until it was looked up, `.some(nil)` without one.
    var slot: Int??
    /// Who holds the version, if no reader table lists it.
    var holder: VersionHolding?
  }

  @inline(__always) package var transaction: OpaquePointer { read.transaction }
  @inline(__always) package var file: OpenFile { read.file }
  @inline(__always) package var databases: Databases { read.file.databases }
  @inline(__always) package var memtable: IndexMemtable? { read.memtable }
  @inline(__always) var overlay: Overlay? { read.overlay }

  @inline(__always)
  var loan: Loan? {
    if case .borrower(let loan) = role { loan } else { nil }
  }

  @inline(__always)
  var lender: StorageSnapshot? {
    if case .borrower(let loan) = role { loan.lender } else { nil }
  }

  /// What a write has changed, without a transaction of LMDB's.
  @inline(__always)
  var draft: OverlayDraft? {
    if case .borrower(let loan) = role { loan.draft } else { nil }
  }
}
