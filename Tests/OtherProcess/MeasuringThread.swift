import Glibc

/// A thread of a measurement. If what it does fails, the process ends.
struct MeasuringThread {
  private let thread: pthread_t

  func join() { pthread_join(thread, nil) }

  static func start(_ body: @escaping @Sendable () throws -> Void) -> MeasuringThread {
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
    return MeasuringThread(thread: thread)
  }
}
