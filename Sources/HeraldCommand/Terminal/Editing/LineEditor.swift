import CEditLine
import Glibc
import HeraldShell

/// One line at a time from the terminal, edited with libedit. Owns the terminal's mode: when it
/// goes, the terminal is as it was.
///
/// From first to last the kernel neither edits lines nor echoes keys: what is typed while a statement
/// runs is shown once, by the next prompt. While a line is edited Ctrl-C and Ctrl-Z are keys among
/// others, so that each means what was typed before it; between lines they are signals.
///
/// All of it belongs to one thread; what other threads have to say comes through the mailbox.
struct LineEditor: ~Copyable {
  private let editor: OpaquePointer
  private let past: OpaquePointer
  private let terminal: TerminalDescriptors
  private let state: EditorState

  /// What the user made of a prompt.
  enum Answer {
    case line(String)
    /// Ctrl-C: the line is dropped.
    case interrupted
    /// Ctrl-D on an empty line, or the terminal went away.
    case endOfInput
    case terminated(signal: Int32)
  }

  /// The order of the calls matters to libedit: the editor's keys, then the user's editrc, which
  /// may change them, and our own reader last.
  init(
    on terminal: TerminalDescriptors, history entries: [String], mailbox: Mailbox
  ) throws(SystemFailure) {
    Self.setLocale()
    guard let editor = ce_open("herald", terminal.input, terminal.output),
      let past = history_init()
    else { throw SystemFailure(code: errno) }
    self.editor = editor
    self.past = past
    self.terminal = terminal
    state = EditorState(editor: editor, terminal: terminal, mailbox: mailbox)
    ce_set_context(editor, Unmanaged.passUnretained(state).toOpaque())
    ce_set_prompt(editor, promptOfEditor, Prompt.mark)
    ce_set_editor(editor, "emacs")
    var event = HistEvent()
    ce_history_number(past, &event, H_SETSIZE, Int32(HistoryFile.limit))
    ce_history_number(past, &event, H_SETUNIQUE, 1)
    ce_set_history(editor, past)
    Self.bindKeys(editor)
    ce_add_command(editor, Self.completing, "offer ways to go on", completionForEditor)
    _ = el_source(editor, nil)
    Self.bindRequiredKeys(editor)
    ce_set_reader(editor, characterForEditor)
    state.takeTerminal()
    for entry in entries { remember(entry) }
  }

  deinit {
    terminal.giveBack()
    ce_close(editor)
    history_end(past)
  }

  /// Says for whom lines are read.
  func serve(_ shell: ServedShell) { state.shell = shell }

  /// Does what a line asks for. A Ctrl-C that was typed after the line stops it.
  func run(_ statement: () -> Void) {
    state.beginStatement()
    statement()
  }

  /// Shows the prompt and waits for a line.
  ///
  /// - Parameter aid: completes, hints and colours; nil for none of these.
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

  /// Puts an entry, of one line or several, at the end of what the arrow keys bring back; an earlier
  /// equal one goes.
  func remember(_ entry: String) {
    let entry = entry.withVisibleDirections
    var event = HistEvent()
    if let number = state.historyNumbers[entry],
      ce_history_number(past, &event, H_DEL, number) == 0
    {
      // The text of the entry that went is the caller's.
      free(UnsafeMutablePointer(mutating: event.str))
    }
    if ce_history_text(past, &event, H_ENTER, entry) >= 0 {
      state.historyNumbers[entry] = event.num
    }
  }

  private static func withoutLineEnd(_ line: String) -> String {
    line.hasSuffix("\n") ? String(line.dropLast()) : line
  }

  /// libedit decodes what is typed by the locale; a terminal that sends anything but UTF-8 is
  /// rarer than a machine without a locale set.
  private static func setLocale() {
    setlocale(LC_ALL, "")
    guard let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) == "UTF-8" else {
      setlocale(LC_CTYPE, "C.UTF-8")
      return
    }
  }

  /// Keys that people expect and that Debian's libedit lacks, or uses for something that surprises.
  private static func bindKeys(_ editor: OpaquePointer) {
    for (key, command) in [
      ("^R", "em-inc-search-prev"), ("^W", "ed-delete-prev-word"),
      ("\\e[1;5C", "em-next-word"), ("\\e[1;5D", "ed-prev-word"),
      ("\\e[1;3C", "em-next-word"), ("\\e[1;3D", "ed-prev-word"),
      ("\\e[A", "ed-prev-history"), ("\\eOA", "ed-prev-history"),
      ("\\e[B", "ed-next-history"), ("\\eOB", "ed-next-history"),
      ("\\e[5~", "ed-search-prev-history"), ("\\e[6~", "ed-search-next-history"),
      ("\\e[2~", "ed-unassigned"), ("\\e[15~", "ed-unassigned"),
    ] {
      ce_bind(editor, key, command)
    }
  }

  private static let completing = "herald-complete"

  /// Keys that work as long as the user's editrc says nothing else of them: choosing vi or emacs keys
  /// there takes back every binding that was made before.
  private static func bindRequiredKeys(_ editor: OpaquePointer) {
    for (key, command) in requiredKeys where isFree(key, in: .typing, editor) {
      ce_bind(editor, key, command)
    }
    // A search takes letters for its words only while they mean nothing else.
    if let name = ce_editor_name(editor), String(cString: name) == "vi",
      isFree("^R", in: .viCommands, editor)
    {
      ce_bind_command_key(editor, "^R", "i^R")
    }
  }

  private enum KeyMap: Int32 {
    case typing, viCommands
  }

  private static let requiredKeys = [
    ("^I", completing), ("^R", "em-inc-search-prev"), ("^L", "ed-clear-screen"),
    ("^P", "ed-prev-history"), ("^N", "ed-next-history"),
  ]

  /// Whether a key does what libedit has it do: nothing, or what nobody asks for.
  private static func isFree(_ key: String, in map: KeyMap, _ editor: OpaquePointer) -> Bool {
    let harmless: [String] = ["ed-unassigned", "ed-insert", "ed-redisplay"]
    return harmless.contains { ce_is_bound(editor, map.rawValue, key, $0) != 0 }
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
