import Glibc

/// A thread of a test, to be joined or detached.
enum Thread {
  static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Body {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { body in
        guard let body else { return nil }
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    precondition(code == 0, "no thread")
    return thread
  }
}
