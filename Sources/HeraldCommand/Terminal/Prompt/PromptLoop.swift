import Glibc
import HeraldShell

/// Reads statements at the prompt and runs them, until the user leaves.
struct PromptLoop {
  let interpreter: Interpreter
  let streams: StandardStreams
  let eventQueue: TerminalEventQueue
  let history: StatementHistory
  let isColored: Bool
  /// The command that shows long output; nil for none.
  let pager: String?

  /// How the loop ended.
  enum End {
    case left
    case terminated(signal: Int32)
  }

  func run() throws(SystemFailure) -> End {
    history.load()
    let editor = try LineEditor(on: .standard, history: history.entries, eventQueue: eventQueue)
    defer { eventQueue.attention = .statement }
    editor.serve(servedShell)
    var typed = ""
    while !interpreter.wantsToQuit {
      let prompt = Prompt(interpreter.promptText, isColored: isColored)
      let interpreter = interpreter
      let aid = TypingAid(after: typed.isEmpty ? "" : typed + "\n", isColored: isColored) {
        interpreter.completionContext
      }
      interpreter.rest()
      let brackets = Interpreter.openBrackets(of: typed)
      switch editor.readLine(typed.isEmpty ? prompt : prompt.continuation(in: brackets), aid: aid) {
      case .line(let line):
        typed += typed.isEmpty ? line : "\n" + line
        guard Interpreter.openBrackets(of: typed).isEmpty else { continue }
        remember(typed)
        run(typed, in: editor)
        for entry in history.takeAdded() { editor.remember(entry) }
        typed = ""
      case .interrupted: typed = ""
      // Ctrl-D drops an incomplete statement; if the terminal was closed, the next read ends the loop.
      case .endOfInput where !typed.isEmpty: typed = ""
      case .endOfInput: return .left
      case .terminated(let signal): return .terminated(signal: signal)
      }
    }
    return .left
  }

  private var servedShell: EditorCallbacks {
    let (interpreter, streams) = (interpreter, streams)
    return EditorCallbacks(
      takeTurns: {
        streams.collecting {
          interpreter.takeTurns()
          interpreter.rest()
        }
      },
      interrupt: { interpreter.interrupt() },
      forgetInterruption: { interpreter.clearInterruption() })
  }

  private func run(_ statement: String, in editor: borrowing LineEditor) {
    guard statement.contains(where: { !$0.isWhitespace }) else { return }
    let source = Source(name: "prompt", text: statement)
    editor.run {
      interpreter.wake()
      if let pager, let size = TerminalSize(descriptor: STDOUT_FILENO) {
        streams.paging(by: pager, over: size.rows) { interpreter.run(source) }
      } else {
        interpreter.run(source)
      }
    }
    streams.clearProgress()
  }

  /// Adds an entry to the history, unless it begins with a space, as in other shells.
  private func remember(_ entry: String) {
    guard let first = entry.first, !first.isWhitespace else { return }
    do {
      try history.add(entry)
    } catch { StandardStreams.complain("cannot save the history: \(error.reason)") }
  }
}
