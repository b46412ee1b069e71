import Dispatch
import HeraldModel
import HeraldStorage

/// The write of a session.
///
///     none → beginning            `Session.beginWrite`: blocks with pending changes are called, which may write themselves
///     beginning → open            with the writer lock, at the newest version
///     beginning → openInGroup     with the writer lock, over commits that others have not stored yet: `Session.join`
///     beginning → none            a block, or `Session.rollback`, has ended the write that was beginning
///     open, openInGroup → none    `Session.commit`, `Session.rollback`
///
/// A write in a group may continue alone, after the others were stored. While a write is open, nothing is read at its
/// address.
///
/// A class, as the other parts of a session are: a call of a method of a struct in it would copy that, and count references.
package final class SessionWriting {
  enum State {
    case none
    case beginning
    case open(OpenWrite)
    /// `before` is the reader of the session's version when the write joined.
    case openInGroup(OpenWrite, before: TransactionReader)
  }

  @exclusivity(unchecked) private(set) var state = State.none
  /// The open write: for each assignment, without counting references.
  @exclusivity(unchecked) private(set) var reference: Unmanaged<OpenWrite>?
  /// How many statements of writes there were.
  @exclusivity(unchecked) private var statements = 0
  /// The error of the group that the open write had joined, for whoever gets storage's error of it.
  @exclusivity(unchecked) private var groupFailure: (any Error)?
  /// When the open write of a file has begun.
  @exclusivity(unchecked) private var start = DispatchTime(uptimeNanoseconds: 1)
  /// Whether the last write was so short that others can wait for the next one.
  @exclusivity(unchecked) var isBrief = false
  private let epoch: AddressEpoch

  /// The longest write that may be followed by one that joins a group, in nanoseconds: the others wait for its end.
  private static let longestBriefWrite: UInt64 = 1_000_000

  init(_ epoch: AddressEpoch) { self.epoch = epoch }

  /// The open write; nil without one.
  var open: OpenWrite? {
    @inline(__always) get { reference?.takeUnretainedValue() }
  }

  /// The session's version with the open write's changes; nil without one.
  var reader: TransactionReader? {
    @inline(__always) get { reference?._withUnsafeGuaranteedRef { $0.reader } }
  }

  package var isNone: Bool { if case .none = state { true } else { false } }

  var isBeginning: Bool { if case .beginning = state { true } else { false } }

  /// Whether a read of the open write has met damage.
  @inline(__always)
  var isDamaged: Bool {
    reference?._withUnsafeGuaranteedRef { $0.transaction.snapshot.hasFailed } ?? false
  }
}

// MARK: Transitions

extension SessionWriting {
  func begin() {
    state = .beginning
    groupFailure = nil
  }

  /// - Parameter before: the reader of the session's version if the write has joined a group.
  func open(_ write: OpenWrite, inGroupAfter before: TransactionReader? = nil) {
    reference = Unmanaged.passUnretained(write)
    epoch.block(.writing)
    if let before {
      state = .openInGroup(write, before: before)
      // Another commit of that version may follow if this one fails: whatever is read before is read again.
      beginStatement(of: write, changesAnything: true)
    } else {
      state = .open(write)
    }
  }

  /// Ends the write, whether it was open or beginning.
  func end() {
    reference = nil
    state = .none
    epoch.unblock(.writing)
  }

  /// Begins a statement of the open write. `changesAnything`: whether it may change more than the properties that it notes.
  @inline(__always)
  func beginStatement(of write: OpenWrite, changesAnything: Bool) {
    statements += 1
    write.stamps.begin(statements, changesAnything: changesAnything)
  }

  func startClock() { start = .now() }

  /// Measures how long the block of the open write has taken.
  func stopClock() {
    isBrief =
      DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds < Self.longestBriefWrite
  }

  func fail(_ error: any Error) { groupFailure = error }

  /// Removes and returns the error of the group that the write had joined.
  func takeGroupFailure() -> (any Error)? { groupFailure.take() }
}
