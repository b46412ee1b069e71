import Glibc

/// A thread of a test or a measurement, to be joined or detached. If what it does throws, the process ends with the
/// error.
package struct JoinableThread: Sendable {
  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () throws -> Void) {
    final class Body {
      let run: @Sendable () throws -> Void
      init(_ run: @escaping @Sendable () throws -> Void) { self.run = run }
    }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { body in
        guard let body else { return nil }
        do {
          try Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        } catch {
          let message = Array("\(error)\n".utf8)
          _ = write(STDERR_FILENO, message, message.count)
          exit(1)
        }
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    precondition(code == 0, "no thread")
    self.thread = thread
  }

  package func join() { pthread_join(thread, nil) }

  package func detach() { pthread_detach(thread) }
}
