import CEditLine
import Glibc

// The terminal between editing lines and running statements.
extension EditorState {
  /// Turns off line editing and echo in the terminal while there is an editor, and keeps type-ahead.
  func takeTerminal() {
    guard isEditing else { return }
    for flag in ["-icanon", "-echo", "-iexten"] { ce_set_terminal(editor, "-x", flag) }
    ce_set_terminal(editor, "-d", "-isig")
    // Where the kernel has edited the line, it has replaced Ctrl-D by a null byte.
    keys.append(typedAhead().map { $0 == 0 ? 4 : $0 })
  }

  /// Directs interrupts to the statement. One that was typed after its last line stops it and drops the
  /// type-ahead before it.
  func beginStatement() {
    eventQueue.attention = .statement
    for message in eventQueue.take() { handleBeforeStatement(message) }
    guard isEditing, let key = terminal.interruptKey else { return }
    keys.append(typedAhead())
    if keys.removeAll(upToLast: key) { shell.interrupt() }
  }

  /// Directs interrupts to the prompt. One that has stopped a statement also drops type-ahead, as the kernel
  /// does with its own buffer.
  func endStatement() {
    eventQueue.attention = .prompt
    shell.forgetInterruption()
    if eventQueue.takeStatementInterruption() { keys.clear() }
  }

  /// Runs the turns due after others' commits. Ctrl-C stops the blocks that they run, as it stops a
  /// statement.
  func takeTurns() -> String {
    eventQueue.attention = .statement
    if isEditing { ce_set_number(editor, EL_PREP_TERM, 0) }
    let output = shell.takeTurns()
    if isEditing { ce_set_number(editor, EL_PREP_TERM, 1) }
    endStatement()
    return output
  }

  private func handleBeforeStatement(_ message: TerminalEventQueue.Message) {
    switch message {
    case .text(let text): write(text)
    case .turn: eventQueue.postTurn()
    case .interrupt: shell.interrupt()
    case .suspend: terminal.suspend()
    case .resume: break
    case .resize: el_resize(editor)
    case .terminate(let signal):
      terminationSignal = signal
      shell.interrupt()
    }
  }

  private func typedAhead() -> ArraySlice<UInt8> {
    guard isInputReady else { return [] }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal.input, &bytes, bytes.count)
    return bytes[..<max(0, count)]
  }
}

/// The line that is being typed, from libedit's buffer.
struct TypedLine: Equatable {
  let text: String
  /// The cursor's offset in the text's UTF-8.
  let cursor: Int

  var isCursorAtEnd: Bool { cursor == text.utf8.count }

  /// Whether libedit prompts for input itself, such as the words of a search, which it shows as a last line.
  var isAsking: Bool {
    let last = text[(text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex)...]
    return ["bck:", "fwd:", "/", "?", ": "].contains { last.hasPrefix($0) }
  }
}

extension EditorState {
  /// The line; nil while libedit's buffer is not valid text.
  var typedLine: TypedLine? {
    guard let line = el_wline(editor)?.pointee, var next = line.buffer, let end = line.lastchar
    else { return nil }
    var text = String.UnicodeScalarView()
    var cursor = 0
    while next < end {
      guard let scalar = Unicode.Scalar(UInt32(bitPattern: next.pointee)) else { return nil }
      text.append(scalar)
      next += 1
      if next <= line.cursor { cursor += UTF8.width(scalar) }
    }
    return TypedLine(text: String(text), cursor: cursor)
  }
}
