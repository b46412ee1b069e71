import CEditLine
import Glibc
import HeraldShell

/// The state of libedit's callbacks, reached through the editor's client data. Used only by the thread that
/// reads the terminal.
final class EditorState {
  /// An event while a line is typed.
  enum Event {
    case character(Unicode.Scalar)
    case endOfInput
    /// The line is abandoned: `takeInterruption` returns why.
    case broken
  }

  let editor: OpaquePointer
  let terminal: TerminalDescriptors
  let eventQueue: TerminalEventQueue
  var keys: KeyStream
  /// Texts to be shown above the line.
  private var waiting = PendingTexts()
  /// Completion, hints and colours; nil for none.
  private(set) var aid: TypingAid?
  /// The number that libedit gave to each entry.
  var historyNumbers: [String: Int32] = [:]
  /// The entries of the history, oldest first.
  var past: [String] = []
  /// The walk through them that the arrow keys have begun.
  var walk: HistoryWalk?
  var undoStack = UndoStack()
  /// The decoration drawn over libedit's line.
  var decoration = Decoration()
  /// The part of the line that is shown if it is taller than the window.
  var tall = TallLine()
  /// The size of the window that libedit knows.
  var knownSize: (rows: Int, columns: Int) = (24, 80)
  /// The rest of a sequence whose beginning was returned.
  private var sequence = Substring().unicodeScalars
  /// Whether libedit has a binding for each sequence that was typed.
  private var bindings: [String: Bool] = [:]
  private var interruption: LineEditor.Answer?
  var terminationSignal: Int32?
  private(set) var prompt = Prompt("", isColored: false)
  var shell = EditorCallbacks()
  /// The prompt as a C string, which libedit reads while a line is edited.
  private(set) var promptBytes: UnsafeMutablePointer<CChar>?

  /// How long an escape may take to become the beginning of a paste, in milliseconds.
  private static let escapeTimeout: Int32 = 25

  init(editor: OpaquePointer, terminal: TerminalDescriptors, eventQueue: TerminalEventQueue) {
    self.editor = editor
    self.terminal = terminal
    self.eventQueue = eventQueue
    keys = KeyStream(interrupt: terminal.interruptKey)
  }

  deinit { free(promptBytes) }

  static func of(_ editor: OpaquePointer?) -> EditorState? {
    guard let editor, let context = ce_context(editor) else { return nil }
    return Unmanaged<EditorState>.fromOpaque(context).takeUnretainedValue()
  }

  /// Handles messages posted while a statement ran, and hands the terminal to the editor.
  func begin(_ prompt: Prompt, aid: TypingAid?) {
    self.prompt = prompt
    self.aid = aid
    decoration = Decoration()
    tall = TallLine()
    walk = nil
    undoStack = UndoStack()
    knownSize = windowSize
    free(promptBytes)
    promptBytes = strdup(prompt.marked)
    interruption = nil
    endStatement()
    for message in eventQueue.take() { handleBeforePrompt(message) }
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

  /// Waits for a key and handles messages of other threads meanwhile.
  func nextCharacter() -> Event {
    if let scalar = sequence.popFirst() { return .character(scalar) }
    if isEditing, let line = typedLine, !line.isAsking { undoStack.note(line) }
    while true {
      if let key = keys.next(.waiting) ?? keyAfterTimeout() {
        if let event = handle(key) {
          prepare(for: event)
          return event
        }
        continue
      }
      if !isInputReady, !showPartOfTallLine() { decorate() }
      if let event = waitForInput() { return event }
    }
  }

  /// Erases the hint before libedit draws, and shows waiting texts before the line ends.
  private func prepare(for event: Event) {
    switch event {
    case .character("\r"), .character("\n"):
      showWaiting()
      showEndOfTallLine()
    case .character, .endOfInput, .broken: break
    }
    eraseHint()
  }

  var isInputReady: Bool {
    var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  var isEditing: Bool { ce_is_editing(editor) != 0 }

  /// Returns the escape key if nothing follows the escape in time.
  private func keyAfterTimeout() -> KeyStream.Key? {
    guard keys.isUndecided else { return nil }
    var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, Self.escapeTimeout) == 0 else { return nil }
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
      // libedit counts a column for a combining mark, so it is inserted directly.
      guard isEditing, scalar.value >= 0x300, ce_width(wchar_t(scalar.value)) == 0 else {
        return .character(scalar)
      }
      insert(String(scalar))
    case .sequence(let keys):
      if isEditing, !self.keys.joinsMeta, let control = Self.control(of: keys) {
        return .character(control)
      }
      // libedit inserts the end of a sequence that it has no binding for.
      guard !isEditing || isBound(keys) else { return nil }
      sequence = Substring(keys).unicodeScalars
      return sequence.popFirst().map { .character($0) }
    case .paste(let text):
      insert(text)
    }
    return nil
  }

