import CEditLine
import Glibc
import HeraldShell

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
  let terminal: TerminalDescriptors
  let mailbox: Mailbox
  var keys: KeyStream
  /// Texts that wait for their turn to be shown.
  private var waiting = WaitingTexts()
  /// nil where nobody helps to type.
  private(set) var aid: TypingAid?
  /// The number that libedit gave to each entry.
  var historyNumbers: [String: Int32] = [:]
  /// What was drawn over the line that libedit has drawn.
  var decoration = Decoration()
  private var interruption: LineEditor.Answer?
  var terminationSignal: Int32?
  private(set) var prompt = Prompt("", isColored: false)
  var shell = ServedShell()
  /// The prompt as C reads it; it must stay in place while a line is edited.
  private(set) var promptBytes: UnsafeMutablePointer<CChar>?

  /// How long an escape may take to become the beginning of a paste, in milliseconds.
  private static let patience: Int32 = 25

  init(editor: OpaquePointer, terminal: TerminalDescriptors, mailbox: Mailbox) {
    self.editor = editor
    self.terminal = terminal
    self.mailbox = mailbox
    keys = KeyStream(interrupt: terminal.interruptKey)
  }

  deinit { free(promptBytes) }

  static func of(_ editor: OpaquePointer?) -> EditorState? {
    guard let editor, let context = ce_context(editor) else { return nil }
    return Unmanaged<EditorState>.fromOpaque(context).takeUnretainedValue()
  }

  /// Takes what was posted while a statement ran, and hands the terminal to the editor.
  func begin(_ prompt: Prompt, aid: TypingAid?) {
    self.prompt = prompt
    self.aid = aid
    decoration = Decoration()
    free(promptBytes)
    promptBytes = strdup(prompt.marked)
    interruption = nil
    endStatement()
    for message in mailbox.take() { handleBeforePrompt(message) }
    guard isEditing else { return }
    ce_set_number(editor, EL_PREP_TERM, 1)
    write(BracketedPaste.on)
  }

  func end() {
    if let text = waiting.take() { write(Self.endingLine(text)) }
    if isEditing { write(BracketedPaste.off) }
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
        if let event = handle(key) {
          prepare(for: event)
          return event
        }
        continue
      }
      if !isInputReady { decorate() }
      if let event = waitForInput() { return event }
    }
  }

  /// What was drawn over the line must not be there when libedit draws; what waits to be shown
  /// above the line is shown before the line is over.
  private func prepare(for event: Event) {
    switch event {
    case .character("\r"), .character("\n"): showWaiting()
    case .character, .endOfInput, .broken: break
    }
    eraseHint()
  }

  var isInputReady: Bool {
    var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  var isEditing: Bool { ce_is_editing(editor) != 0 }

  /// An escape that nothing follows is the key itself.
  private func keyOfTheImpatient() -> KeyStream.Key? {
    guard keys.isUndecided else { return nil }
    var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, Self.patience) == 0 else { return nil }
    return keys.next(.exhausted)
  }

  private func handle(_ key: KeyStream.Key) -> Event? {
    switch key {
    case .character(let scalar) where isEditing && scalar.isKey(terminal.interruptKey):
      giveUp(.interrupted, showing: "^C")
      return .broken
    case .character(let scalar) where isEditing && scalar.isKey(terminal.suspendKey):
      suspend()
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

  /// Marks that turn the direction of writing come as escapes: they would show another line than the one
  /// that runs.
  func insert(_ text: String) {
    var characters = text.withVisibleDirections.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
    characters.append(0)
    clearRows(from: cursorPlaces().cursor)
    if el_winsertstr(editor, characters) != 0 { el_beep(editor) }
    ce_refresh(editor)
  }

  /// Waits for a key or a message, for ever unless a text waits to be shown; reads what there is.
  /// An event when the line is over.
  private func waitForInput() -> Event? {
    var sources = [
      pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
    ]
    let patience = waiting.delay(at: .now)
    guard poll(&sources, 2, patience) > 0 else {
      if patience >= 0 { showWaiting() }
      return nil
    }
    if sources[0].revents != 0 {
      for message in mailbox.take() { handle(message) }
      if waiting.delay(at: .now) == 0 { showWaiting() }
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
    case .turn: write(takeTurns())
    case .resize: el_resize(editor)
    case .terminate(let signal): terminationSignal = signal
    case .interrupt: interruption = .interrupted
    case .suspend: terminal.suspend()
    case .resume: break
    }
  }

  private func handle(_ message: Mailbox.Message) {
    switch message {
    case .text(let text): waiting.add(text)
    case .turn: waiting.isTurnDue = true
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

  /// Shows what waits above the half-typed line, which is drawn again below it, once.
  private func showWaiting() {
    if waiting.takeTurn() {
      waiting.add(takeTurns())
      aid?.forget()
    }
    waiting.wereShown(at: .now)
    guard let text = waiting.take() else { return }
    clearRows(from: cursorPlaces().cursor)
    write(Self.endingLine(text))
    ce_refresh(editor)
  }

  func redraw() {
    clearRows(from: cursorPlaces().cursor)
    ce_refresh(editor)
  }

  private func giveUp(_ answer: LineEditor.Answer, showing sign: String) {
    showWaiting()
    leaveLine(showing: sign)
    interruption = answer
  }

  private func suspend() {
    leaveLine(showing: "^Z")
    if isEditing { write(BracketedPaste.off) }
    ce_set_number(editor, EL_PREP_TERM, 0)
    terminal.suspend()
    ce_set_number(editor, EL_PREP_TERM, 1)
    if isEditing { write(BracketedPaste.on) }
    decoration = Decoration()
    ce_refresh(editor)
  }

  /// Goes below the last row of the line, so that what comes next does not overwrite it.
  func leaveLine(showing sign: String) {
    eraseHint()
    let places = cursorPlaces()
    let down = places.end.row - places.cursor.row
    write((down > 0 ? "\u{1B}[\(down)B" : "") + "\(sign)\r\n")
  }

  private func clearRows(from place: ScreenPlace) {
    decoration = Decoration()
    write((place.row > 0 ? "\u{1B}[\(place.row)A" : "") + "\r\u{1B}[J")
  }

  /// Where the cursor and the line's end are on the screen.
  func cursorPlaces() -> (cursor: ScreenPlace, end: ScreenPlace) {
    var place = placeAfterPrompt
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

  /// Where the line begins on the screen.
  var placeAfterPrompt: ScreenPlace {
    var place = ScreenPlace(columns: windowSize.columns)
    for scalar in prompt.text.unicodeScalars { place.pass(wchar_t(bitPattern: scalar.value)) }
    return place
  }

  var windowSize: (rows: Int, columns: Int) {
    TerminalSize(descriptor: terminal.output).map { ($0.rows, $0.columns) } ?? (24, 80)
  }

  private static func endingLine(_ text: String) -> String {
    text.hasSuffix("\n") ? text : text + "\n"
  }
}

extension Unicode.Scalar {
  fileprivate func isKey(_ key: UInt8?) -> Bool { key.map { value == UInt32($0) } ?? false }
}

/// How a terminal is asked to mark what is pasted.
enum BracketedPaste {
  static let on = "\u{1B}[?2004h"
  static let off = "\u{1B}[?2004l"
}
