import Glibc

/// The thread of one session: does what it is sent, one after another.
final class SessionThread {
  /// Enough for blocks inside blocks, deliveries inside deliveries.
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

  /// Ends the thread once it has nothing to do, and waits for that.
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
  /// Has another thread do `body` and waits for it; does meanwhile what this thread is sent.
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
