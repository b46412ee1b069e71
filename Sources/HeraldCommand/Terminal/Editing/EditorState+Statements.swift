import CEditLine
import Glibc

/// Whoever has lines read.
struct ServedShell {
  /// Takes the turns that others' commits call for, and answers what is told above the line.
  var takeTurns: () -> String = { "" }
  /// Stops the statement that runs, or the one that is about to.
  var interrupt: () -> Void = {}
  /// Forgets an interruption that has found nothing to stop.
  var forgetInterruption: () -> Void = {}
}

/// What happens to the terminal where lines end and statements begin.
extension EditorState {
  /// Has the terminal neither edit nor echo, as long as there is an editor, and keeps what was typed
  /// before.
  func takeTerminal() {
    guard isEditing else { return }
    for flag in ["-icanon", "-echo", "-iexten"] { ce_set_terminal(editor, "-x", flag) }
    ce_set_terminal(editor, "-d", "-isig")
    // Where the kernel has edited the line, it has put a null in place of Ctrl-D.
    keys.append(typedAhead().map { $0 == 0 ? 4 : $0 })
  }

  /// From here on interrupts are for a statement. One that was typed since its last line ended stops
  /// it, and takes with it what was typed before.
  func beginStatement() {
    mailbox.attention = .statement
    for message in mailbox.take() { handleBeforeStatement(message) }
    guard isEditing, let key = terminal.interruptKey else { return }
    keys.append(typedAhead())
    if keys.removeAll(upToLast: key) { shell.interrupt() }
  }

  /// From here on interrupts are for the prompt. One that has stopped a statement has dropped what
  /// was typed before it, as the kernel does with what it holds itself.
  func endStatement() {
    mailbox.attention = .prompt
    shell.forgetInterruption()
    if mailbox.takeStatementInterruption() { keys.clear() }
  }

  /// Takes the turns that others' commits call for. Blocks may run meanwhile, which Ctrl-C stops as it
  /// stops a statement.
  func takeTurns() -> String {
    mailbox.attention = .statement
    if isEditing { ce_set_number(editor, EL_PREP_TERM, 0) }
    let told = shell.takeTurns()
    if isEditing { ce_set_number(editor, EL_PREP_TERM, 1) }
    endStatement()
    return told
  }

  private func handleBeforeStatement(_ message: Mailbox.Message) {
    switch message {
    case .text(let text): write(text)
    case .turn: mailbox.postTurn()
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

/// The line that is being typed, as libedit holds it.
struct TypedLine: Equatable {
  let text: String
  /// The cursor's place in the text's UTF-8.
  let cursor: Int

  var isCursorAtEnd: Bool { cursor == text.utf8.count }

  /// libedit shows what it asks for, such as the words of a search, as a last line of its own.
  var isAsking: Bool {
    let last = text[(text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex)...]
    return ["bck:", "fwd:", "/", "?", ": "].contains { last.hasPrefix($0) }
  }
}

extension EditorState {
  /// nil while it holds what is no text.
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
