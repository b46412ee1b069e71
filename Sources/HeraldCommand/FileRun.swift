import HeraldShell

/// One run of `herald check` or `herald repair`, which work on a store's file without a session.
struct FileRun {
  private let interpreter: Interpreter

  /// Must be called on the main thread, before any other thread is created.
  init(_ output: FileOutputOptions) throws(SystemFailure) {
    var settings = Interpreter.Options()
    settings.mode = output.json ? .json : .text
    let interpreter = Interpreter(options: settings, sink: StandardStreams())
    self.interpreter = interpreter
    Signals.hold(Signals.ofScript)
    try Signals.watch(Signals.ofScript, eventQueue: TerminalEventQueue(), defersTermination: false)
    {
      interpreter.interrupt()
    }
  }

  /// Checks the file and returns the exit status.
  func check(_ options: CheckOptions) -> Int32 {
    interpreter.check(file: options.file)
    return interpreter.exitStatus
  }

  /// Repairs the file and returns the exit status.
  func repair(_ options: RepairOptions) -> Int32 {
    interpreter.repair(file: options.file, to: options.new)
    return interpreter.exitStatus
  }
}
