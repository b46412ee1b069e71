import CEditLine
import Glibc
import HeraldShell

/// Reads lines from the terminal, edited with libedit. Owns the terminal's mode and restores it when it is
/// destroyed.
///
/// As long as it exists the kernel neither edits lines nor echoes keys, so that the next prompt shows
/// type-ahead once. While a line is edited Ctrl-C and Ctrl-Z are ordinary keys, so that they keep their
/// order among others; between lines they are signals.
///
/// It belongs to one thread; other threads send messages through the event queue.
struct LineEditor: ~Copyable {
  private let editor: OpaquePointer
  private let past: OpaquePointer
  private let terminal: TerminalDescriptors
  private let state: EditorState

  /// The outcome of a prompt.
  enum Answer {
    case line(String)
    /// Ctrl-C: the line is dropped.
    case interrupted
    /// Ctrl-D on an empty line, or the terminal was closed.
    case endOfInput
    case terminated(signal: Int32)
  }

  /// libedit requires this order of calls: the editor's keys, then the user's editrc, which may change them,
  /// and the character reader last.
  init(
    on terminal: TerminalDescriptors, history entries: [String], eventQueue: TerminalEventQueue
  ) throws(SystemFailure) {
    Self.setLocale()
    guard let editor = ce_open("herald", terminal.input, terminal.output),
      let past = history_init()
    else { throw SystemFailure(code: errno) }
    self.editor = editor
    self.past = past
    self.terminal = terminal
    state = EditorState(editor: editor, terminal: terminal, eventQueue: eventQueue)
    ce_set_context(editor, Unmanaged.passUnretained(state).toOpaque())
    ce_set_prompt(editor, promptOfEditor, Prompt.mark)
    ce_set_editor(editor, "emacs")
    // Rows end with a newline instead of by the terminal's wrapping, which some terminals undo when the
    // window grows. libedit takes the cursor's column for 0 after it has moved down by this capability.
    ce_set_capability(editor, "am", "no")
    ce_set_capability(editor, "DO", "")
    var event = HistEvent()
    ce_history_number(past, &event, H_SETSIZE, Int32(HistoryFile.limit))
    ce_history_number(past, &event, H_SETUNIQUE, 1)
    ce_set_history(editor, past)
    addEditingCommands(to: editor)
    Self.bindKeys(editor)
    ce_add_command(editor, Self.completing, "complete the word", completionForEditor)
    _ = el_source(editor, nil)
    Self.bindRequiredKeys(editor)
    state.keys.joinsMeta = !Self.hasKeysOfVi(editor)
    ce_set_reader(editor, characterForEditor)
    state.takeTerminal()
    for entry in entries { remember(entry) }
  }

  deinit {
    terminal.restoreMode()
    ce_close(editor)
    history_end(past)
  }

  /// Sets the shell that lines are read for.
  func serve(_ shell: EditorCallbacks) { state.shell = shell }

  /// Runs a statement. A Ctrl-C that was typed after its line stops it.
  func run(_ statement: () -> Void) {
    state.beginStatement()
    statement()
  }

  /// Shows the prompt and waits for a line.
  ///
  /// - Parameter aid: Completion, hints and colours; nil for none.
  func readLine(_ prompt: Prompt, aid: TypingAid? = nil) -> Answer {
    state.begin(prompt, aid: aid)
    defer { state.end() }
    if let signal = state.terminationSignal { return .terminated(signal: signal) }
    if let interruption = state.takeInterruption() { return interruption }
    var count: Int32 = 0
    let bytes = el_gets(editor, &count)
    if let interruption = state.takeInterruption() {
      el_reset(editor)
      return interruption
    }
    guard let bytes, count > 0 else {
      state.write("\n")
      return .endOfInput
    }
    return .line(Self.withoutLineEnd(String(cString: bytes)))
  }

  /// Appends an entry, of one line or several, to the history of the arrow keys and removes an earlier equal
  /// one.
  func remember(_ entry: String) {
    let entry = entry.withVisibleDirections
    state.past = HistoryFile.merge(state.past, with: entry)
    var event = HistEvent()
    if let number = state.historyNumbers[entry],
      ce_history_number(past, &event, H_DEL, number) == 0
    {
      // The caller must free the text of a deleted entry.
      free(UnsafeMutablePointer(mutating: event.str))
    }
    if ce_history_text(past, &event, H_ENTER, entry) >= 0 {
      state.historyNumbers[entry] = event.num
    }
  }

  private static func withoutLineEnd(_ line: String) -> String {
    line.hasSuffix("\n") ? String(line.dropLast()) : line
  }

