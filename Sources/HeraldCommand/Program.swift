import CEditLine
import Glibc

/// One run of the program: from the options to the exit status.
struct Program {
  let options: Options
  let session: any Session
  let mailbox: Mailbox
  private let environment = Environment()

  /// Standard input and output are a terminal, and no script was named.
  static func isInteractive(_ options: Options) -> Bool {
    options.sources.isEmpty && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// Call it before any other thread is made.
  static func holdSignals(_ options: Options) { Signals.hold(signals(options)) }

  private static func signals(_ options: Options) -> [Int32] {
    isInteractive(options) ? Signals.ofPrompt : Signals.ofScript
  }

  /// Call it once, from the main thread.
  func run() throws(SystemFailure) -> ExitStatus {
    let isInteractive = Self.isInteractive(options)
    try Signals.watch(
      Self.signals(options), mailbox: mailbox, interrupt: session.interrupt)
    runStartupFile()
    if isInteractive {
      try runPrompt()
      return session.wantsToQuit ? session.exitStatus : .success
    }
    runSources()
    return session.exitStatus
  }

  private func runPrompt() throws(SystemFailure) {
    if !options.quiet {
      StandardStreams.write("herald \(Version.current): 'help' tells the commands, Ctrl-D leaves\n")
    }
    var loop = PromptLoop(
      session: session, mailbox: mailbox, history: .ofUser(environment: environment),
      isColored: environment.isColored(options.color, descriptor: STDOUT_FILENO))
    switch try loop.run() {
    case .left: return
    case .terminated(let signal): Signals.die(of: signal)
    }
  }

  private func runSources() {
    for source in options.sources.isEmpty ? [.file("-")] : options.sources {
      if session.wantsToQuit { return }
      switch source {
      case .commands(let text): session.run(text, named: "-c", firstLine: 1)
      case .file("-"): runStream()
      case .file(let path): runFile(path)
      }
    }
  }

  private func runFile(_ path: String) {
    do {
      session.run(try ScriptFile.read(path), named: path, firstLine: 1)
    } catch {
      session.report(error)
    }
  }

  private func runStream() {
    var stream = ScriptStream(descriptor: STDIN_FILENO, named: "stdin")
    do {
      while !session.wantsToQuit {
        guard let piece = try waitFor(&stream) else { return }
        session.run(piece.text, named: "stdin", firstLine: piece.firstLine)
      }
    } catch {
      session.report(error)
    }
  }

  private func waitFor(_ stream: inout ScriptStream) throws(ScriptProblem) -> ScriptStream.Piece? {
    mailbox.attention = .script
    defer { mailbox.attention = .statement }
    return try stream.next()
  }

  private func runStartupFile() {
    guard !options.skipsStartupFile,
      let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config")
    else { return }
    let path = folder + "/herald/rc"
    if access(path, F_OK) == 0 { runFile(path) }
  }
}
