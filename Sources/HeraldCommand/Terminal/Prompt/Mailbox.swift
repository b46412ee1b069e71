import CEditLine
import Glibc
import Synchronization

/// What other threads have to say to the one that reads the terminal: texts to show above the
/// half-typed line, and signals. A descriptor becomes readable with the first message.
///
/// `contents` guards everything that changes; any thread may post, only the reading thread takes.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// Text to show above the line that is being typed.
    case text(String)
    /// Others have committed: turns are to be taken, and what they tell shown above the line.
    case turn
    case interrupt
    case suspend
    case resume
    case resize
    case terminate(signal: Int32)
  }

  /// What the main thread is doing, which decides what a signal means.
  enum Attention: Sendable {
    /// A statement runs, and the terminal is as the user's shell left it.
    case statement
    /// A line is being typed or a table watched: the terminal is in our hands, and signals are
    /// messages.
    case prompt
    /// More of a script is awaited.
    case script
  }

  private struct Contents {
    var messages: [Message] = []
    var attention = Attention.statement
    /// Looked at only where a script is awaited: a statement notices for itself.
    var wasInterrupted = false
    /// An interrupt has found a statement running.
    var wasStatementInterrupted = false
    /// A turn was asked for and not yet taken out: asking again adds nothing.
    var isTurnDue = false
  }

  /// Readable while there are messages.
  let descriptor: Int32
  private let contents = Mutex(Contents())

  init() throws(SystemFailure) {
    descriptor = ce_event()
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
  }

  deinit { close(descriptor) }

  var attention: Attention {
    get { contents.withLock { $0.attention } }
    set { contents.withLock { $0.attention = newValue } }
  }

  /// Says that more of a script is awaited; false when an interrupt came before, while nothing ran
  /// that could have noticed it.
  func awaitScript() -> Bool {
    contents.withLock { contents in
      contents.attention = .script
      return !contents.wasInterrupted
    }
  }

  /// Tells whoever an interrupt is meant for. `stop` stops a statement: it is called only while one
  /// runs, and no prompt begins before it has returned.
  func interrupt(stop: () -> Void) -> Attention {
    let attention = contents.withLock { contents in
      contents.wasInterrupted = true
      switch contents.attention {
      case .prompt: contents.messages.append(.interrupt)
      case .statement:
        contents.wasStatementInterrupted = true
        stop()
      case .script: break
      }
      return contents.attention
    }
    if attention == .prompt { wake() }
    return attention
  }

  /// Whether an interrupt has found a statement running since this was last asked.
  func takeStatementInterruption() -> Bool {
    contents.withLock { contents in
      defer { contents.wasStatementInterrupted = false }
      return contents.wasStatementInterrupted
    }
  }

  func post(_ message: Message) {
    contents.withLock { $0.messages.append(message) }
    wake()
  }

  /// Asks for turns; once is enough until it is taken.
  func postTurn() {
    let isNew = contents.withLock { contents in
      defer { contents.isTurnDue = true }
      if !contents.isTurnDue { contents.messages.append(.turn) }
      return !contents.isTurnDue
    }
    if isNew { wake() }
  }

  /// Posts only when a line is being typed; false when nobody would read it soon.
  func postToPrompt(_ message: Message) -> Bool {
    let isAtPrompt = contents.withLock { contents in
      if contents.attention == .prompt { contents.messages.append(message) }
      return contents.attention == .prompt
    }
    if isAtPrompt { wake() }
    return isAtPrompt
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
  }

  /// All messages, oldest first.
  func take() -> [Message] {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
    return contents.withLock { contents in
      defer {
        contents.messages = []
        contents.isTurnDue = false
      }
      return contents.messages
    }
  }
}
