package import Glibc

/// An object with a thread of its own, which runs until `run` returns and retains the object until then.
package protocol WaitingThread: AnyObject, Sendable {
  func run()
}

extension WaitingThread {
  /// Returns false if the system cannot create a thread; then `errno` says why.
  package func start() -> Bool {
    guard let thread = startJoinable() else { return false }
    pthread_detach(thread)
    return true
  }

  /// Returns the thread, whose end must be waited for with `pthread_join`; nil as `start` returns false.
  package func startJoinable() -> pthread_t? {
    let retained = Unmanaged.passRetained(ThreadBody(run: run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { body in
        if let body { Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      errno = code
      return nil
    }
    return thread
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
