import Herald
import Synchronization

/// Runs statements: one for a whole run of the shell.
///
/// The caller's thread drives it and is the thread of session `main`. Every other session has a thread
/// of its own, and whoever asks it for something waits for the answer: so exactly one thread runs at
/// any time, the mailboxes order what they see, and no field here needs a lock. The one exception is
/// `interruption`, which a signal handler requests.
package final class Interpreter: @unchecked Sendable {
  package let options: Options
  let sink: any OutputSink
  var output: OutputBuffer
  var mode: OutputMode

  var main = Session(name: "main")
  /// In order of creation, `main` first.
  var sessions: [Session]
  var current: Session
  /// The store's path; nil in memory.
  var storePath: String?
  var isStoreOpen = true

  var variables: [String: Variable] = [:]
  var tokens = TokenTable()
  var isAutocommitting = true
  /// Statements are followed by the time that they took.
  var isTiming = false
  /// Events are followed by what happened to each of their rows.
  var showsDetails = false
  /// While it is held, `options.onCommitElsewhere` is told of others' commits.
  var commitListener: CommitListener?
  /// Makes the object ids of `oid()`.
  var identifiers: DocumentID.Maker
  /// The files that are being read, one inside another.
  var filesBeingRead: [ScriptFile] = []

  /// The sessions on which something has run since turns ended.
  var touched: [Session] = []
  /// At this version nobody's turn had anything to do but theirs; nil: everybody is to be asked.
  var settledVersion: Int?

  /// Top-level statements under way, one inside another.
  var runningStatements = 0
  /// The sessions have released their versions since the last statement.
  var hasRested = false

  package var wantsToQuit = false
  /// That of the first failure; 0 while there is none.
  package private(set) var exitStatus: Int32 = 0
  package private(set) var firstFailure: ShellError?
  let interruption = Interruption()
  /// Rung by an interruption while `follow` waits; nil while it does not.
  let followBell = Mutex<Bell?>(nil)

  package init(options: Options = Options(), sink: any OutputSink) {
    self.options = options
    self.sink = sink
    mode = options.mode
    var generator = SystemRandomNumberGenerator()
    identifiers = DocumentID.Maker(using: &generator)
    output = OutputBuffer(sink: sink)
    sessions = [main]
    current = main
  }
}

extension Interpreter {
  /// How far something is that takes long.
  package enum Progress: Hashable, Sendable {
    case records(Int)
    case percent(Int)

    package var text: String {
      switch self {
      case .records(let count): "\(count) records"
      case .percent(let count): "\(count) %"
      }
    }
  }

  package struct Options: Sendable {
    package var mode = OutputMode.text
    /// Each statement is shown before its output.
    package var echoes = false
    package var keepsGoing = false
    /// The permissions of new stores.
    package var fileMode: UInt32 = 0o600
    /// The bytes that a store cannot exceed; nil: as many as there can be.
    package var sizeLimit: Int?
    /// The bytes of memory that a write may need; nil: a quarter of the machine's.
    package var writeLimit: Int?
    /// Statements are typed: changes are confirmed.
    package var isInteractive = false
    /// Asked for what somebody sees the output in; nil where nobody looks.
    package var window: (@Sendable () -> Window?)?
    /// Of a table with more rows than the window only the first are shown.
    package var cutsTables = false
    /// Told how far an import or a backup is, by the name of its file. nil: not told.
    package var progress: (@Sendable (String, Progress) -> Void)?
    /// The statements typed so far, oldest first. nil: none are.
    package var history: (@Sendable () -> [String])?
    /// Asks, between two steps of the tour, whether to go on. nil: nobody is asked.
    package var goesOn: (@Sendable () -> Bool)?
    /// Told, on any thread, that others have committed to the store's file: the moment for
    /// `takeTurns`. nil: what they do is told after the next statement.
    package var onCommitElsewhere: (@Sendable () -> Void)?
    /// Shows what is watched, and answers when its reader has left. nil: nobody looks, and what
    /// changes is told as events.
    package var watchScreen: (@Sendable (Watch) -> Void)?
    /// What is watched is compared with its collection every second: for tests.
    package var checksWatches = false

    package init() {}
  }

  /// Stops the running statement soon. May be called from any thread.
  package func interrupt() {
    interruption.request()
    followBell.withLock { $0?.ring() }
  }

  /// Forgets an interruption that came while nothing ran.
  package func clearInterruption() { interruption.clear() }

  func checkInterruption(_ context: Context, _ span: SourceSpan) throws {
    if interruption.isRequested { throw ShellError(.interrupted, context.source, span) }
  }

  /// What the prompt shows: the store and the session.
  package var promptText: String {
    let store =
      !isStoreOpen ? "no store" : storePath.map(lastComponent) ?? "memory"
    return "\(store) \(current.name)> "
  }

  private func lastComponent(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "/")
  }

  /// Whether a text can run: no bracket of it is open.
  package static func isComplete(_ text: String) -> Bool {
    var scanner = BracketScanner()
    scanner.feed(Array(text.utf8))
    return scanner.isBalanced
  }

  func note(exitStatus status: Int32) {
    if exitStatus == 0 { exitStatus = status }
  }

  func report(_ failure: ShellError) {
    if failure.complaint == .interrupted { clearInterruption() }
    note(exitStatus: failure.exitStatus)
    firstFailure = firstFailure ?? failure
    output.flush()
    sink.writeError(ErrorRenderer.text(failure, mode, isShown: sink.showsErrors))
  }

  /// Reports what kept a script from being read, as any other error is reported.
  package func report(
    _ message: String, named name: String, line: Int, column: Int, exitStatus: Int32
  ) {
    note(exitStatus: exitStatus)
    output.flush()
    let position = SourcePosition(line: line, column: column)
    sink.writeError(
      ErrorRenderer.text(message, named: name, position, mode, isShown: sink.showsErrors))
  }
}