  /// The control key that does what an arrow does, for vi's keys: there libedit takes the escape character of an arrow
  /// for the key that ends insertion, after which the beginning of the statement is not known.
  private static func control(of arrow: String) -> Unicode.Scalar? {
    switch arrow {
    case "\u{1B}[A", "\u{1B}OA": "\u{10}"
    case "\u{1B}[B", "\u{1B}OB": "\u{0E}"
    default: nil
    }
  }

  private func isBound(_ keys: String) -> Bool {
    if let isBound = bindings[keys] { return isBound }
    let escaped = keys.replacing("\\", with: "\\\\").replacing("^", with: "\\^")
    let isBound = ce_has_binding(editor, escaped.replacing("\u{1B}", with: "\\e")) != 0
    bindings[keys] = isBound
    return isBound
  }

  /// Inserts a text, with bidirectional controls as escapes: otherwise the line on the screen could differ
  /// from the one that runs.
  func insert(_ text: String) {
    var characters = text.withVisibleDirections.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
    characters.append(0)
    clearRows(from: cursorPositions().cursor)
    if el_winsertstr(editor, characters) != 0 { el_beep(editor) }
    ce_refresh(editor)
  }

  /// Waits for a key or a message, without a timeout unless a text waits to be shown, and reads the input.
  /// Returns an event if the line has ended.
  private func waitForInput() -> Event? {
    var sources = [
      pollfd(fd: eventQueue.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
    ]
    let timeout = waiting.delay(at: .now)
    guard poll(&sources, 2, timeout) > 0 else {
      if timeout >= 0 { showWaiting() }
      return nil
    }
    if sources[0].revents != 0 {
      for message in eventQueue.take() { handle(message) }
      if waiting.delay(at: .now) == 0 { showWaiting() }
      if interruption != nil { return .broken }
    }
    // A message may have read the input.
    guard sources[1].revents != 0, isInputReady else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal.input, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    guard count > 0 else { return .endOfInput }
    keys.append(bytes[..<count])
    return nil
  }

  private func handleBeforePrompt(_ message: TerminalEventQueue.Message) {
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

  private func handle(_ message: TerminalEventQueue.Message) {
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
    case .resize: resize()
    }
  }

  /// Shows waiting texts above the half-typed line, and redraws the line below them once.
  private func showWaiting() {
    if waiting.takeTurn() {
      waiting.add(takeTurns())
      aid?.forget()
    }
    waiting.noteShown(at: .now)
    guard let text = waiting.take() else { return }
    clearRows(from: cursorPositions().cursor)
    write(Self.endingLine(text))
    if tall.isShown {
      // The text scrolls above the screen, which the line fills.
      write(String(repeating: "\r\n", count: windowSize.rows))
      tall.line = TypedLine(text: "", cursor: 0)
    }
    ce_refresh(editor)
  }

  func redraw() {
    clearRows(from: cursorPositions().cursor)
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

  /// Moves to the end of the line, shows a sign there, and moves below, so that neither it nor further output overwrites
  /// the line.
  func leaveLine(showing sign: String) {
    eraseHint()
    guard !tall.isShown else {
      showEndOfTallLine()
      return write("\(sign)\r\n")
    }
    let positions = cursorPositions()
    let down = positions.end.row - positions.cursor.row
    let right = positions.end.column
    write(
      (down > 0 ? "\u{1B}[\(down)B" : "") + "\r" + (right > 0 ? "\u{1B}[\(right)C" : "")
        + "\(sign)\r\n")
  }

  private func clearRows(from position: ScreenPosition) {
    decoration = Decoration()
    write((position.row > 0 ? "\u{1B}[\(position.row)A" : "") + "\r\u{1B}[J")
  }

  /// Returns the positions of the cursor and of the line's end on the screen.
  ///
  /// - Parameter columns: The width of the window; nil for the present one.
  func cursorPositions(columns: Int? = nil) -> (cursor: ScreenPosition, end: ScreenPosition) {
    var position = positionAfterPrompt(columns: columns)
    guard let line = el_wline(editor)?.pointee, var next = line.buffer, let end = line.lastchar
    else { return (position, position) }
    var cursor: ScreenPosition?
    while next < end {
      if next == line.cursor {
        cursor = position
        cursor?.makeRoom(for: next.pointee)
      }
      position.pass(next.pointee)
      next += 1
    }
    return (cursor ?? position, position)
  }

  /// The position on the screen where the line begins.
  func positionAfterPrompt(columns: Int? = nil) -> ScreenPosition {
    var position = ScreenPosition(columns: columns ?? windowSize.columns)
    for scalar in prompt.text.unicodeScalars { position.pass(wchar_t(bitPattern: scalar.value)) }
    return position
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

/// The escape sequences that switch the marking of pastes on and off.
enum BracketedPaste {
  static let on = "\u{1B}[?2004h"
  static let off = "\u{1B}[?2004l"
}
