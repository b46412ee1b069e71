import CEditLine
import Glibc
import Synchronization

/// Messages of other threads to the one that reads the terminal: texts to show above the half-typed line,
/// and signals. A descriptor becomes readable with the first message.
///
/// `contents` guards everything that changes; any thread may post, only the reading thread takes.
final class TerminalEventQueue: Sendable {
  enum Message: Sendable {
    /// Text to show above the line that is being typed.
    case text(String)
    /// Others have committed: run turns and show their output above the line.
    case turn
    case interrupt
    case suspend
    case resume
    case resize
    case terminate(signal: Int32)
  }

  /// The activity of the main thread, which determines the meaning of a signal.
  enum Attention: Sendable {
    /// A statement runs, and the terminal is in the mode of the user's shell.
    case statement
    /// A line is being typed or a table watched: the program owns the terminal, and signals are messages.
    case prompt
    /// The program waits for more of a script.
    case script
  }

  private struct Contents {
    var messages: [Message] = []
    var attention = Attention.statement
    /// Read only before waiting for a script: a statement notices an interrupt itself.
    var wasInterrupted = false
    /// Whether an interrupt occurred while a statement ran.
    var wasStatementInterrupted = false
    /// Whether the messages contain a `turn`, so that none is added.
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

  /// Marks that the program waits for a script; returns false if an interrupt came before, when no statement
  /// could have noticed it.
  func awaitScript() -> Bool {
    contents.withLock { contents in
      contents.attention = .script
      return !contents.wasInterrupted
    }
  }

  /// Delivers an interrupt to the statement or the prompt. `stop` stops a statement: it is called only while
  /// one runs, and no prompt begins before it has returned.
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

  /// Returns whether an interrupt occurred while a statement ran since the last call.
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

  /// Posts a `turn` unless there is one already.
  func postTurn() {
    let isNew = contents.withLock { contents in
      defer { contents.isTurnDue = true }
      if !contents.isTurnDue { contents.messages.append(.turn) }
      return !contents.isTurnDue
    }
    if isNew { wake() }
  }

  /// Posts a message only at the prompt; returns false otherwise.
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

  /// Removes and returns all messages, oldest first.
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
