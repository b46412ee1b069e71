/// The thread of a session: does the work that it is sent, in order.
final class SessionThread {
  /// The stack size, enough for nested blocks and deliveries.
  private static let stackSize = 8 << 20

  let mailbox: Mailbox
  private let thread: SystemThread

  /// Starts the thread: some 50 µs. Returns nil if there can be none.
  init?() {
    let mailbox = Mailbox()
    guard
      let thread = try? SystemThread(stackSize: SessionThread.stackSize, { Self.serve(mailbox) })
    else { return nil }
    self.mailbox = mailbox
    self.thread = thread
  }

  /// Ends the thread after its pending work, and waits for it.
  func stop() {
    mailbox.send(.stop)
    thread.join()
  }

  private static func serve(_ mailbox: Mailbox) {
    while true {
      switch mailbox.receive() {
      case .work(let work): work.run()
      case .done, .stop: return
      }
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
