internal import CLMDB
internal import Glibc

/// Keeps SIGXFSZ, which ends a program that writes beyond the limit on the size of its files, from the
/// thread of a write transaction: the write is an error then, and the store is full.
///
/// Where no limit is set nothing is done. What the thread writes of its own meanwhile is shielded too.
struct SignalShield: Sendable {
  private let wasBlocked: Bool

  /// Nil where there is nothing to shield from.
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

  /// To be called on the thread that raised it.
  func lower() {
    if wasBlocked { return }
    var signals = Self.signals
    var now = timespec()
    // One that came meanwhile has been told as an error.
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
