internal import CLMDB
internal import Glibc

/// Blocks SIGXFSZ, which kills a program that writes beyond its file size limit, in the thread of a
/// write transaction: the write then fails with an error, and the store is full.
///
/// Does nothing if no limit is set. Other writes of the thread are shielded too in the meantime.
struct SignalShield: Sendable {
  private let wasBlocked: Bool

  /// Returns nil if there is no limit.
  static func raise() -> SignalShield? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t.max
    else { return nil }
    var signals = Self.signals
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    return SignalShield(wasBlocked: sigismember(&before, SIGXFSZ) == 1)
  }

  /// Unblocks the signal. Must be called on the thread that called `raise`.
  func lower() {
    if wasBlocked { return }
    var signals = Self.signals
    var now = timespec()
    // A signal that arrived meanwhile has been reported as an error.
    while sigtimedwait(&signals, nil, &now) == SIGXFSZ {}
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    return signals
  }
}
