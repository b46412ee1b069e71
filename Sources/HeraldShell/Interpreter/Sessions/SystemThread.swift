import Glibc

/// A thread of the system's.
package final class SystemThread {
  /// Why there can be none: an error number.
  package struct Failure: Error {
    package let code: Int32
  }

  /// Whether there is a processor for a second thread.
  static let isUseful = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  /// Starts a thread: some 50 µs.
  ///
  /// - Parameters:
  ///   - stackSize: In bytes; the system's by default.
  ///   - blocksSignals: Whether signals are for other threads, instead of those that the caller's thread receives.
  package init(
    stackSize: Int? = nil, blocksSignals: Bool = false, _ run: @escaping @Sendable () -> Void
  ) throws(Failure) {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    if let stackSize { pthread_attr_setstacksize(attributes, stackSize) }
    // A thread inherits the mask.
    var previous = sigset_t()
    if blocksSignals {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &previous)
    }
    let body = Unmanaged.passRetained(Body(run))
    let code = pthread_create(
      &thread, attributes,
      { body in
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    if blocksSignals { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    guard code == 0 else {
      body.release()
      throw Failure(code: code)
    }
  }

  /// Waits for its end. Either this or `detach` must be called once.
  package func join() { pthread_join(thread, nil) }

  /// Lets it end by itself.
  package func detach() { pthread_detach(thread) }
}
