import CEditLine
import Glibc

/// What libedit's callbacks need, reached through the editor's client data. Touched by the thread
/// that reads the terminal, and by no other.
final class EditorState {
  /// What came while a line was being typed.
  enum Event {
    case character(Unicode.Scalar)
    case endOfInput
    /// The line is given up: `takeInterruption` tells why.
    case broken
  }

  let editor: OpaquePointer
  private let terminal: TerminalDescriptors
  private let mailbox: Mailbox
  private var keys = KeyStream()
  private var interruption: LineEditor.Answer?
  private(set) var terminationSignal: Int32?
  /// Takes the turns that others' commits call for and answers what they tell.
  var takeTurns: (() -> String)?
  /// Set when turns were asked for and not yet taken.
  private var isTurnDue = false
  private var lastTurn = ContinuousClock.now - turnPause
  private var prompt = Prompt("", isColored: false)
  /// The prompt as C reads it; it must stay in place while a line is edited.
  private(set) var promptBytes: UnsafeMutablePointer<CChar>?

  /// How long an escape may take to become the beginning of a paste, in milliseconds.
  private static let patience: Int32 = 25
  /// The line is drawn again for events thirty times a second, not more often.
  private static let turnPause = Duration.milliseconds(33)

  init(editor: OpaquePointer, terminal: TerminalDescriptors, mailbox: Mailbox) {
    self.editor = editor
    self.terminal = terminal
    self.mailbox = mailbox
  }

  deinit { free(promptBytes) }

  static func of(_ editor: OpaquePointer?) -> EditorState? {
    guard let editor, let context = ce_context(editor) else { return nil }
    return Unmanaged<EditorState>.fromOpaque(context).takeUnretainedValue()
  }

  /// Takes what was posted while a statement ran, and hands the terminal to the editor.
  func begin(_ prompt: Prompt) {
    self.prompt = prompt
    free(promptBytes)
    promptBytes = strdup(prompt.marked)
    interruption = nil
    mailbox.attention = .prompt
    for message in mailbox.take() { handleBeforePrompt(message) }
    guard isEditing else { return }
    // libedit does this only after it has drawn the prompt: what is typed in between would be
    // echoed by the kernel, and then drawn again.
    ce_set_number(editor, EL_PREP_TERM, 1)
    write(BracketedPaste.on)
  }

  func end() {
    if isEditing { write(BracketedPaste.off) }
    mailbox.attention = .statement
  }

