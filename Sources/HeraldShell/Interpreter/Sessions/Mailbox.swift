import Herald

/// The messages to a session's thread: work to do, and the completion of work that it sent to others.
final class Mailbox: Sendable {
  enum Message {
    case work(Work)
    case done
    case stop
  }

  private let messages = Monitor<[Message]>([])

  func send(_ message: Message) { messages.change { $0.append(message) } }

  /// Waits for a message and removes it.
  func receive() -> Message {
    messages.take(when: { !$0.isEmpty }, body: { $0.removeFirst() })
  }
}

/// Work that a session's thread does for another thread, which waits for it.
///
/// Safe between threads: the sender waits until the receiver has sent `done`, so that exactly one of
/// the two touches it at any time; the mailbox orders what they see.
final class Work: @unchecked Sendable {
  private let body: () throws -> Void
  private let sender: Mailbox
  private(set) var failure: (any Error)?

  init(from sender: Mailbox, _ body: @escaping () throws -> Void) {
    self.sender = sender
    self.body = body
  }

  func run() {
    do { try body() } catch { failure = error }
    sender.send(.done)
  }
}
