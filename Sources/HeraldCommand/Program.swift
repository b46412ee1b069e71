import Glibc
import HeraldReplication
import HeraldShell

/// One run of the program: from the options to the exit status.
struct Program {
  private let options: Options
  private let interpreter: Interpreter
  private let streams = StandardStreams()
  private let eventQueue: TerminalEventQueue
  private let environment = Environment()
  private let history: StatementHistory
  private let isInteractive: Bool

  /// Must be called on the main thread, before any other thread is created.
  init(_ options: Options) throws(SystemFailure) {
    self.options = options
    let isInputTerminal = isatty(STDIN_FILENO) == 1
    // The lines of 'live' come from standard input, and the keys do not.
    let terminal =
      options.live == nil || isInputTerminal
      ? TerminalDescriptors.standard : TerminalDescriptors.controlling()
    let isAtTerminal =
      options.live == nil
      ? isInputTerminal && isatty(STDOUT_FILENO) == 1 : terminal != nil && !isInputTerminal
    isInteractive = options.sources.isEmpty && isAtTerminal && options.live == nil
    eventQueue = try TerminalEventQueue()
    let watched = isAtTerminal ? Signals.ofTerminal : Signals.ofScript
    Signals.hold(watched)
    let history = StatementHistory(file: .ofUser(environment: environment))
    self.history = history
    var settings = Self.settings(options, isInteractive: isInteractive, streams)
    settings.history = { history.entries }
    if isAtTerminal {
      settings.onCommitElsewhere = { [eventQueue] in eventQueue.postTurn() }
      settings.watchScreen = Self.watchScreen(
        options, on: terminal ?? .standard, eventQueue, streams)
      settings.checksWatches = environment.value("HERALD_WATCH_CHECK") != nil
    }
    if isInteractive {
      settings.remember = { try? history.add($0) }
      settings.edit = { [environment, streams] text in
        streams.finishPager()
        return UserEditor(environment: environment).edit(text)
      }
      settings.shouldContinue = { [eventQueue, streams] in
        streams.finishPager()
        return KeyPress(terminal: .standard, eventQueue: eventQueue).shouldContinue(
          "Enter continues, q leaves ")
      }
      settings.confirms = { [eventQueue, streams] in
        streams.finishPager()
        return KeyPress(terminal: .standard, eventQueue: eventQueue).confirms($0)
      }
    }
    let interpreter = Interpreter(options: settings, sink: streams)
    self.interpreter = interpreter
    streams.whenBlocked({ interpreter.rest() }, until: { interpreter.isInterrupted })
    try Signals.watch(watched, eventQueue: eventQueue, defersTermination: isInteractive) {
      interpreter.interrupt()
    }
  }

  /// Runs the prompt or the scripts and returns the exit status.
  func run() throws(SystemFailure) -> Int32 {
    guard isStoreWanted else { return ExitStatus.wrongUsage }
    guard
      interpreter.open(
        path: options.store, isReadOnly: options.readOnly, cache: options.cache, key: options.key)
    else { return interpreter.exitStatus }
    defer {
      interpreter.finish()
      streams.clearProgress()
    }
    let continues = runStartupFile()
    if !isInteractive || !options.arguments.isEmpty { interpreter.setArguments(options.arguments) }
    for setting in options.settings { interpreter.setVariable(setting.name, to: setting.value) }
    if isInteractive {
      try runPrompt()
      return 0
    }
    if continues { runSources() }
    if let live = options.live, continues, !interpreter.wantsToQuit, interpreter.exitStatus == 0 {
      interpreter.live(live.className, live.query, with: live.importOptions)
    }
    interpreter.awaitPrograms()
    dieIfTerminated()
    return interpreter.exitStatus
  }

  /// Asks before a prompt creates a store that has the name of a command or a script.
  private var isStoreWanted: Bool {
    guard isInteractive, let store = options.store,
      access(File.expanded(store), F_OK) != 0
    else { return true }
    let meant: String
    if CommandReference.words.contains(store) {
      meant = "'herald -c \(store)' runs the command, 'herald help \(store)' describes it"
    } else if store.hasSuffix(".herald") {
      meant = "scripts are named so: 'herald -f \(store.visible)' runs one"
    } else {
      return true
    }
    streams.write("There is no store '\(store.visible)'; \(meant).\n")
    return KeyPress(terminal: .standard, eventQueue: eventQueue).confirms(
      "Create a new store '\(store.visible)'? y/N ")
  }