  func takeInterruption() -> LineEditor.Answer? {
    defer { interruption = nil }
    return interruption
  }

  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ce_write(editor, $0.baseAddress, $0.count) }
    }
  }

  /// Waits for a key, and meanwhile does what other threads ask for.
  func nextCharacter() -> Event {
    while true {
      if let key = keys.next(.waiting) ?? keyOfTheImpatient() {
        if let event = handle(key) { return event }
        continue
      }
      takeTurnWhenDue()
      switch waitForInput(milliseconds: isTurnDue ? millisecondsToTurn : -1) {
      case .none: continue
      case .some(let event): return event
      }
    }
  }

  private var millisecondsToTurn: Int32 {
    let left = lastTurn + Self.turnPause - ContinuousClock.now
    return max(0, Int32(left / .milliseconds(1)) + 1)
  }

  private func takeTurnWhenDue() {
    guard isTurnDue, ContinuousClock.now - lastTurn >= Self.turnPause else { return }
    isTurnDue = false
    let told = takeTurns?() ?? ""
    lastTurn = ContinuousClock.now
    if !told.isEmpty { showAbove(told) }
  }

  private var isEditing: Bool { ce_is_editing(editor) != 0 }

  /// An escape that nothing follows is the key itself.
  private func keyOfTheImpatient() -> KeyStream.Key? {
    guard keys.isUndecided else { return nil }
    var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, Self.patience) == 0 else { return nil }
    return keys.next(.exhausted)
  }

  private func handle(_ key: KeyStream.Key) -> Event? {
    switch key {
    case .character(let scalar):
      // libedit counts a column for a mark that takes none, so it is put in behind its back.
      guard isEditing, scalar.value >= 0x300, ce_width(wchar_t(scalar.value)) == 0 else {
        return .character(scalar)
      }
      insert(String(scalar))
    case .paste(let text):
      insert(text)
    }
    return nil
  }

  private func insert(_ text: String) {
    var characters = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
    characters.append(0)
    clearRows(from: cursorPlaces().cursor)
    if el_winsertstr(editor, characters) != 0 { el_beep(editor) }
    ce_refresh(editor)
  }

  /// Reads what there is; an event when the line is over.
  private func waitForInput(milliseconds: Int32) -> Event? {
    var sources = [
      pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&sources, 2, milliseconds) > 0 else { return nil }
    if sources[0].revents != 0 {
      for message in mailbox.take() { handle(message) }
      if interruption != nil { return .broken }
    }
    guard sources[1].revents != 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal.input, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    guard count > 0 else { return .endOfInput }
    keys.append(bytes[..<count])
    return nil
  }

  private func handleBeforePrompt(_ message: Mailbox.Message) {
    switch message {
    case .text(let text): write(Self.endingLine(text))
    case .turn: write(takeTurns?() ?? "")
    case .resize: el_resize(editor)
    case .terminate(let signal): terminationSignal = signal
    case .interrupt, .suspend, .resume: break
    }
  }

  private func handle(_ message: Mailbox.Message) {
    switch message {
    case .text(let text): showAbove(text)
    case .turn: isTurnDue = true
    case .interrupt: giveUp(.interrupted, showing: "^C")
    case .terminate(let signal):
      terminationSignal = signal
      giveUp(.terminated(signal: signal), showing: "")
    case .suspend: suspend()
    case .resume:
      ce_set_number(editor, EL_PREP_TERM, 1)
      redraw()
    case .resize:
      el_resize(editor)
      redraw()
    }
  }

  /// Shows `text` above the half-typed line, which is drawn again below it.
  private func showAbove(_ text: String) {
    clearRows(from: cursorPlaces().cursor)
    write(Self.endingLine(text))
    ce_refresh(editor)
  }

  private func redraw() {
    clearRows(from: cursorPlaces().cursor)
    ce_refresh(editor)
  }

  private func giveUp(_ answer: LineEditor.Answer, showing sign: String) {
    leaveLine(showing: sign)
    keys.clear()
    interruption = answer
  }

  private func suspend() {
    leaveLine(showing: "^Z")
    if isEditing { write(BracketedPaste.off) }
    ce_set_number(editor, EL_PREP_TERM, 0)
    Signals.suspend()
    ce_set_number(editor, EL_PREP_TERM, 1)
    if isEditing { write(BracketedPaste.on) }
    ce_refresh(editor)
  }

  /// Goes below the last row of the line, so that what comes next does not overwrite it.
  private func leaveLine(showing sign: String) {
    let places = cursorPlaces()
    let down = places.end.row - places.cursor.row
    write((down > 0 ? "\u{1B}[\(down)B" : "") + "\(sign)\r\n")
  }

  private func clearRows(from place: ScreenPlace) {
    write((place.row > 0 ? "\u{1B}[\(place.row)A" : "") + "\r\u{1B}[J")
  }

  /// Where the cursor and the line's end are on the screen.
  private func cursorPlaces() -> (cursor: ScreenPlace, end: ScreenPlace) {
    var place = ScreenPlace(columns: windowColumns())
    for scalar in prompt.text.unicodeScalars { place.pass(wchar_t(bitPattern: scalar.value)) }
    guard let line = el_wline(editor)?.pointee, var next = line.buffer, let end = line.lastchar
    else { return (place, place) }
    var cursor: ScreenPlace?
    while next < end {
      if next == line.cursor {
        cursor = place
        cursor?.makeRoom(for: next.pointee)
      }
      place.pass(next.pointee)
      next += 1
    }
    return (cursor ?? place, place)
  }

  private func windowColumns() -> Int {
    TerminalSize(descriptor: terminal.output)?.columns ?? 80
  }

  private static func endingLine(_ text: String) -> String {
    text.hasSuffix("\n") ? text : text + "\n"
  }
}

/// How a terminal is asked to mark what is pasted.
enum BracketedPaste {
  static let on = "\u{1B}[?2004h"
  static let off = "\u{1B}[?2004l"
}
