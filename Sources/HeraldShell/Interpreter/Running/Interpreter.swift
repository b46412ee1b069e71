package import Herald
import Synchronization

/// Runs statements: one interpreter for a whole run of the shell.
///
/// The caller's thread drives it and is the thread of session `main`. Every other session has a thread
/// of its own, and the thread that sends it work waits for the result: so exactly one thread runs at any
/// time, the mailboxes order memory accesses, and no field here needs a lock. The one exception is
/// `interruption`, which a signal handler requests.
package final class Interpreter: @unchecked Sendable {
  package let options: Options
  /// The destination of errors, and of all output but that of a statement with `| program` or `> FILE`.
  let sink: any OutputSink
  var output: OutputBuffer
  /// Whether the output of the running statement is redirected to a program or a file.
  var isRedirected = false
  var mode: OutputMode

  var main = ShellSession(name: "main")
  /// In order of creation, `main` first.
  var sessions: [ShellSession]
  var current: ShellSession
  /// The store's path; nil in memory.
  var storePath: String?
  var isStoreOpen = true
  /// The file of the documented system that the store has the objects of; nil for other stores.
  var realmFile: OpenRealmFile?

  var variables: [String: Variable] = [:]
  /// The texts that stand for the first words of statements, by these words.
  var aliases: [String: String] = [:]
  var tokens = TokenTable()
  /// The observers that a variable holds, by its name.
  var scopedTokens: [String: TokenTable.Entry] = [:]
  /// The programs that observers run.
  var programs: [ObservingProgram] = []
  var isAutocommitting = true
  /// Adds objects as the last of several similar statements did.
  var lastAddition: RepeatedAddition?
  /// The statements that another program may send, while its text runs; nil for all.
  var served: ServedStatements?
  /// The import whose lines `follow` and `watch` add while they wait: that of `herald live`.
  var live: LiveImport?
  /// Whether the time of each statement is printed.
  var isTiming = false
  /// Whether events are printed with the details of their rows.
  var showsDetails = false
  /// While it is held, `options.onCommitElsewhere` is called for others' commits.
  var commitSubscription: CommitListener?
  /// Generates the object ids of `oid()`.
  var identifiers: DocumentID.Maker
  /// The files that are being read, outermost first.
  var filesBeingRead: [ScriptFile] = []

  /// The sessions on which something has run since the turns ended.
  var touched: [ShellSession] = []
  /// The version at which only the turns of those sessions have work to do; nil if all are to be checked.
  var settledVersion: Int?

  /// The depth of nested top-level statements.
  var runningStatements = 0
  /// What the statements in the braces of the running statement have changed.
  var summary = ChangeSummary()
  /// Whether the sessions have released their versions since the last statement.
  var hasRested = false

  package var wantsToQuit = false
  /// The exit status of the first failure; 0 while there is none.
  package private(set) var exitStatus: Int32 = 0
  package private(set) var firstFailure: ShellError?
  let interruption = Interruption()
  /// Rung by an interruption while `follow` waits; nil otherwise.
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

extension Context {
  func checkInterruption(_ span: SourceSpan) throws {
    if shell.interruption.isRequested { throw failure(.interrupted, at: span) }
  }
}

extension Interpreter {
  /// The progress of a long operation.
  package enum Progress: Hashable, Sendable {
    case importing(records: Int, percent: Int)
    case percent(Int)

    package var text: String {
      switch self {
      case .importing(let count, let percent): "\(percent) %, \(count) records"
      case .percent(let count): "\(count) %"
      }
    }
  }

  /// What became of a text in the user's editor.
  package enum Edited: Sendable {
    case saved(String)
    case notSaved
    case failed(reason: String)
  }

  package struct Options: Sendable {
    package var mode = OutputMode.text
    /// Whether each statement is printed before its output.
    package var echoes = false
    package var keepsGoing = false
    /// Whether a statement that prints nothing is answered, and errors are printed where answers are.
    package var answers = false
    /// The permissions of new stores.
    package var fileMode: UInt32 = 0o600
    /// The size limit of a store in bytes; nil for none.
    package var sizeLimit: Int?
    /// Opens the store that follows the stream of an address, in a file or a temporary one; nil for a program
    /// that opens none.
    package var openStream:
      (@Sendable (_ address: String, _ cache: String?) throws -> DynamicStore)?
    /// Puts the commits of a file back into the stream of an address that has lost them, and returns the versions that
    /// were put back, with the newest one; nil for a program that opens no streams.
    package var refillStream:
      (@Sendable (_ file: String, _ address: String) throws -> (versions: Range<Int>, newest: Int))?
    /// The memory limit of a transaction in bytes; nil for a quarter of the machine's memory.
    package var writeLimit: Int?
    /// Whether statements are typed at a prompt, so that changes are confirmed.
    package var isInteractive = false
    /// Returns the window that shows the output; nil if there is none.
    package var window: (@Sendable () -> Window?)?
    /// Whether tables are truncated to the rows of the window.
    package var cutsTables = false
    /// Whether a pager shows output that is too long for the window.
    package var isPaged = false
    /// Receives the progress of an import or a backup, with the name of its file.
    package var progress: (@Sendable (String, Progress) -> Void)?
    /// How long an import takes before its progress is shown.
    package var progressDelay = Duration.seconds(1)
    /// Returns the statements typed so far, oldest first; nil without a prompt.
    package var history: (@Sendable () -> [String])?
    /// Returns whether to continue with the next step of the tour; nil without a prompt.
    package var shouldContinue: (@Sendable () -> Bool)?
    /// Opens the user's editor on a text; nil without a prompt.
    package var edit: (@Sendable (String) -> Edited)?
    /// Adds a statement that was not typed at the prompt to its history.
    package var remember: (@Sendable (String) -> Void)?
    /// Asks the user to confirm, and returns the answer; nil without a prompt.
    package var confirms: (@Sendable (String) -> Bool)?
    /// Called on any thread after others have committed to the store's file, so that `takeTurns` can be
    /// called. If nil, their changes are delivered after the next statement.
    package var onCommitElsewhere: (@Sendable () -> Void)?
    /// Shows a watched collection, and returns when its reader has left. If nil, changes are printed as
    /// events.
    package var watchScreen: (@Sendable (Watch) -> Void)?
    /// Whether a watched table is compared with its collection every second, for tests.
    package var checksWatches = false

    package init() {}
  }

  /// Interrupts the running statement. May be called from any thread.
  package func interrupt() {
    interruption.request()
    followBell.withLock { $0?.ring() }
  }

  /// Whether the running statement was interrupted.
  package var isInterrupted: Bool { interruption.isRequested }

  /// Clears an interruption that arrived while no statement ran.
  package func clearInterruption() { interruption.clear() }

  /// The prompt: the store, whether it is read-only, and the session, with a star while its transaction is open.
  package var promptText: String {
    let store =
      !isStoreOpen ? "no store" : storePath.map(lastComponent) ?? "memory"
    let readOnly = current.store?.isReadOnly ?? main.store?.isReadOnly ?? false
    return
      "\(store) \(readOnly ? "(read-only) " : "")\(current.name)\(current.store?.isInWrite == true ? "*" : "")> "
  }

  func lastComponent(_ path: String) -> String { String(path.split(separator: "/").last ?? "/") }

  /// The brackets that are open at the end of a text, outermost first; a text without any is complete.
  package static func openBrackets(of text: String) -> String {
    var scanner = BracketScanner()
    scanner.feed(Array(text.utf8))
    return String(decoding: scanner.open, as: UTF8.self)
  }

  func note(exitStatus status: Int32) { if exitStatus == 0 { exitStatus = status } }

  func report(_ failure: ShellError) {
    if failure.diagnostic == .interrupted { clearInterruption() }
    note(exitStatus: failure.exitStatus)
    firstFailure = firstFailure ?? failure
    if failure.diagnostic == .interrupted { output.discard() } else { output.flush() }
    // What was typed last needs no position.
    guard failure.diagnostic != .interrupted || !options.isInteractive || mode == .json else {
      return sink.writeError("error: \(failure.message)\n")
    }
    writeError(
      ErrorRenderer.text(failure, mode, isShown: sink.showsErrors, columns: sink.errorColumns))
  }

  private func writeError(_ text: String) {
    guard options.answers, !isRedirected else { return sink.writeError(text) }
    output.write(piece: text)
    output.flush()
  }

  /// Reports that a script could not be read, like any other error.
  package func report(
    _ message: String, named name: String, line: Int, column: Int, exitStatus: Int32
  ) {
    note(exitStatus: exitStatus)
    output.flush()
    let position = SourcePosition(line: line, column: column)
    writeError(
      ErrorRenderer.text(message, named: name, position, mode, isShown: sink.showsErrors))
  }
}