  /// Sets a UTF-8 locale, by which libedit decodes input: a terminal that does not send UTF-8 is rarer than a
  /// machine without a locale.
  private static func setLocale() {
    setlocale(LC_ALL, "")
    guard let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) == "UTF-8" else {
      setlocale(LC_CTYPE, "C.UTF-8")
      return
    }
  }

  /// Binds keys that users expect and that Debian's libedit lacks or binds to something surprising.
  private static func bindKeys(_ editor: OpaquePointer) {
    for (key, command) in [
      ("^R", "em-inc-search-prev"), ("^W", "ed-delete-prev-word"),
      ("\\e[1;5C", "em-next-word"), ("\\e[1;5D", "ed-prev-word"),
      ("\\e[1;3C", "em-next-word"), ("\\e[1;3D", "ed-prev-word"),
      ("\\e[A", EditingCommand.older), ("\\eOA", EditingCommand.older),
      ("\\e[B", EditingCommand.newer), ("\\eOB", EditingCommand.newer),
      ("^P", EditingCommand.older), ("^N", EditingCommand.newer),
      ("\\e[C", EditingCommand.right), ("\\eOC", EditingCommand.right),
      ("^F", EditingCommand.right),
      ("\\e[D", EditingCommand.left), ("\\eOD", EditingCommand.left), ("^B", EditingCommand.left),
      ("^H", EditingCommand.deleteLeft), ("^?", EditingCommand.deleteLeft),
      ("\\e[3~", EditingCommand.deleteRight), ("^D", EditingCommand.deleteRightOrLeave),
      ("^_", EditingCommand.undo),
      ("\\e[5~", "ed-search-prev-history"), ("\\e[6~", "ed-search-next-history"),
      ("\\ex", "ed-unassigned"), ("\\eX", "ed-unassigned"),
    ] { ce_bind(editor, key, command) }
    // What terminals send does not depend on what their entry in the database says.
    for key in ["\\e[H", "\\eOH", "\\e[1~", "\\e[7~"] { ce_bind(editor, key, "ed-move-to-beg") }
    for key in ["\\e[F", "\\eOF", "\\e[4~", "\\e[8~"] { ce_bind(editor, key, "ed-move-to-end") }
  }

  private static let completing = "herald-complete"

  /// Binds keys that the user's editrc has not bound: choosing vi or emacs keys there resets all earlier
  /// bindings.
  private static func bindRequiredKeys(_ editor: OpaquePointer) {
    for (key, command) in requiredKeys where isFree(key, in: .typing, editor) {
      ce_bind(editor, key, command)
    }
    // A search accepts letters only in insert mode, where they are not commands.
    guard hasKeysOfVi(editor) else { return }
    if isFree("^R", in: .viCommands, editor) { ce_bind_command_key(editor, "^R", "i^R") }
    for key in ["^H", "^?"]
    where ce_is_bound(editor, KeyMap.typing.rawValue, key, "vi-delete-prev-char") != 0 {
      ce_bind(editor, key, EditingCommand.deleteLeft)
    }
  }

  private static func hasKeysOfVi(_ editor: OpaquePointer) -> Bool {
    ce_editor_name(editor).map { String(cString: $0) } == "vi"
  }

  private enum KeyMap: Int32 {
    case typing, viCommands
  }

  private static let requiredKeys = [
    ("^I", completing), ("^R", "em-inc-search-prev"), ("^L", "ed-clear-screen"),
    ("^P", EditingCommand.older), ("^N", EditingCommand.newer),
  ]

  /// Returns whether a key has one of libedit's harmless default bindings.
  private static func isFree(_ key: String, in map: KeyMap, _ editor: OpaquePointer) -> Bool {
    let harmless: [String] = ["ed-unassigned", "ed-insert", "ed-redisplay"]
    return harmless.contains { ce_is_bound(editor, map.rawValue, key, $0) != 0 }
  }
}

/// The names of the commands of `EditorState+Keys`.
private enum EditingCommand {
  static let left = "herald-left"
  static let right = "herald-right"
  static let deleteLeft = "herald-delete-left"
  static let deleteRight = "herald-delete-right"
  static let deleteRightOrLeave = "herald-delete-right-or-leave"
  static let undo = "herald-undo"
  static let older = "herald-older"
  static let newer = "herald-newer"
}

private func addEditingCommands(to editor: OpaquePointer) {
  ce_add_command(editor, EditingCommand.left, "move left by a character") { editor, _ in
    EditorState.of(editor)?.moveLeft() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.right, "move right by a character") { editor, _ in
    EditorState.of(editor)?.moveRight() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.deleteLeft, "delete the character before") { editor, _ in
    EditorState.of(editor)?.deleteLeft() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.deleteRight, "delete the character") { editor, _ in
    EditorState.of(editor)?.deleteRight() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.deleteRightOrLeave, "delete or leave") { editor, _ in
    EditorState.of(editor)?.deleteRightOrLeave() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.undo, "undo the last change") { editor, _ in
    EditorState.of(editor)?.undo() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.older, "the last entry that begins so") { editor, _ in
    EditorState.of(editor)?.recallOlder() ?? UInt8(CC_ERROR)
  }
  ce_add_command(editor, EditingCommand.newer, "the next entry that begins so") { editor, _ in
    EditorState.of(editor)?.recallNewer() ?? UInt8(CC_ERROR)
  }
}

private func promptOfEditor(_ editor: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
  EditorState.of(editor)?.promptBytes
}

private func completionForEditor(_ editor: OpaquePointer?, _ key: Int32) -> UInt8 {
  EditorState.of(editor)?.complete() ?? UInt8(CC_ERROR)
}

private func characterForEditor(
  _ editor: OpaquePointer?, _ character: UnsafeMutablePointer<wchar_t>?
) -> Int32 {
  guard let character, let state = EditorState.of(editor) else { return -1 }
  switch state.nextCharacter() {
  case .character(let scalar):
    character.pointee = wchar_t(bitPattern: scalar.value)
    return 1
  case .endOfInput:
    return 0
  case .broken:
    errno = EINTR
    return -1
  }
}

/// The callbacks of the shell that an editor reads lines for.
struct EditorCallbacks {
  /// Runs the turns due after others' commits and returns the output to show above the line.
  var takeTurns: () -> String = { "" }
  /// Stops the statement that runs, or the next one.
  var interrupt: () -> Void = {}
  /// Clears an interruption that had nothing to stop.
  var forgetInterruption: () -> Void = {}
}
