import HeraldModel
import HeraldObservation
import HeraldStorage

/// The version that a session is at, and how it reads it.
///
/// A session that was opened is `live`; one that was frozen stays as it was made. Their transitions:
///
///     live → resting      nobody uses the session: `Session.rest`, `restWithoutObservers`
///     resting → live      at the newest version: `Session.resume`, before the next use
///     live → shared       something is frozen at a version that is not the newest any more: `Session.sharedReader`
///     shared → live       with another reader, at a newer version: `Session.renew`
///
/// A live session may get another reader: at a newer version, or at one that its write joins (`Session.join`), until that
/// write ends (`Session.endWrite`). Whatever goes with the reader changes with it, here: the values that are read at their
/// addresses, the label in the table of readers, and the write that can begin again.
final class SessionPosition {
  enum Mode {
    /// The session's thread alone reads the version.
    case live
    /// The version is released, so that nothing can be read.
    case resting
    /// Something frozen holds the version: its reader is used under a lock.
    case shared(SharedReader)
    /// The session is frozen: every thread reads it, under a lock.
    case frozen(SharedReader)
    /// The session is frozen at an earlier version than the frozen session `over`, whose reader it has.
    indirect case earlier(PreviousReader, over: Session, SharedReader)
  }

  /// The committed version; in a group of commits the one before the open write.
  @exclusivity(unchecked) private(set) var version: Int
  /// The reader of that version, or of the one that `earlier` undoes changes of: used through `Session.snapshot`.
  @exclusivity(unchecked) private(set) var reader: TransactionReader
  /// The storage of `reader`, which each delivery checks for damage, without counting references.
  @exclusivity(unchecked) private var storage: Unmanaged<StorageSnapshot>
  @exclusivity(unchecked) private(set) var mode: Mode
  /// Whether the session stays at its version, and every thread can read it: `frozen` or `earlier`, which no session enters
  /// or leaves.
  let isFrozen: Bool
  /// The error with which the session failed to resume on behalf of a read that cannot throw: `checkIntact` throws it. It
  /// may have resumed since.
  @exclusivity(unchecked) private(set) var resumeFailure: (any Error)?
  /// The last write, if another one can begin with its memory. It reads through `reader`.
  @exclusivity(unchecked) private var spareWrite: OpenWrite?
  /// The session's index in the hub's `SessionVersions`; nil for what is frozen, and for one that rests without observers.
  @exclusivity(unchecked) private var place: Int?
  /// The session's name for the list of readers.
  @exclusivity(unchecked) private var label = ReaderLabel("")
  /// Lasts as long as the version of a reader that the session alone uses.
  private let epoch: AddressEpoch

  init(_ mode: Mode, at version: Int, _ reader: TransactionReader, _ epoch: AddressEpoch) {
    self.mode = mode
    isFrozen =
      switch mode {
      case .live, .resting, .shared: false
      case .frozen, .earlier: true
      }
    self.version = version
    self.reader = reader
    self.epoch = epoch
    storage = Unmanaged.passUnretained(reader.storage)
    // The reader of what is frozen may be in use by other threads already.
    if isLive { attachEpoch() }
  }

  var isLive: Bool { if case .live = mode { true } else { false } }

  var isResting: Bool { if case .resting = mode { true } else { false } }

  /// Whether others use the reader, too.
  var isShared: Bool {
    switch mode {
    case .live, .resting: false
    case .shared, .frozen, .earlier: true
    }
  }

  /// The reader that others use, too, under a lock; nil if the session alone reads its version.
  var shared: SharedReader? {
    @inline(__always) get {
      switch mode {
      case .live, .resting: nil
      case .shared(let shared), .frozen(let shared), .earlier(_, over: _, let shared): shared
      }
    }
  }

  /// The reader of an earlier version, over `reader`; nil unless the session is frozen at one.
  var previous: PreviousReader? {
    @inline(__always) get {
      if case .earlier(let previous, over: _, _) = mode { previous } else { nil }
    }
  }

  /// The frozen session over whose version the session is at an earlier one.
  var later: Session? { if case .earlier(_, over: let later, _) = mode { later } else { nil } }

  /// Whether a read has met damage, since the session moved to its version.
  @inline(__always)
  var isDamaged: Bool { storage._withUnsafeGuaranteedRef { $0.hasFailed } && !isResting }
}

// MARK: Transitions

extension SessionPosition {
  /// Releases the version until the session is used again.
  func rest() {
    reader.storage.release()
    mode = .resting
    epoch.block(.reading)
  }

  /// Moves the reader of a resting session to the newest version, which becomes the session's with `reach`.
  func wake() throws(StorageError) {
    // The session rests until that succeeds.
    try reader.storage.renew()
    mode = .live
    allowAddresses()
    labelVersion()
  }

  /// Keeps the error of a use that could not throw it, unless there is one.
  func fail(_ error: any Error) {
    resumeFailure = resumeFailure ?? error
    epoch.block(.reading)
  }

  /// Removes and returns the error of an earlier use.
  func takeResumeFailure() -> (any Error)? {
    defer { allowAddresses() }
    return resumeFailure.take()
  }

  /// Lets other threads use the session's reader, too.
  func share() -> SharedReader {
    let shared = SharedReader(reader)
    mode = .shared(shared)
    reader.storage.share()
    attachEpoch()
    labelVersion()
    return shared
  }

  /// Gives the session another reader, which it alone uses.
  func read(with new: TransactionReader) {
    let old = reader
    reader = new
    storage = Unmanaged.passUnretained(new.storage)
    mode = .live
    spareWrite = nil
    // Other threads may read a reader that was shared.
    if old.storage.epoch != nil { old.storage.epoch = nil }
    epoch.end()
    attachEpoch()
  }

  /// Reads the version of a group of commits, which is not committed yet.
  func join(with new: TransactionReader) {
    read(with: new)
    version = new.version
  }

  /// Returns to the reader of before the group, unless the write has continued alone: its reader then is the session's.
  func leaveGroup(to before: TransactionReader, in hub: StoreHub) {
    if reader.storage.leaveShared() {
      hub.move(&place, to: reader.version)
    } else {
      read(with: before)
    }
    version = reader.version
  }

  /// Moves the session to the version that its reader is at.
  func reach(_ new: Int) { version = new }

  /// Has the hub keep the records of later versions for the session.
  func enter(_ hub: StoreHub) { hub.move(&place, to: version) }

  /// Has the hub keep no records for the session.
  func leave(_ hub: StoreHub) { hub.leave(&place) }

  /// Keeps the memory of a write that has ended for the next one, if that can begin with it.
  func keep(_ write: OpenWrite) {
    if write.isReusable(over: reader.storage) { spareWrite = write }
  }

  /// Begins a write with the memory of the last one; returns nil if that is not possible.
  func beginSpareWrite() throws(StorageError) -> OpenWrite? {
    guard let spare = spareWrite.take(), try spare.begin(over: reader) else { return nil }
    return spare
  }

  func rename(_ name: String) {
    label = ReaderLabel(name)
    labelVersion()
  }

  /// Labels the version with the session's name, for the list of readers.
  func labelVersion() {
    guard !isResting else { return }
    reader.storage.label(isShared ? ReaderLabel(label.name, isFrozen: true) : label)
  }

  /// Lets the epoch last as long as the version of the reader, unless other threads use that.
  private func attachEpoch() {
    reader.storage.epoch = isShared ? nil : epoch
    allowAddresses()
  }

  /// Lets values be read at their addresses if the session alone reads the version.
  private func allowAddresses() {
    if isLive, resumeFailure == nil { epoch.unblock(.reading) } else { epoch.block(.reading) }
  }
}
