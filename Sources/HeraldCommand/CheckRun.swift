import HeraldShell

/// One run of `herald check`.
struct CheckRun {
  private let options: CheckOptions
  private let interpreter: Interpreter

  /// Call it before any other thread is made, from the main thread.
  init(_ options: CheckOptions) throws(SystemFailure) {
    self.options = options
    var settings = Interpreter.Options()
    settings.mode = options.json ? .json : .text
    let interpreter = Interpreter(options: settings, sink: StandardStreams())
    self.interpreter = interpreter
    Signals.hold(Signals.ofScript)
    try Signals.watch(Signals.ofScript, mailbox: Mailbox(), heedsTermination: false) {
      interpreter.interrupt()
    }
  }

  /// Checks the file and returns the exit status.
  func run() -> Int32 {
    interpreter.check(file: options.file)
    return interpreter.exitStatus
  }
}
