import Glibc

/// A thread that does one thing beside the thread that starts it.
final class ReadingThread {
  /// Whether there is a processor for it.
  static let isUseful = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  /// Starts the thread: some 50 µs. Returns nil if there can be none.
  init?(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run))
    // Signals are for the threads that were there before.
    var (all, previous) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    let code = pthread_create(
      &thread, nil,
      { body in
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    guard code == 0 else {
      body.release()
      return nil
    }
  }

  /// Waits for its end. Must be called once.
  func join() { pthread_join(thread, nil) }
}