  /// Acts on a termination signal that was deferred while the program owned the terminal.
  private func dieIfTerminated() {
    for case .terminate(let signal) in eventQueue.take() {
      interpreter.finish()
      Signals.die(of: signal)
    }
  }

  private static func watchScreen(
    _ options: Options, on terminal: TerminalDescriptors, _ eventQueue: TerminalEventQueue,
    _ streams: StandardStreams
  ) -> @Sendable (Watch) -> Void {
    let isColored = Environment().isColored(options.color, descriptor: STDOUT_FILENO)
    return { watch in
      var loop = WatchLoop(
        watch, on: terminal, eventQueue: eventQueue, streams: streams, isColored: isColored)
      loop.run()
    }
  }

  private static func settings(
    _ options: Options, isInteractive: Bool, _ streams: StandardStreams
  ) -> Interpreter.Options {
    var settings = Interpreter.Options()
    settings.mode = options.json || options.answers ? .json : .text
    settings.answers = options.answers
    settings.echoes = options.echo
    settings.keepsGoing = options.keepGoing || options.answers
    settings.fileMode = options.fileMode.bits
    settings.sizeLimit = options.sizeLimit?.bytes
    settings.writeLimit = options.writeLimit?.bytes
    settings.isInteractive = isInteractive
    settings.openStream = { address, cache in
      try DynamicStore(replicated: NATSStream(address: address), cache: cache)
    }
    if isatty(STDOUT_FILENO) == 1 {
      let environment = Environment()
      let isColored = environment.isColored(options.color, descriptor: STDOUT_FILENO)
      settings.window = {
        TerminalSize(descriptor: STDOUT_FILENO).map {
          Window(columns: $0.columns, rows: $0.rows, isColored: isColored)
        }
      }
      settings.isPaged = isInteractive && environment.value("PAGER") != nil
      settings.cutsTables = isInteractive && !settings.isPaged
    }
    if isatty(STDERR_FILENO) == 1 {
      settings.progress = { streams.showProgress($0, $1) }
      if Environment().value("HERALD_PROGRESS") != nil { settings.progressDelay = .zero }
    }
    return settings
  }

  private func runPrompt() throws(SystemFailure) {
    if !options.quiet {
      let greeting =
        "herald \(Version.current): 'help' lists the commands, 'tour' explains them, Ctrl-D leaves"
      let columns = TerminalSize(descriptor: STDOUT_FILENO)?.columns ?? 80
      streams.write(greeting.wrapped(to: columns - 1) + "\n")
    }
    let loop = PromptLoop(
      interpreter: interpreter, streams: streams, eventQueue: eventQueue, history: history,
      isColored: environment.isColored(options.color, descriptor: STDOUT_FILENO),
      pager: environment.value("PAGER"))
    atexit { TerminalDescriptors.standard.restoreMode() }
    switch try loop.run() {
    case .left: return
    case .terminated(let signal):
      interpreter.finish()
      Signals.die(of: signal)
    }
  }

  private func runSources() {
    let isInputScript = options.sources.isEmpty && options.live == nil
    for source in isInputScript ? [.file("-")] : options.sources {
      let continues: Bool
      switch source {
      case .commands(let text): continues = interpreter.run(Source(name: "-c", text: text))
      case .file("-"): continues = runStream()
      case .file(let path): continues = interpreter.run(file: path)
      }
      if !continues { return }
    }
  }

  private func runStream() -> Bool {
    var stream = ScriptStream(descriptor: STDIN_FILENO, named: "standard input")
    do throws(SystemFailure) {
      while let piece = try next(of: &stream) {
        interpreter.wake()
        if !interpreter.run(piece) { return false }
      }
    } catch {
      interpreter.finish()
      StandardStreams.complain("cannot read standard input: \(error.reason)")
      exit(ExitStatus.cannotOpen)
    }
    return true
  }

  private func next(of stream: inout ScriptStream) throws(SystemFailure) -> Source? {
    guard eventQueue.awaitScript() else { exit(ExitStatus.interrupted) }
    defer { eventQueue.attention = .statement }
    return try stream.next { interpreter.rest() }
  }

  /// Runs the start-up file; returns false if the run must end.
  private func runStartupFile() -> Bool {
    guard options.readsStartupFile ?? isInteractive,
      let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config")
    else { return true }
    let path = folder + "/herald/rc"
    return access(path, F_OK) != 0 || interpreter.run(file: path)
  }
}
