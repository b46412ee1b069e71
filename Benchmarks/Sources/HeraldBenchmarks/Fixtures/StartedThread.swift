import Glibc

/// A thread that runs a block. To be joined.
struct StartedThread {
  private final class Work {
    let block: @Sendable () -> Void
    init(_ block: @escaping @Sendable () -> Void) { self.block = block }
  }

  private let thread: pthread_t

  init(_ block: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().block() }
        return nil
      }, Unmanaged.passRetained(Work(block)).toOpaque())
    precondition(code == 0, "no thread")
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}
