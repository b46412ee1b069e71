internal import Glibc
internal import Synchronization

/// The commits of a file that are in the journal alone, until a checkpoint puts them into LMDB's pages.
///
/// A small commit of a process that has the store open alone is appended to the journal, with one sync of one page.
/// What it changes is kept in memory (`Overlay`), where this process's snapshots find it. A checkpoint is one
/// transaction of LMDB's with all of that. It is made when the journal is full; before a transaction of LMDB's; once
/// another process has opened the store; when there was no commit for a few milliseconds; and when the store is
/// closed. In the meantime this process keeps the writer lock, so that no other one can commit.
///
/// After a crash the journal is applied by whoever opens the store next.
final class JournaledCommits: Sendable {
  private struct State {
    var current: Overlay?
    /// What the last checkpoint has put into the pages.
    var settled: Overlay?
    /// The number of bytes of the journal's area that are used.
    var used = 0
    /// Whether a session of this process has the writer lock.
    var isWriting = false
    /// How many more versions there are than transactions of LMDB, since the file was opened.
    var surplus: UInt64 = 0
    /// The number of commits that are not to be in the journal alone.
    var pause = 0
    /// Whether another process had the store open when that was last looked up.
    var hasCompany = false
    var hasTimer = false
    var isEnded = false
  }

  private let state = Mutex(State())
  /// Held by the commit or the checkpoint under way.
  let gate = Gate()
  /// Changed by every commit.
  private let commits = Atomic(0)

  /// Whether such a commit waits for the disk.
  let syncs = Atomic(true)

  /// The time without a commit after which there is a checkpoint, in microseconds; for tests.
  let patience = Atomic<UInt32>(5_000)

  /// If a commit of LMDB's has to wait for a checkpoint of fewer commits, those that follow are not in the journal alone
  /// for a while: commits of both kinds in turn would cost more.
  private static let worthwhile = 3
  private static let pauseAfterCheckpoint = 16

  /// Nil if all commits are in LMDB's pages.
  var current: Overlay? { state.withLock { $0.current } }

  /// How many times commits were made durable, those of a group together.
  var count: Int { commits.load(ordering: .relaxed) }

  func noteCommit() { commits.add(1, ordering: .relaxed) }

  /// The newest version, as `current` has it, and the number of bytes of the journal's area that are used.
  var newest: (version: Overlay?, used: Int) { state.withLock { ($0.current, $0.used) } }

  /// How many more versions there are than transactions of LMDB, since the file was opened.
  var surplus: UInt64 { state.withLock { $0.surplus + UInt64($0.current?.count ?? 0) } }

  /// Whether a commit may stay in the journal alone for now; `isAlone` looks up whether no other process has the store
  /// open.
  func isUseful(_ isAlone: () -> Bool) -> Bool {
    state.withLock { state in
      if state.isEnded { return false }
      if state.pause > 0 {
        state.pause -= 1
        return false
      }
      if state.hasCompany { state.hasCompany = !isAlone() }
      return !state.hasCompany
    }
  }

  func noteCompany() { state.withLock { $0.hasCompany = true } }

  /// Notes that a commit of LMDB's waits for a checkpoint; returns whether there is anything to put into the pages.
  func noteConversion() -> Bool {
    state.withLock { state in
      guard let current = state.current else { return false }
      if current.count < Self.worthwhile { state.pause = Self.pauseAfterCheckpoint }
      return true
    }
  }

  /// Makes a version the newest one. `size`: that of its record in the journal. The caller holds the gate. Returns
  /// whether a timer is to be started.
  func publish(_ version: Overlay, size: Int) -> Bool {
    noteCommit()
    return state.withLock { state in
      state.current = version
      state.used += size
      defer { state.hasTimer = true }
      return !state.hasTimer
    }
  }

  /// Notes that LMDB's pages have everything up to a version. The caller holds the gate. `release` releases the writer
  /// lock, unless a session has it.
  func clear(_ version: Overlay, _ release: () -> Void) {
    state.withLock { state in
      state.surplus += UInt64(version.count - 1)
      state.settled = version
      state.current = nil
      state.used = 0
      // While no session can find the lock taken.
      if !state.isWriting { release() }
    }
  }

  /// Whether a snapshot has all commits: it reads LMDB's transaction with a number, and what the journal had then;
  /// `newest` is the number of LMDB's newest transaction.
  func isNewest(_ overlay: Overlay?, over number: UInt64, newest: UInt64) -> Bool {
    state.withLock { state in
      if let current = state.current { return overlay === current }
      guard let overlay else { return number == newest }
      return overlay === state.settled && overlay.base + 1 == newest
    }
  }

  /// Begins a session's write if this process has the writer lock already.
  func continueWriting() -> Bool {
    state.withLock { state in
      if state.current == nil { return false }
      state.isWriting = true
      return true
    }
  }

  func beginWriting() { state.withLock { $0.isWriting = true } }

  /// Ends a session's write; returns whether the writer lock is to be released.
  func endWriting() -> Bool {
    state.withLock { state in
      state.isWriting = false
      return state.current == nil
    }
  }

  /// Ends the timer if there has been nothing to do, or the store is closed; returns whether that is so.
  func endTimer() -> Bool {
    state.withLock { state in
      guard state.isEnded || state.current == nil else { return false }
      state.hasTimer = false
      return true
    }
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  func end() { state.withLock { $0.isEnded = true } }

  /// A lock that is taken and left by calls: a `Mutex` would hold it for one closure.
  final class Gate: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    fileprivate init() { sem_init(semaphore, 0, 1) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func take() { while sem_wait(semaphore) != 0 {} }

    func leave() { sem_post(semaphore) }
  }
}
