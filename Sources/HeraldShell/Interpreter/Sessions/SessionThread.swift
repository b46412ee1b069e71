import Glibc

/// The thread of a session: does the work that it is sent, in order.
final class SessionThread {
  /// The stack size, enough for nested blocks and deliveries.
  private static let stackSize = 8 << 20

  let mailbox = Mailbox()
  private var thread: pthread_t = 0

  /// Starts the thread: some 50 µs.
  init?() {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setstacksize(attributes, SessionThread.stackSize)
    let retained = Unmanaged.passRetained(mailbox)
    let status = pthread_create(&thread, attributes, serve, retained.toOpaque())
    guard status == 0 else {
      retained.release()
      return nil
    }
  }

  /// Ends the thread after its pending work, and waits for it.
  func stop() {
    mailbox.send(.stop)
    pthread_join(thread, nil)
  }
}

private func serve(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let mailbox = Unmanaged<Mailbox>.fromOpaque(argument).takeRetainedValue()
  while true {
    switch mailbox.receive() {
    case .work(let work): work.run()
    case .done, .stop: return nil
    }
  }
}

extension Mailbox {
  /// Runs `body` on another thread and waits for it; meanwhile does the work that this thread is sent.
  func call(_ other: Mailbox, _ body: @escaping () throws -> Void) throws {
    let work = Work(from: self, body)
    other.send(.work(work))
    while true {
      switch receive() {
      case .work(let inner): inner.run()
      case .done:
        if let failure = work.failure { throw failure }
        return
      case .stop: preconditionFailure("a thread that waits is not stopped")
      }
    }
  }
}
