import Glibc

/// A question that one key answers while a statement runs.
struct KeyPress {
  let terminal: TerminalDescriptors
  let eventQueue: TerminalEventQueue

  /// Returns true for Enter and the space bar, false for q, Ctrl-C, Ctrl-D, and if the program must end.
  func shouldContinue(_ question: String) -> Bool {
    answer(question) { key in
      switch key {
      case "\r", "\n", " ": true
      case "q", "Q", "\u{3}", "\u{4}": false
      default: nil
      }
    }
  }

  /// Returns true for y; false for n, Enter, Ctrl-C, Ctrl-D, and if the program must end.
  func confirms(_ question: String) -> Bool {
    let isConfirmed = answer(question) { key in
      switch key {
      case "y", "Y": true
      case "n", "N", "q", "\r", "\n", "\u{3}", "\u{4}": false
      default: nil
      }
    }
    write("\(question)\(isConfirmed ? "y" : "n")\n")
    return isConfirmed
  }

  /// Shows `question` and waits for a key that has a meaning. Defers messages to the prompt.
  private func answer(_ question: String, _ meaning: (Unicode.Scalar) -> Bool?) -> Bool {
    guard let terminalBefore = Self.readingKeys(terminal.input) else { return false }
    var held: [TerminalEventQueue.Message] = []
    defer {
      Self.restore(terminalBefore, terminal.input)
      for message in held { eventQueue.repost(message) }
    }
    write(question)
    defer { write("\r\u{1B}[K") }
    while true {
      var sources = [
        pollfd(fd: eventQueue.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&sources, 2, -1) < 0, errno != EINTR { return false }
      if sources[0].revents != 0 {
        held += eventQueue.take()
        if held.contains(where: \.endsTheProgram) { return false }
      }
      if sources[1].revents != 0, let answer = readAnswer(meaning) { return answer }
    }
  }

  /// Reads a key; returns nil for one that is ignored.
  private func readAnswer(_ meaning: (Unicode.Scalar) -> Bool?) -> Bool? {
    var byte: UInt8 = 0
    let count = read(terminal.input, &byte, 1)
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    guard count == 1 else { return false }
    return meaning(Unicode.Scalar(byte))
  }

  private func write(_ text: String) {
    try? OutputBytes.write(Array(text.utf8), to: terminal.output)
  }

  /// Switches the terminal to single keys, without echo and signals; returns the previous mode.
  private static func readingKeys(_ descriptor: Int32) -> termios? {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return nil }
    let before = mode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    return tcsetattr(descriptor, TCSADRAIN, &mode) == 0 ? before : nil
  }

  private static func restore(_ mode: termios, _ descriptor: Int32) {
    var mode = mode
    tcsetattr(descriptor, TCSADRAIN, &mode)
  }
}

extension TerminalEventQueue.Message {
  fileprivate var endsTheProgram: Bool {
    switch self {
    case .terminate: true
    case .text, .turn, .interrupt, .suspend, .resume, .resize: false
    }
  }
}

extension TerminalEventQueue {
  /// Posts a deferred message again.
  fileprivate func repost(_ message: Message) {
    switch message {
    case .turn: postTurn()
    case .text, .interrupt, .suspend, .resume, .resize, .terminate: post(message)
    }
  }
}
