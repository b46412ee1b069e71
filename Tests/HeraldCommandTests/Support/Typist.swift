import CEditLine
import Dispatch
import Glibc
import HeraldShell
import Synchronization
import TestSupport

@testable import HeraldCommand

/// A line editor on a pseudo terminal, reading on a thread of its own, and the person before it.
final class Typist {
  let terminal: PseudoTerminal
  let eventQueue: TerminalEventQueue
  private let reader: Reader

  init(
    rows: Int = 10, columns: Int = 40, history: [String] = [], prompts: [String] = ["herald> "],
    context: CompletionContext? = nil, editrc: String = "/dev/null"
  ) throws {
    setenv("TERM", "xterm", 1)
    setenv("EDITRC", editrc, 1)
    setlocale(LC_ALL, "C.UTF-8")
    terminal = try PseudoTerminal(rows: rows, columns: columns)
    eventQueue = try TerminalEventQueue()
    reader = Reader(
      descriptor: terminal.programSide, eventQueue: eventQueue, history: history, prompts: prompts,
      context: context)
    JoinableThread { [reader] in reader.run() }.detach()
  }

  /// How often turns were taken.
  var turns: Int { reader.turns.withLock { $0 } }

  /// Waits until every prompt has returned.
  func answers() -> [String] {
    let isOver = reader.over.wait(timeout: .now() + 60) == .success
    return reader.answers.withLock { isOver ? $0 : $0 + ["and then none"] }
  }

  private final class Reader: Sendable {
    let descriptor: Int32
    let eventQueue: TerminalEventQueue
    let history: [String]
    let prompts: [String]
    let context: CompletionContext?
    let answers = Mutex<[String]>([])
    let over = DispatchSemaphore(value: 0)
    /// How often turns were taken for others' commits.
    let turns = Mutex(0)

    init(
      descriptor: Int32, eventQueue: TerminalEventQueue, history: [String], prompts: [String],
      context: CompletionContext?
    ) {
      self.context = context
      self.descriptor = descriptor
      self.eventQueue = eventQueue
      self.history = history
      self.prompts = prompts
    }

    func run() {
      defer { over.signal() }
      do {
        let terminal = TerminalDescriptors(input: dup(descriptor), output: dup(descriptor))
        let editor = try LineEditor(on: terminal, history: history, eventQueue: eventQueue)
        editor.serve(EditorCallbacks(takeTurns: { [self] in takeTurn() }))
        for prompt in prompts {
          let aid = context.map { context in
            TypingAid(after: "", isColored: true) { context }
          }
          let answer = editor.readLine(Prompt(prompt, isColored: true), aid: aid)
          answers.withLock { $0.append(Self.words(answer)) }
        }
      } catch {
        answers.withLock { $0.append("failed: \(error.reason)") }
      }
    }

    private func takeTurn() -> String {
      turns.withLock {
        $0 += 1
        return "turn \($0)\n"
      }
    }

    private static func words(_ answer: LineEditor.Answer) -> String {
      switch answer {
      case .line(let line): "line \(line)"
      case .interrupted: "interrupted"
      case .endOfInput: "end"
      case .terminated(let signal): "terminated \(signal)"
      }
    }
  }
}
