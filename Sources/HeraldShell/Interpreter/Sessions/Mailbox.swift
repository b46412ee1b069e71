import Glibc

/// The messages to a session's thread: work to do, and the completion of work that it sent to others.
///
/// Safe between threads: every field is touched under `mutex`, and the two C values live at fixed
/// addresses for as long as the mailbox does.
final class Mailbox: @unchecked Sendable {
  enum Message {
    case work(Work)
    case done
    case stop
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var messages: [Message] = []

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrival, nil)
  }

  deinit {
    pthread_cond_destroy(arrival)
    pthread_mutex_destroy(mutex)
    arrival.deallocate()
    mutex.deallocate()
  }

  func send(_ message: Message) {
    pthread_mutex_lock(mutex)
    messages.append(message)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for a message and removes it.
  func receive() -> Message {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while messages.isEmpty { pthread_cond_wait(arrival, mutex) }
    return messages.removeFirst()
  }
}

/// Work that a session's thread does for another thread, which waits for it.
///
/// Safe between threads: the sender waits until the receiver has sent `done`, so that exactly one of
/// the two touches it at any time; the mailbox's mutex orders what they see.
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
